import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { Flow } from '#server/payments/flow.ts'
import { compareUnknown, type Compared } from '#server/payments/history.ts'
import type { HistoryItem, SumupTransaction } from '#server/sumup/answers.ts'
import { ProviderUnavailable, SumupRefusal } from '#server/sumup/http.ts'
import { contextOf, runFlow, type CheckoutDeps } from './settle.ts'
import { findOwnReference } from './signatures.ts'

/** Which payments of SumUp's history are of this shop although nothing here knows them, and what becomes of those. */

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
export type Run = ComparisonDeps & { comparison: Comparison; lookups: Lookups }

/** How many items may still be looked up; items without a reference cost a request each. */
export type Lookups = { left: number; skippedAt: Date | undefined; giveUpBefore: Date }

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** An item of the history about a payment that is not known here. */
export type UnknownItem = { id: string; item: HistoryItem }

type UnknownPayment = UnknownItem & { texts: (string | undefined)[] }

/** Settles the sales of those that are ours, or shows them to the owner. */
export async function findOwnPayments(run: Run, items: UnknownItem[]): Promise<void> {
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
export async function compareOne(
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
