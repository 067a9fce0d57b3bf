import { dayIn } from '#contract/days.ts'
import type { DiscountChange, DiscountCode, NewDiscount } from '#contract/discounts.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, eq, isNull, sql } from '#server/db/drizzle.ts'
import { discountCodes, type DiscountCodeRow } from '#server/db/order-schema.ts'

/**
 * Codes in checkout links that make a product cheaper. What one takes off is agreed when a payment form is opened
 * (server/checkouts/code-uses.ts).
 */

const maxCodes = 1_000

/** In which time zone a code's last day ends, and which orders use codes up now. */
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
  content: NewDiscount,
  { createdBy, ...settings }: CodeSettings & { createdBy: string },
): Promise<DiscountCode> {
  const count = await tx.$count(discountCodes, isLiving)
  if (count >= maxCodes) throw new Refusal('too-many-codes')
  const [row] = await tx
    .insert(discountCodes)
    .values({ ...content, createdBy })
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
    ...(lastDay !== undefined && { lastDay }),
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
      join discount_codes on discount_codes.id = orders.discount_code_id and deleted_at is null
    group by 1, 2, 3 order by 3`)
  return rows
}

function showCode(row: DiscountCodeRow, all: UsesRow[], settings: CodeSettings): DiscountCode {
  const { id, code, percent, amount, productId, maxUses, lastDay, createdAt } = row
  const own = all.filter((use) => use.id === id)
  const uses = sumUses(own.filter(({ isTest }) => !isTest))
  const testUses = sumUses(own.filter(({ isTest }) => isTest))
  const counted = settings.isTest ? testUses.orders : uses.orders
  const isEnded = lastDay !== null && lastDay < dayIn(settings.timeZone)
  return {
    id,
    code,
    percent,
    amount,
    productId,
    maxUses,
    lastDay,
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
