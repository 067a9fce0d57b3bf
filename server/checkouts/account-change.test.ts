import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Notice } from '#contract/admin.ts'
import type { ReviewEntry } from '#contract/checkouts.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { SettingsCheck, ShopSettings } from '#contract/shop-settings.ts'
import { startSandbox } from '#sandbox/sandbox.ts'
import { auditLog, shopSettings } from '#server/db/admin-schema.ts'
import { eq } from '#server/db/drizzle.ts'
import { checkouts, orders, strayPayments } from '#server/db/schema.ts'
import { until } from '#server/testing/arm-crash-point.ts'
import { addMug, createBuyer, challengedCard, payByCard } from '#server/testing/buyer.ts'
import { startShop } from '#server/testing/started-shop.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { makeTestDatabase, toDatabaseUrl } from '#server/testing/test-database.ts'
import { compareWithHistory } from './compare.ts'

/** The owner changes the SumUp account in the settings while the shop sells. */

const password = 'a long sentence is a good password'
const accounts = {
  A: { merchantCode: 'MAAA', apiKey: 'sup_sk_of_a' },
  B: { merchantCode: 'MBBB', apiKey: 'sup_sk_of_b' },
  sandbox: { merchantCode: 'MTRY', apiKey: 'sup_sk_of_try' },
  test: { merchantCode: null, apiKey: null },
}
type Account = keyof typeof accounts
type Node = Awaited<ReturnType<typeof startShop>>

/** One SumUp with two accounts that take money and a sandbox, and a shop that knows none of them yet. */
async function openChangingShop(more: Record<string, string> = {}) {
  const sumup = await startSandbox({
    apiKey: accounts.A.apiKey,
    merchant: { code: accounts.A.merchantCode, sandbox: false },
  })
  after(() => sumup.close())
  const { A: _first, test: _none, ...others } = accounts
  for (const { apiKey, merchantCode } of Object.values(others))
    sumup.controls.addAccount({
      apiKey,
      merchant: { code: merchantCode, sandbox: merchantCode === 'MTRY' },
    })
  const environment = {
    DATABASE_URL: toDatabaseUrl(await makeTestDatabase()),
    SESSION_SECRET: 'a secret that all nodes of one shop know',
    ADMIN_PASSWORD: password,
    DATA_DIR: temporaryFolder(),
    SUMUP_API_URL: sumup.url,
    ...more,
  }
  const startNode = () => startShop(environment)
  const node = await startNode()
  return { ...node, node, sumup, startNode, mug: await addMug(node) }
}
type ChangingShop = Awaited<ReturnType<typeof openChangingShop>>

async function readSettings({ app, signIn }: Node): Promise<ShopSettings> {
  return (await app.inject({ url: apiRoutes.settings, headers: await signIn() })).json()
}

async function save(node: Node, values: object, more: object = {}) {
  const { version } = await readSettings(node)
  return node.app.inject({
    method: 'PUT',
    url: pathOf(apiRoutes.settingsSection, { section: 'sumup' }),
    headers: await node.signIn(),
    payload: { version, values, password, ...more },
  })
}

async function connect({ node }: { node: Node }, account: Account): Promise<void> {
  const saved = await save(node, accounts[account])
  assert.equal(saved.statusCode, 200, saved.body)
}

/** Pays where the shop's checkouts are at this moment. */
function pay({ node, sumup }: ChangingShop, checkoutId: string, card?: string) {
  const { standInUrl } = node.shop.payments
  return payByCard(standInUrl ? { url: standInUrl } : sumup, checkoutId, card)
}

async function findRow({ db }: Node, checkoutId: string) {
  const [row] = await db.select().from(checkouts).where(eq(checkouts.sumupCheckoutId, checkoutId))
  if (!row) throw new Error('the sale is gone')
  return row
}

async function listReview({ app, signIn }: Node): Promise<ReviewEntry[]> {
  const headers = await signIn()
  return (await app.inject({ url: `${apiRoutes.review}?tests=true`, headers })).json()
}

