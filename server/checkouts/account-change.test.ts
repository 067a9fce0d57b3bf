import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '#contract/admin.ts'
import type { ReviewEntry } from '#contract/checkouts.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { payments as paymentRows, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { createBuyer, challengedCard, payByCard } from '#server/testing/buyer.ts'
import {
  assertOrdered,
  accounts,
  connect,
  openChangingShop,
  readSettings,
  saveAccount,
  type ChangingShop,
  type Node,
} from '#server/testing/changing-shop.ts'
import { compareWithHistory } from './compare.ts'

/** The owner changes the SumUp account in the settings while the shop sells. */

/** Pays where the shop's checkouts are at this moment. */
function pay({ node, sumup }: ChangingShop, checkoutId: string, card?: string) {
  const { sandboxUrl } = node.shop.payments
  return payByCard(sandboxUrl ? { url: sandboxUrl } : sumup, checkoutId, card)
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
  assertOrdered(answer)
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
  const sandbox = shop.node.shop.payments.sumup.merchantCode

  assert.deepEqual(await sell(shop, '203.0.113.1'), {
    merchantCode: sandbox,
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
    merchantCode: sandbox,
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
    const old = payments.sandboxUrl ? { url: payments.sandboxUrl } : shop.sumup
    const [changed] = await Promise.all([
      saveAccount(shop, accounts[to]),
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
      await waitFor('the sale is decided', async () => decided.includes(await look()))
      const { id: saleId, state, isTest, merchantCode } = await findRow(shop, id)
      // Either the old account said so before it was left, or the owner decides.
      const paid = await shop.db.$count(paymentRows, eq(paymentRows.saleId, saleId))
      assert.ok(state === 'review' || paid > 0, id)
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
      const headers = await shop.signIn()
      const payload = { version: entry.version }
      const refund = await shop.app.inject({ method: 'POST', url, headers, payload })
      assert.match(refund.json().code, /^refund-(impossible|other-account)$/)
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
  // The shop's own look comes later than the end of this story.
  await shop.db.update(checkouts).set({ nextCheckAt: sql`now() + interval '1 hour'` })
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
  const [entry] = await shop.db.select().from(paymentRows)
  assert.deepEqual(
    [entry?.merchantCode, entry?.isTest, entry?.transactionId],
    ['MAAA', false, payment?.id],
  )
  const polling = createBuyer(shop, '203.0.113.2')
  const paidId = await polling.arrive(shop.mug)
  const opening = createBuyer(shop, '203.0.113.3')
  await opening.open(shop.mug)
  await shop.db.delete(checkouts).where(eq(checkouts.state, 'open'))

  const headers = await shop.signIn()
  const listed = await shop.app.inject({ url: apiRoutes.review, headers })
  const { version } = listed.json<ReviewEntry[]>().find(({ id }) => id === entry?.id) ?? {}
  const slow = (on: 'create' | 'get' | 'refund') => ({ on, kind: 'delay', ms: 1_500 }) as const
  shop.sumup.faults.set({ rules: [slow('create'), slow('get'), slow('refund')] })
  const refunding = shop.app.inject({
    method: 'POST',
    url: pathOf(apiRoutes.reviewRefund, { id: entry?.id ?? '' }),
    headers,
    payload: { version },
  })
  await pay(shop, paidId)
  const looking = polling.look(paidId)
  const form = opening.open(shop.mug)
  await waitFor('all three wait for SumUp', () =>
    shop.sumup.faults.report().rules.every(({ happened }) => happened > 0),
  )
  await connect(shop, 'B')
  assert.equal(shop.node.shop.payments.sumup.merchantCode, 'MBBB')

  assert.equal((await refunding).statusCode, 204)
  const [handled] = await shop.db
    .select()
    .from(reviewEntries)
    .where(eq(reviewEntries.id, entry?.id ?? ''))
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
  await shop.db.update(paymentRows).set({ merchantCode: 'MBBB' })
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
    assertOrdered(await there.order(checkoutId))
    assert.equal(
      second.shop.payments.pin().sumup.merchantCode,
      accounts[account].merchantCode,
      'the sale brought the news',
    )
  }
  await connect(shop, 'test')
  await waitFor(
    'the second node is in test mode',
    () => second.shop.payments.sandboxUrl !== undefined,
  )
  assert.deepEqual(await listReview(shop), [])
})

test('a buyer with a form of the new account gets no second one at the old', async () => {
  const shop = await openChangingShop()
  const second = await shop.startNode()
  await connect(shop, 'A')
  await waitFor('the second node follows', () => second.shop.payments.sandboxUrl === undefined)
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
