import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '#contract/admin.ts'
import type { Country } from '#contract/countries.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { SettingsSection } from '#contract/shop-settings.ts'
import { shopSettings } from '#server/db/admin-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { openDesk, openNode } from '#server/testing/settings-desk.ts'
import { testAdmin } from '#server/testing/test-shop.ts'

/** What the settings refuse, and what they do not use. */

test('a saved mail password goes to no other server, nor there with less encryption', async () => {
  const desk = await openDesk()
  const server = {
    from: 'shop@mugs.example',
    smtpHost: 'mail.example.com',
    smtpPort: 587,
    smtpSecurity: 'starttls' as const,
    smtpUser: 'u',
  }
  await desk.change('mail', { ...server, smtpPassword: 'swordfish' })
  const readUrl = () => desk.shop.config.mail.smtpUrl
  const before = readUrl()
  for (const change of [
    { smtpHost: 'evil.example' },
    { smtpPort: 25 },
    { smtpSecurity: 'none' as const },
    { smtpUser: 'somebody' },
  ]) {
    const refused = await desk.change('mail', change)
    assert.equal(refused.json().code, 'mail-password-needed', JSON.stringify(change))
    assert.equal(readUrl(), before)
  }
  const safer = await desk.change('mail', { smtpSecurity: 'tls' })
  assert.equal(safer.statusCode, 200, safer.body)
  assert.equal(readUrl(), 'smtps://u:swordfish@mail.example.com:587')
  const moved = { smtpHost: 'other.example', smtpPassword: 'trout' }
  assert.equal((await desk.change('mail', moved)).statusCode, 200)
  assert.equal(readUrl(), 'smtps://u:trout@other.example:587')
  assert.equal((await desk.change('mail', { smtpHost: null })).statusCode, 200)
  const back = await desk.change('mail', { smtpHost: 'evil.example' })
  assert.equal(back.json().secrets.mail, 'none', 'without a server it is forgotten')
  assert.ok(!readUrl()?.includes('trout'))
})

test('a saved mail password does not hinder who has a server in the environment', async () => {
  const desk = await openDesk()
  const mail = { from: 'shop@mugs.example', smtpHost: 'mail.example.com', smtpUser: 'u' }
  await desk.change('mail', { ...mail, smtpPassword: 'swordfish' })
  const node = await openNode(desk, { SMTP_URL: 'smtp://x:y@other.example:2525' })
  const { version, values } = node.show()
  const change = { version, values: { ...values.mail, from: 'sales@mugs.example' } }
  await node.save('mail', change, { admin: undefined, address: '' })
  assert.equal(node.config.mail.from, 'sales@mugs.example')
  const without = await openNode(desk)
  assert.equal(without.config.mail.smtpUrl, 'smtps://u:swordfish@mail.example.com:465')
})

test('the longest policies that are allowed can be saved, in any script', async () => {
  const desk = await openDesk()
  for (const letter of ['a', 'я', '漢', '"']) {
    const text = letter.repeat(20_000)
    const policies = {
      refund: text,
      shipping: text,
      privacy: text,
      terms: text,
      withdrawal: text,
    }
    const saved = await desk.change('policies', policies)
    assert.equal(saved.statusCode, 200, saved.body.slice(0, 200))
  }
  const tooLong = await desk.change('policies', { terms: 'a'.repeat(20_001) })
  assert.equal(tooLong.statusCode, 400)
})

test('what decides about money, mails, links, deletion and alerts needs the password', async () => {
  const desk = await openDesk()
  const { values } = await desk.read()
  for (const section of [
    'sumup',
    'methods',
    'mail',
    'texts',
    'address',
    'retention',
    'alerts',
  ] as const) {
    const wrong = await desk.put(section, values[section], { password: 'wrong' })
    assert.equal(wrong.json().code, 'wrong-password', section)
    const none = await desk.put(section, values[section], { password: undefined })
    assert.equal(none.statusCode, 400, section)
  }
  const tax = await desk.put('tax', values.tax, { password: undefined })
  assert.equal(tax.statusCode, 200)
})

