import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { payments } from '#server/db/payment-schema.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { listReview, openSaleShop, sweepAll, type SaleShop } from '#server/testing/sale.ts'
import { compareWithHistory } from './compare.ts'

/** The same shop while SumUp shows this payment as one that is at the bank. */
function whileAtBank(shop: SaleShop, transactionId: string): SaleShop {
  const { sumup } = shop.settling
  const shown = {
    ...sumup,
    async listHistory(query: string) {
      const { items, ...more } = await sumup.listHistory(query)
      const isIt = (item: (typeof items)[number]) => item.transaction_id === transactionId
      return {
        ...more,
        items: items.map((item) => (isIt(item) ? { ...item, status: 'PENDING' } : item)),
      }
    },
    async findTransaction(id: string) {
      const found = await sumup.findTransaction(id)
      return found && id === transactionId ? { ...found, status: 'PENDING' } : found
    },
  }
  return { ...shop, settling: { ...shop.settling, sumup: shown } }
}

test('a second card that the bank confirms long after it began goes to review', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
  const { transactions } = await shop.sandbox.controls.payAgain({ checkout: checkoutId })
  const atBank = whileAtBank(shop, transactions.at(-1)?.id ?? '')
  await compareWithHistory(atBank.settling, undefined, new Date())
  await sweepAll(atBank)
  assert.deepEqual(await listReview(shop), [])
  // Days later: no comparison lists what began then.
  await sweepAll(shop)
  const [entry] = await listReview(shop)
  assert.partialDeepStrictEqual(entry, { reason: 'paid-twice', canRefund: true })
  const followed = await shop.db
    .select()
    .from(payments)
    .where(sql`next_read_at is not null`)
  assert.deepEqual(followed, [])
})

test('a payment that stays at the bank is read less and less often', async () => {
  const shop = await openSaleShop()
  await shop.db.insert(payments).values({
    merchantCode: shop.sandbox.merchantCode,
    isTest: true,
    transactionId: 'not-confirmed',
    status: 'pending',
    nextReadAt: new Date(0),
  })
  for (let read = 1; read <= 25; read += 1) await sweepAll(shop)
  const { rows } = await shop.db.execute(sql`
    select reads, next_read_at > now() + interval '50 minutes' as "isRare" from payments`)
  assert.deepEqual(rows, [{ reads: 25, isRare: true }])
  await shop.db.execute(sql`update payments set found_at = now() - interval '31 days'`)
  await sweepAll(shop)
  const [entry] = await listReview(shop)
  assert.equal(entry?.reason, 'stuck')
  assert.deepEqual([entry.canOrder, entry.canRefund, entry.canDismiss], [false, false, true])
  assert.ok((await shop.db.select().from(payments))[0]?.nextReadAt, 'the owner waits for it')
  const dismissed = await shop.app.inject({
    method: 'POST',
    url: pathOf(apiRoutes.reviewDismiss, { id: entry.id }),
    headers: await shop.signIn(),
    payload: { version: entry.version, note: 'It failed' },
  })
  assert.equal(dismissed.statusCode, 204)
  await sweepAll(shop)
  assert.equal((await shop.db.select().from(payments))[0]?.nextReadAt, null)
})
