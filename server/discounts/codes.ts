import type { DiscountChange, DiscountCode, NewDiscount } from '#contract/discounts.ts'
import { isCode, normalizeCode } from '#contract/discounts.ts'
import type { Discount } from '#contract/quotes.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, eq, isNull, sql, type SQL } from '#server/db/drizzle.ts'
import { discountCodes, type DiscountCodeRow } from '#server/db/order-schema.ts'
import { getZoneName } from '#server/db/time-zones.ts'

/**
 * Codes in checkout links that make a product cheaper. What one took off is agreed when a payment form is opened; how often
 * it was used is counted from orders and sales whenever it is needed, like pieces in stock.
 */

const maxCodes = 1_000

/** A code that counts for this product now, however it was written. */
export async function findDiscount(
  db: Db,
  typed: string,
  productId: string,
  now: Date,
): Promise<(Discount & { id: string; maxUses: number | null }) | undefined> {
  const code = normalizeCode(typed)
  if (!isCode(code)) return undefined
  const [row] = await db
    .select()
    .from(discountCodes)
    .where(and(eq(discountCodes.code, code), isLiving))
  if (!row || (row.productId !== null && row.productId !== productId)) return undefined
  if (row.endsAt !== null && row.endsAt <= now) return undefined
  const { id, percent, amount, maxUses } = row
  if (percent !== null) return { id, code, maxUses, kind: 'percent', percent }
  return amount === null ? undefined : { id, code, maxUses, kind: 'amount', amount }
}

/**
 * Sales with one code are written one after the other, on all nodes: what is counted after this stays true until the
 * transaction ends. Undefined for a code that was deleted meanwhile: what was agreed with it stays agreed, without a limit.
 */
export async function lockCode(
  tx: Db,
  code: string,
): Promise<Pick<DiscountCodeRow, 'code' | 'createdAt' | 'maxUses'> | undefined> {
  const [row] = await tx
    .select()
    .from(discountCodes)
    .where(and(eq(discountCodes.code, code), isLiving))
    .for('no key update')
  return row
}

type UsesQuery = {
  /** Real sales and tests are counted apart. */
  isTest: boolean
  /** Whose own sale does not count. */
  exceptBuyer?: string
}

/** Orders with this code, and sales with it whose card may be charged. Those of an earlier code of that name do not count. */
export async function countUses(
  tx: Db,
  { code, createdAt }: Pick<DiscountCodeRow, 'code' | 'createdAt'>,
  { isTest, exceptBuyer = '' }: UsesQuery,
): Promise<number> {
  const isOpen = sql`checkouts.terms->>'code' = ${code} and checkouts.is_test = ${isTest}
    and checkouts.buyer_token_hash <> ${exceptBuyer}`
  const { rows } = await tx.execute<{ uses: number }>(sql`
    select ((select count(*) from orders where terms->>'code' = ${code} and is_test = ${isTest}
        and created_at >= ${createdAt.toISOString()}::timestamptz)
      + (select count(*) from checkouts where state = 'submitted' and ${isOpen})
      + (select count(*) from review_entries join checkouts on checkouts.id = review_entries.id
        where review_entries.state = 'open' and checkouts.state = 'review' and ${isOpen}))::int as uses`)
  return rows[0]?.uses ?? 0
}

/** How the owner's days become moments, and which orders use codes up now. */
type CodeSettings = { timeZone: string; isTest: boolean }

/** Newest first. */
export async function listCodes(db: Db, settings: CodeSettings): Promise<DiscountCode[]> {
  const rows = await db
    .select()
    .from(discountCodes)
    .where(isLiving)
    .orderBy(desc(discountCodes.createdAt), desc(discountCodes.id))
  const uses = await listUses(db)
  return rows.map((row) => showCode(row, uses, settings))
}

export async function createCode(
  tx: Db,
  { lastDay, ...content }: NewDiscount,
  { createdBy, ...settings }: CodeSettings & { createdBy: string },
): Promise<DiscountCode> {
  const count = await tx.$count(discountCodes, isLiving)
  if (count >= maxCodes) throw new Refusal('too-many-codes')
  const endsAt = await endOf(tx, lastDay, settings.timeZone)
  const [row] = await tx
    .insert(discountCodes)
    .values({ ...content, endsAt, createdBy })
    .onConflictDoNothing()
    .returning()
  if (!row) throw new Refusal('code-taken', { facts: { field: 'code' } })
  return showCode(row, [], settings)
}

