import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { claimJob, finishJob } from '#server/db/node-jobs.ts'
import { strayPayments } from '#server/db/schema.ts'
import { recordMoneyReturned } from '#server/orders/orders.ts'
import type { HistoryItem } from '#server/sumup/answers.ts'
import { addMs, hour, isFinal, type CheckoutRow } from './decision.ts'
import { adoptPayment, findCheckout } from './ledger.ts'
import { applyEvent, settle, type CheckoutDeps } from './settle.ts'
import { findOwnReference } from './signatures.ts'

/**
 * Compares SumUp's transaction history with the ledger. It finds payments that no browser, webhook or sweep reported,
 * because the checkout is closed or lost here, and refunds and chargebacks.
 */

export type ComparisonDeps = CheckoutDeps & { secret: string }

export type Comparison = {
  items: number
  /** Sales settled because SumUp has a payment without an order. */
  settled: number
  /** Payments of this shop without a sale here. */
  withoutSale: number
  /** Orders whose payment SumUp does not know. */
  unknownOrders: string[]
  /** The time of the first item without any reference that was not looked up. */
  skippedAt?: Date
}

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

const jobName = 'comparison'
const everyMinutes = 60
/** Longer than any comparison takes; after a crash another node takes over after this. */
const holdMinutes = 30
/** Payments are listed by their start, and a bank may take long to confirm. */
const overlapHours = 24
const firstDaysBack = 3
/** A younger payment may still be being settled. */
const settlingMinutes = 15
const pageSize = 100
/** Stops at an endless list. */
const maxPages = 2_000
/** Each is a request to SumUp; the rest is looked up next time. */
const maxLookups = 500
const maxUnknownOrders = 50

/** Runs unless a node has done so in the last hour or is doing it. */
export async function compareIfDue(deps: ComparisonDeps): Promise<Comparison | undefined> {
  const claimed = await claimJob(deps.db, jobName, holdMinutes)
  if (!claimed) return undefined
  const { skippedAt = claimed.now, ...done } = await compareWithHistory(deps, claimed.doneUntil)
  await finishJob(deps.db, jobName, { doneUntil: skippedAt, dueInMinutes: everyMinutes })
  return done
}

export async function compareWithHistory(
  deps: ComparisonDeps,
  doneUntil?: Date,
): Promise<Comparison> {
  const { from, to } = await getWindow(deps.db, doneUntil)
  const comparison: Comparison = { items: 0, settled: 0, withoutSale: 0, unknownOrders: [] }
  const seenIds = new Set<string>()
  const lookups: Lookups = { left: maxLookups, since: doneUntil, skippedAt: undefined }
  for await (const items of listPages(deps, from, to)) {
    comparison.items += items.length
    const payments = items.filter(isOnlinePayment)
    for (const item of payments) seenIds.add(idOf(item) ?? '')
    await comparePayments(deps, payments, comparison, lookups)
    await recordRefundsAndChargebacks(deps, items)
  }
  comparison.unknownOrders = await findUnknownOrders(deps, { from, to }, seenIds)
  if (comparison.unknownOrders.length > 0)
    deps.log.error({ orders: comparison.unknownOrders }, 'Orders have no payment at SumUp')
  return { ...comparison, ...(lookups.skippedAt && { skippedAt: lookups.skippedAt }) }
}

async function getWindow(db: Db, doneUntil: Date | undefined): Promise<{ from: Date; to: Date }> {
  const since = doneUntil
    ? sql`${doneUntil.toISOString()}::timestamptz - make_interval(hours => ${overlapHours})`
    : sql`now() - make_interval(days => ${firstDaysBack})`
  const { rows } = await db.execute<{ from: string; to: string }>(sql`
    select (${since})::text as "from", (now() - make_interval(mins => ${settlingMinutes}))::text as "to"`)
  return { from: new Date(rows[0]?.from ?? 0), to: new Date(rows[0]?.to ?? 0) }
}

