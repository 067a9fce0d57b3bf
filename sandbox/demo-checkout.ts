import type { Desk } from './desk.ts'
import { newId, newTransactionCode } from './ledger/ids.ts'
import { merchantName, showTime } from './show-checkout.ts'

/** `checkoutId: 'demo'` is SumUp's try-out of the widget: it looks paid, and nothing is kept. */
export function demoCheckout({ merchant }: Desk, status: 'PENDING' | 'PAID') {
  return {
    checkout_reference: 'demo',
    amount: 10.1,
    currency: merchant.currency,
    merchant_code: merchant.code,
    id: 'demo',
    status,
    date: showTime(Date.now()),
    merchant_name: merchantName,
    merchant_country: merchant.country,
    purpose: 'CHECKOUT',
    transactions: [],
    ...(status === 'PAID'
      ? { transaction_id: newId(), transaction_code: newTransactionCode() }
      : {}),
  }
}
