import type { Day } from '#contract/days.ts'
import { isCode, normalizeCode } from '#contract/discounts.ts'
import type { Discount } from '#contract/quotes.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql, type SQL } from '#server/db/drizzle.ts'
import { discountCodes } from '#server/db/order-schema.ts'
import { consumeLimit, limitOf, releaseLimit, type Limit } from '#server/http/rate-limits.ts'
import { isHolding, type SaleRecord, type Decision, type Sale } from '#server/payments/record.ts'
import { assertMayHold, findNewHold, type NewHold } from './holds.ts'

/**
 * Which discount code counts, and how often it can still be used. As with pieces, no number is counted down: orders and
 * sales that hold a use are counted whenever it is needed, by the id of the code. Real sales and tests are counted apart.
 */

/** A browser has one sale of a product under way; one of another product is another use. */
async function findCode(
  db: Db,
  isWanted: SQL,
  {
    isTest,
    exceptBuyer,
    exceptProduct,
  }: { isTest: boolean; exceptBuyer: string; exceptProduct: string },
): Promise<FoundCode | undefined> {
  const ofCode = sql`discount_code_id = discount_codes.id and is_test = ${isTest}`
  const { rows } = await db.execute<FoundCode>(sql`
    select id, code, percent, amount::text, product_id as "productId", max_uses as "maxUses",
      last_day::text as "lastDay", uses.*,
      (select count(*)::int from checkouts where held_at is not null and state in ('submitted', 'review') and ${ofCode}
        and (checkouts.buyer_token_hash <> ${exceptBuyer} or checkouts.product_id <> ${exceptProduct})) as held
    from discount_codes cross join lateral (
      select count(*)::int as orders, (count(*) filter (where not is_code_overused))::int as "ordersInLimit"
      from orders where ${ofCode}) as uses
    where ${isWanted}`)
  return rows[0]
}

const isNamed = (code: string) => sql`code = ${code} and deleted_at is null`

type FoundCode = {
  id: string
  code: string
  percent: number | null
  amount: string | null
  productId: string | null
  maxUses: number | null
  lastDay: Day | null
  orders: number
  /** Orders that were not flagged: a sale that holds a use got it before those that were. */
  ordersInLimit: number
  /** Uses that the sales of others hold. */
  held: number
}

const isUsedUpBy = ({ maxUses }: FoundCode, uses: number) => maxUses !== null && uses >= maxUses
const hasNoUseLeft = (found: FoundCode) => isUsedUpBy(found, found.orders + found.held)

/** What a use is counted by. */
type CodeUse = {
  code: string
  isTest: boolean
  /** Whose own sale of the product does not count: nobody is refused because of the use that they hold themselves. */
  buyerTokenHash: string
  productId: string
  /** Where the shop is. */
  today: Day
}

/** A code that takes something off a product. */
type FoundDiscount = { id: string; discount: Discount }

/** What the code of a link takes off a product, or why it takes nothing. Letters count in either case. */
export async function findDiscount(
  db: Db,
  { code: typed, isTest, buyerTokenHash, productId, today }: CodeUse,
): Promise<FoundDiscount | 'code-unknown' | 'code-used-up'> {
  const code = normalizeCode(typed)
  if (!isCode(code)) return 'code-unknown'
  const use = { isTest, exceptBuyer: buyerTokenHash, exceptProduct: productId }
  const found = await findCode(db, isNamed(code), use)
  const isForProduct = found && (found.productId === null || found.productId === productId)
  const isEnded = found?.lastDay ? found.lastDay < today : false
  if (!isForProduct || isEnded) return 'code-unknown'
  if (hasNoUseLeft(found)) return 'code-used-up'
  return describeDiscount(found)
}

function describeDiscount({ id, code, percent, amount }: FoundCode): FoundDiscount {
  if (percent !== null) return { id, discount: { code, kind: 'percent', percent } }
  return { id, discount: { code, kind: 'amount', amount: amount ?? '0.00' } }
}

/**
 * The code that an order made by hand was bought with, whether or not it has ended: it counted then. Undefined where the
 * shop has none of this name for the product.
 */
export async function findUsedCode(
  db: Db,
  { code: typed, isTest, productId }: { code: string; isTest: boolean; productId: string },
): Promise<FoundDiscount | undefined> {
  const code = normalizeCode(typed)
  if (!isCode(code)) return undefined
  const use = { isTest, exceptBuyer: '', exceptProduct: productId }
  const found = await findCode(db, isNamed(code), use)
  const isForProduct = found && (found.productId === null || found.productId === productId)
  return isForProduct ? describeDiscount(found) : undefined
}

