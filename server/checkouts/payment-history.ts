import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { comparedItems } from '#server/db/schema.ts'
import type { HistoryItem } from '#server/sumup/answers.ts'
import { ProviderUnavailable } from '#server/sumup/http.ts'
import type { CheckoutDeps } from './settle.ts'

/**
 * SumUp's transaction history, page by page. It may be long, so reads are repeated when they fail, and what needs no
 * further comparison is remembered.
 */

type Sumup = CheckoutDeps['sumup']

const pageSize = 100
/** Stops at an endless list. */
const maxPages = 2_000
/** The last pause outlasts an open circuit. */
const defaultRetryDelaysMs = [250, 2_000, 12_000]
/** Longer than the usual window. */
const keepComparedDays = 7

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

export function isOnlinePayment(item: HistoryItem): boolean {
  const isPayment = (item.type ?? 'PAYMENT') === 'PAYMENT'
  const isPaid =
    item.status === 'SUCCESSFUL' || item.status === 'REFUNDED' || item.status === 'PAID_OUT'
  return isPayment && isPaid && (item.payment_type ?? 'ECOM') === 'ECOM' && idOf(item) !== undefined
}

export function idOf(item: HistoryItem): string | undefined {
  return item.transaction_id ?? item.id
}

/** Items that no earlier comparison has finished. Windows overlap, and each item may cost a request. */
export async function findFresh(db: Db, items: HistoryItem[]): Promise<HistoryItem[]> {
  const keys = items.flatMap((item) => keyOf(item) ?? [])
  if (keys.length === 0) return items
  const { rows } = await db.execute<{ key: string }>(
    sql`select key from compared_items where key in ${keys}`,
  )
  const known = new Set(rows.map(({ key }) => key))
  return items.filter((item) => !known.has(keyOf(item) ?? ''))
}

/** Refunds are items of their own. An item whose status changes is compared again. */
function keyOf({ id, transaction_id, type = 'PAYMENT', status }: HistoryItem): string | undefined {
  const known = id ?? transaction_id
  return known && `${type} ${status} ${known}`.slice(0, 255)
}

export async function rememberItems(db: Db, items: HistoryItem[]): Promise<void> {
  const keys = [...new Set(items.flatMap((item) => keyOf(item) ?? []))]
  if (keys.length === 0) return
  await db
    .insert(comparedItems)
    .values(keys.map((key) => ({ key })))
    .onConflictDoNothing()
}

export async function forgetItems(db: Db): Promise<void> {
  await db
    .delete(comparedItems)
    .where(sql`compared_at < now() - make_interval(days => ${keepComparedDays})`)
}
