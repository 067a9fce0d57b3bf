import assert from 'node:assert/strict'
import { toCents } from '#contract/money.ts'
import { checkouts, mails, orders } from '#server/db/schema.ts'
import type { Story } from './story.ts'

/** Everything arrives, the sweep has looked, and then the books must agree. */
export async function endStory(story: Story): Promise<void> {
  const { db, moods } = story.shop
  await story.arrive()
  for (let looks = moods.looksToCalm() + 1; looks > 0; looks -= 1) await story.sweep()

  const rows = await db.select().from(checkouts)
  const booked = await db.select().from(orders)
  const letters = await db.select().from(mails)
  for (const { id, status, transactions, amountMinor, reference } of story.atSumup()) {
    const row = rows.find((one) => one.id === reference)
    assert.ok(row, 'SumUp has a checkout that is not on the ledger')
    const made = booked.filter(({ sumupCheckoutId }) => sumupCheckoutId === id)
    assert.ok(made.length <= 1, 'one payment, more than one order')
    assert.equal(toCents(row.amount), amountMinor, 'SumUp charges another amount')
    assert.equal(row.product.price, row.amount, 'the row is not what was offered')
    const offered = story.offers.get(id)
    if (offered) assert.equal(row.amount, offered, 'the price changed after it was offered')
    if (status !== 'PAID') {
      assert.equal(made.length, 0, 'an order without a payment')
      continue
    }
    const isFine = row.details !== null && !moods.hasLiedAbout(id)
    const standing = made.length === 1 ? 'order' : row.state
    if (isFine) assert.equal(standing, 'order', 'paid, and no order')
    else if (moods.hasOnlyLiedAbout(id)) assert.equal(standing, 'review', 'one euro was believed')
    else assert.ok(standing === 'order' || standing === 'review', 'paid, and invisible')
    for (const order of made) {
      const paid = transactions.find((one) => one.status === 'SUCCESSFUL')
      assert.equal(order.sumupTransactionId, paid?.id)
      assert.equal(toCents(order.amount), paid?.amountMinor)
      const kinds = letters.filter(({ orderId }) => orderId === order.id).map(({ kind }) => kind)
      assert.deepEqual(kinds.toSorted(), ['confirmation', 'new-sale'])
    }
  }
  const known = new Set(story.atSumup().map(({ id }) => id))
  assert.ok(booked.every(({ sumupCheckoutId }) => known.has(sumupCheckoutId ?? '')))
  for (const { checkoutId, orderId } of story.promises)
    assert.equal(booked.find(({ id }) => id === orderId)?.sumupCheckoutId, checkoutId)
}
