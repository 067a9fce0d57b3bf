import { setTimeout as delay } from 'node:timers/promises'
import { isPaymentItem } from '#server/payments/observe.ts'
import type { HistoryItem } from '#server/sumup/answers.ts'
import { ProviderUnavailable } from '#server/sumup/http.ts'
import type { CheckoutDeps } from './settle.ts'

/** SumUp's transaction history, page by page. It may be long, so reads are repeated when they fail. */

type Sumup = CheckoutDeps['sumup']

const pageSize = 100
/** Stops at an endless list. */
const maxPages = 2_000
/** The last pause outlasts an open circuit. */
const defaultRetryDelaysMs = [250, 2_000, 12_000]

/** Repeats reads that fail because SumUp does not answer. */
export function repeatFailedReads(
  sumup: Sumup,
  retryDelaysMs: number[] = defaultRetryDelaysMs,
): Sumup {
  async function repeat<Result>(read: () => Promise<Result>): Promise<Result> {
    for (const delayMs of retryDelaysMs) {
      try {
        return await read()
      } catch (error) {
        if (!(error instanceof ProviderUnavailable) || error.isKeyRefused) throw error
        await delay(Math.max(delayMs, (error.retryAfterSeconds ?? 0) * 1000))
      }
    }
    return read()
  }
  return {
    ...sumup,
    listHistory: (query) => repeat(() => sumup.listHistory(query)),
    findTransaction: (id) => repeat(() => sumup.findTransaction(id)),
  }
}

/** Oldest first. The link to the next page may contain only a cursor, so the filters are added again. */
export async function* listPages(
  { sumup, log }: Pick<CheckoutDeps, 'sumup' | 'log'>,
  from: Date,
  to: Date,
): AsyncGenerator<HistoryItem[]> {
  const filters: [string, string][] = [
    ['oldest_time', from.toISOString()],
    ['newest_time', to.toISOString()],
    ['order', 'ascending'],
    ['limit', String(pageSize)],
  ]
  let query = new URLSearchParams(filters)
  for (let page = 0; page < maxPages; page += 1) {
    const { items, links } = await sumup.listHistory(String(query))
    yield items
    const next = links.find(({ rel }) => rel === 'next')?.href.replace(/^[^?]*\?/, '')
    if (next === undefined) return
    const merged = new URLSearchParams(filters)
    for (const [name, value] of new URLSearchParams(next)) merged.set(name, value)
    // A link to the same page would loop.
    if (String(merged) === String(query)) return
    query = merged
  }
  log.warn({ pages: maxPages }, 'SumUp lists more payments than are compared')
}

/** Cards, wallets and banks; not a card reader. */
const onlineTypes = ['ECOM', 'APM']

const takenOrAtBank = ['SUCCESSFUL', 'REFUNDED', 'PAID_OUT', 'PENDING']

/**
 * A payment that SumUp has taken online, or may have: an item without a status is looked up. One that is at the bank is
 * followed from here on, since it may be confirmed when its time is not compared any more.
 */
export function isOnlinePayment(item: HistoryItem): boolean {
  const { status, payment_type: kind = 'ECOM' } = item
  const isTaken = status === undefined || takenOrAtBank.includes(status)
  return isPaymentItem(item) && isTaken && onlineTypes.includes(kind) && idOf(item) !== undefined
}

/** A refund or a chargeback. */
export function isReturn({ type }: HistoryItem): boolean {
  return type === 'REFUND' || type === 'CHARGE_BACK'
}

/** The transaction that a payment's item is about. */
export function idOf(item: HistoryItem): string | undefined {
  return item.transaction_id ?? (isPaymentItem(item) ? item.id : undefined)
}
