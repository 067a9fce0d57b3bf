import type { MerchantAccount } from './accounts.ts'
import { toMajor } from './ledger/money.ts'
import { refundableMinor } from './ledger/payment.ts'
import type { Checkout, Transaction } from './ledger/records.ts'
import { showTime } from './show-checkout.ts'

export const merchantEmail = 'merchant@example.com'

/** Online, or at a card reader. */
export const paymentTypeOf = ({ paymentType }: Transaction): string => paymentType ?? 'ECOM'
export const entryModeOf = ({ paymentType }: Transaction): string =>
  paymentType === 'POS' ? 'CHIP' : 'CUSTOMER_ENTRY'

/** A transaction in full. Money that went back shows here and in the history alone. */
export function showTransaction(
  checkout: Checkout,
  transaction: Transaction,
  merchant: MerchantAccount,
  publicUrl: string,
) {
  const major = (minor: number): number => toMajor(minor, transaction.currency)
  const refundable = refundableMinor(transaction)
  const events = eventsOf(transaction)
  return {
    id: transaction.id,
    transaction_code: transaction.code,
    amount: major(transaction.amountMinor),
    currency: transaction.currency,
    timestamp: showTime(transaction.createdAt),
    local_time: showTime(transaction.createdAt),
    status: transaction.status,
    simple_status: transaction.chargebacks ? 'CHARGEBACK' : transaction.status,
    payment_type: paymentTypeOf(transaction),
    simple_payment_type: transaction.paymentType === 'POS' ? 'EMV' : 'CC_CUSTOMER_ENTERED',
    entry_mode: entryModeOf(transaction),
    verification_method: 'none',
    installments_count: 1,
    merchant_code: merchant.code,
    username: merchantEmail,
    vat_amount: 0,
    tip_amount: 0,
    auth_code: transaction.authCode,
    card: { last_4_digits: transaction.lastDigits, type: transaction.cardType },
    product_summary: checkout.description,
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
    events: events.map(({ eventId, type, status, amountMinor, at }) => ({
      id: eventId,
      transaction_id: transaction.id,
      type,
      status,
      amount: major(amountMinor),
      timestamp: showTime(at),
    })),
    transaction_events: events.map(({ eventId, type, status, amountMinor, at }) => ({
      id: eventId,
      event_type: type,
      status,
      amount: major(amountMinor),
      date: showTime(at).slice(0, 10),
      due_date: showTime(at).slice(0, 10),
      timestamp: showTime(at),
    })),
  }
}

function eventsOf({ refunds, chargebacks = [] }: Transaction) {
  return [
    ...refunds.map((refund) => ({ ...refund, type: 'REFUND', status: 'REFUNDED' })),
    ...chargebacks.map((back) => ({ ...back, type: 'CHARGE_BACK', status: 'SUCCESSFUL' })),
  ].toSorted((a, b) => a.at - b.at)
}
