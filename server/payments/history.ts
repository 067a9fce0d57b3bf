import type { Mode } from '#contract/mode.ts'
import type { HistoryItem } from '#server/sumup/answers.ts'
import { hasSale, isSettled, type SaleRecord, type Payment } from './record.ts'
import {
  ask,
  changeSale,
  decideWebhook,
  load,
  readPayment,
  recordFacts,
  write,
  type Context,
  type Flow,
  type Settled,
} from './flow.ts'
import {
  factsOfItem,
  factsOfTransaction,
  notAsked,
  observe,
  returnsOfItems,
  type PaymentFacts,
} from './observe.ts'
import { reconcile } from './reconcile.ts'

/** The comparison with SumUp's history: flows that bring what its items say into our payments. */

export type KnownPayment = Payment & { recordId: string }

/** What the comparison of one payment needed, and did. */
export type Compared = {
  /** Whether its transaction was asked for, and whether it still has to be read. */
  isAsked: boolean
  isUnread: boolean
  /** Whether its sale was settled because of it. */
  hasSettled: boolean
  /** Whether the owner must know of it, who did not yet. */
  isNew: boolean
}

const nothing: Compared = { isAsked: false, isUnread: false, hasSettled: false, isNew: false }

/** Compares a payment that is known: perhaps not that it was taken, or given back. `mayAsk`: for its transaction. */
export function* comparePayment(
  context: Context,
  known: KnownPayment,
  item: HistoryItem,
  mayAsk: boolean,
): Flow<Compared> {
  const facts = factsOfItem(known.transactionId, item)
  const hasReturned = tellsMore(known, { ...facts, ...returnsOfItems([item], known) }, returned)
  if (!hasReturned && !tellsMore(known, facts, said)) return nothing
  yield* recordFacts(known.recordId, facts, context.createId)
  const isUnread = yield* readReturned(context, known, mayAsk)
  const { hasSettled } = yield* settleReference(known.recordId)
  return { ...nothing, isAsked: mayAsk, isUnread: isUnread && hasReturned, hasSettled }
}

/** Refunds and chargebacks are items of their own; the totals are in the transaction. */
export function* compareReturns(
  context: Context,
  known: KnownPayment,
  items: HistoryItem[],
  mayAsk: boolean,
): Flow<Compared> {
  const facts = { transactionId: known.transactionId, ...returnsOfItems(items, known) }
  const isPending = items.some(({ status }) => status === 'PENDING') && !known.isRefundPending
  if (!isPending && !tellsMore(known, facts, returned)) return nothing
  const isUnread = yield* readReturned(context, known, mayAsk)
  return { ...nothing, isAsked: mayAsk, isUnread }
}

const said = ['status', 'amount', 'conflict', 'method'] as const
const returned = ['refunded', 'chargedBack'] as const

function tellsMore(
  known: Payment,
  facts: PaymentFacts,
  names: typeof said | typeof returned,
): boolean {
  const after = observe(known, facts, known, new Date(0))
  return names.some((name) => known[name] !== after[name])
}

/** Returns whether the transaction still has to be read. */
function* readReturned(
  context: Context,
  { recordId, id }: KnownPayment,
  mayAsk: boolean,
): Flow<boolean> {
  if (!mayAsk) return true
  const read = yield* readPayment(context, recordId, id)
  if (typeof read !== 'object') return read === 'stale'
  return read.result === 'unread' || read.result === 'forbidden'
}

/** Settles the payment's sale if that can still change it. */
function* settleReference(
  reference: string,
): Flow<{ record: SaleRecord | undefined; hasSettled: boolean }> {
  const loaded = yield* load(reference)
  if (!loaded || !hasSale(loaded.record) || isSettled(loaded.record))
    return { record: loaded?.record, hasSettled: false }
  const { now } = loaded
  const due = yield* changeSale(reference, (one) => decideWebhook(one.record, one.now), {
    record: loaded.record,
    now,
  })
  if (!due) return { record: undefined, hasSettled: true }
  const settled: Settled = yield { type: 'settle', loaded: { record: due.record, now } }
  return { record: settled.record, hasSettled: true }
}

/** The account whose history it is. */
type Account = { merchantCode: string; mode: Mode | undefined }

/** Settles the sale of a payment that is not known here. Without a sale, the owner is asked about the payment. */
export function* compareUnknown(
  context: Context,
  { id, item, reference }: { id: string; item: HistoryItem; reference: string },
  account: Account,
  mayAsk: boolean,
): Flow<Compared> {
  const { record, hasSettled } = yield* settleReference(reference)
  if (record?.payments.some(({ transactionId }) => transactionId === id))
    return { ...nothing, hasSettled }
  const full = mayAsk ? yield* ask({ call: 'transaction', transactionId: id }) : 'unread'
  const compared: Compared = {
    isAsked: mayAsk,
    isUnread: full === 'unread' || full === 'forbidden',
    hasSettled,
    isNew: false,
  }
  const facts: PaymentFacts = {
    ...factsOfItem(id, item),
    ...(typeof full !== 'string' && dropUnknown(factsOfTransaction(full))),
  }
  if (record?.sale) {
    yield* recordFacts(record.sale.id, facts, context.createId)
    return compared
  }
  const { merchantCode, mode } = account
  if (mode === undefined || facts.status === 'failed') return compared
  const isNew = yield* addPayment(context, facts, { merchantCode, isTest: mode === 'test' })
  return { ...compared, isNew }
}

function dropUnknown(facts: PaymentFacts): PaymentFacts {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known) as PaymentFacts
}

/** Stores a payment whose sale is lost. Returns whether the owner must know, who did not yet. */
function* addPayment(
  { createId }: Context,
  facts: PaymentFacts,
  account: { merchantCode: string; isTest: boolean },
): Flow<boolean> {
  const now: Date = yield { type: 'clock' }
  const owner = { id: createId(facts.transactionId), saleId: null, ...account }
  const payment = observe(undefined, facts, owner, now)
  const none: SaleRecord = {
    sale: undefined,
    payments: [],
    refunds: [],
    questions: [],
    order: undefined,
  }
  const decision = reconcile(none, { ...none, payments: [payment] }, notAsked, now)
  const { type } = yield* write({ record: none, now }, decision)
  return type === 'written' && decision.after.questions.length > 0
}
