import type { MerchantAccount } from './desk.ts'
import { toMajor } from './ledger/money.ts'
import { refundableMinor } from './ledger/refund.ts'
import type { Checkout, Transaction } from './ledger/records.ts'
import { showTime } from './show-checkout.ts'

export const merchantEmail = 'merchant@example.com'

/** A transaction in full. Refunds show here alone: its status stays SUCCESSFUL. */
export function showTransaction(
  checkout: Checkout,
  transaction: Transaction,
  merchant: MerchantAccount,
  publicUrl: string,
) {
  const major = (minor: number): number => toMajor(minor, transaction.currency)
  const refundable = refundableMinor(transaction)
  return {
    id: transaction.id,
    transaction_code: transaction.code,
    amount: major(transaction.amountMinor),
    currency: transaction.currency,
    timestamp: showTime(transaction.createdAt),
    local_time: showTime(transaction.createdAt),
    status: transaction.status,
    simple_status: transaction.status,
    payment_type: 'ECOM',
    simple_payment_type: 'CC_CUSTOMER_ENTERED',
    entry_mode: 'CUSTOMER_ENTRY',
    verification_method: 'none',
    installments_count: 1,
    merchant_code: merchant.code,
    username: merchantEmail,
    vat_amount: 0,
    tip_amount: 0,
    auth_code: transaction.authCode,
    card: { last_4_digits: transaction.lastDigits, type: transaction.cardType },
    product_summary: checkout.description ?? 'Custom Amount',
    payout_plan: 'SINGLE_PAYMENT',
    payouts_total: 1,
    payouts_received: 0,
    tax_enabled: false,
    links:
      refundable > 0
        ? [
            {
              rel: 'refund',
              href: `${publicUrl}/v0.1/me/refund/${transaction.id}`,
              type: 'application/json',
              min_amount: major(1),
              max_amount: major(refundable),
            },
          ]
        : [],
    events: transaction.refunds.map((refund) => ({
      id: refund.eventId,
      transaction_id: transaction.id,
      type: 'REFUND',
      status: 'REFUNDED',
      amount: major(refund.amountMinor),
      timestamp: showTime(refund.at),
    })),
    transaction_events: transaction.refunds.map((refund) => ({
      id: refund.eventId,
      event_type: 'REFUND',
      status: 'REFUNDED',
      amount: major(refund.amountMinor),
      date: showTime(refund.at).slice(0, 10),
      due_date: showTime(refund.at).slice(0, 10),
      timestamp: showTime(refund.at),
    })),
  }
}