test('another contact email needs the password, and the old address is told who changed it', async () => {
  const desk = await openDesk()
  const server = await openMailServer()
  const { hostname, port } = new URL(server.url)
  const first = await desk.change('shop', { name: 'Mugs', email: 'old@mugs.example' })
  assert.equal(first.statusCode, 200, first.body)
  await desk.change('mail', { smtpHost: hostname, smtpPort: Number(port), smtpSecurity: 'none' })
  const email = 'thief@example.com'
  const without = await desk.change('shop', { email }, { password: undefined })
  assert.equal(without.statusCode, 400)
  const wrong = await desk.change('shop', { email }, { password: 'wrong' })
  assert.equal(wrong.json().code, 'wrong-password')
  assert.equal(desk.shop.config.shop.email, 'old@mugs.example')
  const other = await desk.change('shop', { imprint: 'Mugs Ltd' }, { password: undefined })
  assert.equal(other.statusCode, 200, 'the rest of the section needs none')
  assert.equal(server.received.length, 0)

  assert.equal((await desk.change('shop', { email })).statusCode, 200)
  await waitFor('the old address is told', () => server.received.length > 0)
  const [told] = server.received
  assert.deepEqual(told?.to, ['old@mugs.example'])
  assert.equal(told?.mail.subject, 'The contact email of Mugs was changed')
  assert.deepEqual(told?.mail.from, { name: 'Mugs', address: 'old@mugs.example' })
  const text = told?.mail.text?.replaceAll(/\s+/g, ' ') ?? ''
  const { username } = testAdmin
  assert.ok(text.includes(`${username} changed it from old@mugs.example to ${email}`), text)
})

test('a server is tried out with the password only, and a saved password never at another server', async () => {
  const desk = await openDesk()
  const server = await openMailServer()
  const { hostname, port } = new URL(server.url)
  const values = {
    from: 'shop@mugs.example',
    smtpHost: hostname,
    smtpPort: Number(port),
    smtpSecurity: 'none' as const,
    smtpUser: null,
  }
  const { password } = testAdmin
  const missing = await desk.post(apiRoutes.testMail, { values })
  assert.match(missing.message, /Password is required/)
  const wrong = await desk.post(apiRoutes.testMail, { values, password: 'wrong' })
  assert.equal(wrong.code, 'wrong-password')
  assert.equal(server.received.length, 0)
  const sent = await desk.post(apiRoutes.testMail, { values, password })
  assert.equal(sent.status, 'ok', JSON.stringify(sent))
  assert.equal(server.received.length, 1)
  assert.equal(desk.shop.config.mail.smtpUrl, undefined, 'nothing was saved')

  const elsewhere = { ...values, smtpHost: 'mail.example.com', smtpUser: 'u' }
  await desk.put('mail', { ...elsewhere, smtpPassword: 'swordfish' })
  const stolen = { ...elsewhere, smtpHost: hostname }
  const refused = await desk.post(apiRoutes.testMail, { values: stolen, password })
  assert.equal(refused.code, 'mail-password-needed')
  assert.equal(server.received.length, 1)
})

