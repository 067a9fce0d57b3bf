import { hash } from 'node:crypto'
import type { CheckoutDetails, ProductAsSold } from '#contract/orders.ts'
import { countStarted } from '#server/analytics/sale-figures.ts'
import type { Db } from '#server/db/database.ts'
import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  notInArray,
  or,
  sql,
} from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import type { Visitor } from '#server/db/visitor.ts'
import type { Charge } from './charge.ts'

/** One sale from its beginning: what was offered, at which price, to which browser, and how it stands. */
export type CheckoutRow = typeof checkouts.$inferSelect

export const checkoutStates = ['created', 'open', 'submitted', 'paid', 'expired', 'review'] as const
export type CheckoutState = (typeof checkoutStates)[number]

/** States in which a card can still be paid by the same browser. */
const payable: CheckoutState[] = ['created', 'open', 'submitted']

/** The one reason for a person's attention that the buyer's own browser can still take away. */
export const withoutDetails = 'paid before contact and delivery were known'

/** A checkout is good for this long; with less than the margin left nobody starts typing a card any more. */
const validMinutes = 30
const marginMinutes = 5

/** If nothing was heard by then, the sweep looks whether SumUp got to know of the checkout at all. */
const firstLookSeconds = 30

export function hashToken(token: string): string {
  return hash('sha256', token)
}

/** The checkout of a browser that is still good at today's price: reload and second tab share it. */
export async function maybeReusable(
  db: Db,
  buyerTokenHash: string,
  productId: string,
  charge: Charge,
): Promise<CheckoutRow | undefined> {
  const [found] = await db
    .select()
    .from(checkouts)
    .where(
      and(
        eq(checkouts.buyerTokenHash, buyerTokenHash),
        eq(checkouts.productId, productId),
        eq(checkouts.amount, charge.amount),
        eq(checkouts.currency, charge.currency),
        inArray(checkouts.state, payable),
        gt(checkouts.validUntil, sql`now() + make_interval(mins => ${marginMinutes})`),
      ),
    )
    .orderBy(desc(checkouts.createdAt))
    .limit(1)
  return found
}

/** The last sale of this browser for which a card may be under way, whatever its price and its time. */
export async function maybeSubmitted(
  db: Db,
  buyerTokenHash: string,
  productId: string,
): Promise<(CheckoutRow & { isInTime: boolean }) | undefined> {
  const isInTime = sql<boolean>`${checkouts.validUntil} > now()`
  const [found] = await db
    .select({ ...getTableColumns(checkouts), isInTime })
    .from(checkouts)
    .where(
      and(
        eq(checkouts.buyerTokenHash, buyerTokenHash),
        eq(checkouts.productId, productId),
        eq(checkouts.state, 'submitted'),
      ),
    )
    .orderBy(desc(checkouts.createdAt))
    .limit(1)
  return found
}

export async function addCheckout(
  db: Db,
  offer: {
    product: ProductAsSold
    charge: Charge
    buyerTokenHash: string
    addressHash: string
    visitor: Visitor
  },
): Promise<CheckoutRow> {
  const { product, charge, buyerTokenHash, addressHash, visitor } = offer
  const [added] = await db
    .insert(checkouts)
    .values({
      productId: product.id,
      product,
      amount: charge.amount,
      currency: charge.currency,
      buyerTokenHash,
      addressHash,
      visitor,
      validUntil: sql`now() + make_interval(mins => ${validMinutes})`,
      nextCheckAt: sql`now() + make_interval(secs => ${firstLookSeconds})`,
    })
    .returning()
  if (!added) throw new Error('adding a checkout returned no row')
  return added
}

/** SumUp has it: from now on a card can be paid on it. A sale that went on meanwhile is left as it is. */
export async function markOpen(db: Db, id: string, sumupCheckoutId: string): Promise<CheckoutRow> {
  const [opened] = await db
    .update(checkouts)
    .set({
      sumupCheckoutId,
      state: sql`case when ${checkouts.state} in ('created', 'expired') then 'open' else ${checkouts.state} end`,
      nextCheckAt: sql`case when ${checkouts.details} is null
        then ${checkouts.validUntil} + interval '2 minutes' else ${checkouts.nextCheckAt} end`,
      updatedAt: sql`now()`,
    })
    .where(eq(checkouts.id, id))
    .returning()
  if (!opened) throw new Error(`checkout ${id} is gone`)
  return opened
}

/**
 * Contact and delivery, before any card: from here on the server can finish the sale alone. Details that come
 * after the payment, from the same browser, take away the reason why it waits for a person: it is looked at again.
 */
export async function maybeKeepDetails(
  db: Db,
  id: string,
  details: CheckoutDetails,
): Promise<CheckoutRow | undefined> {
  const lacksOnlyDetails = sql`(${checkouts.state} = 'review' and ${checkouts.details} is null
    and ${checkouts.reviewReason} = ${withoutDetails} and ${checkouts.handledAt} is null)`
  return db.transaction(async (tx) => {
    const [kept] = await tx
      .update(checkouts)
      .set({
        details,
        startedAt: sql`coalesce(${checkouts.startedAt}, now())`,
        state: 'submitted',
        cardsBefore: checkouts.failedCards,
        reviewReason: null,
        checks: 0,
        nextCheckAt: sql`now() + interval '2 seconds'`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(checkouts.id, id), or(inArray(checkouts.state, payable), lacksOnlyDetails)))
      .returning({
        ...getTableColumns(checkouts),
        startsNow: sql<boolean>`${checkouts.startedAt} = now()`,
      })
    if (!kept) return undefined
    const { startsNow, ...row } = kept
    if (startsNow) await countStarted(tx, row)
    return row
  })
}

/** SumUp says that something happened: the sweep looks at it next. What is settled stays settled. */
export async function lookSoon(db: Db, id: string): Promise<void> {
  await db
    .update(checkouts)
    // A look that was asked for does not make the sweep's own looks rarer.
    .set({ nextCheckAt: sql`now()`, checks: sql`greatest(${checkouts.checks} - 1, 0)` })
    .where(and(eq(checkouts.id, id), notInArray(checkouts.state, ['paid', 'review'])))
}

export async function maybeBySumupId(
  db: Db,
  sumupCheckoutId: string,
): Promise<CheckoutRow | undefined> {
  const [found] = await db
    .select()
    .from(checkouts)
    .where(eq(checkouts.sumupCheckoutId, sumupCheckoutId))
  return found
}

/** A buyer sees only the checkouts of their own browser. */
export async function maybeOwn(
  db: Db,
  sumupCheckoutId: string,
  buyerTokenHash: string,
): Promise<CheckoutRow | undefined> {
  const found = await maybeBySumupId(db, sumupCheckoutId)
  return found?.buyerTokenHash === buyerTokenHash ? found : undefined
}
