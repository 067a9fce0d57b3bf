import { isCode, normalizeCode } from '#contract/discounts.ts'
import type { Discount } from '#contract/quotes.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { runStatement, writeStatement } from '#server/db/prepared.ts'
import { holdsPromise, type Case, type Decision } from '#server/payments/case.ts'

/**
 * Which discount code counts, and how often it can still be used. As with pieces, no number is counted down: orders and
 * sales whose card may be charged are counted whenever it is needed. Real sales and tests are counted apart.
 */

const { placeholder } = sql

const ofCode = sql`terms->>'code' = discount_codes.code and is_test = ${placeholder('isTest')}::boolean`
/** A browser has one sale of a product under way; one of another product is another use. */
const byOthers = sql`(checkouts.buyer_token_hash <> ${placeholder('exceptBuyer')}
  or checkouts.product_id <> ${placeholder('productId')}::uuid)`

/** A code that was deleted and is given again starts over. */
const codeStatement = writeStatement(sql`
  select code, percent, amount::text, product_id as "productId", coalesce(ends_at <= now(), false) as "isEnded",
    case when max_uses is null then false else max_uses <=
      (select count(*) from orders where ${ofCode} and orders.created_at >= discount_codes.created_at)
      + (select count(*) from checkouts where state = 'submitted' and ${ofCode} and ${byOthers})
      + (select count(*) from review_entries join checkouts on checkouts.id = review_entries.id
        where review_entries.state = 'open' and checkouts.state = 'review' and terms->>'code' = discount_codes.code
          and checkouts.is_test = ${placeholder('isTest')}::boolean and ${byOthers}) end as "isUsedUp"
  from discount_codes where code = ${placeholder('code')} and deleted_at is null`)

type FoundCode = {
  code: string
  percent: number | null
  amount: string | null
  productId: string | null
  isEnded: boolean
  isUsedUp: boolean
}

/** What a use is counted by. */
export type CodeUse = {
  code: string
  isTest: boolean
  /** Whose own sale of the product does not count: nobody is refused because of the use that they hold themselves. */
  buyerTokenHash: string
  productId: string
}

async function findCode(
  db: Db,
  { code, isTest, buyerTokenHash, productId }: CodeUse,
): Promise<FoundCode | undefined> {
  const values = { code, isTest, exceptBuyer: buyerTokenHash, productId }
  const [found] = await runStatement<FoundCode>(db, codeStatement, values)
  return found
}

/** What the code of a link takes off a product, or why it takes nothing. Letters count in either case. */
export async function findDiscount(
  db: Db,
  { code: typed, ...use }: CodeUse,
): Promise<Discount | 'code-unknown' | 'code-used-up'> {
  const code = normalizeCode(typed)
  const found = isCode(code) ? await findCode(db, { code, ...use }) : undefined
  const isForProduct = found && (found.productId === null || found.productId === use.productId)
  if (!isForProduct || found.isEnded) return 'code-unknown'
  if (found.isUsedUp) return 'code-used-up'
  if (found.percent !== null) return { code, kind: 'percent', percent: found.percent }
  return { code, kind: 'amount', amount: found.amount ?? '0.00' }
}

/** Whether others have used up the code that a sale was agreed with. Its end does not matter: that counted before. */
export async function isUsedUp(
  db: Db,
  { terms, isTest, buyerTokenHash, productId }: NonNullable<Case['sale']>,
): Promise<boolean> {
  if (!terms?.code) return false
  const use = { code: terms.code, isTest, buyerTokenHash, productId }
  return (await findCode(db, use))?.isUsedUp ?? false
}

/** The sale whose code is used from this decision on, since a card may be charged; undefined for any other. */
export function findCodeUse({ sale }: Case, { after }: Decision): Case['sale'] {
  const isNew = sale && !holdsPromise(sale) && after.sale?.state === 'submitted'
  return isNew && sale.terms?.code ? sale : undefined
}

/**
 * Writes a decision that uses a code: sales with a code that has a limit are written one after the other, so that its last
 * use is given once. A product is locked before a code, never after it.
 */
export async function writeWithCode<Result>(
  db: Db,
  sale: NonNullable<Case['sale']>,
  write: (tx: Db) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select from discount_codes
      where code = ${sale.terms?.code} and deleted_at is null and max_uses is not null for no key update`)
    if (await isUsedUp(tx, sale)) throw new Refusal('code-used-up')
    return write(tx)
  })
}
