import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { claimJob, finishJob, postponeJob } from '#server/db/node-jobs.ts'
import { findRestored, recordComparison } from '#server/db/restored.ts'
import { demoPrefix } from '#server/demo.ts'
import { readPayment, type Flow } from '#server/payments/flow.ts'
import {
  comparePayment,
  compareReturns,
  compareUnknown,
  type Compared,
  type KnownPayment,
} from '#server/payments/history.ts'
import type { HistoryItem, SumupTransaction } from '#server/sumup/answers.ts'
import { ProviderUnavailable, SumupRefusal } from '#server/sumup/http.ts'
import { listPayments } from './record-rows.ts'
import { idOf, isOnlinePayment, isReturn, listPages, repeatFailedReads } from './payment-history.ts'
import { contextOf, runFlow, type CheckoutDeps } from './settle.ts'
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

/** What one comparison needs, and its state. */
type Run = ComparisonDeps & { comparison: Comparison; lookups: Lookups }

/** How many items may still be looked up; items without a reference cost a request each. */
type Lookups = { left: number; skippedAt: Date | undefined; giveUpBefore: Date }

/** An item of the history about a payment that is not known here. */
type UnknownItem = { id: string; item: HistoryItem }

/** One mark for each account: what one has been compared until says nothing of another. */
const jobPrefix = 'comparison'

const jobName = ({ merchantCode, findMode }: ComparisonDeps['sumup']) =>
  `${jobPrefix} ${merchantCode.slice(0, 30)} ${findMode() ?? 'live'}`

const everyMinutes = 60

/** After a restore, until everything since the backup was compared: products whose pieces are counted are not sold before. */
const restoredEveryMinutes = 5

/** Longer than any comparison takes; after a crash another node takes over after this. */
const holdMinutes = 30

/** Payments are listed by their start, and a bank may take long to confirm. */
const overlapHours = 24

const firstDaysBack = 3

/** A younger payment may still be being settled. */
const settlingMinutes = 15

/** Each is a request to SumUp; the rest is looked up next time. */
const maxLookups = 500

/** An item that SumUp cannot show for as long holds nothing up any more. */
const giveUpDays = 3

const maxUnknownOrders = 50

/** Runs unless a node has done so in the last hour or is doing it, or nobody knows whether the payments are tests. */
export async function compareIfDue(deps: ComparisonDeps): Promise<Comparison | undefined> {
  if (deps.sumup.findMode() === undefined) return undefined
  const claimed = await claimJob(deps.db, jobName(deps.sumup), holdMinutes)
  if (!claimed) return undefined
  const restoredFrom = await findUncompared(deps)
  try {
    const compared = await compareWithHistory(deps, claimed.doneUntil, restoredFrom)
    const { skippedAt, ...done } = compared
    if (restoredFrom) await recordComparison(deps.db, done, skippedAt === undefined)
    await finishJob(deps.db, jobName(deps.sumup), {
      doneUntil: skippedAt ?? claimed.now,
      dueInMinutes: dueIn(restoredFrom, skippedAt),
    })
    return done
  } catch (error) {
    if (restoredFrom) await postponeJob(deps.db, jobName(deps.sumup), restoredEveryMinutes)
    throw error
  }
}

function dueIn(restoredFrom: Date | undefined, skippedAt: Date | undefined): number {
  if (!restoredFrom) return everyMinutes
  return skippedAt ? restoredEveryMinutes : settlingMinutes
}

/** The time of the backup that was restored, until payments since then were compared. */
async function findUncompared(deps: ComparisonDeps): Promise<Date | undefined> {
  const restored = await findRestored(deps.db)
  if (!restored || restored.comparedAt !== null) return undefined
  const { backupAt } = restored
  if (await isAccountOfSales(deps)) return backupAt
  const { merchantCode } = deps.sumup
  deps.log.warn(
    { merchantCode, backup: backupAt },
    'Payments since the restored backup are not looked for: SUMUP_API_KEY and SUMUP_MERCHANT_CODE are not those of its sales',
  )
  return undefined
}

/**
 * Whether the account in use is the one that took the payments before the restore. Another one, such as that of test mode while
 * `.env` is missing, knows nothing of the payments since. What the restored shop sells itself says nothing of that.
 */
export async function isAccountOfSales({
  db,
  sumup,
}: {
  db: Db
  sumup: Pick<ComparisonDeps['sumup'], 'merchantCode' | 'findMode'>
}): Promise<boolean> {
  const { rows } = await db.execute<{ merchantCode: string | null; hasOrders: boolean }>(sql`
    with of_backup as (select restored_at from restored_backups)
    select (select merchant_code from checkouts
        where not is_test and merchant_code <> '' and created_at < (select restored_at from of_backup)
        order by created_at desc limit 1) as "merchantCode",
      exists (select from orders where not is_test and sumup_transaction_id not like ${`${demoPrefix}%`}
        and created_at < (select restored_at from of_backup)) as "hasOrders"`)
  const { merchantCode = null, hasOrders = false } = rows[0] ?? {}
  const isSameAccount = merchantCode === null || merchantCode === sumup.merchantCode
  const wereTests = merchantCode === null && !hasOrders
  return wereTests || (isSameAccount && sumup.findMode() !== 'test')
}