async function sell(shop: ChangingShop, ip: string) {
  const buyer = createBuyer(shop, ip)
  const checkoutId = await buyer.arrive(shop.mug)
  await pay(shop, checkoutId)
  const answer = await buyer.order(checkoutId)
  assert.equal(answer.statusCode, 201, answer.body)
  const { merchantCode, isTest } = await findRow(shop, checkoutId)
  return { merchantCode, isTest: [isTest, answer.json().isTest] }
}

test('SumUp is connected, changed and disconnected without a restart, and each sale is of the account of its time', async () => {
  const shop = await openChangingShop()
  const { app, signIn } = shop
  const hasTestNotice = async () => {
    const headers = await signIn()
    const notices: Notice[] = (await app.inject({ url: apiRoutes.notices, headers })).json()
    return notices.some(({ kind }) => kind === 'test-mode')
  }
  const findForm = async () => (await app.inject(shop.node.shop.payments.sdkUrl)).statusCode
  const form = shop.node.shop.payments.sdkUrl
  const standIn = shop.node.shop.payments.sumup.merchantCode

  assert.deepEqual(await sell(shop, '203.0.113.1'), {
    merchantCode: standIn,
    isTest: [true, true],
  })
  assert.deepEqual([await hasTestNotice(), await findForm()], [true, 200])
  await connect(shop, 'A')
  assert.deepEqual([await hasTestNotice(), (await app.inject(form)).statusCode], [false, 404])
  assert.match((await readSettings(shop)).account.found, /MAAA.*Germany.*EUR.*real payments/)
  assert.deepEqual(await sell(shop, '203.0.113.2'), {
    merchantCode: 'MAAA',
    isTest: [false, false],
  })
  await connect(shop, 'B')
  assert.deepEqual(await sell(shop, '203.0.113.3'), {
    merchantCode: 'MBBB',
    isTest: [false, false],
  })
  await connect(shop, 'sandbox')
  assert.deepEqual(await sell(shop, '203.0.113.4'), { merchantCode: 'MTRY', isTest: [true, true] })
  await connect(shop, 'test')
  assert.deepEqual([await hasTestNotice(), await findForm()], [true, 200])
  assert.deepEqual(await sell(shop, '203.0.113.5'), {
    merchantCode: standIn,
    isTest: [true, true],
  })
  assert.deepEqual(await listReview(shop), [])
  assert.equal((await shop.db.select().from(orders)).length, 5)
})

