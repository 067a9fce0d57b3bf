import { mails } from './texts/mails/en.ts'

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

/** The mails to buyers that the owner can open. What acknowledges a withdrawal goes to any address, and quotes nothing. */
export const buyerMailKinds = ['confirmation', 'shipped', 'refunded', ...saleMailKinds] as const
export type BuyerMailKind = (typeof buyerMailKinds)[number]

/** The owner's opening of a mail to buyers may have so many characters. Our sentences, which say what happened, follow it. */
export const maxOpeningLength = 300

/** Our own sentences in English, where they are always the same. */
export const mailSentences = {
  confirmation: mails.confirmation.paid,
  shipped: mails.shipped.lead,
  'not-charged': mails['not-charged'].lead,
  'payment-closed': mails['payment-closed'].lead,
}
