import type { CheckoutDetails } from '#contract/orders.ts'
import {
  addMs,
  hour,
  isSelfClearing,
  minute,
  second,
  type CheckoutEvent,
  type CheckoutRow,
  type CheckoutState,
  type Payment,
} from '#server/checkouts/decision.ts'
import type { SumupCheckout, SumupPayment } from '#server/sumup/answers.ts'

/** Rows and SumUp answers for tests of the state machine, without database or HTTP. */

export const now = new Date('2026-11-15T12:00:00Z')
export const ago = (ms: number) => addMs(now, -ms)

export const details = { customerEmail: 'anna@example.com', acceptsNews: false } as CheckoutDetails
export const otherDetails = { ...details, customerEmail: 'otto@example.com' }

/** A sale a few seconds after its details were saved. */
export const submitted = {
  id: 'row-1',
  sumupCheckoutId: 'checkout-1',
  merchantCode: 'MTEST',
  amount: '49.00',
  currency: 'EUR',
  state: 'submitted',
  details,
  detailsAt: ago(5 * second),
  formId: 'tab-1',
  startedAt: ago(5 * second),
  sumupTransactionId: null,
  refundingAt: null,
  sumupTransactionCode: null,
  paidAmount: null,
  paidCurrency: null,
  failedIds: [] as string[],
  seenIds: [] as string[],
  knownIds: [] as string[],
  atBankSince: null,
  hasTooManyCards: false,
  reviewReason: null,
  reviewAt: null,
  unclearSince: null,
  expiredSince: null,
  validUntil: addMs(now, 20 * minute),
  nextCheckAt: ago(0),
  priority: 1,
  checks: 0,
  lastError: null,
} as unknown as CheckoutRow
export const noDetails: Partial<CheckoutRow> = {
  details: null,
  detailsAt: null,
  formId: '',
  startedAt: null,
}

/** The same sale in each state. */
export const rows: Record<CheckoutState, Partial<CheckoutRow>> = {
  created: { ...noDetails, state: 'created', sumupCheckoutId: null },
  open: { ...noDetails, state: 'open', nextCheckAt: null },
  submitted: {},
  paid: { state: 'paid', sumupTransactionId: 'tx-1', nextCheckAt: null },
  review: inReview('contradiction'),
  closed: { state: 'closed', nextCheckAt: null },
  refunded: { ...inReview('no-details'), state: 'refunded', nextCheckAt: null },
  dismissed: {
    ...inReview('mismatch'),
    state: 'dismissed',
    sumupTransactionId: 'tx-0',
    nextCheckAt: null,
  },
}

export function inReview(reviewReason: string): Partial<CheckoutRow> {
  const nextCheckAt = isSelfClearing({ reviewReason }) ? now : null
  return { state: 'review', reviewReason, reviewAt: ago(hour), nextCheckAt }
}

export const payment: SumupPayment = {
  id: 'tx-1',
  code: 'TAAAAAAAA1',
  amount: '49.00',
  currency: 'EUR',
  status: 'SUCCESSFUL',
  madeAt: now,
}
/** A second payment on the same checkout. */
export const again = { ...payment, id: 'tx-2', code: 'TAAAAAAAA2' }

export function seenAs(status: string, fields: Partial<SumupCheckout> = {}): SumupCheckout {
  const { paid = [], pendingIds = [], failedIds = [] } = fields
  return {
    id: 'checkout-1',
    reference: 'row-1',
    merchantCode: 'MTEST',
    amount: '49.00',
    currency: 'EUR',
    status,
    paid,
    pendingIds,
    failed: failedIds.map((id) => ({ id, madeAt: undefined })),
    failedIds,
    allIds: [...failedIds, ...pendingIds, ...paid.map(({ id }) => id ?? '#0')],
    isReadable: true,
    ...fields,
  }
}
export const answer = (seen: SumupCheckout | undefined, refundedIds?: string[]): CheckoutEvent => ({
  type: 'answer',
  seen,
  ...(refundedIds && { refundedIds }),
})
export const answerWith = (status: string, fields?: Partial<SumupCheckout>) =>
  answer(seenAs(status, fields))
export const paid = (fields: Partial<SumupCheckout> = {}) =>
  answerWith('PAID', { paid: [payment], ...fields })
export const atBank = { pendingIds: ['tx-1'] }
export const failed = { failedIds: ['tx-1'] }
export const unreadable = { isReadable: false }

/** Events besides SumUp's answers. */
export const events: Record<string, CheckoutEvent> = {
  opened: { type: 'opened', sumupCheckoutId: 'checkout-9' },
  details: { type: 'details', details: otherDetails, formId: 'tab-1' },
  webhook: { type: 'webhook' },
  'account changed': { type: 'account-changed' },
  ended: { type: 'ended' },
  'too many cards': { type: 'too-many-cards' },
  'payment reused': { type: 'payment-reused', payment: toPayment(payment) },
  'order made': { type: 'order-made', details, by: 'owner-1' },
  'refund made': { type: 'refund-made', by: 'owner-1' },
  dismissed: { type: 'dismissed', note: 'a test', by: 'owner-1' },
  restored: { type: 'restored' },
}

export function toPayment({ id = '', code, amount = '', currency = '' }: SumupPayment): Payment {
  return { id, code, amount, currency }
}
