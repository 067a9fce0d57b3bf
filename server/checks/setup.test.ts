import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { SettingsSection, Setup, SetupStep, ShopSettings } from '#contract/shop-settings.ts'
import { credentials } from '#server/db/admin-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { orders, products } from '#server/db/schema.ts'
import { addOrders } from '#server/testing/orders.ts'
import { demoProducts } from '#tools/seed/products.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { openTestShop, testAdmin, type TestShopOptions } from '#server/testing/test-shop.ts'

/** As a proxy in front of https://mugs.example asks. */
const throughPublicUrl = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'mugs.example',
  host: 'mugs.example',
}

async function openDesk(options: TestShopOptions = {}) {
  const shop = await openTestShop(options)
  const { app } = shop
  await shop.db.update(credentials).set({ isGenerated: true })
  // Under either name: with https the cookie has another.
  const { cookie } = await shop.signIn()
  const signedIn = { cookie: `${cookie}; __Host-${cookie}` }
  const read = async (headers = {}): Promise<Setup> =>
    (await app.inject({ url: apiRoutes.setup, headers: { ...signedIn, ...headers } })).json()
  const readSteps = async (headers = {}) => (await read(headers)).steps
  return {
    ...shop,
    signedIn,
    read,
    /** The steps that are done. */
    listDone: async (headers = {}) =>
      (await readSteps(headers)).filter(({ isDone }) => isDone).map(({ name }) => name),
    /** What is said about a step, once other machines have answered. */
    async readText(name: SetupStep['name']): Promise<string> {
      for (;;) {
        const found = (await readSteps()).find((one) => one.name === name)
        if (!found?.isChecking) return found?.text ?? ''
      }
    },
    async save(section: SettingsSection, values: object) {
      const { version, values: before }: ShopSettings = (
        await app.inject({ url: apiRoutes.settings, headers: signedIn })
      ).json()
      const saved = await app.inject({
        method: 'PUT',
        url: pathOf(apiRoutes.settingsSection, { section }),
        headers: signedIn,
        payload: {
          version,
          values: { ...before[section], ...values },
          isForced: true,
          password: testAdmin.password,
        },
      })
      assert.equal(saved.statusCode, 200, saved.body)
    },
  }
}

