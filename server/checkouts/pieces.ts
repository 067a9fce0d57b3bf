import { Refusal } from '#contract/refusals.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import { findEverSold } from '#server/catalog/products.ts'
import { findPieces, hasPiece, isCounted, lockStock, markLowStock } from '#server/catalog/stock.ts'
import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { recordAudit, type AdminActor } from '#server/http/audit.ts'
import { findOrder } from '#server/orders/orders.ts'
import {
  holdsPromise,
  openRefundOf,
  ordersPayment,
  type Case,
  type Decision,
} from '#server/payments/case.ts'
import { remainingCents } from '#server/payments/payment.ts'

/** What a decision does with a piece of a product whose pieces are counted. */
export type PieceUse = PieceTaken | PieceReturn

type PieceTaken = {
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
): Promise<PieceTaken | undefined> {
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
  // Paid before the owner added a choice: nobody knows of which value.
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

/** With its refund an order gives its piece back; if that fails, it has it again. */
type PieceReturn = {
  orderId: string
  productId: string
  /** Who said so; undefined if the refund failed. */
  returnedBy: AdminActor | undefined
}

/** `returnedBy`: who asks for the refund, and says that the piece can be sold again. */
export async function findPieceReturn(
  db: Db,
  before: Case,
  { after }: Decision,
  returnedBy: AdminActor | undefined,
): Promise<PieceReturn | undefined> {
  if (!before.order || !(returnedBy || isRefundFailed(before, after))) return undefined
  const order = await findOrder(db, before.order.id)
  if (!order || !(returnedBy || order.isPieceReturned)) return undefined
  return { orderId: order.id, productId: order.productId, returnedBy }
}

/** A refund of the order has just failed, and its money is still here. */
function isRefundFailed(before: Case, after: Case): boolean {
  const payment = ordersPayment(after)
  if (!payment || remainingCents(payment) === 0 || openRefundOf(after, payment)) return false
  const open = openRefundOf(before, payment)
  return after.refunds.some(({ id, state }) => id === open?.id && state === 'failed')
}

/** Under the lock of the product: the owner may count at this moment. */
async function writeReturn<Result>(
  db: Db,
  { orderId, productId, returnedBy }: PieceReturn,
  write: (tx: Db) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  return db.transaction(async (tx) => {
    await lockStock(tx, productId)
    const written = await write(tx)
    const order = written && (await findOrder(tx, orderId))
    const product = order && (await findEverSold(tx, productId))
    if (!product) return written
    const change = (set: Partial<typeof orders.$inferInsert>) =>
      tx.update(orders).set(set).where(eq(orders.id, orderId))
    if (returnedBy && hasPiece(order, product)) {
      await change({ isPieceReturned: true })
      const detail = { name: product.name, changed: ['stock'] }
      const entry = { action: 'product-changed', subject: productId, detail } as const
      await recordAudit(tx, returnedBy, entry)
    }
    if (!returnedBy && order.isPieceReturned) {
      const valueId = product.choice ? order.product.choice?.id : undefined
      const pieces = await findPieces(tx, productId, { isTest: order.isTest }, valueId)
      // Another buyer may have it by now.
      await change({ isPieceReturned: false, isOversold: pieces !== undefined && pieces.left < 1 })
    }
    return written
  })
}

/**
 * Writes a decision that reserves, takes or returns a piece. Sales of one product are written one after the other, so that
 * the last piece is reserved once. Money that has moved always becomes an order: one for which no piece is left is
 * oversold, and takes none. Whoever held a piece gets one while there is one; others must leave those that are held.
 */
export async function writeWithPiece<Result>(
  db: Db,
  piece: PieceUse,
  write: (tx: Db, isOversold: boolean) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  if ('orderId' in piece) return writeReturn(db, piece, (tx) => write(tx, false))
  const { productId, valueId, isTest, buyerTokenHash, isHeld, isOrder } = piece
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
