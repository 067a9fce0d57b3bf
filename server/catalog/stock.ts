import { isDeepStrictEqual } from 'node:util'
import type { ProductChange } from '#contract/products.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql, type SQL } from '#server/db/drizzle.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { findCountedHold } from '#server/db/restored.ts'
import { products, type OrderRow, type StoredValue } from '#server/db/schema.ts'

/**
 * How many pieces of a product are there, or of each value of its choice. No number is counted down: a row holds what the
 * owner said, and the rest is counted from orders and sales whenever it is needed. Real sales and tests are counted apart,
 * against the same word of the owner.
 */

export type Pieces = {
  /** Not sold yet, also those that are being paid. */
  stock: number
  /** Held by sales whose card may be charged. */
  reserved: number
  /** What another buyer can still get. */
  left: number
  /** Orders since the owner said how many are there. */
  sold: number
}

const { placeholder } = sql

/** An order is written some time after its `created_at`, never a day. */
const margin = sql`interval '1 day'`

/** What is counted: a product, or a value of its choice. */
type Counted = { isOrdered: SQL; isHeld: SQL; stock: SQL; testStock: SQL; countedAt: SQL }

const ofProduct: Counted = {
  isOrdered: sql`orders.product_id = products.id`,
  isHeld: sql`checkouts.product_id = products.id`,
  stock: sql`products.stock`,
  testStock: sql`products.test_stock`,
  countedAt: sql`products.stock_counted_at`,
}

const ofValue: Counted = {
  // As its index has it; the id of a value is of no other product.
  isOrdered: sql`(orders.product -> 'choice' ->> 'id') = value.id`,
  isHeld: sql`checkouts.product_id = products.id and checkouts.chosen -> 'choice' ->> 'id' = value.id`,
  stock: sql`value.stock`,
  testStock: sql`value."testStock"`,
  countedAt: sql`value."countedAt"`,
}

const valuesOfProducts = sql`jsonb_to_recordset(products.choice -> 'values')
  as value (id text, stock int, "testStock" int, "countedAt" timestamptz)`

/** Orders that took a piece, and have it. */
const takesPiece = ({ isOrdered }: Pick<Counted, 'isOrdered'>, isTest: SQL, since: SQL) =>
  sql`${isOrdered} and orders.is_test = ${isTest} and not orders.is_oversold
    and not orders.is_piece_returned and orders.created_at > ${since} - ${margin}`

function selectPieces(db: Db, id: SQL, from: SQL, counted: Counted) {
  const isTest = sql`${placeholder('isTest')}::boolean`
  const { isOrdered, stock, testStock, countedAt } = counted
  // From Pay now until SumUp, or a person, has ended the sale, or the hold lapsed.
  const isHeld = sql`held_at is not null and state in ('submitted', 'review') and ${counted.isHeld} and checkouts.is_test = ${isTest}
    and checkouts.buyer_token_hash <> ${placeholder('exceptBuyer')}`
  return db
    .select({
      id: sql<string>`${id}`,
      stock: sql<number>`(case when ${isTest} then ${testStock} else ${stock} end - (select count(*) from orders
        where ${takesPiece(counted, isTest, countedAt)}))::int`,
      reserved: sql<number>`(select count(*) from checkouts where ${isHeld})::int`,
      sold: sql<number>`(select count(*) from orders where ${isOrdered} and orders.is_test = ${isTest}
        and orders.created_at > ${countedAt})::int`,
    })
    .from(from)
    .where(sql`products.id = any(${placeholder('ids')}::uuid[]) and ${stock} is not null`)
}

const piecesOf = prepareQuery('pieces', (db) =>
  selectPieces(db, sql`products.id::text`, sql`products`, ofProduct).unionAll(
    selectPieces(db, sql`value.id`, sql`products cross join ${valuesOfProducts}`, ofValue),
  ),
)

type PiecesQuery = {
  isTest: boolean
  /** Whose own sale does not count: nobody is refused because of the piece that they hold themselves. */
  exceptBuyer?: string
}

