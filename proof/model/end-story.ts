import assert from 'node:assert/strict'
import { toCents } from '#contract/money.ts'
import { checkouts, mails, orders, strayPayments } from '#server/db/schema.ts'
import { isKept, type Story } from './story.ts'

type Books = Awaited<ReturnType<typeof readBooks>>
type AtSumup = ReturnType<Story['atSumup']>[number]

/** Everything arrives, SumUp comes to its senses, the shop has looked and compared, and then the books must agree. */
export async function endStory(story: Story): Promise<void> {
  const { moods, sandbox } = story.shop
  await story.arrive()
  moods.calm()
  sandbox.controls.reset({})
  for (let looks = 0; looks < 3; looks += 1) await story.sweep()
  for (let times = 0; times < 2; times += 1) assert.ok(await story.compare())

  assert.deepEqual(story.wrongAnswers, [])
  const books = await readBooks(story)
  for (const checkout of story.atSumup()) {
    checkOffer(story, books, checkout)
    checkPayments(story, books, checkout)
  }
  checkOrders(story, books)
  checkReview(story, books)
  for (const { checkoutId, orderId } of story.promises)
    if (!story.lost.has(checkoutId))
      assert.equal(books.orders.find(({ id }) => id === orderId)?.sumupCheckoutId, checkoutId)
}

async function readBooks({ shop: { db } }: Story) {
  return {
    rows: await db.select().from(checkouts),
    orders: await db.select().from(orders),
    letters: await db.select().from(mails),
    strays: await db.select().from(strayPayments),
  }
}

function checkOffer(story: Story, { rows }: Books, { id, reference, amountMinor }: AtSumup): void {
  const row = rows.find((one) => one.id === reference)
  if (!row) return assert.ok(story.lost.has(id), 'SumUp has a checkout that is not on the ledger')
  assert.equal(toCents(row.amount), amountMinor, 'SumUp charges another amount')
  assert.equal(row.product.price, row.amount, 'the row is not what was offered')
  assert.equal(row.amount, story.offers.get(id) ?? row.amount, 'the price changed after the offer')
}

/** Money that was kept is in exactly one place: an order, a person's list, or what a person decided. */
function checkPayments(story: Story, books: Books, checkout: AtSumup): void {
  const row = books.rows.find(({ id }) => id === checkout.reference)
  const kept = checkout.transactions.filter(isKept)
  const places = kept.map((payment) => findPlaces(books, checkout, payment.id))
  for (const found of places) assert.ok(found.length <= 1, `twice in the books: ${found.join()}`)
  if (checkout.merchantCode !== story.merchantCode()) {
    // Nobody can ask about it any more: that the sale itself is in sight is all there can be.
    const isInSight = row && ['paid', 'review', 'refunded', 'dismissed'].includes(row.state)
    if (row?.details && kept.length > 0)
      assert.ok(isInSight, 'paid under another account, and lost')
    return
  }
  for (const found of places) assert.equal(found.length, 1, `paid, and invisible: ${row?.state}`)
}

function findPlaces(books: Books, { id, reference }: AtSumup, paymentId: string): string[] {
  const isIt = (known: string | null) => known === null || known === paymentId
  return [
    ...books.orders
      .filter((one) => isIt(one.sumupTransactionId))
      .filter((one) => one.sumupTransactionId !== null || one.sumupCheckoutId === id)
      .map(() => 'order'),
    ...books.rows
      .filter((row) => row.id === reference && isIt(row.sumupTransactionId))
      .filter(({ state }) => ['review', 'refunded', 'dismissed'].includes(state))
      .map(({ state }) => `sale ${state}`),
    ...books.strays
      .filter((one) => one.sumupTransactionId === paymentId && one.state !== 'ordered')
      .map(({ state }) => `payment ${state}`),
  ]
}

function checkOrders(story: Story, { orders: booked, letters }: Books): void {
  const known = story.atSumup()
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
    assert.ok(!story.refundedFirst.has(payment.id), 'an order of money that was given back')
    if (!story.liedAbout.has(payment.checkoutId))
      assert.equal(toCents(order.amount), payment.amountMinor)
    const kinds = letters.filter(({ orderId }) => orderId === order.id).map(({ kind }) => kind)
    assert.deepEqual(kinds.toSorted(), ['confirmation', 'new-sale'])
    if (payment.merchantCode !== story.merchantCode()) continue
    if (payment.refunds.length > 0) assert.equal(order.refundedAmount, order.amount)
    assert.equal(order.chargedBackAt !== null, (payment.chargebacks ?? []).length > 0)
  }
}

/** A person is only asked about what the shop cannot know by itself. */
function checkReview(story: Story, { rows, strays }: Books): void {
  const known = story.atSumup()
  for (const { state, reviewReason, details, sumupCheckoutId, merchantCode } of rows) {
    if (state !== 'review') continue
    const seen = known.find(({ id }) => id === sumupCheckoutId)
    const transactions = seen?.transactions ?? []
    // What was unclear when the account changed stays so: nobody can be asked about it any more.
    const isOfOtherAccount = merchantCode !== story.merchantCode()
    const excuses: Record<string, boolean> = {
      'no-details': details === null,
      mismatch: story.liedAbout.has(sumupCheckoutId ?? ''),
      refunded: transactions.some(({ id }) => story.refundedFirst.has(id)),
      'account-changed': isOfOtherAccount,
      'lost-at-sumup': isOfOtherAccount,
      contradiction: isOfOtherAccount,
      unreadable: isOfOtherAccount,
      stuck: isOfOtherAccount || transactions.some(({ status }) => status === 'PENDING'),
    }
    assert.ok(excuses[reviewReason ?? ''], `in review without reason: ${reviewReason}`)
  }
  for (const { sumupTransactionId, reference } of strays) {
    const seen = known.find((one) => one.reference === reference)
    assert.ok(seen?.transactions.some(({ id }) => id === sumupTransactionId))
  }
}
