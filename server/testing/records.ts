import type { ReviewReason } from '#contract/checkouts.ts'
import type { CheckoutDetails } from '#contract/orders.ts'
import type {
  Question,
  Payment,
  Refund,
  Sale,
  RecordWithSale,
  SaleState,
} from '#server/payments/record.ts'
import type { Reading, TransactionReading } from '#server/payments/observe.ts'
import { addMs, hour, minute, nextReviewCheck, second } from '#server/payments/schedule.ts'
import type { SumupCheckout, SumupPayment, SumupTransaction } from '#server/sumup/answers.ts'

/** Records and readings for tests of decisions, without database or HTTP. */

export const now = new Date('2026-11-15T12:00:00Z')
export const ago = (ms: number) => addMs(now, -ms)

export const details = { customerEmail: 'anna@example.com', acceptsNews: false } as CheckoutDetails

/** A sale a few seconds after its details were saved. */
export const submitted = {
  id: 'sale-1',
  sumupCheckoutId: 'checkout-1',
  merchantCode: 'MTEST',
  isTest: false,
  amount: '49.00',
  currency: 'EUR',
  state: 'submitted',
  version: 1,
  details,
  detailsAt: ago(5 * second),
  formId: 'tab-1',
  submits: 1,
  startedAt: ago(5 * second),
  hasTooManyCards: false,
  unclearSince: null,
  expiredSince: null,
  unreadSince: null,
  validUntil: addMs(now, 20 * minute),
  nextCheckAt: now,
  priority: 1,
  checks: 0,
  lastError: null,
  visitor: null,
} as unknown as Sale
export const noDetails: Partial<Sale> = {
  details: null,
  detailsAt: null,
  formId: '',
  submits: 0,
  startedAt: null,
}

export function questionOf(reason: ReviewReason, fields: Partial<Question> = {}): Question {
  return {
    id: 'sale-1',
    saleId: 'sale-1',
    paymentId: null,
    reason,
    state: 'open',
    isTest: false,
    openedAt: ago(hour),
    note: null,
    handledAt: null,
    handledBy: null,
    ...fields,
  }
}

export function paymentOf(transactionId: string, fields: Partial<Payment> = {}): Payment {
  return {
    id: `our-${transactionId}`,
    saleId: 'sale-1',
    merchantCode: 'MTEST',
    isTest: false,
    transactionId,
    transactionCode: 'TAAAAAAAA1',
    amount: '49.00',
    currency: 'EUR',
    status: 'successful',
    refunded: '0.00',
    chargedBack: '0.00',
    isRefundPending: false,
    failedRefunds: 0,
    method: null,
    conflict: null,
    madeAt: now,
    foundAt: now,
    readAt: null,
    unreadSince: null,
    nextReadAt: null,
    reads: 0,
    version: 1,
    ...fields,
  }
}

export function refundOf(paymentId: string, state: string): Refund {
  return {
    id: 'refund-1',
    paymentId,
    amount: '49.00',
    currency: 'EUR',
    state,
    refundedBefore: '0.00',
    failedBefore: 0,
    askedBy: 'owner-1',
    askedAt: now,
    endedAt: null,
    problem: null,
  }
}

export type Parts = Partial<Omit<RecordWithSale, 'sale'>> & { sale?: Partial<Sale> }

export function recordOf({ sale, ...parts }: Parts = {}): RecordWithSale {
  return {
    sale: { ...submitted, ...sale },
    payments: [],
    refunds: [],
    questions: [],
    order: undefined,
    ...parts,
  }
}

export function inReview(reason: ReviewReason, sale: Partial<Sale> = {}): Parts {
  const nextCheckAt = nextReviewCheck(reason, now, now) && now
  return { sale: { ...sale, state: 'review', nextCheckAt }, questions: [questionOf(reason)] }
}

/** The same sale in each state. */
export const states: Record<SaleState, Parts> = {
  created: { sale: { ...noDetails, state: 'created', sumupCheckoutId: null } },
  open: { sale: { ...noDetails, state: 'open', nextCheckAt: null } },
  submitted: {},
  paid: {
    sale: { state: 'paid', nextCheckAt: null },
    payments: [paymentOf('tx-1')],
    order: { id: 'order-1', transactionId: 'tx-1' },
  },
  review: inReview('contradiction'),
  closed: { sale: { state: 'closed', nextCheckAt: null } },
  refunded: {
    sale: { state: 'refunded', nextCheckAt: null },
    payments: [paymentOf('tx-0', { refunded: '49.00' })],
    questions: [questionOf('no-details', { state: 'refunded', paymentId: 'our-tx-0' })],
  },
  dismissed: {
    sale: { state: 'dismissed', nextCheckAt: null },
    payments: [paymentOf('tx-0')],
    questions: [questionOf('mismatch', { state: 'dismissed', paymentId: 'our-tx-0' })],
  },
}

export function attempt(
  id: string | undefined,
  status: SumupPayment['status'] = 'SUCCESSFUL',
  fields: Partial<SumupPayment> = {},
): SumupPayment {
  const code = 'TAAAAAAAA1'
  return { id, code, amount: '49.00', currency: 'EUR', status, madeAt: now, ...fields }
}

export function checkoutOf(
  status: string,
  payments: SumupPayment[] = [],
  fields: Partial<SumupCheckout> = {},
): SumupCheckout {
  return {
    id: 'checkout-1',
    reference: 'sale-1',
    merchantCode: 'MTEST',
    amount: '49.00',
    currency: 'EUR',
    status,
    payments,
    isReadable: true,
    ...fields,
  }
}

export function seen(
  status: string,
  payments: SumupPayment[] = [],
  fields: Partial<SumupCheckout> = {},
  transactions: TransactionReading[] = [],
): Reading {
  return {
    checkout: { type: 'seen', checkout: checkoutOf(status, payments, fields) },
    transactions,
  }
}

export const paid = (fields: Partial<SumupCheckout> = {}): Reading =>
  seen('PAID', [attempt('tx-1')], fields)
export const missing: Reading = { checkout: { type: 'missing' }, transactions: [] }
export const unreachable: Reading = {
  checkout: { type: 'unreachable', why: 'timeout' },
  transactions: [],
}
export const otherAccount: Reading = { checkout: { type: 'other-account' }, transactions: [] }

/** A transaction as SumUp shows it by itself. */
export function transactionOf(
  id: string,
  fields: Partial<SumupTransaction> = {},
): TransactionReading {
  const result = {
    id,
    code: 'TAAAAAAAA1',
    amount: '49.00',
    currency: 'EUR',
    status: 'SUCCESSFUL',
    madeAt: now,
    refunded: '0.00',
    chargedBack: '0.00',
    isRefundPending: false,
    failedRefunds: 0,
    ...fields,
  } as SumupTransaction
  return { transactionId: id, result }
}