/** What is left out stays as it is. */
export async function updateCode(
  tx: Db,
  id: string,
  { maxUses, lastDay }: DiscountChange,
  settings: CodeSettings,
): Promise<{ before: DiscountCode; after: DiscountCode }> {
  const before = await getLocked(tx, id)
  const change = {
    ...(maxUses !== undefined && { maxUses }),
    ...(lastDay !== undefined && { endsAt: await endOf(tx, lastDay, settings.timeZone) }),
    updatedAt: sql`now()`,
  }
  const [row] = await tx
    .update(discountCodes)
    .set(change)
    .where(eq(discountCodes.id, id))
    .returning()
  if (!row) throw new Error('changing a code returned no row')
  const uses = await listUses(tx)
  return { before: showCode(before, uses, settings), after: showCode(row, uses, settings) }
}

/** Orders keep what it took off. The same code can be given again, and counts from zero then. */
export async function deleteCode(tx: Db, id: string): Promise<{ code: string }> {
  const { code } = await getLocked(tx, id)
  await tx
    .update(discountCodes)
    .set({ deletedAt: sql`now()` })
    .where(eq(discountCodes.id, id))
  return { code }
}

async function getLocked(tx: Db, id: string): Promise<DiscountCodeRow> {
  const [row] = await tx
    .select()
    .from(discountCodes)
    .where(and(eq(discountCodes.id, id), isLiving))
    .for('no key update')
  if (!row) throw new Refusal('code-missing')
  return row
}

const isLiving = isNull(discountCodes.deletedAt)

/** The first moment after a day. */
async function endOf(db: Db, lastDay: string | null, timeZone: string): Promise<SQL | null> {
  if (lastDay === null) return null
  const zone = await getZoneName(db, timeZone)
  return sql`(${lastDay}::date + 1)::timestamp at time zone ${zone}`
}

type UsesRow = {
  id: string
  isTest: boolean
  currency: string
  orders: number
  takenOff: string
}

/** An order whose amount a person has changed was not made cheaper by what its terms say. */
async function listUses(db: Db): Promise<UsesRow[]> {
  const { rows } = await db.execute<UsesRow>(sql`
    select discount_codes.id, orders.is_test as "isTest", orders.currency, count(*)::int as orders,
      coalesce(sum(discount) filter (where orders.amount = subtotal + shipping - discount), 0)::numeric(20, 2)::text as "takenOff"
    from orders
      cross join lateral jsonb_to_record(orders.terms)
        as agreed(subtotal numeric, shipping numeric, discount numeric)
      join discount_codes on discount_codes.code = orders.terms->>'code' and deleted_at is null
        and orders.created_at >= discount_codes.created_at
    where orders.terms->>'code' is not null
    group by 1, 2, 3 order by 3`)
  return rows
}

function showCode(row: DiscountCodeRow, all: UsesRow[], settings: CodeSettings): DiscountCode {
  const { id, code, percent, amount, productId, maxUses, endsAt, createdAt } = row
  const own = all.filter((use) => use.id === id)
  const uses = sumUses(own.filter(({ isTest }) => !isTest))
  const testUses = sumUses(own.filter(({ isTest }) => isTest))
  const counted = settings.isTest ? testUses.orders : uses.orders
  const isEnded = endsAt !== null && endsAt.getTime() <= Date.now()
  return {
    id,
    code,
    percent,
    amount,
    productId,
    maxUses,
    lastDay: endsAt && dayBefore(endsAt, settings.timeZone),
    state: isEnded ? 'ended' : maxUses !== null && counted >= maxUses ? 'used-up' : 'active',
    uses,
    testUses,
    createdAt: createdAt.toISOString(),
  }
}

function sumUses(rows: UsesRow[]): DiscountCode['uses'] {
  return {
    orders: rows.reduce((sum, { orders }) => sum + orders, 0),
    takenOff: rows.map(({ takenOff, currency }) => ({ amount: takenOff, currency })),
  }
}

function dayBefore(moment: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  return format.format(new Date(moment.getTime() - 1))
}
