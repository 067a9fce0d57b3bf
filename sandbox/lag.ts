import type { Checkout, Transaction } from './ledger/records.ts'

/**
 * What a read that lags shows of a checkout that has moved on:
 * - `as-before`: all of it as it was when the lag began (no payment yet, one at the bank, a declined card)
 * - `attempt-pending`: payments that ended since are still PENDING
 * - `paid-without-transactions`: PAID already, and no payment in it yet
 * - `successful-under-pending`: the payment is SUCCESSFUL, the checkout still PENDING
 */
// prettier-ignore
export const lagViews = [
  'as-before', 'attempt-pending', 'paid-without-transactions', 'successful-under-pending',
] as const
export type LagView = (typeof lagViews)[number]

/** Ends after this many reads of the checkout or at this time; without either when it is released. */
export type LagLength = { reads?: number | undefined; until?: number | undefined }

export type Lags = {
  begin(before: Checkout, shows: LagView, length?: LagLength): void
  /** Of one checkout, or of all. */
  release(checkoutId?: string): void
  /** What is seen of a checkout. Only a counted read, and only one that sees something old, uses up the lag. */
  view(checkout: Checkout, options?: { counts: boolean }): Checkout
}

/** Kept in memory alone: a stand-in that starts again lags no more. */
export function openLags(): Lags {
  type Lag = { before: Checkout; shows: LagView; readsLeft: number; until: number }
  const lags = new Map<string, Lag>()
  return {
    begin(before, shows, { reads = Infinity, until = Infinity } = {}) {
      lags.set(before.id, { before, shows, readsLeft: reads, until })
    },
    release(checkoutId) {
      if (checkoutId === undefined) lags.clear()
      else lags.delete(checkoutId)
    },
    view(checkout, { counts } = { counts: false }) {
      const lag = lags.get(checkout.id)
      if (lag === undefined) return checkout
      if (lag.until <= Date.now() || lag.readsLeft <= 0) {
        lags.delete(checkout.id)
        return checkout
      }
      const seen = seenAs(lag.shows, checkout, lag.before)
      if (counts && seen !== checkout) lag.readsLeft -= 1
      return seen
    },
  }
}

function seenAs(shows: LagView, checkout: Checkout, before: Checkout): Checkout {
  switch (shows) {
    case 'as-before':
      return before
    case 'attempt-pending': {
      const ended = checkout.transactions.filter((transaction) => hasChanged(transaction, before))
      if (ended.length === 0) return checkout
      const transactions = checkout.transactions.map((transaction): Transaction =>
        ended.includes(transaction) ? { ...transaction, status: 'PENDING' } : transaction,
      )
      return {
        ...checkout,
        status: before.status === 'EXPIRED' ? 'EXPIRED' : 'PENDING',
        transactions,
      }
    }
    case 'paid-without-transactions':
      return checkout.status === 'PAID' ? { ...checkout, transactions: [] } : checkout
    case 'successful-under-pending':
      return checkout.status === 'PAID' ? { ...checkout, status: 'PENDING' } : checkout
  }
}

function hasChanged({ id, status }: Transaction, before: Checkout): boolean {
  return before.transactions.find((known) => known.id === id)?.status !== status
}
