import assert from 'node:assert/strict'
import { toCents } from '#contract/money.ts'
import { checkouts, mails, orders, strayPayments } from '#server/db/schema.ts'
import { isKeptPayment, type Scenario } from './scenario.ts'

type FinalState = Awaited<ReturnType<typeof readFinalState>>
type SumupCheckout = ReturnType<Scenario['listAtSumup']>[number]

/** Ends all disturbances, lets the shop check and compare, and then everything must be consistent. */
export async function checkScenario(scenario: Scenario): Promise<void> {
  const { sumupControl, sandbox } = scenario.shop
  await scenario.releaseAnswers()
  sumupControl.reset()
  sandbox.controls.reset({})
  for (let sweeps = 0; sweeps < 3; sweeps += 1) await scenario.sweep()
  for (let times = 0; times < 2; times += 1) assert.ok(await scenario.compare())

  assert.deepEqual(scenario.serverErrors, [])
  const final = await readFinalState(scenario)
  for (const checkout of scenario.listAtSumup()) {
    checkOffer(scenario, final, checkout)
    checkPayments(scenario, final, checkout)
  }
  checkOrders(scenario, final)
  checkReview(scenario, final)
  for (const { checkoutId, orderId } of scenario.confirmedOrders)
    if (!scenario.lostCheckouts.has(checkoutId))
      assert.equal(final.orders.find(({ id }) => id === orderId)?.sumupCheckoutId, checkoutId)
}

async function readFinalState({ shop: { db } }: Scenario) {
  return {
    rows: await db.select().from(checkouts),
    orders: await db.select().from(orders),
    mails: await db.select().from(mails),
    strays: await db.select().from(strayPayments),
  }
}

function checkOffer(
  scenario: Scenario,
  { rows }: FinalState,
  { id, reference, amountMinor }: SumupCheckout,
): void {
  const row = rows.find((one) => one.id === reference)
  if (!row)
    return assert.ok(
      scenario.lostCheckouts.has(id),
      'SumUp has a checkout that is not on the ledger',
    )
  assert.equal(toCents(row.amount), amountMinor, 'SumUp charges another amount')
  assert.equal(row.product.price, row.amount, 'the row is not what was offered')
  assert.equal(
    row.amount,
    scenario.offers.get(id) ?? row.amount,
    'the price changed after the offer',
  )
}

/** A kept payment is recorded exactly once: as an order, in review, or with the owner's decision. */
function checkPayments(scenario: Scenario, final: FinalState, checkout: SumupCheckout): void {
  const row = final.rows.find(({ id }) => id === checkout.reference)
  const kept = checkout.transactions.filter(isKeptPayment)
  const records = kept.map((payment) => findRecords(final, checkout, payment.id))
  for (const found of records) assert.ok(found.length <= 1, `recorded twice: ${found.join()}`)
  if (checkout.merchantCode !== scenario.merchantCode()) {
    // SumUp cannot be asked about it any more: the checkout itself must be visible.
    const isVisible = row && ['paid', 'review', 'refunded', 'dismissed'].includes(row.state)
    if (row?.details && kept.length > 0)
      assert.ok(isVisible, 'paid under another account, and lost')
    return
  }
  for (const found of records) assert.equal(found.length, 1, `paid, and invisible: ${row?.state}`)
}

function findRecords(
  final: FinalState,
  { id, reference }: SumupCheckout,
  paymentId: string,
): string[] {
  const isIt = (known: string | null) => known === null || known === paymentId
  return [
    ...final.orders
      .filter((one) => isIt(one.sumupTransactionId))
      .filter((one) => one.sumupTransactionId !== null || one.sumupCheckoutId === id)
      .map(() => 'order'),
    ...final.rows
      .filter((row) => row.id === reference && isIt(row.sumupTransactionId))
      .filter(({ state }) => ['review', 'refunded', 'dismissed'].includes(state))
      .map(({ state }) => `session ${state}`),
    ...final.strays
      .filter((one) => one.sumupTransactionId === paymentId && one.state !== 'ordered')
      .map(({ state }) => `payment ${state}`),
  ]
}

function checkOrders(scenario: Scenario, { orders: booked, mails }: FinalState): void {
  const known = scenario.listAtSumup()
  for (const order of booked) {
    const same = booked.filter((one) => one.sumupCheckoutId === order.sumupCheckoutId)
    if (order.sumupCheckoutId) assert.equal(same.length, 1, 'one checkout, more than one order')
    const payment = known
      .flatMap(({ id, transactions, merchantCode }) =>
        transactions.map((one) => ({ ...one, checkoutId: id, merchantCode })),
      )
      .find(({ id, checkoutId, status }) =>
        order.sumupTransactionId
          ? order.sumupTransactionId === id
          : checkoutId === order.sumupCheckoutId && status === 'SUCCESSFUL',
      )
    assert.ok(payment, 'an order without a payment')
    assert.ok(payment.status === 'SUCCESSFUL' || payment.status === 'REFUNDED')
    assert.ok(!scenario.refundedBeforeOrder.has(payment.id), 'an order for refunded money')
    if (!scenario.misreported.has(payment.checkoutId))
      assert.equal(toCents(order.amount), payment.amountMinor)
    const kinds = mails.filter(({ orderId }) => orderId === order.id).map(({ kind }) => kind)
    assert.deepEqual(kinds.toSorted(), ['confirmation', 'new-sale'])
    if (payment.merchantCode !== scenario.merchantCode()) continue
    if (payment.refunds.length > 0) assert.equal(order.refundedAmount, order.amount)
    assert.equal(order.chargedBackAt !== null, (payment.chargebacks ?? []).length > 0)
  }
}

/** Only what the shop cannot decide on its own is in review. */
function checkReview(scenario: Scenario, { rows, strays }: FinalState): void {
  const known = scenario.listAtSumup()
  for (const { state, reviewReason, details, sumupCheckoutId, merchantCode } of rows) {
    if (state !== 'review') continue
    const seen = known.find(({ id }) => id === sumupCheckoutId)
    const transactions = seen?.transactions ?? []
    // What was unclear when the account changed stays unclear.
    const isOfOtherAccount = merchantCode !== scenario.merchantCode()
    const reviewCauses: Record<string, boolean> = {
      'no-details': details === null,
      mismatch: scenario.misreported.has(sumupCheckoutId ?? ''),
      refunded: transactions.some(({ id }) => scenario.refundedBeforeOrder.has(id)),
      'account-changed': isOfOtherAccount,
      'lost-at-sumup': isOfOtherAccount,
      contradiction: isOfOtherAccount,
      unreadable: isOfOtherAccount,
      stuck: isOfOtherAccount || transactions.some(({ status }) => status === 'PENDING'),
    }
    assert.ok(reviewCauses[reviewReason ?? ''], `in review without reason: ${reviewReason}`)
  }
  for (const { sumupTransactionId, reference } of strays) {
    const seen = known.find((one) => one.reference === reference)
    assert.ok(seen?.transactions.some(({ id }) => id === sumupTransactionId))
  }
}
