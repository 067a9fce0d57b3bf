/** Mails to the buyer about a sale that was in review and ended without an order. */
export const saleMailKinds = [
  /** The payment went back to the buyer. */
  'payment-returned',
  /** SumUp says that nothing was charged. */
  'not-charged',
  /** An admin resolved it without an order. */
  'payment-closed',
] as const
export type SaleMailKind = (typeof saleMailKinds)[number]
