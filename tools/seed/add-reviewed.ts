import { createHash } from 'node:crypto'
import type { ReviewReason } from '#contract/checkouts.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, products } from '#server/db/schema.ts'
import { demoMark } from '#tools/seed/clear-demo.ts'
import { demoProducts } from '#tools/seed/demo-products.ts'

/** A payment that needs attention, so that the demo shows what becomes of one. */
export async function addReviewed(tx: Db): Promise<void> {
  const [mug] = await tx.select().from(products).where(eq(products.id, demoProducts[0].id))
  if (!mug) throw new Error('the demo has no products')
  const { id, name, price, description, imageUrl, headerLogoUrl, headerName } = mug
  await tx.insert(checkouts).values({
    productId: id,
    product: { id, name, price, currency: 'EUR', description, imageUrl, headerLogoUrl, headerName },
    amount: price,
    currency: 'EUR',
    state: 'review',
    buyerTokenHash: createHash('sha256').update(demoMark).digest('hex'),
    sumupCheckoutId: `${demoMark}review`,
    sumupTransactionId: `${demoMark}review`,
    sumupTransactionCode: 'TDEMO2REVIEW',
    // No account of SumUp's: nobody can ask for a refund of what was never paid.
    merchantCode: 'DEMO',
    reviewReason: 'no-details' satisfies ReviewReason,
    reviewAt: sql`now() - interval '3 hours'`,
    details: null,
    validUntil: sql`now()`,
    createdAt: sql`now() - interval '3 hours'`,
  })
}
