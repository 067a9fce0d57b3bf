import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import type { Notice } from '#contract/admin.ts'
import { apiRoutes, checkoutPath, pathOf } from '#contract/paths.ts'
import type { SettingsSection } from '#contract/shop-settings.ts'
import { readConfig } from '#server/config.ts'
import { auditLog, shopSettings } from '#server/db/admin-schema.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { startMailing } from '#server/mail/mailing.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { openDesk, openNode } from '#server/testing/settings-desk.ts'
import { openTestShop, testAdmin, type TestShop } from '#server/testing/test-shop.ts'
import { testAccount } from '#server/sumup/payments.ts'
import { openShopSettings } from './shop-settings.ts'

const log = pino({ level: 'silent' })

async function sell(shop: TestShop, productId: string): Promise<string> {
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(productId)
  await payByCard(shop.sandbox, checkoutId)
  return (await buyer.order(checkoutId)).json().id
}

test('a change is in force at once here, and soon on every other node, without a restart', async () => {
  const desk = await openDesk()
  const other = await openNode(desk)
  const mug = await addMug(desk)
  const saved = await desk.change('shop', {
    name: 'The Mug Shop',
    email: 'hello@mugs.example',
    imprint: 'Mugs Ltd, Harbour Road 1',
  })
  assert.equal(saved.statusCode, 200, saved.body)
  const page = (await desk.app.inject(checkoutPath(mug))).body
  assert.match(page, /The Mug Shop/)
  assert.match(page, /mailto:hello@mugs\.example/)
  assert.match(page, /Mugs Ltd, Harbour Road 1/)
  await waitFor('the other node has read it', () => other.config.shop.name === 'The Mug Shop')
  const started = await openNode(desk)
  assert.equal(started.config.shop.email, 'hello@mugs.example')
})

test('a client sends the fields that it changes, and all others stay as they are', async () => {
  const desk = await openDesk({ SHOP_EMAIL: 'outside@mugs.example' })
  assert.equal((await desk.put('shop', { name: 'The Mug Shop', imprint: 'Mugs' })).statusCode, 200)
  assert.equal((await desk.put('shop', { imprint: null })).statusCode, 200)
  const { shop, retention } = (await desk.read()).values
  assert.deepEqual([shop.name, shop.imprint], ['The Mug Shop', null])
  assert.equal((await desk.put('retention', { mails: 14 })).statusCode, 200)
  assert.deepEqual((await desk.read()).values.retention, { ...retention, mails: 14 })
})

test('what the environment sets wins, is shown as such and cannot be changed', async () => {
  const environment = {
    SHOP_NAME: 'From outside',
    KEEP_MAIL_DAYS: '14',
    SMTP_URL: 'smtp://u:p@[::1]:2525',
    MAIL_FROM: 'a@b.example',
  }
  const desk = await openDesk(environment)
  const { values, fixed } = await desk.read()
  assert.equal(values.shop.name, 'From outside')
  assert.equal(values.retention.mails, 14)
  assert.equal(values.mail.smtpHost, '::1')
  assert.equal(fixed['shop.name'], 'SHOP_NAME')
  assert.equal(fixed['mail.smtpHost'], 'SMTP_URL')
  const refused = await desk.change('shop', { name: 'From inside' })
  assert.equal(refused.statusCode, 409)
  assert.equal(refused.json().code, 'setting-fixed')
  assert.match(refused.json().message, /SHOP_NAME/)
  assert.equal((await desk.change('shop', { email: 'a@b.example' })).statusCode, 200)
  assert.equal((await desk.change('retention', { unpaid: 7 })).statusCode, 200)
  const { config } = desk.shop
  assert.deepEqual([config.shop.name, config.shop.email], ['From outside', 'a@b.example'])
  assert.deepEqual([config.retention.unpaid, config.retention.mails], [7, 14])
  const without = await openNode(desk)
  assert.equal(without.config.shop.name, undefined, 'the name of the environment was not saved')
})

