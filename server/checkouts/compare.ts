import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { strayPayments } from '#server/db/schema.ts'
import { recordReturns } from '#server/orders/orders.ts'
import type { HistoryItem } from '#server/sumup/answers.ts'
import { after, hour, isFinal, type CheckoutRow } from './decision.ts'
import { adoptPayment, findCheckout } from './ledger.ts'
import { bringEvent, settle, type CheckoutDeps } from './settle.ts'
import { findOwnReference } from './signatures.ts'

/**
 * The third path to an order: SumUp's list of payments against our own. It finds what neither a browser nor a webhook nor
 * the sweep could, because the row is closed or lost, and what happened to payments afterwards.
 */

export type ComparisonDeps = CheckoutDeps & { secret: string }

export type Comparison = {
  /** Items that SumUp listed. */
  items: number
  /** Sales that were looked at because SumUp has a payment of theirs that is no order. */
  lookedAt: number
  /** Payments of ours that no sale belongs to. */
  withoutSale: number
  /** Orders whose payment SumUp does not know. */
  unknownOrders: string[]
  /** From when on items that name nothing could not all be asked about. */
  skippedAt?: Date
}

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

const jobName = 'comparison'
const everyMinutes = 60
/** Longer than any comparison takes; one that dies is taken over after this. */
const holdMinutes = 30
/** Read anew each time, because a payment is listed by when it was begun, and a bank may take its time. */
const overlapHours = 24
const firstDaysBack = 3
/** A payment this young may still be on its way into our book. */
const settlingMinutes = 15
const pageSize = 100
/** Far more than any account has in the time that is compared; a list without an end is not followed. */
const maxPages = 2_000
/** Each costs a question of its own; what is beyond is asked about the next time. */
const maxLookUps = 500
/** Beyond so many orders without a payment something larger is wrong anyway. */
const maxUnknownOrders = 50

/** Compares if no node has done so in the last hour, and none is at it. */
export async function compareIfDue(deps: ComparisonDeps): Promise<Comparison | undefined> {
  const claimed = await claim(deps.db)
  if (!claimed) return undefined
  const { skippedAt = claimed.now, ...done } = await compareWithHistory(deps, claimed.doneUntil)
  await deps.db.execute(sql`
    update node_jobs set done_until = ${skippedAt.toISOString()}::timestamptz,
      held_until = now() + make_interval(mins => ${everyMinutes}) where name = ${jobName}`)
  return done
}

async function claim(db: Db): Promise<{ doneUntil: Date | undefined; now: Date } | undefined> {
  const { rows } = await db.execute<{ done_until: string | null; now: string }>(sql`
    insert into node_jobs as job (name, held_until) values (${jobName}, now() + make_interval(mins => ${holdMinutes}))
    on conflict (name) do update set held_until = excluded.held_until where job.held_until <= now()
    returning done_until::text, now()::text`)
  const [job] = rows
  if (!job) return undefined
  return {
    doneUntil: job.done_until ? new Date(job.done_until) : undefined,
    now: new Date(job.now),
  }
}

export async function compareWithHistory(
  deps: ComparisonDeps,
  doneUntil?: Date,
): Promise<Comparison> {
  const { from, to } = await windowOf(deps.db, doneUntil)
  const comparison: Comparison = { items: 0, lookedAt: 0, withoutSale: 0, unknownOrders: [] }
  const seenIds = new Set<string>()
  const lookUps: LookUps = { left: maxLookUps, since: doneUntil, skippedAt: undefined }
  for await (const items of pagesOf(deps, from, to)) {
    comparison.items += items.length
    const payments = items.filter(isOnlinePayment)
    for (const item of payments) seenIds.add(idOf(item) ?? '')
    await comparePayments(deps, payments, comparison, lookUps)
    await recordChanges(deps, items)
  }
  comparison.unknownOrders = await findUnknownOrders(deps, { from, to }, seenIds)
  if (comparison.unknownOrders.length > 0)
    deps.log.error(
      { orders: comparison.unknownOrders },
      'There are orders whose payment SumUp does not know',
    )
  return { ...comparison, ...(lookUps.skippedAt && { skippedAt: lookUps.skippedAt }) }
}

async function windowOf(db: Db, doneUntil: Date | undefined): Promise<{ from: Date; to: Date }> {
  const since = doneUntil
    ? sql`${doneUntil.toISOString()}::timestamptz - make_interval(hours => ${overlapHours})`
    : sql`now() - make_interval(days => ${firstDaysBack})`
  const { rows } = await db.execute<{ from: string; to: string }>(sql`
    select (${since})::text as "from", (now() - make_interval(mins => ${settlingMinutes}))::text as "to"`)
  return { from: new Date(rows[0]?.from ?? 0), to: new Date(rows[0]?.to ?? 0) }
}

/** Page by page, oldest first. A link to the next page may carry nothing but its place: our own filters go along. */
async function* pagesOf(
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
    const { items, links } = await sumup.history(String(query))
    yield items
    const next = links.find(({ rel }) => rel === 'next')?.href.replace(/^[^?]*\?/, '')
    if (next === undefined) return
    const merged = new URLSearchParams(filters)
    for (const [name, value] of new URLSearchParams(next)) merged.set(name, value)
    // A link to the page that was just read would lead in a circle.
    if (String(merged) === String(query)) return
    query = merged
  }
  log.warn({ pages: maxPages }, 'SumUp lists more payments than are compared at once')
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

