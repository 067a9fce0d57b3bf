import type { ProductContent } from '#contract/products.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, eq, getTableColumns, isNull, sql } from '#server/db/drizzle.ts'
import { users } from '#server/db/admin-schema.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { products } from '#server/db/schema.ts'

export type ProductRow = typeof products.$inferSelect
export type OwnedProduct = ProductRow & { createdByEmail: string | null }

/** Nodes tell each other by this channel that a product is not what it was. */
export const productChanged = 'product_changed'

const mostProducts = 10_000

export async function listProducts(db: Db): Promise<OwnedProduct[]> {
  return withOwner(db)
    .where(isNull(products.deletedAt))
    .orderBy(desc(products.createdAt), desc(products.id))
}

/** A product that is on sale. */
export async function maybeProduct(db: Db, id: string): Promise<ProductRow | undefined> {
  const [found] = await onSaleById(db, { id })
  return found
}

const onSaleById = prepareQuery('product_on_sale', (db) =>
  db
    .select()
    .from(products)
    .where(and(eq(products.id, sql.placeholder('id')), isNull(products.deletedAt))),
)

/** The same, where there has to be one. */
export async function getProduct(db: Db, id: string): Promise<ProductRow> {
  const found = await maybeProduct(db, id)
  if (!found) throw new Refusal('product-missing')
  return found
}

export async function addProduct(
  db: Db,
  content: ProductContent,
  createdBy: string,
): Promise<OwnedProduct> {
  return db.transaction(async (tx) => {
    const [count] = await tx
      .select({ products: sql<number>`count(*)::int` })
      .from(products)
      .where(isNull(products.deletedAt))
    if ((count?.products ?? 0) >= mostProducts) throw new Refusal('too-many-products')
    const [added] = await tx
      .insert(products)
      .values({ ...content, createdBy })
      .returning({ id: products.id })
    if (!added) throw new Error('adding a product returned no row')
    return findOwned(tx, added.id)
  })
}

export async function changeProduct(
  db: Db,
  id: string,
  content: ProductContent,
): Promise<OwnedProduct> {
  return db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(products)
      .set({ ...content, updatedAt: sql`now()` })
      .where(onSale(id))
    if (rowCount === 0) throw new Refusal('product-missing')
    await tellNodes(tx, id)
    return findOwned(tx, id)
  })
}

/** Off sale, and kept: orders and open checkouts still point at it. */
export async function removeProduct(db: Db, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(products)
      .set({ deletedAt: sql`now()` })
      .where(onSale(id))
    if (rowCount === 0) throw new Refusal('product-missing')
    await tellNodes(tx, id)
  })
}

/** Sent by PostgreSQL when, and only when, the change is committed. */
async function tellNodes(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${productChanged}, ${id})`)
}

async function findOwned(db: Db, id: string): Promise<OwnedProduct> {
  const [found] = await withOwner(db).where(onSale(id))
  if (!found) throw new Refusal('product-missing')
  return found
}

function onSale(id: string) {
  return and(eq(products.id, id), isNull(products.deletedAt))
}

function withOwner(db: Db) {
  return db
    .select({ ...getTableColumns(products), createdByEmail: users.email })
    .from(products)
    .leftJoin(users, sql`${users.id}::text = ${products.createdBy}`)
}
