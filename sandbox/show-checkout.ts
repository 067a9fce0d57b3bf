import type { MerchantAccount } from './accounts.ts'
import { newId, newTransactionCode } from './ledger/ids.ts'
import { toMajor } from './ledger/money.ts'
import { findPaid } from './ledger/payment.ts'
import type { Checkout, Transaction } from './ledger/records.ts'

export const merchantName = 'Sandbox Shop'

/** SumUp's way to write a time: with an offset, never with Z. */
export const showTime = (at: number): string => new Date(at).toISOString().replace('Z', '+00:00')

/** A checkout as SumUp has been seen to show it: what is not set is left out, not null. */
export function showCheckout(checkout: Checkout, { country }: MerchantAccount) {
  const paid = findPaid(checkout)
  return {
    checkout_reference: checkout.reference,
    amount: toMajor(checkout.amountMinor, checkout.currency),
    currency: checkout.currency as string,
    merchant_code: checkout.merchantCode,
    description: checkout.description,
    return_url: checkout.returnUrl,
    redirect_url: checkout.redirectUrl,
    id: checkout.id,
    status: checkout.status,
    date: showTime(checkout.createdAt),
    valid_until: checkout.validUntil === null ? undefined : showTime(checkout.validUntil),
    customer_id: checkout.customerId,
    merchant_name: merchantName,
    merchant_country: country,
    purpose: 'CHECKOUT',
    transactions: checkout.transactions.map((transaction) => showAttempt(checkout, transaction)),
    ...(checkout.status === 'PAID' && paid
      ? { transaction_id: paid.id, transaction_code: paid.code }
      : {}),
  }
}

export type ShownCheckout = ReturnType<typeof showCheckout>

/** `checkoutId: 'demo'` is SumUp's try-out of the widget: it looks paid, and nothing is kept. */
export function demoCheckout(merchant: MerchantAccount, status: 'PENDING' | 'PAID') {
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

function showAttempt(checkout: Checkout, transaction: Transaction) {
  return {
    id: transaction.id,
    transaction_code: transaction.code,
    merchant_code: checkout.merchantCode,
    amount: toMajor(transaction.amountMinor, transaction.currency),
    vat_amount: 0,
    tip_amount: 0,
    currency: transaction.currency as string,
    timestamp: showTime(transaction.createdAt),
    status: transaction.status,
    payment_type: 'ECOM',
    entry_mode: 'CUSTOMER_ENTRY',
    installments_count: 1,
    auth_code: transaction.authCode,
    internal_id: transaction.internalId,
  }
}