for (const [from, to] of [
  ['test', 'A'],
  ['A', 'B'],
  ['A', 'test'],
] as const)
  test(`a sale under way while the account changes (${from} → ${to}) is never told anything untrue`, async () => {
    const shop = await openChangingShop()
    if (from !== 'test') await connect(shop, from)
    const before = { ...accounts[from], isTest: from === 'test' }
    const { sdkUrl } = shop.node.shop.payments
    const buyers = [1, 2, 3, 4, 5].map((n) => createBuyer(shop, `203.0.113.${n}`))
    const [looking, typing, atBank, paying, telling] = buyers
    assert.ok(looking && typing && atBank && paying && telling)
    const { checkoutId: formId } = (await looking.open(shop.mug)).json()
    const typedId = await typing.arrive(shop.mug)
    const bankId = await atBank.arrive(shop.mug)
    await pay(shop, bankId, challengedCard)
    const paidId = await paying.arrive(shop.mug)
    const toldId = await telling.arrive(shop.mug)
    const ids = [formId, typedId, bankId, paidId, toldId]
    const rowsBefore = await Promise.all(ids.map((id) => findRow(shop, id)))
    // Paid at the last moment, so that only the new account is left to ask.
    const { payments } = shop.node.shop
    const old = payments.standInUrl ? { url: payments.standInUrl } : shop.sumup
    const [changed] = await Promise.all([
      save(shop, accounts[to]),
      payByCard(old, paidId),
      payByCard(old, toldId),
    ])
    assert.equal(changed.statusCode, 200, changed.body)

    // A form of the old account takes no card any more: nobody is asked for money there.
    const refused = await looking.saveDetails(formId)
    assert.equal(refused.json().code, 'checkout-expired', refused.body)
    await shop.app.inject({
      method: 'POST',
      url: apiRoutes.paymentWebhook,
      payload: { event_type: 'CHECKOUT_STATUS_CHANGED', id: toldId },
    })
    const decided = ['paid', 'review']
    for (const [buyer, id] of [
      [typing, typedId],
      [atBank, bankId],
      [paying, paidId],
      [telling, toldId],
    ] as const) {
      const look = async () => (await buyer.look(id)).json<{ state: string }>().state
      await until('the sale is decided', async () => decided.includes(await look()))
      const { state, isTest, merchantCode, sumupTransactionId } = await findRow(shop, id)
      // Either the old account said so before it was left, or a person decides.
      assert.ok(state === 'review' || sumupTransactionId !== null, id)
      assert.equal(isTest, before.isTest)
      if (before.merchantCode) assert.equal(merchantCode, before.merchantCode)
    }
    const rowsAfter = await Promise.all(ids.map((id) => findRow(shop, id)))
    assert.deepEqual(
      rowsAfter.map(({ merchantCode, isTest }) => [merchantCode, isTest]),
      rowsBefore.map(({ merchantCode, isTest }) => [merchantCode, isTest]),
    )
    for (const entry of await listReview(shop)) {
      assert.deepEqual([entry.reason, entry.canRefund], ['account-changed', false])
      const url = pathOf(apiRoutes.reviewRefund, { id: entry.id })
      const refund = await shop.app.inject({ method: 'POST', url, headers: await shop.signIn() })
      assert.equal(refund.json().code, 'refund-impossible')
    }
    const made = await shop.db.select().from(orders)
    assert.ok(made.every(({ isTest }) => isTest === before.isTest))

    // A page from before is asked to load again where it would say something else, or has another card form.
    const page = { productId: shop.mug, amount: '49.00', currency: 'EUR' }
    const again = createBuyer(shop, '203.0.113.9')
    const shown = { ...page, isTest: before.isTest, sdkUrl }
    const opened = await again.call('POST', apiRoutes.createCheckout, shown)
    if (from === 'A' && to === 'B') assert.equal(opened.statusCode, 200, opened.body)
    else assert.equal(opened.json().code, 'mode-changed')
    const sold = await sell(shop, '203.0.113.10')
    assert.deepEqual(sold.isTest, [to === 'test', to === 'test'])
    if (to !== 'test') assert.equal(sold.merchantCode, accounts[to].merchantCode)
  })

test('a checkout, a look and a refund that began before the change end with the account they began with', async () => {
  const shop = await openChangingShop()
  await connect(shop, 'A')
  const stray = createBuyer(shop, '203.0.113.1')
  const lostId = await stray.arrive(shop.mug)
  await pay(shop, lostId)
  const [payment] = shop.sumup.ledger().transactions
  await shop.db.delete(checkouts)
  await compareWithHistory(
    {
      db: shop.db,
      sumup: shop.node.shop.payments.pin().createClient(),
      log: shop.node.shop.log,
      secret: shop.node.shop.secret,
    },
    undefined,
    new Date(),
  )
  const [entry] = await shop.db.select().from(strayPayments)
  assert.deepEqual(
    [entry?.merchantCode, entry?.isTest, entry?.sumupTransactionId],
    ['MAAA', false, payment?.id],
  )
  const polling = createBuyer(shop, '203.0.113.2')
  const paidId = await polling.arrive(shop.mug)
  const opening = createBuyer(shop, '203.0.113.3')
  await opening.open(shop.mug)
  await shop.db.delete(checkouts).where(eq(checkouts.state, 'open'))

  const slow = (on: 'create' | 'get' | 'refund') => ({ on, kind: 'delay', ms: 1_500 }) as const
  shop.sumup.faults.set({ rules: [slow('create'), slow('get'), slow('refund')] })
  const refunding = shop.app.inject({
    method: 'POST',
    url: pathOf(apiRoutes.reviewRefund, { id: entry?.id ?? '' }),
    headers: await shop.signIn(),
  })
  await pay(shop, paidId)
  const looking = polling.look(paidId)
  const form = opening.open(shop.mug)
  await connect(shop, 'B')
  assert.equal(shop.node.shop.payments.sumup.merchantCode, 'MBBB')

  assert.equal((await refunding).statusCode, 204)
  const [handled] = await shop.db.select().from(strayPayments)
  assert.equal(handled?.state, 'refunded')
  const { state } = (await looking).json()
  assert.ok(['paid', 'review'].includes(state), state)
  assert.deepEqual(
    [(await findRow(shop, paidId)).merchantCode, (await findRow(shop, paidId)).isTest],
    ['MAAA', false],
  )
  const { checkoutId } = (await form).json()
  assert.equal((await findRow(shop, checkoutId)).merchantCode, 'MAAA')
  const made = shop.sumup.ledger().checkouts.find(({ id }) => id === checkoutId)
  assert.equal(made?.merchantCode, 'MAAA', 'the sale is where its row says')
  shop.sumup.faults.clear()
  assert.equal((await opening.saveDetails(checkoutId)).json().code, 'checkout-expired')
  const next = (await opening.open(shop.mug)).json()
  assert.equal((await findRow(shop, next.checkoutId)).merchantCode, 'MBBB')
})

