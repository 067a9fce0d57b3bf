import { z } from 'zod'
import type { MerchantAccount } from './accounts.ts'
import { invalidField, parseBody } from './errors.ts'
import { methodIds, otherMethods, type Checkout, type Transaction } from './records.ts'

/** What can pay beside a card: at all, or this checkout. As at SumUp, nothing leads away that has no way back. */
export function listMethods(
  { methods }: MerchantAccount,
  checkout?: Pick<Checkout, 'redirectUrl'>,
) {
  return methods
    .map((id) => ({ id, ...otherMethods[id] }))
    .filter(({ leavesPage }) => !leavesPage || !checkout || checkout.redirectUrl !== undefined)
}

const walletOutcomes = ['approved', 'declined', 'challenged'] as const
const walletSchema = z.object({ outcome: z.enum(walletOutcomes) }).optional()
const otherPaymentSchema = z.object({
  payment_type: z.enum(methodIds),
  /** What the wallet says; a real one's is encrypted. */
  apple_pay: walletSchema,
  google_pay: walletSchema,
})

/** A payment without a card form. Undefined if the body is for a card, or for nothing that is known. */
export function findOtherPayment(body: unknown, merchant: MerchantAccount, checkout: Checkout) {
  const type = (body as { payment_type?: unknown } | undefined)?.payment_type
  if (type === 'card' || !methodIds.some((id) => id === type)) return undefined
  const { payment_type: method, ...wallets } = parseBody(otherPaymentSchema, body)
  const found = listMethods(merchant, checkout).find(({ id }) => id === method)
  if (!found) throw invalidField('payment_type', `${method} is not available for this checkout`)
  if (found.leavesPage)
    return { card: { cardType: 'UNKNOWN', lastDigits: '', method }, outcome: 'challenged' as const }
  const { outcome } = wallets.apple_pay ?? wallets.google_pay ?? {}
  if (!outcome) throw invalidField(method, 'The wallet sent nothing')
  return { card: { cardType: 'VISA', lastDigits: '0091', method }, outcome }
}

/** Online by card or wallet, online in another way, or at a card reader. */
export function getPaymentType({ paymentType, method }: Transaction): string {
  if (paymentType) return paymentType
  return method && otherMethods[method].leavesPage ? 'APM' : 'ECOM'
}

export function getEntryMode({ paymentType, method }: Transaction): string {
  if (paymentType === 'POS') return 'CHIP'
  return method ? method.toUpperCase() : 'CUSTOMER_ENTRY'
}
