import assert from 'node:assert/strict'
import { toCents } from '#contract/money.ts'
import { findParts } from '#contract/quotes.ts'
import { payments, refunds, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, mails, orders, shownProducts } from '#server/db/schema.ts'
import { isKeptPayment, sumMinor, type Scenario } from './scenario.ts'

type FinalState = Awaited<ReturnType<typeof readFinalState>>
type SumupCheckout = ReturnType<Scenario['listAtSumup']>[number]
type SumupPayment = SumupCheckout['transactions'][number]

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
  checkRefunds(scenario, final)
  checkReview(scenario, final)
  for (const { checkoutId, orderId } of scenario.confirmedOrders)
    if (!scenario.lostCheckouts.has(checkoutId))
      assert.equal(final.orders.find(({ id }) => id === orderId)?.sumupCheckoutId, checkoutId)
}

async function readFinalState({ shop: { db } }: Scenario) {
  return {
    rows: await db.select().from(checkouts),
    products: await db.select().from(shownProducts),
    orders: await db.select().from(orders),
    mails: await db.select().from(mails),
    payments: await db.select().from(payments),
    refunds: await db.select().from(refunds),
    entries: await db.select().from(reviewEntries),
  }
}

function checkOffer(
  scenario: Scenario,
  { rows, products }: FinalState,
  { id, reference, amountMinor, transactions }: SumupCheckout,
): void {
  const row = rows.find((one) => one.id === reference)
  if (!row)
    return assert.ok(
      scenario.lostCheckouts.has(id),
      'SumUp has a checkout that is not on the ledger',
    )
  assert.equal(toCents(row.amount), amountMinor, 'SumUp charges another amount')
  for (const charged of transactions)
    assert.equal(charged.amountMinor, amountMinor, 'charged another amount')
  const { amount, terms } = row
  assert.equal(
    terms?.subtotal ?? amount,
    products.find(({ version }) => version === row.shownVersion)?.product.price,
    'the row is not what was offered',
  )
  if (terms) assert.ok(findParts({ amount, terms }), 'the amount is not the sum of its parts')
  const agreed = scenario.offers.get(id)
  // Nobody was given this form.
  if (!agreed) return
  const { country, code, isPickup } = agreed.wish
  assert.equal(amount, agreed.amount, 'the price is not the one that was shown')
  assert.equal(terms?.country ?? country, country, 'the price is that of another country')
  assert.equal(terms?.code ?? undefined, code, 'the price is not that of the code')
  assert.equal(terms?.isPickup ?? false, isPickup ?? false, 'not delivered as it was agreed')
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

/** A decision that the money stays is a record; that it was given back is none, since it was not. */
const recordingStates = ['open', 'dismissed']

function findRecords(
  { orders: booked, payments: known, entries }: FinalState,
  { id, reference }: SumupCheckout,
  transactionId: string,
): string[] {
  const payment = known.find((one) => one.transactionId === transactionId)
  const shown = entries.filter(({ state }) => recordingStates.includes(state))
  const ofPayment = shown.filter(({ paymentId }) => paymentId !== null && paymentId === payment?.id)
  // A sale of which no payment is known: a person looks at all of it.
  const ofSale = shown.filter((one) => one.id === reference && one.paymentId === null)
  const records = [
    ...booked.filter((one) => one.sumupTransactionId === transactionId).map(() => 'order'),
    ...ofPayment.map(({ state, reason }) => `${reason} ${state}`),
  ]
  if (records.length > 0) return records
  return [
    ...booked
      .filter((one) => one.sumupTransactionId === null && one.sumupCheckoutId === id)
      .map(() => 'order'),
    ...ofSale.map(({ state, reason }) => `sale ${reason} ${state}`),
  ]
}

function checkOrders(scenario: Scenario, final: FinalState): void {
  const { orders: booked, mails: written, payments: known, rows } = final
  const paid = listPayments(scenario)
  for (const order of booked) {
    const same = booked.filter((one) => one.sumupCheckoutId === order.sumupCheckoutId)
    if (order.sumupCheckoutId) assert.equal(same.length, 1, 'one checkout, more than one order')
    const payment = paid.find(({ id, checkoutId, status }) =>
      order.sumupTransactionId
        ? order.sumupTransactionId === id
        : checkoutId === order.sumupCheckoutId && status === 'SUCCESSFUL',
    )
    assert.ok(payment, 'an order without a payment')
    assert.ok(payment.status === 'SUCCESSFUL' || payment.status === 'REFUNDED')
    assert.ok(!scenario.refundedBeforeOrder.has(payment.id), 'an order for refunded money')
    if (!scenario.misreported.has(payment.checkoutId))
      assert.equal(toCents(order.amount), payment.amountMinor)
    const sale = rows.find(({ sumupCheckoutId: id }) => id && id === order.sumupCheckoutId)
    if (sale) assert.deepEqual(order.terms, sale.terms, 'an order at other terms')
    const ofOrder = written.filter(({ orderId }) => orderId === order.id).map(({ kind }) => kind)
    // One for each time that something was refunded.
    const kinds = ofOrder.filter((kind) => !kind.startsWith('refunded-'))
    assert.deepEqual(kinds.toSorted(), ['confirmation', 'new-sale'])
    if (payment.merchantCode !== scenario.merchantCode()) continue
    const row = known.find(({ transactionId }) => transactionId === order.sumupTransactionId)
    if (row) checkReturned(row, payment)
  }
}

function listPayments(scenario: Scenario) {
  return scenario
    .listAtSumup()
    .flatMap(({ id, transactions, merchantCode }) =>
      transactions.map((one) => ({ ...one, checkoutId: id, merchantCode })),
    )
}

/** What went back according to the shop went back according to SumUp. */
function checkReturned(row: FinalState['payments'][number], payment: SumupPayment): void {
  const [refunded, chargedBack] = [sumMinor(payment.refunds), sumMinor(payment.chargebacks)]
  assert.equal(toCents(row.chargedBack), chargedBack, 'charged back')
  // A payment that SumUp calls refunded counts as refunded as a whole.
  const isMarked = payment.status === 'REFUNDED'
  assert.equal(toCents(row.refunded), isMarked ? payment.amountMinor : refunded, 'refunded')
}

function checkRefunds(scenario: Scenario, final: FinalState): void {
  const paid = listPayments(scenario)
  for (const row of final.payments) {
    const payment = paid.find(({ id }) => id === row.transactionId)
    assert.ok(payment, 'a payment that SumUp does not have')
    const gone = sumMinor(payment.refunds)
    assert.ok(gone + sumMinor(payment.chargebacks) <= payment.amountMinor, 'returned twice')
    const own = final.refunds.filter(({ paymentId }) => paymentId === row.id)
    const done = own.filter(({ state }) => state === 'done')
    const claimed = done.reduce((sum, { amount }) => sum + toCents(amount), 0)
    assert.ok(claimed <= gone, 'a refund counts as done that SumUp did not make')
    assert.ok(own.filter(({ endedAt }) => endedAt === null).length <= 1, 'two open refunds')
    const isPending = payment.refundAttempts?.some(({ status }) => status === 'PENDING')
    const isOwn = payment.merchantCode === scenario.merchantCode()
    for (const { state } of own)
      if (isOwn && !isPending && state === 'asked') assert.fail('a refund is left asked')
  }
}

/** Only what the shop cannot decide on its own is in review. */
function checkReview(scenario: Scenario, final: FinalState): void {
  const known = scenario.listAtSumup()
  for (const { state, reason, saleId, paymentId } of final.entries) {
    if (state !== 'open') continue
    const row = final.rows.find(({ id }) => id === saleId)
    const payment = final.payments.find(({ id }) => id === paymentId)
    const seen = known.find(({ id, transactions }) =>
      row
        ? id === row.sumupCheckoutId
        : transactions.some((one) => one.id === payment?.transactionId),
    )
    const transactions = seen?.transactions ?? []
    const checkoutId = seen?.id ?? ''
    const isMisreported = scenario.misreported.has(checkoutId)
    const isTaken = (one: SumupPayment) => ['SUCCESSFUL', 'REFUNDED'].includes(one.status)
    // What was unclear when the account changed stays unclear.
    const isOfOtherAccount = (row ?? payment)?.merchantCode !== scenario.merchantCode()
    const reviewCauses: Record<string, boolean> = {
      'no-details': row?.details === null,
      mismatch: isMisreported,
      refunded: transactions.some((one) => isTaken(one) && !isKeptPayment(one)),
      'account-changed': isOfOtherAccount,
      'lost-at-sumup': isOfOtherAccount,
      contradiction: isOfOtherAccount || isMisreported,
      unreadable: isOfOtherAccount,
      stuck: isOfOtherAccount || transactions.some(({ status }) => status === 'PENDING'),
      'paid-twice': transactions.filter(isTaken).length > 1,
      'paid-late': transactions.some(isTaken),
      'no-sale': row === undefined && scenario.lostCheckouts.has(checkoutId),
    }
    assert.ok(reviewCauses[reason], `in review without reason: ${reason}`)
  }
}