test('of two owners who save at once, the second is told', async () => {
  const desk = await openDesk()
  const { version, values } = await desk.read()
  const save = (name: string) =>
    desk.app.inject({
      method: 'PUT',
      url: pathOf(apiRoutes.settingsSection, { section: 'shop' }),
      headers: desk.headers,
      payload: { version, values: { ...values.shop, name } },
    })
  const answers = await Promise.all([save('One'), save('Other')])
  assert.deepEqual(answers.map(({ statusCode }) => String(statusCode)).toSorted(), ['200', '409'])
  assert.equal(
    answers.find(({ statusCode }) => statusCode === 409)?.json().code,
    'settings-changed',
  )
  const winner = answers.find(({ statusCode }) => statusCode === 200)?.json().values.shop.name
  assert.equal((await desk.read()).values.shop.name, winner)
})

test('what makes no sense is refused with a reason', async () => {
  const desk = await openDesk()
  const refuse = async (section: SettingsSection, values: object, text: RegExp) => {
    const answer = await desk.change(section, values)
    assert.equal(answer.statusCode, 400, answer.body)
    assert.match(answer.json().message, text)
  }
  await refuse('shop', { email: 'nobody' }, /not an email address/)
  await refuse('shop', { name: 'two\nlines' }, /one line/)
  await refuse('shop', { logoUrl: 'javascript:alert(1)' }, /not a picture/)
  await refuse('tax', { vatRate: '119' }, /percentage/)
  await refuse('mail', { smtpPort: 70_000 }, /port/)
  await refuse('mail', { from: 'My Shop' }, /email address/)
  await refuse('address', { publicUrl: 'https://a.example/path' }, /without a path/)
  await refuse('retention', { audit: 1 }, /31 to 3650/)
  const alone = await desk.change('mail', { smtpHost: 'mail.example.com' })
  assert.equal(alone.json().code, 'mail-sender-missing')
  assert.equal((await desk.put('nothing', {})).statusCode, 404)
})

test('a mail password is encrypted, never shown again, and in no log', async () => {
  const desk = await openDesk()
  const password = 'swordfish-&-chips'
  const mail = { from: 'shop@mugs.example', smtpHost: 'mail.example.com', smtpPort: 587 }
  const server = { ...mail, smtpSecurity: 'starttls' as const, smtpUser: 'shop@mugs.example' }
  const saved = await desk.change('mail', { ...server, smtpPassword: password })
  assert.equal(saved.statusCode, 200, saved.body)
  assert.ok(!saved.body.includes('swordfish'))
  assert.equal(saved.json().secrets.mail, 'saved')
  await desk.change('mail', { from: 'sales@mugs.example' })
  const expected =
    'smtp://shop%40mugs.example:swordfish-%26-chips@mail.example.com:587?requireTLS=true'
  assert.equal(desk.shop.config.mail.smtpUrl, expected, 'a password that is not sent stays')
  const rows = JSON.stringify([
    await desk.db.select().from(shopSettings),
    await desk.db.select({ detail: auditLog.detail }).from(auditLog),
  ])
  assert.ok(!rows.includes('swordfish'), rows)
  const config = readConfig({})
  const moved = await openShopSettings({ db: desk.db, secret: 'another secret', config, log })
  after(() => moved.close())
  assert.equal(moved.show().secrets.mail, 'unreadable', 'the owner is asked to enter it again')
  const { version, values } = moved.show()
  const shop = { version, values: { ...values.shop, name: 'Moved' } }
  await moved.save('shop', shop, { admin: undefined, address: '' })
  assert.equal(moved.show().secrets.mail, 'unreadable', 'saving something else does not hide it')
  const back = await openNode(desk)
  assert.equal(back.config.mail.smtpUrl, expected, 'nor is it lost: the old secret reads it')
})

test('a change is in the audit log with who and what', async () => {
  const desk = await openDesk()
  await desk.change('tax', { vatRate: '19', vatNumber: 'DE123' })
  const [entry] = await desk.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, 'settings-changed'))
  assert.equal(entry?.adminName, testAdmin.username)
  assert.equal(entry?.subject, 'tax')
  assert.deepEqual(entry?.detail, {
    vatRate: { from: null, to: '19' },
    vatNumber: { from: null, to: 'DE123' },
  })
})