/** `restoredFrom` is the time of the backup that this database was restored from, if that was not compared yet. */
export async function compareWithHistory(
  deps: ComparisonDeps,
  doneUntil?: Date,
  restoredFrom?: Date,
): Promise<Comparison> {
  const { from, to, giveUpBefore } = await getWindow(deps.db, doneUntil, restoredFrom)
  const comparison: Comparison = { items: 0, settled: 0, withoutSale: 0, unknownOrders: [] }
  const lookups: Lookups = { left: maxLookups, skippedAt: undefined, giveUpBefore }
  const sumup = repeatFailedReads(deps.sumup, deps.retryDelaysMs)
  const run: Run = { ...deps, sumup, comparison, lookups }
  const seenIds = new Set<string>()
  const returns: HistoryItem[] = []
  for await (const items of listPages(run, from, to)) {
    comparison.items += items.length
    const paid = items.filter(isOnlinePayment)
    for (const item of paid) seenIds.add(idOf(item) ?? '')
    returns.push(...items.filter(isReturn))
    await comparePayments(run, paid)
  }
  await comparePaymentReturns(run, returns)
  comparison.unknownOrders = await findUnknownOrders(run, { from, to }, seenIds)
  return { ...comparison, ...(lookups.skippedAt && { skippedAt: lookups.skippedAt }) }
}

/** After a restore also the youngest payments: their sales may be among those that are lost. */
async function getWindow(
  db: Db,
  doneUntil: Date | undefined,
  restoredFrom: Date | undefined,
): Promise<{ from: Date; to: Date; giveUpBefore: Date }> {
  const { rows } = await db.execute<{ from: string; to: string; old: string }>(sql`
    select least(
        coalesce(${doneUntil?.toISOString() ?? null}::timestamptz - make_interval(hours => ${overlapHours}),
          now() - make_interval(days => ${firstDaysBack})),
        ${restoredFrom?.toISOString() ?? null}::timestamptz - make_interval(hours => ${overlapHours})
      )::text as "from",
      (now() - make_interval(mins => ${restoredFrom ? 0 : settlingMinutes}))::text as "to",
      (now() - make_interval(days => ${giveUpDays}))::text as old`)
  const [window] = rows
  return {
    from: new Date(window?.from ?? 0),
    // The end is not included, and a Date ends at milliseconds: what was paid in this one is.
    to: new Date(Date.parse(window?.to ?? '') + 1),
    giveUpBefore: new Date(window?.old ?? 0),
  }
}

/** Payments of ours among these; an item without an id is known by its code. */
export async function listKnown(db: Db, items: HistoryItem[]): Promise<KnownPayment[]> {
  const ids = items.flatMap((item) => idOf(item) ?? [])
  const codes = items.flatMap((item) => (idOf(item) ? [] : (item.transaction_code ?? [])))
  const found = await listPayments(db, sql`transaction_id = any(${sql.param(ids)}::text[])`)
  const byCode =
    codes.length > 0
      ? await listPayments(db, sql`transaction_code = any(${sql.param(codes)}::text[])`)
      : []
  const all = [...found, ...byCode].map((one) => ({ ...one, recordId: one.saleId ?? one.id }))
  return [...new Map(all.map((one) => [one.id, one])).values()]
}

/** Looks at what is known, and for what is not known although it is ours. */
async function comparePayments(run: Run, items: HistoryItem[]): Promise<void> {
  const known = await listKnown(run.db, items)
  const unknown: UnknownItem[] = []
  for (const item of items) {
    const id = idOf(item)
    const payment = known.find(({ transactionId }) => transactionId === id)
    if (payment)
      await compareOne(run, item, (mayAsk) => comparePayment(contextOf(run), payment, item, mayAsk))
    else if (id !== undefined) unknown.push({ id, item })
  }
  await findOwnPayments(run, unknown)
}

/** Refunds and chargebacks are items of their own. */
async function comparePaymentReturns(run: Run, items: HistoryItem[]): Promise<void> {
  for (const payment of await listKnown(run.db, items)) {
    const own = items.filter((item) =>
      item.transaction_id
        ? item.transaction_id === payment.transactionId
        : item.transaction_code === payment.transactionCode,
    )
    await compareOne(run, own[0], (mayAsk) => compareReturns(contextOf(run), payment, own, mayAsk))
  }
}

