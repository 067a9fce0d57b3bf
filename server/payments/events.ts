import { randomUUID } from 'node:crypto'
import { maxUnseenCardMs } from '#contract/checkouts.ts'
import type { CheckoutDetails, Chosen } from '#contract/orders.ts'
import {
  failedOf,
  isEveryCardDeclined,
  isHolding,
  isUnfinished,
  openRefundOf,
  pendingOf,
  reasonOf,
  saleEntry,
  statusOf,
  type Case,
  type Decision,
  type Sale,
  type SaleCase,
} from './case.ts'
import { clearEntry, withSale } from './entries.ts'
import { isKept, type Payment } from './payment.ts'
import { mergeReading, type Reading } from './reading.ts'
import { reconcile } from './reconcile.ts'
import { addMs, firstCheckMs, isOlder, priorities, second, unseenHoldMs } from './schedule.ts'

/** What events mean for a case: readings end in reconcile, the others change the sale alone. */

/** This many declined cards on one sale suggest card testing. */
const maxDeclinedCards = 5

type CreateId = (transactionId: string) => string

export function decideReading(
  kase: Case,
  reading: Reading,
  now: Date,
  createId: CreateId = () => randomUUID(),
): Decision {
  const merged = mergeReading(kase, reading, now, createId)
  const newFailures = countNewFailures(kase, merged, reading)
  const hasTooManyCards =
    kase.sale?.hasTooManyCards || failedOf(merged).length >= maxDeclinedCards || false
  const known = merged.sale ? withSale(merged, { hasTooManyCards }) : merged
  return { ...reconcile(kase, known, reading, now), newFailures }
}

/** Declined cards that were not known. One that the buyer cancelled was not declined. */
function countNewFailures(before: Case, merged: Case, { checkout }: Reading): number {
  const attempts = checkout.type === 'seen' ? checkout.checkout.payments : []
  const isNew = ({ transactionId }: Payment) =>
    !failedOf(before).some((one) => one.transactionId === transactionId) &&
    !attempts.some(({ id, status }) => id === transactionId && status === 'CANCELLED')
  return failedOf(merged).filter(isNew).length
}

export function unchanged(kase: Case): Decision {
  return { after: kase, status: statusOf(kase) }
}

/** SumUp has the checkout. */
export function decideOpened(kase: SaleCase, sumupCheckoutId: string): Decision {
  const { sale } = kase
  if (sale.sumupCheckoutId || !['created', 'closed'].includes(sale.state)) return unchanged(kase)
  // Not checked before it has details: it expires, or a webhook reports a payment.
  const after = withSale(kase, {
    state: 'open',
    sumupCheckoutId,
    nextCheckAt: null,
    priority: priorities.lazy,
  })
  return { after, status: { state: 'open' } }
}

/** SumUp notified the shop of a change: whatever the sale is, it is looked at. */
export function decideWebhook(kase: SaleCase, now: Date): Decision {
  if (kase.order?.transactionId) return unchanged(kase)
  const after = withSale(kase, { nextCheckAt: now, priority: priorities.webhook })
  return { after, status: statusOf(after) }
}

/** Too many cards were declined from the same address. */
export function decideTooManyCards(kase: SaleCase, now: Date): Decision {
  if (!isUnfinished(kase.sale)) return unchanged(kase)
  const after = withSale(kase, { hasTooManyCards: true, nextCheckAt: addMs(now, 5 * second) })
  return { after, status: { state: 'too-many-cards' }, endAtSumup: true }
}

export type NewDetails = {
  details: CheckoutDetails
  /** Undefined where there is nothing to choose. */
  chosen?: Chosen | undefined
  formId: string
  pressId?: string
  /** The card of the details before never left the page: the form itself refused it. */
  isCardUnsent?: boolean
  /** A card follows: a piece and a use of the code are reserved with the details. */
  isForCard?: boolean
}

/** Whether the payment is known and only lacks where to send it. */
export function lacksDetailsOnly(kase: SaleCase): boolean {
  const entry = saleEntry(kase)
  if (entry?.state !== 'open' || reasonOf(entry) !== 'no-details') return false
  return !kase.payments.some((one) => isKept(one) && openRefundOf(kase, one))
}

/**
 * The buyer sends contact and delivery, right before a card: with them the server can finish the sale alone. Those of a
 * card in progress are frozen; the caller has asked SumUp before it saves others.
 */