test('a saved address that the environment contradicts since is not used, and the owner is told', async () => {
  const desk = await openDesk()
  await desk.change('address', { publicUrl: 'https://mugs.example' }, { isForced: true })
  const node = await openNode(desk, { CUSTOM_DOMAIN: 'https://mugs.example' })
  assert.equal(node.config.publicUrl, undefined)
  assert.equal(node.config.customDomain, 'https://mugs.example')
  assert.deepEqual(node.config.conflicts, ['domains-alike'])
  const owner = { admin: undefined, address: '' }
  const save = (section: SettingsSection, values: object) =>
    node.save(section, { version: node.show().version, values }, owner)
  const { shop, address } = node.show().values
  await save('shop', { ...shop, name: 'The Mug Shop' })
  await assert.rejects(save('address', { ...address, publicUrl: 'https://mugs.example:81' }), {
    code: 'domains-alike',
  })
  await save('address', { ...address, publicUrl: 'https://shop.mugs.example' })
  assert.deepEqual(node.config.conflicts, [])

  const other = await openDesk({ CUSTOM_DOMAIN: 'https://mugs.example' })
  const stored = { address: { publicUrl: 'https://mugs.example', customDomain: null } }
  await other.db.insert(shopSettings).values({ id: 'shop', version: 1, values: stored })
  await other.shop.settings.refresh()
  const { app, headers } = other
  const notices: Notice[] = (await app.inject({ url: apiRoutes.notices, headers })).json()
  const notice = notices.find(({ kind }) => kind === 'settings')
  assert.deepEqual([notice?.place, notice?.isUrgent], ['address', true])
})

test('the sender of a mail server of the environment may be a saved one, and there must be one', async () => {
  const desk = await openDesk()
  const environment = { SMTP_URL: 'smtp://mail.example.com' }
  await assert.rejects(openNode(desk, environment), {
    name: 'CannotStart',
    message: /SMTP_URL: also needs MAIL_FROM or SHOP_EMAIL/,
  })
  await desk.change('shop', { name: 'Mugs', email: 'hello@mugs.example' })
  const node = await openNode(desk, environment)
  assert.equal(node.config.mail.from, 'Mugs <hello@mugs.example>')
  const { version, values } = node.show()
  const change = { version, values: { ...values.shop, email: null } }
  await assert.rejects(node.save('shop', change, { admin: undefined, address: '' }), {
    code: 'mail-sender-missing',
  })

  await desk.change('mail', { smtpHost: 'mail.example.com' })
  await desk.db.execute(sql`update shop_settings set values = values - 'shop'`)
  const without = await openNode(desk)
  assert.equal(without.config.mail.smtpUrl, undefined, 'no mail goes out in the name of nobody')
  assert.deepEqual(without.config.conflicts, ['mail-sender-missing'])
})

test('what is saved is checked as it will be, whatever this node knew before', async () => {
  const desk = await openDesk()
  const node = await openNode(desk)
  await desk.change('shop', { name: 'Newer' })
  const { version, values } = await desk.read()
  const change = { version, values: { ...values.tax, vatRate: '19' } }
  const seen: (string | undefined)[] = []
  await node.save('tax', change, { admin: undefined, address: '' }, async (next, before) => {
    seen.push(before.shop.name, next.shop.name)
  })
  assert.deepEqual(seen, ['Newer', 'Newer'])
})

test('no delivery price gets cents that the currency does not have', async () => {
  const desk = await openDesk({ PAYMENT_CURRENCY: 'CLP' })
  const pricesOf = (...all: string[]) => ({
    countries: ['Germany', 'France'] as Country[],
    prices: all.map((price, index) => ({
      countries: [index === 0 ? 'Germany' : 'France'] as Country[],
      price,
      freeFrom: null,
    })),
  })
  const refused = await desk.change('delivery', pricesOf('3990', '4.90'))
  assert.equal(refused.statusCode, 400)
  assert.equal(refused.json().field, 'prices.1.price')
  assert.match(refused.json().message, /CLP has no cents/)
  assert.equal((await desk.change('delivery', pricesOf('3990', '4.00'))).statusCode, 200)
})

test('a currency without cents is not chosen while delivery has a price with cents', async () => {
  const desk = await openDesk()
  const prices = [{ countries: ['Germany'] as Country[], price: '4.90', freeFrom: null }]
  assert.equal((await desk.change('delivery', { prices })).statusCode, 200)
  const refused = await desk.change('sumup', { currency: 'CLP' })
  assert.equal(refused.statusCode, 400)
  assert.equal(refused.json().field, 'currency')
  assert.equal((await desk.change('sumup', { currency: 'USD' })).statusCode, 200)
})
