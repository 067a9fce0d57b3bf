import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { claimJob, findRestored, finishJob, forgetRestored } from '#server/db/node-jobs.ts'
import { strayPayments } from '#server/db/schema.ts'
import { recordMoneyReturned } from '#server/orders/orders.ts'
import type { HistoryItem, SumupTransaction } from '#server/sumup/answers.ts'
import { isFinal, type CheckoutRow } from './decision.ts'
import { findCheckout } from './find-checkout.ts'
import { adoptPayment } from './ledger.ts'
import {
  findFresh,
  forgetItems,
  idOf,
  isOnlinePayment,
  listPages,
  rememberItems,
  repeatFailedReads,
} from './payment-history.ts'
import { applyEvent, settle, type CheckoutDeps } from './settle.ts'
import { findOwnReference } from './signatures.ts'

/**
 * Compares SumUp's transaction history with the ledger. It finds payments that no browser, webhook or sweep reported,
 * because the checkout is closed or lost here, and refunds and chargebacks.
 */

export type ComparisonDeps = CheckoutDeps & {
  secret: string
  /** The pauses before a failed request is repeated. */
  retryDelaysMs?: number[]
}

export type Comparison = {
  items: number
  /** Sales settled because SumUp has a payment without an order. */
  settled: number
  /** Payments of this shop without a sale here. */
  withoutSale: number
  /** Orders whose payment SumUp does not know. */
  unknownOrders: string[]
  /** The time of the first item that was left for the next comparison. */
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
/** Each is a request to SumUp; the rest is looked up next time. */
const maxLookups = 500
/** Look-ups that may fail for good before SumUp counts as unavailable. */
const maxFailedLookups = 5
const maxUnknownOrders = 50

/** Runs unless a node has done so in the last hour or is doing it, or nobody knows whether the payments are tests. */
export async function compareIfDue(deps: ComparisonDeps): Promise<Comparison | undefined> {
  if (deps.sumup.isTest() === undefined) return undefined
  const claimed = await claimJob(deps.db, jobName, holdMinutes)
  if (!claimed) return undefined
  const restoredFrom = await findUncompared(deps)
  const { skippedAt = claimed.now, ...done } = await compareWithHistory(
    deps,
    claimed.doneUntil,
    restoredFrom,
  )
  if (restoredFrom) await forgetRestored(deps.db)
  const dueInMinutes = restoredFrom ? settlingMinutes : everyMinutes
  await finishJob(deps.db, jobName, { doneUntil: skippedAt, dueInMinutes })
  return done
}

/**
 * The time of the backup that was restored, until it was compared with the account that its sales were made with. Another
 * one, such as that of test mode while `.env` is missing, knows nothing of the payments since.
 */
async function findUncompared({ db, sumup, log }: ComparisonDeps): Promise<Date | undefined> {
  const restoredFrom = await findRestored(db)
  if (!restoredFrom) return undefined
  const { rows } = await db.execute<{ merchantCode: string | null; hasOrders: boolean }>(sql`
    select (select merchant_code from checkouts where not is_test and merchant_code <> ''
        order by created_at desc limit 1) as "merchantCode",
      exists (select from orders where not is_test and sumup_transaction_id not like 'demo-%') as "hasOrders"`)
  const { merchantCode = null, hasOrders = false } = rows[0] ?? {}
  const isSameAccount = merchantCode === null || merchantCode === sumup.merchantCode
  const wereTests = merchantCode === null && !hasOrders
  if (wereTests || (isSameAccount && sumup.isTest() === false)) return restoredFrom
  log.warn(
    { merchantCode, backup: restoredFrom },
    'Payments since the restored backup are not looked for: SUMUP_API_KEY and SUMUP_MERCHANT_CODE are not those of its sales',
  )
  return undefined
}

/** `restoredFrom` is the time of the backup that this database was restored from, if that was not compared yet. */
export async function compareWithHistory(
  deps: ComparisonDeps,
  doneUntil?: Date,
  restoredFrom?: Date,
): Promise<Comparison> {
  const { from, to } = await getWindow(deps.db, doneUntil, restoredFrom)
  const comparison: Comparison = { items: 0, settled: 0, withoutSale: 0, unknownOrders: [] }
  const seenIds = new Set<string>()
  const lookups: Lookups = { left: maxLookups, failed: 0, skippedAt: undefined }
  const run: Run = {
    ...deps,
    sumup: repeatFailedReads(deps.sumup, deps.retryDelaysMs),
    comparison,
    lookups,
  }
  for await (const items of listPages(run, from, to)) {
    comparison.items += items.length
    const payments = items.filter(isOnlinePayment)
    for (const item of payments) seenIds.add(idOf(item) ?? '')
    const fresh = await findFresh(deps.db, items)
    const done = [
      ...(await comparePayments(run, fresh.filter(isOnlinePayment))),
      ...(await recordRefundsAndChargebacks(run, fresh)),
    ]
    await rememberItems(deps.db, done)
  }
  await forgetItems(deps.db)
  comparison.unknownOrders = await findUnknownOrders(run, { from, to }, seenIds)
  if (comparison.unknownOrders.length > 0)
    deps.log.error({ orders: comparison.unknownOrders }, 'Orders have no payment at SumUp')
  return { ...comparison, ...(lookups.skippedAt && { skippedAt: lookups.skippedAt }) }
}

/** What one comparison needs, and its state. */
type Run = ComparisonDeps & { comparison: Comparison; lookups: Lookups }

/** How many items may still be looked up; items without a reference cost a request each. */
type Lookups = { left: number; failed: number; skippedAt: Date | undefined }

/** Before this the next comparison reads no payment, as SQL. */
export const nextComparisonStart = sql`(select coalesce(
  max(done_until) - make_interval(hours => ${overlapHours}), now() - make_interval(days => ${firstDaysBack}))
  from node_jobs where name = ${jobName})`

/** After a restore also the youngest payments: their sales may be among those that are lost. */
async function getWindow(
  db: Db,
  doneUntil: Date | undefined,
  restoredFrom: Date | undefined,
): Promise<{ from: Date; to: Date }> {
  const { rows } = await db.execute<{ from: string; to: string }>(sql`
    select least(
        coalesce(${doneUntil?.toISOString() ?? null}::timestamptz - make_interval(hours => ${overlapHours}),
          now() - make_interval(days => ${firstDaysBack})),
        ${restoredFrom?.toISOString() ?? null}::timestamptz - make_interval(hours => ${overlapHours})
      )::text as "from",
      (now() - make_interval(mins => ${restoredFrom ? 0 : settlingMinutes}))::text as "to"`)
  return { from: new Date(rows[0]?.from ?? 0), to: new Date(rows[0]?.to ?? 0) }
}

/** Returns the items that need nothing and that nothing here names. */
async function comparePayments(run: Run, items: HistoryItem[]): Promise<HistoryItem[]> {
  const known = await findKnown(
    run.db,
    items.flatMap((item) => idOf(item) ?? []),
  )
  const unknown: UnknownPayment[] = []
  for (const item of items) {
    const id = idOf(item)
    if (id === undefined || known.has(id)) continue
    const texts = await readReferenceTexts(run, id, item)
    if (texts) unknown.push({ id, item, texts })
  }
  const mentioned = await findMentioned(
    run.db,
    unknown.flatMap(({ texts }) => texts),
  )
  const done: HistoryItem[] = []
  for (const payment of unknown) {
    const reference =
      listIds(payment.texts).find((id) => mentioned.has(id)) ??
      findOwnReference(payment.texts, run.secret)
    if (!reference || (await handleOwnPayment(run, payment, reference))) done.push(payment.item)
  }
  return done
}

type UnknownPayment = { id: string; item: HistoryItem; texts: (string | undefined)[] }

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
  const ids = listIds(texts)
  if (ids.length === 0) return new Set()
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from checkouts where id in ${ids}`,
  )
  return new Set(rows.map(({ id }) => id))
}

function listIds(texts: (string | undefined)[]): string[] {
  return texts.flatMap((text) => text?.toLowerCase().match(uuidPattern) ?? [])
}

/**
 * The texts of a payment that may contain the checkout id. Only an item without any is looked up, so other payments of
 * the account cost no request. Undefined if it was not looked up this time.
 */
async function readReferenceTexts(
  run: Run,
  id: string,
  item: HistoryItem,
): Promise<(string | undefined)[] | undefined> {
  const texts = referenceFields(item)
  if (texts.some((text) => text !== undefined)) return texts
  const full = await lookUp(run, id, item)
  return full && referenceFields(full.transaction ?? {})
}

/** Undefined if the item has to wait for the next comparison. */
async function lookUp(
  { sumup, lookups }: Run,
  id: string,
  item: HistoryItem,
): Promise<{ transaction: SumupTransaction | undefined } | undefined> {
  if (lookups.left > 0) {
    lookups.left -= 1
    try {
      return { transaction: await sumup.findTransaction(id) }
    } catch (error) {
      // One transaction that SumUp cannot show must not keep the others from being compared.
      lookups.failed += 1
      if (lookups.failed > maxFailedLookups) throw error
    }
  }
  lookups.skippedAt ??= item.timestamp
  return undefined
}

function referenceFields(
  item: Pick<
    HistoryItem,
    'product_summary' | 'checkout_reference' | 'foreign_transaction_id' | 'client_transaction_id'
  >,
): (string | undefined)[] {
  return [
    item.checkout_reference,
    item.product_summary,
    item.foreign_transaction_id,
    item.client_transaction_id,
  ]
}

/**
 * A payment of this shop without an order: its sale is settled, or it becomes a stray payment for review. Returns
 * whether it needs nothing and nothing here names it: a sale or a stray payment that does is found again by it, and if
 * that row were lost, the payment must not stay forgotten.
 */
async function handleOwnPayment(
  run: Run,
  { id, item }: UnknownPayment,
  reference: string,
): Promise<boolean> {
  const { db, sumup, log, comparison } = run
  const row = await settleReference(run, reference)
  if (row?.state === 'paid' && row.sumupTransactionId === null) {
    await adoptPayment(db, row, id)
    return false
  }
  // It belongs to the sale by now, or the sale has no known payment yet.
  if (row && (row.sumupTransactionId ?? id) === id) return false
  const full = await sumup.findTransaction(id)
  if (full && (full.isRefunded || full.isChargedBack)) return true
  const amount = item.amount ?? full?.amount
  const currency = item.currency ?? full?.currency
  if (amount === undefined || currency === undefined) return false
  const isTest = row?.isTest ?? sumup.isTest()
  if (isTest === undefined) return false
  const reason = row ? 'paid-twice' : 'no-sale'
  const added = await db
    .insert(strayPayments)
    .values({
      reason,
      reference,
      sumupTransactionId: id,
      sumupTransactionCode: item.transaction_code ?? full?.code ?? null,
      merchantCode: sumup.merchantCode,
      isTest,
      amount,
      currency,
      paidAt: item.timestamp ?? sql`now()`,
    })
    .onConflictDoNothing()
    .returning({ id: strayPayments.id })
  if (added.length === 0) return false
  if (!row) comparison.withoutSale += 1
  log.error({ transaction: item.transaction_code ?? id, reason }, 'A payment needs review')
  return false
}

/** Settles the payment's sale if that can still change it. */
async function settleReference(run: Run, reference: string): Promise<CheckoutRow | undefined> {
  const read = await findCheckout(run.db, reference)
  if (!read || isFinal(read.row)) return read?.row
  run.comparison.settled += 1
  const marked = await applyEvent(run, read, { type: 'webhook' })
  const { row } = await settle(run, { row: marked.row, now: read.now })
  return row
}

/** Refunds and chargebacks are items of their own; the total is in the transaction. Returns the recorded items. */
async function recordRefundsAndChargebacks(run: Run, items: HistoryItem[]): Promise<HistoryItem[]> {
  const changes = items.filter(({ type }) => type === 'REFUND' || type === 'CHARGE_BACK')
  const byPayment = Map.groupBy(changes, (item) => item.transaction_id ?? '')
  const recorded: HistoryItem[] = []
  for (const id of await findOrdered(run.db, [...byPayment.keys()])) {
    const itemsOfPayment = byPayment.get(id) ?? []
    const [first] = itemsOfPayment
    const full = first && (await lookUp(run, id, first))
    if (!full?.transaction) continue
    const { refunded, isChargedBack } = full.transaction
    await recordMoneyReturned(run.db, { transactionId: id, refunded, isChargedBack })
    recorded.push(...itemsOfPayment)
  }
  return recorded
}

async function findOrdered(db: Db, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await db.execute<{ id: string }>(
    sql`select sumup_transaction_id as id from orders where sumup_transaction_id in ${ids}`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Orders whose payment SumUp does not have. Times may differ, so each missing one is looked up. What an earlier account
 * was paid, this one cannot know.
 */
async function findUnknownOrders(
  { db, sumup }: ComparisonDeps,
  { from, to }: { from: Date; to: Date },
  seenIds: Set<string>,
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string; transaction: string }>(sql`
    select id, sumup_transaction_id as transaction from orders
    where is_test = ${sumup.isTest() ?? null}::boolean and created_at between ${from.toISOString()}::timestamptz + interval '1 hour' and ${to.toISOString()}::timestamptz
      and sumup_transaction_id is not null and sumup_transaction_id not like 'demo-%'
      and not exists (select from checkouts where checkouts.sumup_checkout_id = orders.sumup_checkout_id
        and merchant_code not in ('', ${sumup.merchantCode}))`)
  const unseen = rows
    .filter(({ transaction }) => !seenIds.has(transaction))
    .slice(0, maxUnknownOrders)
  const unknown: string[] = []
  for (const { id, transaction } of unseen)
    if (!(await sumup.findTransaction(transaction))) unknown.push(id)
  return unknown
}
