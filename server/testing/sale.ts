import assert from 'node:assert/strict'
import type { ReviewEntry } from '#contract/checkouts.ts'
import { formatCents } from '#contract/money.ts'
import { apiRoutes } from '#contract/paths.ts'
import { eq, getTableColumns, sql } from '#server/db/drizzle.ts'
import { payments, reviewEntries } from '#server/db/payment-schema.ts'
import { checkouts, shownProducts } from '#server/db/schema.ts'
import type { Sale } from '#server/payments/record.ts'
import { sweep } from '#server/checkouts/sales.ts'
import { addMug, createBuyer, challengedCard, payByCard } from './buyer.ts'
import { openTestShop, type TestShop, type TestShopOptions } from './test-shop.ts'

export type SaleShop = Awaited<ReturnType<typeof openSaleShop>>

/** A shop with a product, whose sales are settled only when the test calls a sweep. */
export async function openSaleShop(options: TestShopOptions = {}) {
  const shop = await openTestShop(options)
  const { payments, log, secret } = shop.shop
  const settling = { db: shop.db, sumup: payments.sumup, log, secret }
  return { ...shop, mug: await addMug(shop), settling }
}

/** Makes every scheduled check due now, and sweeps. */
export async function sweepAll({ db, settling }: SaleShop): Promise<void> {
  await db
    .update(checkouts)
    .set({ nextCheckAt: sql`now()` })
    .where(sql`next_check_at is not null`)
  await db
    .update(payments)
    .set({ nextReadAt: sql`now()` })
    .where(sql`next_read_at is not null`)
  await sweep(settling)
}

export async function getOnlyCheckout({ db }: TestShop): Promise<Sale> {
  const [row, ...more] = await db
    .select({ ...getTableColumns(checkouts), product: shownProducts.product })
    .from(checkouts)
    .innerJoin(shownProducts, eq(shownProducts.version, checkouts.shownVersion))
  assert.equal(more.length, 0, 'more than one checkout')
  if (!row) throw new Error('no checkout')
  return row
}

/** Sends SumUp's notification and settles the sale. */
export async function sendWebhook({ app, settling }: SaleShop, id: string): Promise<void> {
  const payload = { event_type: 'CHECKOUT_STATUS_CHANGED', id }
  const answer = await app.inject({ method: 'POST', url: apiRoutes.paymentWebhook, payload })
  assert.equal(answer.statusCode, 204)
  await sweep(settling)
}

export async function listReview({ app, signIn }: SaleShop, query = ''): Promise<ReviewEntry[]> {
  return (await app.inject({ url: `${apiRoutes.review}${query}`, headers: await signIn() })).json()
}

/** A sale whose card waits for 3-D Secure at the bank. */
export async function openChallengedSale(shop: SaleShop) {
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId, challengedCard)
  return { buyer, checkoutId }
}

/** Pays without a card form; where the buyer is led away, they pay there. */
export async function payOtherwise(
  sandbox: TestShop['sandbox'],
  checkoutId: string,
  method: string,
): Promise<void> {
  const isPending = await startElsewhere(sandbox, checkoutId, method)
  if (isPending) await sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'approve' })
}

/** Begins to pay in another way than by card. Returns whether the buyer has yet to agree, on a page or in an app. */
export async function startElsewhere(
  { url }: TestShop['sandbox'],
  checkoutId: string,
  method: string,
): Promise<boolean> {
  const answer = await fetch(`${url}/v0.2/checkouts/${checkoutId}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payment_type: method, [method]: { outcome: 'approved' } }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.status === 202
}

/** The entry of a review list as an admin's decision names it. */
export async function versionOf(shop: SaleShop, id: string): Promise<string> {
  const entries = [...(await listReview(shop)), ...(await listReview(shop, '?archive=true'))]
  return entries.find((entry) => entry.id === id)?.version ?? ''
}

/** Loses the paid sale, so that its payment is one without a sale in review. */
export async function loseSale({ db, sandbox }: SaleShop) {
  const paid = sandbox.ledger().transactions.at(-1)
  await db.delete(checkouts)
  await db.delete(reviewEntries)
  await db.delete(payments)
  const [payment] = await db
    .insert(payments)
    .values({
      transactionId: paid?.id ?? '',
      merchantCode: sandbox.merchantCode,
      isTest: true,
      amount: formatCents(paid?.amountMinor ?? 0),
      currency: 'EUR',
      status: 'successful',
    })
    .returning()
  const id = payment?.id ?? ''
  await db
    .insert(reviewEntries)
    .values({ id, paymentId: id, reason: 'no-sale', state: 'open', isTest: true })
  return { id, transactionId: paid?.id }
}
