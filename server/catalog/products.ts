import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { checkoutProduct, storedProduct } from '#contract/answers/products.ts'
import type { ProductAsSold } from '#contract/orders.ts'
import {
  productSchema,
  type CheckoutProduct,
  type Product,
  type ProductChange,
  type ProductContent,
  type PublicProduct,
} from '#contract/products.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { and, desc, eq, getTableColumns, isNull, sql, type SQL } from '#server/db/drizzle.ts'
import { users } from '#server/db/admin-schema.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { products, shownProducts, type StoredChoice } from '#server/db/schema.ts'
import { pickFields } from '#server/pick-fields.ts'
import { describeChoice, showChoice, showPieces } from './choice.ts'
import {
  countStock,
  describeStockChange,
  notCounted,
  type Pieces,
  type StockColumns,
} from './stock.ts'

export type ProductRow = typeof products.$inferSelect
type ProductWithOwner = ProductRow & { createdByEmail: string | null }

const maxProducts = 10_000

/** Of a product that is not saved yet, in previews. */
export const unsavedId = '00000000-0000-0000-0000-000000000000'

export async function listProducts(db: Db): Promise<ProductWithOwner[]> {
  return selectWithOwner(db)
    .where(isNull(products.deletedAt))
    .orderBy(desc(products.createdAt), desc(products.id))
}

/** A product that is on sale. */
export async function findProduct(db: Db, id: string): Promise<ProductRow | undefined> {
  const [found] = await onSaleById(db, { id })
  return found
}

const onSaleById = prepareQuery('product_on_sale', (db) =>
  db
    .select()
    .from(products)
    .where(and(eq(products.id, sql.placeholder('id')), isNull(products.deletedAt))),
)

/** Also one that was deleted: buyers with a card under way for it still ask about it. */
export async function findEverSold(db: Db, id: string): Promise<ProductRow | undefined> {
  const [found] = await everSoldById(db, { id })
  return found
}

const everSoldById = prepareQuery('product_ever_sold', (db) =>
  db
    .select()
    .from(products)
    .where(eq(products.id, sql.placeholder('id'))),
)

export async function getProduct(db: Db, id: string): Promise<ProductRow> {
  const found = await findProduct(db, id)
  if (!found) throw new Refusal('product-missing')
  return found
}

export async function createProduct(
  db: Db,
  content: ProductContent,
  createdBy: string,
): Promise<ProductWithOwner> {
  return db.transaction(async (tx) => {
    await assertRoom(tx)
    const [created] = await tx
      .insert(products)
      .values({ ...withoutStock(content), createdBy })
      .returning({ id: products.id, choice: products.choice })
    if (!created) throw new Error('creating a product returned no row')
    const counted = content.choice
      ? { choice: await describeChoice(tx, created, content.choice, false) }
      : content.stock !== undefined && countStock(content.stock)
    if (counted) await tx.update(products).set(counted).where(eq(products.id, created.id))
    return getWithOwner(tx, created.id)
  })
}

async function assertRoom(tx: Db): Promise<void> {
  const count = await tx.$count(products, isNull(products.deletedAt))
  if (count >= maxProducts) throw new Refusal('too-many-products')
}

/** Each change has a time of its own, in the milliseconds that JSON has: by it `updatedAt` tells whether there was one. */
const timeOfChange = sql`greatest(now(), ${products.updatedAt} + interval '1 millisecond')`

export async function updateProduct(
  db: Db,
  id: string,
  content: ProductChange,
  isTest = false,
): Promise<{ product: ProductWithOwner; before: ProductRow }> {
  return db.transaction(async (tx) => {
    const before = await getLocked(tx, id)
    const { updatedAt } = content
    if (updatedAt !== undefined && Date.parse(updatedAt) !== before.updatedAt.getTime())
      throw new Refusal('product-changed')
    const counted = await describeCounted(tx, before, content, isTest)
    await change(tx, id, { ...withoutStock(content), ...counted, updatedAt: timeOfChange })
    return { product: await getWithOwner(tx, id), before }
  })
}

/** A product with a choice has pieces of its values only. */
async function describeCounted(
  tx: Db,
  before: ProductRow,
  content: ProductChange,
  isTest: boolean,
): Promise<ChangedColumns> {
  const { choice } = content
  if (choice) return { ...notCounted, choice: await describeChoice(tx, before, choice, isTest) }
  if (choice === undefined && before.choice) return {}
  const stock = await describeStockChange(tx, before, content, isTest)
  return choice === null ? { ...stock, choice } : stock
}

/** What the owner says of the stock and the values is counted from there on, by stock.ts and choice.ts. */
function withoutStock<Content extends ProductChange>(content: Content) {
  const { stock: _stock, stockWas: _was, choice: _choice, updatedAt: _at, ...others } = content
  return others
}

/** Takes a product off sale. The row stays, since orders and open checkouts refer to it. */
export async function deleteProduct(db: Db, id: string): Promise<ProductRow> {
  return db.transaction((tx) => updateOnSale(tx, id, { deletedAt: sql`now()` }))
}

/** Undoes a deletion, with the same id, link and orders. One that is on sale stays as it is. */
export async function restoreProduct(
  db: Db,
  id: string,
): Promise<{ product: ProductWithOwner; isRestored: boolean }> {
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(products)
      .where(eq(products.id, id))
      .for('no key update')
    if (!before) throw new Refusal('product-missing')
    const isRestored = before.deletedAt !== null
    if (isRestored) {
      await assertRoom(tx)
      await change(tx, id, { deletedAt: null })
    }
    return { product: await getWithOwner(tx, id), isRestored }
  })
}

