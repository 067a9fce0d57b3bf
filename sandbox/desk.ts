import type { Accounts, MerchantAccount } from './accounts.ts'
import type { Faults } from './faults/faults.ts'
import type { Lags } from './lag.ts'
import { isUuid } from './ledger/ids.ts'
import type { Ledger } from './ledger/ledger.ts'
import { ageCheckout, findSettlesAt, settlePayment } from './ledger/payment.ts'
import type { Checkout, Transaction } from './ledger/records.ts'
import { checkoutNotFound, invalidCheckoutId } from './refusals.ts'
import type { Switches } from './switches.ts'
import type { Webhooks } from './webhooks.ts'

export type Log = (event: string, fields?: Record<string, unknown>) => void

/** All that a call needs. */
export type Desk = {
  ledger: Ledger
  accounts: Accounts
  faults: Faults
  lags: Lags
  switches: Switches
  webhooks: Webhooks
  /** How a browser reaches the stand-in; known for certain once it listens. */
  publicUrl: string
  closing: AbortSignal
  log: Log
}

/**
 * The checkout as it is now: time may have expired it, or brought the bank's late answer. A merchant finds
 * its own alone; browsers, which have no key, find any.
 */
export function findCheckout(desk: Desk, id: string, merchant?: MerchantAccount): Checkout {
  if (!isUuid(id)) throw invalidCheckoutId(id)
  const known = desk.ledger.maybeCheckout(id)
  const hidden = merchant !== undefined && known?.merchantCode !== merchant.code
  if (known === undefined || known.foreign || hidden) throw checkoutNotFound(id)
  return refreshCheckout(desk, known)
}

export function refreshCheckout(desk: Desk, known: Checkout): Checkout {
  const aged = ageCheckout(known, Date.now())
  if (aged === known) return known
  if (aged.status === 'PAID') void recordOutcome(desk, aged)
  else desk.ledger.save(aged)
  return aged
}

/** The end of an attempt: kept and announced in one write, money durably. */
export async function recordOutcome(desk: Desk, ended: Checkout): Promise<Checkout> {
  const before = desk.ledger.maybeCheckout(ended.id)
  const subjects = [ended.id, ended.reference]
  const lag = ended.status === 'PAID' ? desk.faults.take('process', ['lag'], subjects) : undefined
  if (lag && before) {
    const length = lag.reads === undefined ? { until: Date.now() + lag.ms } : { reads: lag.reads }
    desk.lags.begin(before, lag.shows ?? 'as-before', length)
  }
  const planned = desk.webhooks.plan(ended)
  const deliveries = planned.map(({ delivery }) => delivery)
  desk.ledger.save(ended, { deliveries, durable: ended.status === 'PAID' })
  desk.log('outcome', { checkoutId: ended.id, status: ended.status })
  await desk.webhooks.dispatch(planned)
  return ended
}

/** What the payer chose at the bank. A payment that waits no more, because it was cancelled, stays as it is. */
export async function answerBank(
  desk: Desk,
  checkout: Checkout,
  transaction: Transaction,
  outcome: 'approved' | 'declined' | 'cancelled',
): Promise<Checkout> {
  const after = settlePayment(checkout, transaction.id, outcome, Date.now())
  if (after === checkout) return checkout
  if (outcome !== 'cancelled') return recordOutcome(desk, after)
  desk.ledger.save(after)
  return after
}

/** Looks again when the bank has answered, so that the notification goes out without a reader. */
export function watchLatePayment(desk: Desk, checkout: Checkout): void {
  const settlesAt = findSettlesAt(checkout)
  if (settlesAt === undefined) return
  setTimeout(
    () => {
      if (desk.closing.aborted) return
      const known = desk.ledger.maybeCheckout(checkout.id)
      // A timer may fire a moment early: then it is set again.
      if (known) watchLatePayment(desk, refreshCheckout(desk, known))
    },
    Math.max(0, settlesAt - Date.now()),
  ).unref()
}
