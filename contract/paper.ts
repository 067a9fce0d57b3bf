import type { z } from 'zod'
import type { slip } from './answers/paper.ts'
import { isOrderNumber } from './orders.ts'

/** What is printed about orders: packing slips and pick lists. */

/** Orders that are printed at once: their ids are in an address. */
export const maxPrintedOrders = 200

/** What goes into the parcel of an order. No price: it may be a gift. */
export type Slip = z.infer<typeof slip>

/** Above the address of what is not sent. */
export const pickupLabel = 'Pickup at'

/** A product of a pick list, with the orders that it is for. */
export type PickedProduct = { productName: string; quantity: number; slips: Slip[] }

/** By name too: a product may have been sold as something else before. Orders with a warning are listed, not counted. */
export function listPicks(slips: readonly Slip[]): PickedProduct[] {
  const groups = Map.groupBy(slips, ({ productId, productName }) => `${productId} ${productName}`)
  return [...groups.values()].map((group) => ({
    productName: group[0]?.productName ?? '',
    quantity: group
      .filter(({ warnings }) => warnings.length === 0)
      .reduce((sum, { quantity }) => sum + quantity, 0),
    slips: group,
  }))
}

/** Letters and digits only, which a scanner types alike on most keyboards: others move a dash or a colon. */
const codePrefix = 'TILL'

/** What the QR code of an order says. Scanned into the search of the orders, it opens the order. */
export function formatOrderCode(number: number): string {
  return `${codePrefix}${number}`
}

/** The number or id of an order in what was typed or scanned; undefined if it is anything else. */
export function parseOrderCode(text: string): string | undefined {
  const name = text.trim().replace(/^(?:#|till)(?=\d)/i, '')
  return isOrderNumber(name) ? name : undefined
}