/** Pauses or resumes the sale of a product. A card that is under way still becomes an order. */
export async function setPaused(
  db: Db,
  id: string,
  isPaused: boolean,
): Promise<{ product: ProductWithOwner; isChanged: boolean }> {
  return db.transaction(async (tx) => {
    const pausedAt = isPaused ? sql`coalesce(${products.pausedAt}, now())` : null
    const before = await updateOnSale(tx, id, { pausedAt })
    return {
      product: await getWithOwner(tx, id),
      isChanged: (before.pausedAt !== null) !== isPaused,
    }
  })
}

type ChangedColumns = ReturnType<typeof withoutStock<ProductChange>> &
  StockColumns & {
    choice?: StoredChoice | null
    updatedAt?: SQL
    deletedAt?: SQL | null
    pausedAt?: SQL | null
  }

/** Returns the product as it was. */
async function updateOnSale(tx: Db, id: string, content: ChangedColumns): Promise<ProductRow> {
  const before = await getLocked(tx, id)
  await change(tx, id, content)
  return before
}

async function getLocked(tx: Db, id: string): Promise<ProductRow> {
  // Not 'update', for which sales of this product would wait: they refer to its row.
  const [before] = await tx.select().from(products).where(isOnSale(id)).for('no key update')
  if (!before) throw new Refusal('product-missing')
  return before
}

async function change(tx: Db, id: string, content: ChangedColumns): Promise<void> {
  await tx.update(products).set(content).where(eq(products.id, id))
}

const {
  name: _name,
  price: _price,
  currency: _currency,
  stockWas: _stockWas,
  ...otherFields
} = productSchema.shape
const otherNames = Object.keys(otherFields) as (keyof typeof otherFields)[]

/** What a change of a product changed, for the audit log: money with both values, the rest by name. */
export function describeProductChange(before: ProductRow, after: ProductRow) {
  const difference = <Value>(from: Value, to: Value) => (from === to ? undefined : { from, to })
  const changed = otherNames
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => (name === 'quantityPricingEnabled' ? 'quantityTiers' : name))
  return {
    name: difference(before.name, after.name),
    price: difference(before.price, after.price),
    currency: difference(before.currency, after.currency),
    changed: [...new Set(changed)],
  }
}

async function getWithOwner(db: Db, id: string): Promise<ProductWithOwner> {
  const [found] = await selectWithOwner(db).where(isOnSale(id))
  if (!found) throw new Refusal('product-missing')
  return found
}

function isOnSale(id: string) {
  return and(eq(products.id, id), isNull(products.deletedAt))
}

function selectWithOwner(db: Db) {
  return db
    .select({ ...getTableColumns(products), createdByEmail: users.email })
    .from(products)
    .leftJoin(users, sql`${users.id}::text = ${products.createdBy}`)
}

/** What a checkout shows of a product. */
export function showCheckoutProduct(row: ProductRow): CheckoutProduct {
  return pickFields(checkoutProduct, withNote(row))
}

/** A product that asks its buyers for nothing says nothing about it. */
export function withNote<Row extends Pick<ProductRow, 'noteLabel' | 'isNoteRequired'>>(row: Row) {
  const { noteLabel, isNoteRequired, ...others } = row
  return { ...others, ...(noteLabel !== null && { noteLabel, isNoteRequired }) }
}

/** The snapshot of a product that the ledger and the order keep: what the buyer was shown. */
export function productAsSold(row: ProductRow, shop?: OfferSettings): ProductAsSold {
  if (!shop) return showCheckoutProduct(row)
  const { vatRate } = shop.shop
  const { withdrawalFor } = shop.policies
  return { ...showCheckoutProduct(row), withdrawalFor, ...(vatRate !== null && { vatRate }) }
}

/**
 * A short name of what the checkout shows of a product, which an order is about. Neither stock nor tiers change it: the
 * checkout does not charge by them.
 */
export function shownVersionOf(row: ProductRow, shop: OfferSettings): string {
  const choice = row.choice && showChoice(row.choice)
  return hash('sha256', JSON.stringify([productAsSold(row, shop), choice])).slice(0, 16)
}

/** Keeps a product as shown, for sales that no page opened: the demo's, and those of tests. Returns its version. */
export async function keepShownProduct(db: Db, product: ProductAsSold): Promise<string> {
  const version = hash('sha256', JSON.stringify(product)).slice(0, 16)
  await db.insert(shownProducts).values({ version, product }).onConflictDoNothing()
  return version
}

/** What the shop tells with every product. */
type OfferSettings = {
  shop: Pick<Config['shop'], 'vatRate'>
  policies: Pick<Config['policies'], 'withdrawalFor'>
}

/** Tells whether the shop still sells what was offered. */
export function versionOf({ updatedAt, price, currency, pausedAt }: ProductRow) {
  return {
    productUpdatedAt: updatedAt.toISOString(),
    productPrice: price,
    productCurrency: currency,
    isPaused: pausedAt !== null,
  }
}

export type ProductVersion = ReturnType<typeof versionOf>

/** `pieces`: for admins, where they are counted, by the id of the product or value. */
export function showPublicProduct(
  row: ProductRow,
  isAdmin: boolean,
  pieces?: Map<string, Pieces>,
): PublicProduct {
  return {
    ...pickFields(storedProduct, withNote(row)),
    isPaused: row.pausedAt !== null,
    ...showPieces(pieces?.get(row.id)),
    ...(row.choice && { choice: showChoice(row.choice, pieces) }),
    ...(pieces && { showsLeft: row.showsLeft }),
    ...(isAdmin && { createdBy: row.createdBy }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function showProduct(row: ProductWithOwner, pieces?: Map<string, Pieces>): Product {
  const { createdBy, createdByEmail } = row
  return { ...showPublicProduct(row, true, pieces), createdBy, createdByEmail }
}