/**
 * Orders whose payment SumUp does not have, which the owner is told of. Times may differ, so each missing one is looked up.
 * What an earlier account was paid, this one cannot know.
 */
async function findUnknownOrders(
  run: Run,
  { from, to }: { from: Date; to: Date },
  seenIds: Set<string>,
): Promise<string[]> {
  const { db, sumup } = run
  const { rows } = await db.execute<{
    id: string
    payment: string
    recordId: string
    transaction: string
  }>(sql`
    select orders.id, paid.id as payment, coalesce(paid.sale_id, paid.id) as "recordId",
      paid.transaction_id as transaction
    from orders join payments as paid on paid.transaction_id = orders.sumup_transaction_id
    where orders.is_test = (${sumup.findMode() ?? null}::text = 'test') and paid.merchant_code in ('', ${sumup.merchantCode})
      and orders.created_at between ${from.toISOString()}::timestamptz + interval '1 hour'
        and ${to.toISOString()}::timestamptz`)
  const unseen = rows
    .filter(({ transaction }) => !seenIds.has(transaction))
    .slice(0, maxUnknownOrders)
  const unknown: string[] = []
  for (const { id, payment, recordId } of unseen) {
    const { result: read } = await runFlow(run, readPayment(contextOf(run), recordId, payment))
    if (typeof read === 'object' && read.result === 'missing') unknown.push(id)
  }
  if (unknown.length > 0) run.log.error({ orders: unknown }, 'Orders have no payment at SumUp')
  return unknown
}

/** The part for payments that are not known here: which ones are of this shop, and what becomes of those. */

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

type UnknownPayment = UnknownItem & { texts: (string | undefined)[] }

/** Settles the sales of those that are ours, or shows them to the owner. */
async function findOwnPayments(run: Run, items: UnknownItem[]): Promise<void> {
  const unknown: UnknownPayment[] = []
  for (const { id, item } of items) {
    if (isForeign(run, id)) continue
    const texts = await readReferenceTexts(run, id, item)
    if (texts) unknown.push({ id, item, texts })
  }
  const mentioned = await findMentioned(
    run.db,
    unknown.flatMap(({ texts }) => texts),
  )
  for (const payment of unknown) {
    const reference =
      listIds(payment.texts).find((id) => mentioned.has(id)) ??
      findOwnReference(payment.texts, run.secret)
    if (reference) await compareOwn(run, { ...payment, reference })
    else rememberForeign(run, payment.id)
  }
}

/** Payments of others on the same account, as long as this process runs: each costs a look-up. */
const foreignPayments = new Map<string, Set<string>>()

const maxForeign = 20_000

function isForeign({ sumup }: Run, id: string): boolean {
  return foreignPayments.get(sumup.merchantCode)?.has(id) ?? false
}

function rememberForeign({ sumup }: Run, id: string): void {
  const known = foreignPayments.get(sumup.merchantCode) ?? new Set()
  if (known.size >= maxForeign) known.clear()
  foreignPayments.set(sumup.merchantCode, known.add(id))
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

/** Undefined if the item has to wait for the next comparison. One that SumUp cannot show does not keep the others back. */
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
      if (!(error instanceof ProviderUnavailable || error instanceof SumupRefusal)) throw error
      if (isGivenUp(lookups, item)) return { transaction: undefined }
    }
  }
  skip(lookups, item)
  return undefined
}

/** Whether SumUp could not show it for so long that nobody asks again. */
function isGivenUp({ giveUpBefore }: Lookups, { timestamp }: HistoryItem): boolean {
  return timestamp !== undefined && timestamp < giveUpBefore
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

/** A payment of this shop that is not known here. */
async function compareOwn(run: Run, payment: UnknownItem & { reference: string }): Promise<void> {
  const { merchantCode, findMode } = run.sumup
  const account = { merchantCode, mode: findMode() }
  await compareOne(run, payment.item, (mayAsk) =>
    compareUnknown(contextOf(run), payment, account, mayAsk),
  )
}

/** Runs the comparison of one payment, and counts what it took. `item`: the first of those about the payment. */
async function compareOne(
  run: Run,
  item: HistoryItem | undefined,
  compare: (mayAsk: boolean) => Flow<Compared>,
): Promise<void> {
  const { comparison, lookups } = run
  const { result } = await runFlow(run, compare(lookups.left > 0))
  if (result.isAsked) lookups.left -= 1
  if (result.hasSettled) comparison.settled += 1
  if (result.isNew) comparison.withoutSale += 1
  if (item && result.isUnread && !(result.isAsked && isGivenUp(lookups, item))) skip(lookups, item)
}

/** Leaves an item for the next comparison, which begins with it. */
function skip(lookups: Lookups, { timestamp }: HistoryItem): void {
  const { skippedAt = timestamp } = lookups
  lookups.skippedAt = timestamp && skippedAt && timestamp < skippedAt ? timestamp : skippedAt
}