export function decideDetails(kase: SaleCase, given: NewDetails, now: Date): Decision {
  const { sale } = kase
  const isMissingOnly = sale.state === 'review' && lacksDetailsOnly(kase)
  const takesDetails = sale.state === 'open' || sale.state === 'submitted' || isMissingOnly
  if (!takesDetails || blocksDetails(kase, given.formId, now)) return unchanged(kase)
  const after = withSale(clearEntry(kase, sale.id, now), {
    state: 'submitted',
    // What was chosen before counts no more, also if there is nothing to choose any more.
    chosen: given.chosen ?? null,
    details: given.details,
    detailsAt: now,
    formId: given.formId,
    pressId: given.pressId ?? '',
    submits: countSubmits(kase, given, now),
    ...reserve(kase, given, now),
    startedAt: sale.startedAt ?? now,
    expiredSince: null,
    checks: 0,
    priority: priorities.fresh,
    nextCheckAt: addMs(now, firstCheckMs),
  })
  return { after, status: statusOf(after) }
}

/** What the buyer of a payment told, but the shop does not act on. The sale stays with a person, who sees it. */
export function decideKeptDetails(kase: SaleCase, details: CheckoutDetails, now: Date): Decision {
  const isMeant = kase.sale.state === 'review' && lacksDetailsOnly(kase)
  if (!isMeant) return unchanged(kase)
  const after = withSale(kase, { details, detailsAt: now })
  return { after, status: statusOf(after) }
}

/**
 * Another value is another piece, and no new hold: the one before is free again. Pay now holds anew what was held for
 * minutes without a card: each time counts, or a few forms would hold for ever.
 */
function reserve(
  { sale, payments }: SaleCase,
  { isForCard, chosen }: NewDetails,
  now: Date,
): Pick<Sale, 'heldAt' | 'holds'> {
  const { heldAt, holds, detailsAt } = sale
  // What is in review is paid: there is no card to reserve anything for.
  if (!isForCard || sale.state === 'review') {
    const isSameValue = sale.chosen?.choice.id === chosen?.choice.id
    return { heldAt: isSameValue ? heldAt : null, holds }
  }
  const hasTriedCard = payments.some(({ foundAt }) => detailsAt !== null && foundAt >= detailsAt)
  const isOver = heldAt !== null && !hasTriedCard && isOlder(heldAt, unseenHoldMs, now)
  return isHolding(sale) && !isOver ? { heldAt, holds } : { heldAt: now, holds: holds + 1 }
}

/** Nobody enters two cards within this time. For senders that do not name the press. */
const repeatMs = 2 * second

/**
 * How many cards may have been sent with this one. An earlier one that SumUp has never shown counts, unless it never left
 * the page, or SumUp was read so long after it that it would have been there.
 */
function countSubmits(kase: SaleCase, given: NewDetails, now: Date): number {
  const { sale } = kase
  if (sale.submits === 0) return 1
  if (given.isCardUnsent || isRepeated(kase, given, now)) return sale.submits
  const isRead =
    sale.unreadSince === null && sale.detailsAt && isOlder(sale.detailsAt, maxUnseenCardMs, now)
  const failed = failedOf(kase).length
  // One press may have failed twice, where the widget lets a buyer try again.
  return isRead ? failed + 1 : Math.max(sale.submits, failed) + 1
}

/** A request that is repeated because its answer was lost, or a double click: no other card is sent with it. */
function isRepeated(kase: SaleCase, { formId, pressId }: NewDetails, now: Date): boolean {
  const { sale } = kase
  if (sale.formId !== formId || sale.detailsAt === null) return false
  if (pressId && sale.pressId) return sale.pressId === pressId
  return !isOlder(sale.detailsAt, repeatMs, now) && !isEveryCardDeclined(kase)
}

/** Whether the saved details may not be replaced, because their card may be in progress. */
export function blocksDetails(kase: SaleCase, formId: string, now: Date): boolean {
  const { sale } = kase
  if (sale.state !== 'submitted' || !sale.detailsAt) return false
  if (pendingOf(kase).length > 0) return true
  const isHeld = !isOlder(sale.detailsAt, maxUnseenCardMs, now)
  return sale.formId !== formId && isHeld && !isEveryCardDeclined(kase)
}

/** Whether SumUp need not be asked about a sale any more. */
export function isSettled(kase: SaleCase): boolean {
  const { sale } = kase
  // One that a person made goes on being looked at until its payment was read.
  if (kase.order) return sale.nextCheckAt === null
  return ['review', 'refunded', 'dismissed'].includes(sale.state) && sale.nextCheckAt === null
}

/** Whether SumUp's checkout has this sale's reference, account and price. */
export function isOurs(
  sale: Pick<Sale, 'id' | 'amount' | 'currency' | 'merchantCode'>,
  made: {
    reference: string | undefined
    merchantCode: string | undefined
    amount: string | undefined
    currency: string | undefined
  },
): boolean {
  return (
    made.reference === sale.id &&
    (sale.merchantCode === '' || made.merchantCode === sale.merchantCode) &&
    made.amount === sale.amount &&
    made.currency === sale.currency
  )
}
