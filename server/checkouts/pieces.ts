import { Refusal } from '#contract/refusals.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import { findEverSold } from '#server/catalog/products.ts'
import { findPieces, lockStock, markLowStock } from '#server/catalog/stock.ts'
import type { Db } from '#server/db/database.ts'
import { holdsPromise, type Case, type Decision } from '#server/payments/case.ts'

/** What a decision does with a piece of a product whose pieces are counted. */
export type PieceUse = {
  productId: string
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
  const isHeld = sale !== undefined && holdsPromise(sale)
  const isReserved = isForCard && !isHeld && after.sale?.state === 'submitted'
  const productId = sale?.productId ?? order?.product?.id
  if (!(order || isReserved) || productId === undefined) return undefined
  const product = (await productCache?.find(productId)) ?? (await findEverSold(db, productId))
  if (!product || product.stock === null) return undefined
  return {
    productId,
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
  { productId, isTest, buyerTokenHash, isHeld, isOrder }: PieceUse,
  write: (tx: Db, isOversold: boolean) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  return db.transaction(async (tx) => {
    await lockStock(tx, productId)
    const pieces = await findPieces(tx, productId, { isTest, exceptBuyer: buyerTokenHash })
    // The owner has just stopped counting.
    if (!pieces) return write(tx, false)
    const { stock, left } = pieces
    if (!isOrder && left < 1) throw new Refusal('sold-out')
    const isOversold = isOrder && (isHeld ? stock : left) < 1
    const written = await write(tx, isOversold)
    // The owner is not told of what tests would sell.
    if (written && isOrder && !isTest)
      await markLowStock(tx, productId, stock - (isOversold ? 0 : 1))
    return written
  })
}
