import type { ProductContent } from '#contract/products.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { runStatement, writeStatement } from '#server/db/prepared.ts'
import type { products } from '#server/db/schema.ts'

/**
 * How many pieces of a product are there. No number is counted down: a row holds what the owner said, and the rest is
 * counted from orders and sales whenever it is needed. Real sales and tests are counted apart, against the same word of the
 * owner.
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

/** Orders that took a piece. */
const takesPiece = (isTest: SQL, since: SQL) => sql`orders.product_id = products.id
  and orders.is_test = ${isTest} and not orders.is_oversold and orders.created_at > ${since} - ${margin}`

/** A card may be charged from the moment details are saved until SumUp, or a person, has ended the sale. */
const holdsPiece = sql`checkouts.product_id = products.id and checkouts.is_test = ${placeholder('isTest')}::boolean
  and checkouts.buyer_token_hash <> ${placeholder('exceptBuyer')}`

const piecesStatement = writeStatement(sql`
  select products.id,
    (case when ${placeholder('isTest')}::boolean then test_stock else stock end - (select count(*) from orders
      where ${takesPiece(sql`${placeholder('isTest')}::boolean`, sql`stock_counted_at`)}))::int as stock,
    ((select count(*) from checkouts where state = 'submitted' and ${holdsPiece})
      + (select count(*) from review_entries join checkouts on checkouts.id = review_entries.id
        where review_entries.state = 'open' and checkouts.state = 'review' and ${holdsPiece}))::int as reserved,
    (select count(*) from orders where orders.product_id = products.id
      and orders.is_test = ${placeholder('isTest')}::boolean and orders.created_at > stock_counted_at)::int as sold
  from products where products.id = any(${placeholder('ids')}::uuid[]) and products.stock is not null`)

type PiecesQuery = {
  isTest: boolean
  /** Whose own sale does not count: nobody is refused because of the piece that they hold themselves. */
  exceptBuyer?: string
}

/** By product; those whose pieces are not counted are left out. */
export async function listPieces(
  db: Db,
  ids: string[],
  { isTest, exceptBuyer = '' }: PiecesQuery,
): Promise<Map<string, Pieces>> {
  const rows = await runStatement<Omit<Pieces, 'left'> & { id: string }>(db, piecesStatement, {
    ids,
    isTest,
    exceptBuyer,
  })
  return new Map(
    rows.map(({ id, stock, reserved, sold }) => [
      id,
      { stock, reserved, left: stock - reserved, sold },
    ]),
  )
}

export async function findPieces(
  db: Db,
  id: string,
  query: PiecesQuery,
): Promise<Pieces | undefined> {
  return (await listPieces(db, [id], query)).get(id)
}

/** How many a buyer can get; undefined where pieces are not counted, which asks nobody. */
export async function findLeft(
  db: Db,
  { id, stock }: Pick<typeof products.$inferSelect, 'id' | 'stock'>,
  query: PiecesQuery,
): Promise<number | undefined> {
  if (stock === null) return undefined
  return (await findPieces(db, id, query))?.left
}

/**
 * Sales of a product with a stock are written one after the other, on all nodes: what is counted after this stays true until
 * the transaction ends.
 */
export async function lockStock(tx: Db, id: string): Promise<void> {
  // Not 'update', for which other sales of this product would wait: their rows refer to it.
  await tx.execute(sql`select from products where id = ${id}::uuid for no key update`)
}

/** The owner is told when so many are left, and when none is. */
const lowStock = 3

/** Notes that few are left, or none, for the alert to the owner. */
export async function markLowStock(tx: Db, id: string, left: number): Promise<void> {
  if (left > lowStock) return
  await tx.execute(sql`update products set low_stock_at = coalesce(low_stock_at, now()),
      sold_out_at = coalesce(sold_out_at, case when ${left}::int < 1 then now() end)
    where id = ${id}::uuid and (low_stock_at is null or (sold_out_at is null and ${left}::int < 1))`)
}

/** One piece more is there. Returns the product if its pieces are counted. */
export async function putBack(
  tx: Db,
  { productId, isTest }: { productId: string; isTest: boolean },
): Promise<{ id: string; name: string } | undefined> {
  const column = isTest ? sql`test_stock` : sql`stock`
  const { rows } = await tx.execute<{ id: string; name: string }>(sql`
    update products set ${column} = ${column} + 1
    where id = ${productId}::uuid and ${column} is not null returning id, name`)
  return rows[0]
}

export type StockColumns = Partial<Record<keyof typeof notCounted, SQL | null>>

const notCounted = {
  stock: null,
  testStock: null,
  stockCountedAt: null,
  lowStockAt: null,
  soldOutAt: null,
}

/** The columns of a product of which the owner says that so many pieces are there now; null: they are not counted. */
export function countStock(pieces: number | null): StockColumns {
  if (pieces === null) return notCounted
  const withOrders = (isTest: boolean) =>
    sql`${pieces}::int + (select count(*) from orders
      where ${takesPiece(isTest ? sql`true` : sql`false`, sql`now()`)})::int`
  return {
    ...notCounted,
    stock: withOrders(false),
    testStock: withOrders(true),
    stockCountedAt: sql`now()`,
  }
}

/**
 * What a change of a product says about its stock, {} if nothing. Pieces that were sold since the owner read `stockWas` are
 * taken off: they were still among those.
 */
export async function describeStockChange(
  db: Db,
  before: { id: string; stock: number | null },
  { stock, stockWas }: Pick<ProductContent, 'stock' | 'stockWas'>,
  isTest: boolean,
): Promise<StockColumns> {
  if (stock === undefined) return {}
  const known = before.stock === null ? undefined : await findPieces(db, before.id, { isTest })
  if (stock === null || !known) return stock === null && !known ? {} : countStock(stock)
  const wanted = stockWas === undefined ? stock : Math.max(0, known.stock + stock - stockWas)
  return wanted === known.stock ? {} : countStock(wanted)
}