test('the first change of a section names the field that was changed, and none that kept its default', async () => {
  const desk = await openDesk()
  await desk.change('retention', { unpaid: 12 })
  const [entry] = await desk.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, 'settings-changed'))
  assert.deepEqual(entry?.detail, { unpaid: { from: 30, to: 12 } })
})

test('a sale keeps the VAT of its day, and the price never changes with it', async () => {
  const desk = await openDesk()
  const mug = await addMug(desk)
  const before = await sell(desk, mug)
  await desk.change('tax', { vatRate: '19,0 %', vatNumber: 'DE123456789' })
  await desk.change('shop', {
    name: 'Mugs',
    email: 'a@b.example',
    postalAddress: 'Weg 1\n10115 Berlin',
  })
  const during = await sell(desk, mug)
  await desk.change('tax', { vatRate: '7' })
  const rates = new Map<string, string | undefined>()
  for (const order of await desk.db.select().from(orders)) {
    rates.set(order.id, order.product.vatRate)
    assert.equal(order.amount, '49.00')
  }
  assert.deepEqual([rates.get(before), rates.get(during)], [undefined, '19'])
  const buyer = createBuyer(desk)
  const page = (await buyer.call('GET', `/thank-you/${during}`)).body
  assert.match(page, /Including 19% VAT/)
  assert.match(page, /€7\.82/)
  assert.match(page, /DE123456789/)
  assert.doesNotMatch((await buyer.call('GET', `/thank-you/${before}`)).body, /VAT<|Including/)
})

test('mails go through the server that the owner entered, with VAT and seller on the receipt', async () => {
  const desk = await openDesk()
  const mug = await addMug(desk)
  const server = await openMailServer()
  const { config, secret } = desk.shop
  const mailing = startMailing({
    config,
    db: desk.db,
    secret,
    log,
    localOrigin: 'http://127.0.0.1:1',
  })
  after(() => mailing.stop())
  const { hostname, port } = new URL(server.url)
  assert.equal((await desk.post(apiRoutes.testMail, {})).status, 'warn')
  await desk.change('shop', {
    name: 'Mugs',
    email: 'owner@b.example',
    postalAddress: 'Weg 1\n10115 Berlin',
  })
  await desk.change('tax', { vatRate: '19', vatNumber: 'DE123456789' })
  await desk.change('mail', { smtpHost: hostname, smtpPort: Number(port), smtpSecurity: 'none' })
  const tested = await desk.post(apiRoutes.testMail, {})
  assert.equal(tested.status, 'ok', tested.found)
  assert.deepEqual(server.received[0]?.to, [testAdmin.email])
  const nobody = { email: 'admin@example.com', password: testAdmin.password }
  const { app, headers } = desk
  await app.inject({ method: 'PUT', url: apiRoutes.ownEmail, headers, payload: nobody })
  const unread = await desk.post(apiRoutes.testMail, {})
  assert.equal(unread.status, 'warn')
  assert.match(unread.found, /still admin@example\.com.*nothing was sent/)
  assert.equal(server.received.length, 1)
  await app.inject({ method: 'PUT', url: apiRoutes.ownEmail, headers, payload: testAdmin })
  assert.deepEqual(server.received[0]?.mail.from, { name: 'Mugs', address: 'owner@b.example' })
  server.received.length = 0
  await sell(desk, mug)
  mailing.sendNow()
  const find = () => server.received.find(({ mail }) => mail.subject?.includes('confirmed'))
  await waitFor('the confirmation arrives', () => find() !== undefined)
  const text = find()?.mail.text ?? ''
  assert.match(text, /Including 19% VAT +€7\.82/)
  assert.match(text, /Seller\r?\nMugs\r?\nWeg 1\r?\n10115 Berlin\r?\nVAT number DE123456789/)
  await server.goDown()
  assert.equal((await desk.post(apiRoutes.testMail, {})).status, 'fail')
})