test('orders of an earlier account are not missed at the new one', async () => {
  const shop = await openChangingShop()
  await connect(shop, 'A')
  await sell(shop, '203.0.113.1')
  await connect(shop, 'B')
  const { payments, log, secret } = shop.node.shop
  const compare = () =>
    compareWithHistory(
      { db: shop.db, sumup: payments.pin().createClient(), log, secret },
      undefined,
      new Date(Date.now() - 60 * 60 * 1000),
    )
  await shop.db.update(orders).set({ createdAt: new Date(Date.now() - 60_000) })
  assert.deepEqual((await compare()).unknownOrders, [])
  await shop.db.update(checkouts).set({ merchantCode: 'MBBB' })
  assert.equal((await compare()).unknownOrders.length, 1, 'those of its own are')
})

test('a second node takes up the account by itself, and decides about no sale before it has', async () => {
  const shop = await openChangingShop()
  const second = await shop.startNode()
  for (const account of ['A', 'B'] as const) {
    await connect(shop, account)
    // Opened here, and everything else there, where the account of before may still be in use.
    const buyer = createBuyer(shop, `203.0.113.${account === 'A' ? 1 : 2}`)
    const { checkoutId } = (await buyer.open(shop.mug)).json()
    const [set] = [await findRow(shop, checkoutId)]
    assert.equal(set.merchantCode, accounts[account].merchantCode)
    const there = createBuyer(second)
    there.useCookie(buyer.cookie())
    const saved = await there.saveDetails(checkoutId)
    assert.equal(saved.statusCode, 204, saved.body)
    assert.equal((await there.look(checkoutId)).json().state, 'waiting')
    await payByCard(shop.sumup, checkoutId)
    assert.equal((await there.order(checkoutId)).statusCode, 201)
    assert.equal(
      second.shop.payments.pin().sumup.merchantCode,
      accounts[account].merchantCode,
      'the sale brought the news',
    )
  }
  await connect(shop, 'test')
  await until(
    'the second node is in test mode',
    () => second.shop.payments.standInUrl !== undefined,
  )
  assert.deepEqual(await listReview(shop), [])
})

test('a buyer with a form of the new account gets no second one at the old', async () => {
  const shop = await openChangingShop()
  const second = await shop.startNode()
  await connect(shop, 'A')
  await until('the second node follows', () => second.shop.payments.standInUrl === undefined)
  await connect(shop, 'B')
  const buyer = createBuyer(shop)
  await buyer.open(shop.mug)
  const there = createBuyer(second)
  there.useCookie(buyer.cookie())
  await there.open(shop.mug)
  const rows = await shop.db.select().from(checkouts)
  assert.deepEqual(
    rows.map(({ merchantCode }) => merchantCode),
    ['MBBB'],
  )
})