/** By the id of the product, or of the value where it has a choice; those that are not counted are left out. */
export async function listPieces(
  db: Db,
  productIds: string[],
  { isTest, exceptBuyer = '' }: PiecesQuery,
): Promise<Map<string, Pieces>> {
  const rows = await piecesOf(db, { ids: productIds, isTest, exceptBuyer })
  return new Map(
    rows.map(({ id, stock, reserved, sold }) => [
      id,
      { stock, reserved, left: stock - reserved, sold },
    ]),
  )
}

/** Of a product, or of a value of its choice. */
export async function findPieces(
  db: Db,
  productId: string,
  query: PiecesQuery,
  valueId?: string,
): Promise<Pieces | undefined> {
  return (await listPieces(db, [productId], query)).get(valueId ?? productId)
}

type StockOf = Pick<typeof products.$inferSelect, 'id' | 'stock' | 'choice'>

/** Whether the pieces of a product, or of a value of its choice, are counted; without a value: of any. */
export function isCounted({ stock, choice }: StockOf, valueId?: string): boolean {
  if (!choice) return stock !== null
  return choice.values.some(
    (value) => value.stock !== null && (valueId === undefined || value.id === valueId),
  )
}

/**
 * The product as it is offered to buyers. After a restore nobody knows yet which pieces were sold since the backup: a product
 * whose pieces are counted is paused until that is known.
 */
export async function asOffered<Product extends StockOf & { pausedAt: Date | null }>(
  db: Db,
  product: Product,
): Promise<Product> {
  const heldSince = isCounted(product) ? await findCountedHold(db) : undefined
  return heldSince ? { ...product, pausedAt: product.pausedAt ?? heldSince } : product
}

/**
 * Whether an order has a piece that can come back. One from before the owner's last count has not: perhaps that piece was
 * there again and counted, so only the owner knows, and counts again.
 */
export function hasPiece(
  { product: sold, isOversold, isPieceReturned, createdAt }: OrderRow,
  { choice, stockCountedAt }: Pick<typeof products.$inferSelect, 'choice' | 'stockCountedAt'>,
): boolean {
  const value = choice?.values.find(({ id }) => id === sold.choice?.id)
  const countedAt = choice ? (value?.countedAt ?? null) : stockCountedAt
  return !isOversold && !isPieceReturned && countedAt !== null && createdAt > new Date(countedAt)
}

/** How many a buyer can get of the product, or of each value; what is not counted is left out, and asks nobody. */
export async function listLeft(
  db: Db,
  product: StockOf,
  query: PiecesQuery,
): Promise<Map<string, number>> {
  if (!isCounted(product)) return new Map()
  const pieces = await listPieces(db, [product.id], query)
  return new Map(Array.from(pieces, ([id, { left }]) => [id, Math.max(0, left)]))
}

/** All that a buyer can get of a product; undefined where that is not counted, or not of every value. */
export function sumLeft({ id, choice }: StockOf, left: Map<string, number>): number | undefined {
  const counts = (choice?.values ?? [{ id }]).map((one) => left.get(one.id))
  return counts.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  )
}

export async function findLeft(
  db: Db,
  product: StockOf,
  query: PiecesQuery,
): Promise<number | undefined> {
  return sumLeft(product, await listLeft(db, product, query))
}

/**
 * Sales of a product with a stock are written one after the other, on all nodes: what is counted after this stays true until
 * the transaction ends.
 */
export async function lockStock(tx: Db, id: string): Promise<StockedProduct | undefined> {
  const [locked] = await lockedById(tx, { id })
  return locked
}

type StockedProduct = typeof products.$inferSelect

const lockedById = prepareQuery('locked_product', (db) =>
  db
    .select()
    .from(products)
    .where(eq(products.id, sql.placeholder('id')))
    // Not 'update', for which other sales of this product would wait: their rows refer to it.
    .for('no key update'),
)

/** As JavaScript reads and writes it. */
const nowAsText = sql`to_json(now()) #>> '{}'`

/** The owner is told when so many are left, and when none is. */
const lowStock = 3