/** Oldest first. The link to the next page may contain only a cursor, so the filters are added again. */
async function* listPages(
  { sumup, log }: ComparisonDeps,
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

function isOnlinePayment(item: HistoryItem): boolean {
  const isPayment = (item.type ?? 'PAYMENT') === 'PAYMENT'
  const isPaid =
    item.status === 'SUCCESSFUL' || item.status === 'REFUNDED' || item.status === 'PAID_OUT'
  return isPayment && isPaid && (item.payment_type ?? 'ECOM') === 'ECOM' && idOf(item) !== undefined
}

function idOf(item: HistoryItem): string | undefined {
  return item.transaction_id ?? item.id
}

/** The budget for items without any reference; those before `since` were looked up last time. */
type Lookups = { left: number; since: Date | undefined; skippedAt: Date | undefined }

async function comparePayments(
  deps: ComparisonDeps,
  items: HistoryItem[],
  comparison: Comparison,
  lookups: Lookups,
): Promise<void> {
  const known = await findKnown(
    deps.db,
    items.flatMap((item) => idOf(item) ?? []),
  )
  const unknown = items.filter((item) => !known.has(idOf(item) ?? ''))
  const named = await findMentioned(deps.db, unknown.flatMap(referenceFields))
  for (const item of unknown) {
    const id = idOf(item)
    if (id === undefined) continue
    const reference = await findReference(deps, id, item, named, lookups)
    if (reference) await handleUnknownPayment(deps, { id, reference, item }, comparison)
  }
}

/** Transaction ids of orders, checkouts and stray payments. */
async function findKnown(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await db.execute<{ id: string }>(sql`
    select sumup_transaction_id as id from orders where sumup_transaction_id in ${ids}
    union select sumup_transaction_id from checkouts where sumup_transaction_id in ${ids}
    union select sumup_transaction_id from stray_payments where sumup_transaction_id in ${ids}`)
  return new Set(rows.map(({ id }) => id))
}

/** Ids of checkouts mentioned in texts of SumUp. */
async function findMentioned(db: Db, texts: (string | undefined)[]): Promise<Set<string>> {
  const ids = texts.flatMap((text) => text?.match(uuidPattern) ?? [])
  if (ids.length === 0) return new Set()
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from checkouts where id in ${ids.map((id) => id.toLowerCase())}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * The checkout id that a payment mentions, if it is of this shop. Only an item without any text is looked up, so other
 * payments of the account cost no request.
 */
async function findReference(
  { sumup, secret }: ComparisonDeps,
  id: string,
  item: HistoryItem,
  named: Set<string>,
  lookups: Lookups,
): Promise<string | undefined> {
  const names = referenceFields(item)
  const known = names
    .flatMap((name) => name?.match(uuidPattern) ?? [])
    .find((one) => named.has(one.toLowerCase()))
  if (known) return known.toLowerCase()
  if (names.some((name) => name !== undefined)) return findOwnReference(names, secret)
  const isOld = lookups.since && item.timestamp && item.timestamp < addMs(lookups.since, -hour)
  if (isOld) return undefined
  if (lookups.left === 0) {
    lookups.skippedAt ??= item.timestamp
    return undefined
  }
  lookups.left -= 1
  const full = await sumup.findTransaction(id)
  return full && findOwnReference(referenceFields(full), secret)
}

function referenceFields(
  item: Pick<
    HistoryItem,
    'product_summary' | 'checkout_reference' | 'foreign_transaction_id' | 'client_transaction_id'
  >,
) {
  return [
    item.checkout_reference,
    item.product_summary,
    item.foreign_transaction_id,
    item.client_transaction_id,
  ]
}

type OwnPayment = { id: string; reference: string; item: HistoryItem }

/** A payment of this shop without an order: its sale is settled, or it becomes a stray payment for review. */
async function handleUnknownPayment(
  deps: ComparisonDeps,
  { id, reference, item }: OwnPayment,
  comparison: Comparison,
): Promise<void> {
  const row = await settleReference(deps, reference, comparison)
  if (row?.state === 'paid' && row.sumupTransactionId === null)
    return adoptPayment(deps.db, row, id)
  // It belongs to the sale by now, or the sale has no known payment yet.
  if (row && (row.sumupTransactionId ?? id) === id) return
  const full = await deps.sumup.findTransaction(id)
  if (full && (full.isRefunded || full.isChargedBack)) return
  const amount = item.amount ?? full?.amount
  const currency = item.currency ?? full?.currency
  if (amount === undefined || currency === undefined) return
  const reason = row ? 'paid-twice' : 'no-sale'
  const added = await deps.db
    .insert(strayPayments)
    .values({
      reason,
      reference,
      sumupTransactionId: id,
      sumupTransactionCode: item.transaction_code ?? full?.code ?? null,
      merchantCode: deps.sumup.merchantCode,
      amount,
      currency,
      paidAt: item.timestamp ?? sql`now()`,
    })
    .onConflictDoNothing()
    .returning({ id: strayPayments.id })
  if (added.length === 0) return
  if (!row) comparison.withoutSale += 1
  deps.log.error({ transaction: item.transaction_code ?? id, reason }, 'A payment needs review')
}

/** Settles the payment's sale if that can still change it. */
async function settleReference(
  deps: ComparisonDeps,
  reference: string,
  comparison: Comparison,
): Promise<CheckoutRow | undefined> {
  const read = await findCheckout(deps.db, reference)
  if (!read || isFinal(read.row)) return read?.row
  comparison.settled += 1
  const marked = await applyEvent(deps, read, { type: 'webhook' })
  const { row } = await settle(deps, { row: marked.row, now: read.now })
  return row
}

/** Refunds and chargebacks are items of their own; the total is in the transaction. */
async function recordRefundsAndChargebacks(
  { db, sumup }: ComparisonDeps,
  items: HistoryItem[],
): Promise<void> {
  const changed = items.filter(({ type }) => type === 'REFUND' || type === 'CHARGE_BACK')
  const ids = [...new Set(changed.flatMap((item) => item.transaction_id ?? []))]
  for (const id of await findOrdered(db, ids)) {
    const full = await sumup.findTransaction(id)
    if (!full) continue
    const { refunded, isChargedBack } = full
    await recordMoneyReturned(db, { transactionId: id, refunded, isChargedBack })
  }
}

async function findOrdered(db: Db, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await db.execute<{ id: string }>(
    sql`select sumup_transaction_id as id from orders where sumup_transaction_id in ${ids}`,
  )
  return rows.map(({ id }) => id)
}

/** Orders whose payment SumUp does not have. Times may differ, so each missing one is looked up. */
async function findUnknownOrders(
  { db, sumup }: ComparisonDeps,
  { from, to }: { from: Date; to: Date },
  seenIds: Set<string>,
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string; transaction: string }>(sql`
    select id, sumup_transaction_id as transaction from orders
    where created_at between ${from.toISOString()}::timestamptz + interval '1 hour' and ${to.toISOString()}::timestamptz
      and sumup_transaction_id is not null and sumup_transaction_id not like 'demo-%'`)
  const unseen = rows
    .filter(({ transaction }) => !seenIds.has(transaction))
    .slice(0, maxUnknownOrders)
  const unknown: string[] = []
  for (const { id, transaction } of unseen)
    if (!(await sumup.findTransaction(transaction))) unknown.push(id)
  return unknown
}