test('a key or a code that SumUp does not know is refused; only its silence can be overruled', async () => {
  const shop = await openChangingShop()
  const refuse = async (values: object, code: string, text: RegExp, more: object = {}) => {
    const refused = await save(shop, values, more)
    assert.equal(refused.json().code, code, refused.body)
    assert.match(refused.json().message, text)
    assert.equal(shop.node.shop.payments.account().isSandbox, true)
  }
  const wrong = { merchantCode: 'MAAA', apiKey: 'sup_sk_wrong' }
  const forced = { isForced: true }
  await refuse(wrong, 'sumup-refused', /does not accept the API key/, forced)
  const unknown = { ...accounts.A, merchantCode: 'MXXX' }
  await refuse(unknown, 'sumup-refused', /merchant code|API key/, forced)
  await refuse({ merchantCode: 'MAAA' }, 'sumup-incomplete', /both/)
  await refuse({ merchantCode: null, apiKey: 'sup_sk_x' }, 'sumup-incomplete', /both/)
  await refuse(accounts.A, 'wrong-password', /not right/, { password: 'another' })
  assert.equal((await save(shop, accounts.A, { password: undefined })).statusCode, 400)
  assert.equal((await save(shop, { ...accounts.A, apiKey: 'sup_pk_x' })).statusCode, 400)

  const check = async (values: object): Promise<SettingsCheck> =>
    (
      await shop.app.inject({
        method: 'POST',
        url: apiRoutes.sumupCheck,
        headers: await shop.signIn(),
        payload: values,
      })
    ).json()
  assert.partialDeepStrictEqual(await check(wrong), { status: 'fail' })
  assert.match((await check(accounts.A)).found, /MAAA \(Germany, paid in EUR\) takes real payments/)
  assert.match((await check(accounts.sandbox)).found, /sandbox/)

  shop.sumup.faults.set({ rules: [{ on: 'merchant', kind: 'error-500' }] })
  await refuse(accounts.A, 'sumup-away', /does not answer/)
  assert.equal((await save(shop, accounts.A, forced)).statusCode, 200)
  const buyer = createBuyer(shop)
  assert.equal((await buyer.open(shop.mug)).json().code, 'payments-away', 'live or not: unknown')
  shop.sumup.faults.clear()
  assert.equal((await buyer.open(shop.mug)).statusCode, 200)
})

test('the key is encrypted, never shown again and in no log, and one that cannot be read is no test mode', async () => {
  const shop = await openChangingShop()
  await connect(shop, 'A')
  assert.equal((await save(shop, { merchantCode: 'MAAA' })).statusCode, 200, 'the key stays')
  const shown = await readSettings(shop)
  assert.equal(shown.secrets.sumup, 'saved')
  const rows = [
    await shop.db.select().from(shopSettings),
    await shop.db.select({ subject: auditLog.subject, detail: auditLog.detail }).from(auditLog),
  ]
  for (const text of [JSON.stringify(shown), JSON.stringify(rows)])
    assert.ok(!text.includes(accounts.A.apiKey), text)
  assert.ok(JSON.stringify(rows).includes('MAAA'), 'who changed what is in the log')

  await shop.close()
  const moved = await openMoved(shop)
  assert.equal((await readSettings(moved)).secrets.sumup, 'unreadable')
  assert.equal(moved.shop.payments.standInUrl, undefined)
  assert.match(moved.shop.payments.account().problem ?? '', /does not accept/)
  const buyer = createBuyer(moved)
  assert.equal((await buyer.open(shop.mug)).json().code, 'payments-away')
})

/** The same database with another secret. */
function openMoved({ node }: ChangingShop) {
  const { databaseUrl = '', payments } = node.shop.config
  return startShop({
    DATABASE_URL: databaseUrl,
    DATA_DIR: temporaryFolder(),
    SESSION_SECRET: 'another secret than the one before it',
    SUMUP_API_URL: payments.apiUrl,
  })
}

test('an account of the environment is shown and cannot be changed', async () => {
  const shop = await openChangingShop({
    SUMUP_API_KEY: accounts.A.apiKey,
    SUMUP_MERCHANT_CODE: accounts.A.merchantCode,
  })
  const { values, fixed } = await readSettings(shop)
  assert.equal(values.sumup.merchantCode, 'MAAA')
  assert.deepEqual(
    [fixed['sumup.merchantCode'], fixed['sumup.apiKey']],
    ['SUMUP_MERCHANT_CODE', 'SUMUP_API_KEY'],
  )
  for (const account of ['B', 'test'] as const) {
    const refused = await save(shop, accounts[account])
    assert.equal(refused.json().code, 'setting-fixed', refused.body)
  }
  assert.equal(shop.node.shop.payments.sumup.merchantCode, 'MAAA')
})