/** Notes that few are left, or none, for the alert to the owner. */
export async function markLowStock(
  tx: Db,
  { productId, valueId }: { productId: string; valueId: string | undefined },
  left: number,
): Promise<void> {
  if (left > lowStock) return
  if (valueId !== undefined) {
    await changeValue(tx, productId, valueId, (value, now) => ({
      ...value,
      lowStockAt: value.lowStockAt ?? now,
      soldOutAt: value.soldOutAt ?? (left < 1 ? now : null),
    }))
    return
  }
  await tx.execute(sql`update products set low_stock_at = coalesce(low_stock_at, now()),
      sold_out_at = coalesce(sold_out_at, case when ${left}::int < 1 then now() end)
    where id = ${productId}::uuid and (low_stock_at is null or (sold_out_at is null and ${left}::int < 1))`)
}

/** Changes a value of a product's choice under the product's lock. */
async function changeValue(
  tx: Db,
  productId: string,
  valueId: string,
  change: (value: StoredValue, now: string) => StoredValue,
): Promise<void> {
  const { id, choice } = products
  const [locked] = await tx
    .select({ choice, now: sql<string>`${nowAsText}` })
    .from(products)
    .where(eq(id, productId))
    .for('no key update')
  if (!locked?.choice) return
  const values = locked.choice.values.map((value) =>
    value.id === valueId ? change(value, locked.now) : value,
  )
  if (isDeepStrictEqual(values, locked.choice.values)) return
  const changed = { ...locked.choice, values }
  await tx.update(products).set({ choice: changed }).where(eq(id, productId))
}

export type StockColumns = Partial<Record<keyof typeof notCounted, SQL | null>>

export const notCounted = {
  stock: null,
  testStock: null,
  stockCountedAt: null,
  lowStockAt: null,
  soldOutAt: null,
}

/** Orders that count from now on although they are of before: one that is written at this moment may be dated earlier. */
const ordersUntilNow = (counted: Pick<Counted, 'isOrdered'>, isTest: boolean) =>
  sql`(select count(*) from orders
    where ${takesPiece(counted, isTest ? sql`true` : sql`false`, sql`now()`)})::int`

/** The columns of a product of which the owner says that so many pieces are there now; null: they are not counted. */
export function countStock(pieces: number | null): StockColumns {
  if (pieces === null) return notCounted
  const withOrders = (isTest: boolean) => sql`${pieces}::int + ${ordersUntilNow(ofProduct, isTest)}`
  return {
    ...notCounted,
    stock: withOrders(false),
    testStock: withOrders(true),
    stockCountedAt: sql`now()`,
  }
}

export const notCountedValue = {
  stock: null,
  testStock: null,
  countedAt: null,
  lowStockAt: null,
  soldOutAt: null,
}

/** The same of a value. */
export async function countValue(
  tx: Db,
  valueId: string,
  pieces: number | null,
): Promise<Omit<StoredValue, 'id' | 'name' | 'imageUrl'>> {
  if (pieces === null) return notCountedValue
  const value = { isOrdered: sql`(orders.product -> 'choice' ->> 'id') = ${valueId}` }
  const { rows } = await tx.execute<{ real: number; test: number; now: string }>(sql`
    select ${ordersUntilNow(value, false)} as real, ${ordersUntilNow(value, true)} as test,
      ${nowAsText} as now`)
  const { real = 0, test = 0, now = null } = rows[0] ?? {}
  return { ...notCountedValue, stock: pieces + real, testStock: pieces + test, countedAt: now }
}

/**
 * How many the owner means now; undefined if that changes nothing. Pieces that were sold since the owner read `stockWas` are
 * taken off: they were still among those.
 */
export function findWanted(
  known: Pieces | undefined,
  { stock, stockWas }: Pick<ProductChange, 'stock' | 'stockWas'>,
): number | null | undefined {
  if (stock === undefined) return undefined
  if (stock === null || !known) return stock === null && !known ? undefined : stock
  const wanted = stockWas === undefined ? stock : Math.max(0, known.stock + stock - stockWas)
  return wanted === known.stock ? undefined : wanted
}

/** What a change of a product says about its stock, {} if nothing. */
export async function describeStockChange(
  db: Db,
  before: { id: string; stock: number | null },
  content: Pick<ProductChange, 'stock' | 'stockWas'>,
  isTest: boolean,
): Promise<StockColumns> {
  const known = before.stock === null ? undefined : await findPieces(db, before.id, { isTest })
  const wanted = findWanted(known, content)
  return wanted === undefined ? {} : countStock(wanted)
}
