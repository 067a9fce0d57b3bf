import { Refusal } from '#contract/refusals.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import { findEverSold } from '#server/catalog/products.ts'
import { findPieces, isCounted, lockStock, markLowStock } from '#server/catalog/stock.ts'
import type { Db } from '#server/db/database.ts'
import { holdsPromise, type Case, type Decision } from '#server/payments/case.ts'

/** What a decision does with a piece of a product whose pieces are counted. */
export type PieceUse = {
  productId: string
  /** Of the product's choice; undefined where it has none. */
  valueId: string | undefined
  isTest: boolean
  buyerTokenHash: string
  /** The sale holds one already: a card may be charged. */
  isHeld: boolean
  /** An order takes it; otherwise it is reserved for a card. */
  isOrder: boolean
}

/** Undefined where no piece is reserved or taken, or pieces are not counted: then nothing is locked or counted. */
export async function findPieceUse(
  { db, productCache }: { db: Db; productCache?: Pick<ProductCache, 'find'> | undefined },
  { sale, payments }: Case,
  { order, after }: Decision,
  isForCard: boolean,
): Promise<PieceUse | undefined> {
  const sold = after.sale?.product ?? order?.product
  // Who chooses another value holds none of it yet.
  const isHeld =
    sale !== undefined && holdsPromise(sale) && sale.product.choice?.id === sold?.choice?.id
  const isReserved = isForCard && !isHeld && after.sale?.state === 'submitted'
  const productId = sale?.productId ?? order?.product?.id
  if (!(order || isReserved) || productId === undefined) return undefined
  const product = (await productCache?.find(productId)) ?? (await findEverSold(db, productId))
  if (!product) return undefined
  const valueId = product.choice ? sold?.choice?.id : undefined
  // Paid before the owner added a choice, or by a node of the release before: nobody knows of which value.
  if (product.choice && valueId === undefined) return undefined
  if (!isCounted(product, valueId)) return undefined
  return {
    productId,
    valueId,
    isTest: sale?.isTest ?? payments[0]?.isTest ?? false,
    buyerTokenHash: sale?.buyerTokenHash ?? '',
    isHeld,
    isOrder: order !== undefined,
  }
}

/**
 * Writes a decision that reserves or takes a piece. Sales of one product are written one after the other, so that the last
 * piece is reserved once. Money that has moved always becomes an order: one for which no piece is left is oversold, and
 * takes none. Whoever held a piece gets one while there is one; others must leave those that are held.
 */
export async function writeWithPiece<Result>(
  db: Db,
  { productId, valueId, isTest, buyerTokenHash, isHeld, isOrder }: PieceUse,
  write: (tx: Db, isOversold: boolean) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  return db.transaction(async (tx) => {
    await lockStock(tx, productId)
    const query = { isTest, exceptBuyer: buyerTokenHash }
    const pieces = await findPieces(tx, productId, query, valueId)
    // The owner has just stopped counting.
    if (!pieces) return write(tx, false)
    const { stock, left } = pieces
    if (!isOrder && left < 1)
      throw valueId === undefined
        ? new Refusal('sold-out')
        : new Refusal('value-sold-out', { facts: { field: 'choice' } })
    const isOversold = isOrder && (isHeld ? stock : left) < 1
    const written = await write(tx, isOversold)
    // The owner is not told of what tests would sell.
    if (written && isOrder && !isTest)
      await markLowStock(tx, { productId, valueId }, stock - (isOversold ? 0 : 1))
    return written
  })
}