test('each step of the set-up ticks itself once it is true, and not before', async () => {
  const desk = await openDesk()
  assert.deepEqual(await desk.listDone(), [])

  await desk.save('shop', { name: 'The Mug Shop' })
  assert.match(await desk.readText('shop'), /needs a contact address\.$/)
  await desk.save('shop', { email: 'hello@mugs.example' })
  assert.deepEqual(await desk.listDone(), ['shop'])

  assert.doesNotMatch(await desk.readText('password'), /email/)
  await desk.app.inject({
    method: 'PUT',
    url: apiRoutes.ownEmail,
    headers: desk.signedIn,
    payload: { email: 'admin@example.com', password: testAdmin.password },
  })
  assert.match(await desk.readText('password'), /enter your email address\.$/)
  await desk.app.inject({
    method: 'PUT',
    url: apiRoutes.ownPassword,
    headers: desk.signedIn,
    payload: { currentPassword: testAdmin.password, newPassword: 'harbour-mug-elm-window' },
  })
  assert.deepEqual(await desk.listDone(), ['shop', 'password'])

  const mug = await addMug(desk)
  assert.deepEqual(await desk.listDone(), ['shop', 'password', 'product'])

  const buyer = createBuyer(desk)
  const checkoutId = await buyer.arrive(mug)
  await payByCard(desk.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  assert.deepEqual(await desk.listDone(), ['shop', 'password', 'product', 'test-order'])
  assert.match(await desk.readText('sumup'), /no money is taken/)
})

test('a password of one’s own that is easy to guess is not ticked off', async () => {
  const desk = await openDesk()
  await desk.db.update(credentials).set({ isGenerated: false, isWeak: true })
  assert.deepEqual(await desk.listDone(), [])
  assert.equal(
    await desk.readText('password'),
    'Your password is easy to guess. Change it before the shop takes money.',
  )
  await desk.db.update(credentials).set({ isWeak: false })
  assert.deepEqual(await desk.listDone(), ['password'])
})

test('demo data ticks off nothing', async () => {
  const desk = await openDesk()
  const [order] = await addOrders(desk.db, [{ sumupTransactionId: 'demo-1' }])
  await desk.db.update(products).set({ deletedAt: sql`now()` })
  const [demo] = demoProducts
  await desk.db
    .insert(products)
    .values({ id: demo?.id, name: 'Mug', price: '49.00', headerLogoUrl: '/x', createdBy: 'demo' })
  assert.deepEqual(await desk.listDone(), [])
  await desk.db.update(orders).set({ sumupTransactionId: null })
  assert.deepEqual(await desk.listDone(), ['test-order'], order?.id)
})

test('mail counts as set up while the mail server accepts the shop', async () => {
  const desk = await openDesk()
  assert.match(await desk.readText('mail'), /^Mails are not sent\. Enter a mail server\.$/)
  const server = await openMailServer()
  const { hostname, port } = new URL(server.url)
  const from = 'The Mug Shop <hello@mugs.example>'
  const smtp = { from, smtpHost: hostname, smtpSecurity: 'none' }
  await desk.save('mail', { ...smtp, smtpPort: Number(port) })
  assert.match(await desk.readText('mail'), /accepts us/)
  assert.deepEqual(await desk.listDone(), ['mail'])
  await desk.save('mail', { ...smtp, smtpPort: 1 })
  assert.match(await desk.readText('mail'), /does not accept us/)
  assert.deepEqual(await desk.listDone(), [])
})

test('the public address counts once it leads here, as seen from the shop or by who asks', async () => {
  const desk = await openDesk()
  assert.match(await desk.readText('address'), /on this computer only/)
  await desk.save('address', { publicUrl: 'https://127.0.0.1:1' })
  assert.match(await desk.readText('address'), /cannot be reached/)
  await desk.save('address', { publicUrl: 'https://mugs.example' })
  assert.deepEqual(await desk.listDone(throughPublicUrl), ['address'])
})

test('once every step was done the card is gone for good, and until then each admin can fold it', async () => {
  const desk = await openDesk({ isLive: true })
  desk.shop.payments.sandboxUrl = undefined
  const { app, signedIn: headers } = desk
  assert.equal((await desk.read()).isFolded, false)
  for (const isFolded of [true, false, true]) {
    const url = apiRoutes.setupFolding
    const folded = await app.inject({ method: 'PUT', url, headers, payload: { isFolded } })
    assert.equal(folded.statusCode, 204)
    assert.equal((await desk.read()).isFolded, isFolded)
  }
  await desk.db.update(credentials).set({ isGenerated: false })
  const mug = await addMug(desk)
  const buyer = createBuyer(desk)
  const checkoutId = await buyer.arrive(mug)
  await payByCard(desk.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  await desk.save('shop', { name: 'The Mug Shop', email: 'hello@mugs.example' })
  const { url } = await openMailServer()
  const smtp = { smtpHost: new URL(url).hostname, smtpPort: Number(new URL(url).port) }
  await desk.save('mail', { ...smtp, smtpSecurity: 'none' })
  assert.match(await desk.readText('mail'), /accepts us/)
  await desk.save('address', { publicUrl: 'https://mugs.example' })
  const open = (await desk.read()).steps.filter(({ isDone }) => !isDone)
  assert.deepEqual(
    open.map(({ name }) => name),
    ['address'],
  )
  assert.ok((await desk.read(throughPublicUrl)).steps.every(({ isDone }) => isDone))
  await desk.save('shop', { name: null })
  assert.deepEqual((await desk.read()).steps, [])
})