/** How many questions may still be asked about items that name nothing; those listed before were asked about then. */
type LookUps = { left: number; since: Date | undefined; skippedAt: Date | undefined }

async function comparePayments(
  deps: ComparisonDeps,
  items: HistoryItem[],
  comparison: Comparison,
  lookUps: LookUps,
): Promise<void> {
  const known = await findKnown(
    deps.db,
    items.flatMap((item) => idOf(item) ?? []),
  )
  const unknown = items.filter((item) => !known.has(idOf(item) ?? ''))
  const named = await findNamed(deps.db, unknown.flatMap(namesIn))
  for (const item of unknown) {
    const id = idOf(item)
    if (id === undefined) continue
    const reference = await referenceOf(deps, id, item, named, lookUps)
    if (reference) await compareOne(deps, { id, reference, item }, comparison)
  }
}

/** Transaction ids that an order, a sale in review or a stray payment has. */
async function findKnown(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await db.execute<{ id: string }>(sql`
    select sumup_transaction_id as id from orders where sumup_transaction_id in ${ids}
    union select sumup_transaction_id from checkouts where sumup_transaction_id in ${ids}
    union select sumup_transaction_id from stray_payments where sumup_transaction_id in ${ids}`)
  return new Set(rows.map(({ id }) => id))
}

/** Sales here that are named by their id, whoever gave it to them. */
async function findNamed(db: Db, names: (string | undefined)[]): Promise<Set<string>> {
  const ids = names.flatMap((name) => name?.match(uuidPattern) ?? [])
  if (ids.length === 0) return new Set()
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from checkouts where id in ${ids.map((id) => id.toLowerCase())}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * The sale that a payment names, if it is one of this shop. Other people's payments on the account name none and cost
 * nothing; only an item that names nothing at all is looked up in full.
 */
async function referenceOf(
  { sumup, secret }: ComparisonDeps,
  id: string,
  item: HistoryItem,
  named: Set<string>,
  lookUps: LookUps,
): Promise<string | undefined> {
  const names = namesIn(item)
  const known = names
    .flatMap((name) => name?.match(uuidPattern) ?? [])
    .find((one) => named.has(one.toLowerCase()))
  if (known) return known.toLowerCase()
  if (names.some((name) => name !== undefined)) return findOwnReference(names, secret)
  const isOld = lookUps.since && item.timestamp && item.timestamp < after(lookUps.since, -hour)
  if (isOld) return undefined
  if (lookUps.left === 0) {
    lookUps.skippedAt ??= item.timestamp
    return undefined
  }
  lookUps.left -= 1
  const full = await sumup.findTransaction(id)
  return full && findOwnReference(namesIn(full), secret)
}

function namesIn(
  told: Pick<
    HistoryItem,
    'product_summary' | 'checkout_reference' | 'foreign_transaction_id' | 'client_transaction_id'
  >,
) {
  return [
    told.checkout_reference,
    told.product_summary,
    told.foreign_transaction_id,
    told.client_transaction_id,
  ]
}

type OwnPayment = { id: string; reference: string; item: HistoryItem }

/** A payment of ours that is no order yet: its sale is looked at, or it is one too many, and a person decides. */
async function compareOne(
  deps: ComparisonDeps,
  { id, reference, item }: OwnPayment,
  comparison: Comparison,
): Promise<void> {
  const row = await lookAtSale(deps, reference, comparison)
  if (row?.state === 'paid' && row.sumupTransactionId === null)
    return adoptPayment(deps.db, row, id)
  // It is the sale's own by now, or nobody knows yet which one is.
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
  deps.log.error({ transaction: item.transaction_code ?? id, reason }, 'A payment needs attention')
}

/** The sale of a payment, after a look at SumUp where that can still change it. */
async function lookAtSale(
  deps: ComparisonDeps,
  reference: string,
  comparison: Comparison,
): Promise<CheckoutRow | undefined> {
  const read = await findCheckout(deps.db, reference)
  if (!read || isFinal(read.row)) return read?.row
  comparison.lookedAt += 1
  const marked = await bringEvent(deps, read, { type: 'webhook' })
  const { row } = await settle(deps, { row: marked.row, now: read.now })
  return row
}

/** Refunds and chargebacks are listed as items of their own; how much was given back in all, the payment itself says. */
async function recordChanges({ db, sumup }: ComparisonDeps, items: HistoryItem[]): Promise<void> {
  const changed = items.filter(({ type }) => type === 'REFUND' || type === 'CHARGE_BACK')
  const ids = [...new Set(changed.flatMap((item) => item.transaction_id ?? []))]
  for (const id of await findOrdered(db, ids)) {
    const full = await sumup.findTransaction(id)
    if (!full) continue
    const { refunded, isChargedBack } = full
    await recordReturns(db, { transactionId: id, refunded, isChargedBack })
  }
}

async function findOrdered(db: Db, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await db.execute<{ id: string }>(
    sql`select sumup_transaction_id as id from orders where sumup_transaction_id in ${ids}`,
  )
  return rows.map(({ id }) => id)
}

/** The other direction. An order may be younger or older than its payment's entry, so each is asked about by itself. */
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