test('a custom domain takes over payment pages as soon as it is saved', async () => {
  const desk = await openDesk()
  const mug = await addMug(desk)
  const addresses = {
    publicUrl: 'http://shop.mugs.example',
    customDomain: 'http://pay.mugs.example',
  }
  const wrong = await desk.change('address', addresses)
  assert.equal(wrong.statusCode, 422)
  assert.equal(wrong.json().code, 'address-unreachable')
  const alike = { publicUrl: 'http://mugs.example', customDomain: 'http://mugs.example:81' }
  const refused = await desk.change('address', alike, { isForced: true })
  assert.equal(refused.json().code, 'domains-alike')
  const ownHost = await desk.change(
    'address',
    { customDomain: 'http://localhost' },
    { isForced: true },
  )
  assert.equal(ownHost.json().code, 'domain-in-use', 'the owner cannot lock themselves out')
  const saved = await desk.change('address', addresses, { isForced: true })
  assert.equal(saved.statusCode, 200, saved.body)
  const ask = (host: string, url: string) => desk.app.inject({ url, headers: { host } })
  const page = await ask('shop.mugs.example', checkoutPath(mug))
  assert.equal(page.headers.location, `http://pay.mugs.example${checkoutPath(mug)}`)
  assert.equal((await ask('pay.mugs.example', checkoutPath(mug))).statusCode, 200)
  assert.equal((await ask('pay.mugs.example', '/login')).statusCode, 404)
  assert.equal((await ask('shop.mugs.example', '/login')).statusCode, 200)
})

test('an address that leads to the shop is recognised, and one that does not is not', async () => {
  const desk = await openDesk()
  const address = await desk.app.listen({ port: 0, host: '127.0.0.1' })
  const { password } = testAdmin
  const check = (url: string, proof: object = { password }) =>
    desk.post(apiRoutes.addressCheck, { kind: 'publicUrl', url, ...proof })
  const here = await check(address)
  assert.equal(here.status, 'warn', here.found)
  assert.match(here.found, /not encrypted/)
  const nowhere = await check('http://127.0.0.1:1')
  assert.equal(nowhere.status, 'fail')
  assert.equal((await desk.change('address', { publicUrl: address })).statusCode, 200)
  assert.match((await check(address, {})).found, /not encrypted/, 'the one in use needs none')
})

test('whoever borrows a session cannot try out which addresses answer', async () => {
  const desk = await openDesk()
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const check = (proof: object) =>
    desk.post(apiRoutes.addressCheck, { kind: 'publicUrl', url, ...proof })
  assert.match((await check({})).message, /Password is required/)
  assert.equal((await check({ password: 'wrong' })).code, 'wrong-password')
  assert.equal(asked, 0)
  await check({ password: testAdmin.password })
  assert.ok(asked > 0)
})

test('whoever moves the shop to https stays signed in', async () => {
  const desk = await openDesk()
  const saved = await desk.change(
    'address',
    { publicUrl: 'https://mugs.example' },
    { isForced: true },
  )
  const [cookie] = saved.cookies
  assert.equal(cookie?.name, '__Host-till_session')
  const headers = { cookie: `${cookie?.name}=${cookie?.value}` }
  assert.equal((await desk.app.inject({ url: apiRoutes.settings, headers })).statusCode, 200)
})

test('a notice leads to the settings that put it right, in words without names of variables', async () => {
  const live = await openTestShop({ isLive: true })
  const { payments } = live.shop
  payments.sandboxUrl = undefined
  const problem = 'SumUp knows no account MX. Check the merchant code.'
  payments.account = () => ({ ...testAccount, mode: 'live', problem })
  const readPlaces = async ({ app, signIn }: TestShop) => {
    const headers = await signIn()
    const notices: Notice[] = (await app.inject({ url: apiRoutes.notices, headers })).json()
    for (const { title, text, place, howTo } of notices)
      assert.doesNotMatch(`${title} ${text} ${place && howTo}`, /[A-Z]_[A-Z]/)
    return Object.fromEntries(notices.map(({ kind, place }) => [kind, place]))
  }
  assert.partialDeepStrictEqual(await readPlaces(live), {
    payments: 'sumup',
    seller: 'shop',
    'custom-domain': 'address',
    mail: 'mail',
  })
  assert.equal((await readPlaces(await openTestShop()))['test-mode'], 'sumup')
})