/** Whose use of a code it is. */
type UsedCode = Pick<Sale, 'discountCodeId' | 'isTest' | 'buyerTokenHash' | 'productId'>

async function findCodeOf(db: Db, used: UsedCode): Promise<FoundCode | undefined> {
  const { discountCodeId, isTest, buyerTokenHash, productId } = used
  if (discountCodeId === null) return undefined
  const use = { isTest, exceptBuyer: buyerTokenHash, exceptProduct: productId }
  // Also one that was deleted: what was agreed with it stays agreed, and its limit.
  return findCode(db, sql`id = ${discountCodeId}`, use)
}

/** Whoever has a code types it once. */
const unknownCodes: Limit = { name: 'unknown codes', max: 30, seconds: 10 * 60 }

/**
 * The same for who may be guessing: above the limit of an address no code is looked up for it. Links of an ended campaign
 * stay in many hands, so that only names which no code ever had are guesses.
 */
export async function tryCode(
  db: Db,
  use: CodeUse,
  { addressKey, isShared }: { addressKey: string; isShared: boolean },
): ReturnType<typeof findDiscount> {
  const limit = limitOf(addressKey, unknownCodes, { isShared })
  // Counted before the answer, so that guesses sent at once all count.
  const { isAllowed, secondsLeft } = await consumeLimit(db, limit, addressKey)
  if (!isAllowed) throw new Refusal('too-many-requests', { retryAfter: secondsLeft })
  const found = await findDiscount(db, use)
  const isGuess = found === 'code-unknown' && !(await hasEverBeen(db, use.code))
  if (!isGuess) await releaseLimit(db, limit, addressKey)
  return found
}

/** Whether a code had this name, also one that has ended, is of another product or was deleted. */
async function hasEverBeen(db: Db, typed: string): Promise<boolean> {
  const code = normalizeCode(typed)
  return isCode(code) && (await db.$count(discountCodes, eq(discountCodes.code, code))) > 0
}

/** Whether others have used up the code that a sale was agreed with. Its end does not matter: that counted before. */
export async function isUsedUp(db: Db, sale: Sale): Promise<boolean> {
  const found = await findCodeOf(db, sale)
  return found !== undefined && hasNoUseLeft(found)
}

/** A use of the code of a sale, or of an order without one. */
export type CodeTaken = {
  used: UsedCode
  /** The sale holds one already. */
  isHeld: boolean
  /** An order takes it; otherwise it is reserved for a card. */
  isOrder: boolean
  /** Where it is reserved, and counts towards what an address may hold. */
  newHold: NewHold | undefined
}

/** Undefined where no use of a code is reserved or taken. */
export function findCodeUse(
  record: SaleRecord,
  { order, after }: Decision,
  isAddressShared: boolean,
): CodeTaken | undefined {
  const { sale, payments } = record
  const used =
    sale ??
    (order?.bought && {
      ...order.bought,
      isTest: payments[0]?.isTest ?? false,
      buyerTokenHash: '',
      productId: order.bought.product.id,
    })
  if (!used?.discountCodeId) return undefined
  const isHeld = sale !== undefined && isHolding(sale)
  const newHold = order ? undefined : findNewHold(record, after, isAddressShared)
  // Another value of the product is the same use.
  if (!order && (!newHold || newHold.isSwitch)) return undefined
  return { used, isHeld, isOrder: order !== undefined, newHold }
}

/**
 * Before a decision that uses a code is written: sales with a code that has a limit are written one after the other, so that
 * its last use is given once. Money that has moved becomes an order. Whether that order is beyond the limit.
 */
export async function takeCodeUse(
  tx: Db,
  { used, isHeld, isOrder, newHold }: CodeTaken,
): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`select from discount_codes
    where id = ${used.discountCodeId} and max_uses is not null for no key update`)
  const found = rowCount === 1 ? await findCodeOf(tx, used) : undefined
  if (!found) return false
  if (!isOrder && !isHeld && hasNoUseLeft(found)) throw new Refusal('code-used-up')
  if (newHold) await assertMayHold(tx, newHold, 'code', found.maxUses ?? 0)
  const isOver = isHeld ? isUsedUpBy(found, found.ordersInLimit) : hasNoUseLeft(found)
  return isOrder && isOver
}
