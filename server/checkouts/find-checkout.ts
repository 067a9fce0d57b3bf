import type { Db } from '#server/db/database.ts'
import { and, desc, eq, getTableColumns, sql } from '#server/db/drizzle.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { checkouts } from '#server/db/schema.ts'
import { validMinutes, type Charge } from './offer.ts'
import type { CheckoutRow } from './decision.ts'

/* How rows of `checkouts` are read; ledger.ts writes them. */

const { placeholder } = sql

/** A row and the database's time when it was read: decisions use no other clock. */
export type ReadCheckout = {
  row: CheckoutRow
  now: Date
  /** From memory: another node may have changed it since. */
  isRecent?: true
}

export const columns = {
  ...getTableColumns(checkouts),
  now: sql`now()`.mapWith(checkouts.createdAt),
}

const byId = prepareQuery('checkout_by_id', (db) =>
  db
    .select(columns)
    .from(checkouts)
    .where(eq(checkouts.id, placeholder('id'))),
)
const bySumupId = prepareQuery('checkout_by_sumup_id', (db) =>
  db
    .select(columns)
    .from(checkouts)
    .where(eq(checkouts.sumupCheckoutId, placeholder('id'))),
)

export async function findCheckout(db: Db, id: string): Promise<ReadCheckout | undefined> {
  return firstOf(await byId(db, { id }))
}

export async function findBySumupId(
  db: Db,
  sumupCheckoutId: string,
): Promise<ReadCheckout | undefined> {
  return firstOf(await bySumupId(db, { id: sumupCheckoutId }))
}

export function firstOf([found]: (CheckoutRow & { now: Date })[]): ReadCheckout | undefined {
  if (!found) return undefined
  const { now, ...row } = found
  return { row, now }
}

/** Rows that this node wrote last, by the database that they are in. */
const recentOf = new WeakMap<Db, RecentCheckouts>()
type RecentCheckouts = Map<string, ReadCheckout & { atMs: number; wallMs: number }>
const maxRecent = 5_000
/** How far the two clocks of this machine may be apart from when a row was remembered. */
const maxDriftMs = 1_000

/**
 * Remembers a row that was just written, for what its buyer asks next. Another node may change it meanwhile: a decision
 * about it is then not written, and is made again about the row as it is.
 */
export function rememberCheckout(db: Db, { row, now }: ReadCheckout): void {
  const recent: RecentCheckouts = recentOf.get(db) ?? new Map()
  recentOf.set(db, recent)
  const { sumupCheckoutId } = row
  if (!sumupCheckoutId) return
  recent.delete(sumupCheckoutId)
  const atMs = performance.now()
  // The first in the map is the oldest. None outlives its form: rows contain names and addresses.
  for (const [id, known] of recent) {
    if (recent.size < maxRecent && atMs - known.atMs < validMinutes * 60_000) break
    recent.delete(id)
  }
  recent.set(sumupCheckoutId, { row, now, atMs, wallMs: Date.now() })
}

/**
 * The row as this node wrote it last, once. Not after the machine slept or its time was set: then nobody but the database
 * knows what time it is.
 */
export function takeRecentCheckout(db: Db, sumupCheckoutId: string): ReadCheckout | undefined {
  const recent = recentOf.get(db)
  const found = recent?.get(sumupCheckoutId)
  recent?.delete(sumupCheckoutId)
  if (!found) return undefined
  const { row, now, atMs, wallMs } = found
  const elapsedMs = performance.now() - atMs
  if (Math.abs(Date.now() - wallMs - elapsedMs) > maxDriftMs) return undefined
  return { row, now: new Date(now.getTime() + elapsedMs), isRecent: true }
}

/** How much of its time a checkout must have left to be offered again. */
const marginMinutes = 5

const earlierWith = (unknown: 'told_at' | 'thanked_at') =>
  prepareQuery(`checkout_before_${unknown}`, (db) =>
    db
      .select(columns)
      .from(checkouts)
      .where(
        and(
          eq(checkouts.buyerTokenHash, placeholder('buyer')),
          eq(checkouts.productId, placeholder('product')),
          eq(checkouts.isTest, placeholder('isTest')),
          sql`(state in ('created', 'open', 'submitted', 'review')
            or (state = 'paid' and ${sql.raw(unknown)} is null))`,
        ),
      )
      .orderBy(
        sql`array_position(array['review', 'submitted', 'paid'], state::text)`,
        desc(checkouts.createdAt),
      )
      .limit(1),
  )
const earlier = { untold: earlierWith('told_at'), unseen: earlierWith('thanked_at') }

/**
 * The earlier checkout of this browser for this product that matters before a new one: a card in progress, a payment in
 * review, a checkout that can still be paid, or an order that the browser was not sent (`untold`) or whose thank-you page
 * it has not seen (`unseen`). Tests do not matter to a real sale, and the other way round.
 */
export async function findEarlierCheckout(
  db: Db,
  {
    buyerTokenHash,
    productId,
    isTest,
  }: Pick<CheckoutRow, 'buyerTokenHash' | 'productId' | 'isTest'>,
  orders: keyof typeof earlier,
): Promise<ReadCheckout | undefined> {
  return firstOf(await earlier[orders](db, { buyer: buyerTokenHash, product: productId, isTest }))
}

/** Whether a row has the current price and enough time left to type a card. */
export function isReusable({ row, now }: ReadCheckout, charge: Charge): boolean {
  const remainingMs = row.validUntil.getTime() - now.getTime()
  const isValid = remainingMs > (row.state === 'submitted' ? 0 : marginMinutes * 60_000)
  return isValid && row.amount === charge.amount && row.currency === charge.currency
}

/** Whether an account is a test account, if all its sales agree. Undefined if it has none, or some of both kinds. */
export async function findAccountKind(db: Db, merchantCode: string): Promise<boolean | undefined> {
  const hasSales = (isTest: boolean) =>
    sql`exists (select from checkouts where merchant_code = ${merchantCode} and is_test = ${isTest})`
  const { rows } = await db.execute<{ isTest: boolean; isLive: boolean }>(
    sql`select ${hasSales(true)} as "isTest", ${hasSales(false)} as "isLive"`,
  )
  const [kinds] = rows
  return kinds?.isTest === kinds?.isLive ? undefined : kinds?.isTest
}
