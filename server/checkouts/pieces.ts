import { soldProduct } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import { findEverSold, type ProductRow } from '#server/catalog/products.ts'
import {
  findPieces,
  hasPiece,
  isCounted,
  listPieces,
  lockStock,
  markLowStock,
} from '#server/catalog/stock.ts'
import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders, type OrderRow } from '#server/db/schema.ts'
import { recordAudit, type AdminActor } from '#server/http/audit.ts'
import { findOrder } from '#server/orders/orders.ts'
import {
  isHolding,
  openRefundOf,
  ordersPayment,
  remainingCents,
  type SaleRecord,
  type Decision,
} from '#server/payments/record.ts'
import { assertMayHold, findNewHold, type NewHold } from './holds.ts'

/** What a decision does with a piece of a product whose pieces are counted. */
export type PieceUse = PieceTaken | PieceReturn

type PieceTaken = {
  productId: string
  /** The value that was chosen, of a choice that the product may have lost or changed since. */
  valueId: string | undefined
  isTest: boolean
  buyerTokenHash: string
  /** The sale holds one already. */
  isHeld: boolean
  /** An order takes it; otherwise it is reserved for a card. */
  isOrder: boolean
  /** Where it is reserved, and counts towards what an address may hold. */
  newHold: NewHold | undefined
}

/** What the owner is told of an order about its piece. */
type PieceFlags = Pick<OrderRow, 'isOversold' | 'isChoiceMissing'>

/** Undefined where no piece is reserved or taken, or pieces are not counted: then nothing is locked or counted. */
export async function findPieceUse(
  { db, productCache }: { db: Db; productCache?: Pick<ProductCache, 'find'> | undefined },
  record: SaleRecord,
  { order, after }: Decision,
  isAddressShared: boolean,
): Promise<PieceTaken | undefined> {
  const { sale, payments } = record
  const sold = after.sale ? soldProduct(after.sale) : order?.bought?.product
  const valueId = sold?.choice?.id
  // A buyer who chooses another value holds none of it yet.
  const isHeld = sale !== undefined && isHolding(sale) && sale.chosen?.choice.id === valueId
  const newHold = order ? undefined : findNewHold(record, after, isAddressShared)
  const productId = sale?.productId ?? sold?.id
  if (!(order || newHold) || productId === undefined) return undefined
  const product = (await productCache?.find(productId)) ?? (await findEverSold(db, productId))
  if (!product || !(isCounted(product) || isChoiceMissing(product, valueId))) return undefined
  return {
    productId,
    valueId,
    isTest: sale?.isTest ?? payments[0]?.isTest ?? false,
    buyerTokenHash: sale?.buyerTokenHash ?? '',
    isHeld,
    isOrder: order !== undefined,
    newHold,
  }
}

/** The owner must ask what to send, or has counted pieces that the value is none of. */
function isChoiceMissing(product: ProductRow, valueId: string | undefined): boolean {
  const { choice } = product
  if (!choice || choice.values.some(({ id }) => id === valueId)) return false
  return valueId === undefined || isCounted(product)
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
  before: SaleRecord,
  { after }: Decision,
  returnedBy: AdminActor | undefined,
): Promise<PieceReturn | undefined> {
  if (!before.order || !(returnedBy || isRefundFailed(before, after))) return undefined
  const order = await findOrder(db, before.order.id)
  if (!order || !(returnedBy || order.isPieceReturned)) return undefined
  return { orderId: order.id, productId: order.productId, returnedBy }
}

/** A refund of the order has just failed, and its money is still here. */
function isRefundFailed(before: SaleRecord, after: SaleRecord): boolean {
  const payment = ordersPayment(after)
  if (!payment || remainingCents(payment) === 0 || openRefundOf(after, payment)) return false
  const open = openRefundOf(before, payment)
  return after.refunds.some(({ id, state }) => id === open?.id && state === 'failed')
}

/** A piece while its product is locked. */
type LockedPiece = {
  flags: PieceFlags
  /** What was counted: the pieces before this sale, of this value. Undefined if nothing is counted. */
  counted?: { stock: number; valueId: string | undefined }
}

/**
 * Before a decision that reserves, takes or returns a piece is written: counts under the lock of the product, so that the
 * last piece is reserved once, and the owner does not count meanwhile. Money that has moved always becomes an order: one
 * for which no piece is left is oversold, and takes none. A buyer with a reservation gets a piece while any is left;
 * others cannot take reserved ones.
 */
export async function lockPiece(tx: Db, piece: PieceUse): Promise<LockedPiece> {
  const { productId } = piece
  // What the owner has changed until now counts: the product as it was when the card was sent may have another shape.
  const product = await lockStock(tx, productId)
  const notTaken = { flags: { isOversold: false, isChoiceMissing: false } }
  if ('orderId' in piece) return notTaken
  const { isTest, buyerTokenHash, isHeld, isOrder, newHold } = piece
  // The product was removed meanwhile.
  if (!product) return notTaken
  const valueId = product.choice ? piece.valueId : undefined
  const all = await listPieces(tx, [productId], { isTest, exceptBuyer: buyerTokenHash })
  const pieces = all.get(product.choice ? (valueId ?? '') : productId)
  // The owner does not count this value, or no longer.
  if (!pieces) {
    const isMissing = isOrder && isChoiceMissing(product, valueId)
    return { flags: { isOversold: false, isChoiceMissing: isMissing } }
  }
  const { stock, left } = pieces
  if (!isOrder && !isHeld && left < 1) throw refuseSoldOut(valueId)
  if (newHold) await assertMayHold(tx, newHold, 'product', stock)
  const isOversold = isOrder && (isHeld ? stock : left) < 1
  return { flags: { isOversold, isChoiceMissing: false }, counted: { stock, valueId } }
}

/** After it was written: few pieces may be left for the owner, or an order gives its piece back. */
export async function recordPiece(
  tx: Db,
  piece: PieceUse,
  { flags, counted }: LockedPiece,
): Promise<void> {
  if ('orderId' in piece) return returnPiece(tx, piece)
  const { productId, isOrder, isTest } = piece
  // The owner is not told of what tests would sell.
  if (!isOrder || isTest || !counted) return
  const { stock, valueId } = counted
  await markLowStock(tx, { productId, valueId }, stock - (flags.isOversold ? 0 : 1))
}

async function returnPiece(tx: Db, { orderId, productId, returnedBy }: PieceReturn): Promise<void> {
  const order = await findOrder(tx, orderId)
  const product = order && (await findEverSold(tx, productId))
  if (!product) return
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
}

function refuseSoldOut(valueId: string | undefined): Refusal {
  return valueId === undefined
    ? new Refusal('sold-out')
    : new Refusal('value-sold-out', { facts: { field: 'choice' } })
}
