import { isDeepStrictEqual } from 'node:util'
import { maxUnseenCardMs } from '#contract/checkouts.ts'
import type { CheckoutDetails, Chosen } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import {
  failedOf,
  isAgreed,
  isEveryCardDeclined,
  isHolding,
  isKept,
  hasSale,
  openRefundOf,
  pendingOf,
  reasonOf,
  saleQuestion,
  statusOf,
  unchanged,
  withSale,
  type Decision,
  type Loaded,
  type Sale,
  type RecordWithSale,
} from './record.ts'
import {
  changeSale,
  decideOpened,
  end,
  load,
  type Context,
  type Created,
  type Flow,
  type SaleKey,
  type Settled,
} from './flow.ts'
import { isOurs } from './observe.ts'
import { clearQuestion } from './question.ts'
import {
  addMs,
  firstCheckMs,
  isOlder,
  minute,
  priorities,
  second,
  unseenHoldMs,
} from './schedule.ts'

/** What a buyer's browser asks for: a form, saving details before a card, starting over. */

/** Asks SumUp about a sale. Calls at the same time share the answer. */
function* settleShared(loaded: Loaded<RecordWithSale>): Flow<Settled> {
  return yield { type: 'settle', loaded }
}

function* findEarlier(saleKey: SaleKey, isPage: boolean): Flow<Loaded<RecordWithSale> | undefined> {
  return yield { type: 'find-earlier', saleKey, isPage }
}

/** Whether another node has changed the account since this work began. */
function* isOtherAccount(): Flow<boolean> {
  return yield { type: 'check-account' }
}

const checkoutFacts = ({ sumupCheckoutId }: Sale) => ({ checkoutId: sumupCheckoutId ?? '' })
const orderFacts = ({ order }: RecordWithSale) => (order ? { orderId: order.id } : {})

/** Why the product is not sold at the moment, or not at this price. */
export type OffSale = 'product-paused' | 'product-missing' | 'sold-out' | 'code-used-up'

/** `isPage`: one of our own pages asks. */
type Circumstances = { offSale: OffSale | undefined; isPage: boolean }

/** What a browser wants to pay, and on which terms. `isNewBuyer`: there can be no earlier sale. */
type FormRequest = {
  saleKey: SaleKey
  /** What an earlier form must have to be shown again. */
  wanted: Pick<
    Sale,
    'amount' | 'currency' | 'terms' | 'discountCodeId' | 'shownVersion' | 'hasReturnUrl'
  >
  isNewBuyer: boolean
  isPage: boolean
  offSale: OffSale | undefined
}

/**
 * The form of a buyer: the one their browser has, or a new one, stored before SumUp is called. For a page (`isPage`) an
 * order counts as known once its thank-you page was seen: the tab that asked for the order may have been closed before the
 * response arrived. Other clients have no such page. A product that is not sold now gets no form, but what is known about
 * an earlier card is told as ever.
 */
export function* openForm(
  context: Context,
  { saleKey, wanted, isNewBuyer, isPage, offSale }: FormRequest,
): Flow<{ sale: Sale; checkoutId: string }> {
  const earlier = isNewBuyer ? undefined : yield* findEarlier(saleKey, isPage)
  const usable = earlier && (yield* reuseOrEnd(context, earlier, wanted))
  if (offSale) throw new Refusal(offSale)
  const known = usable?.record.sale
  if (known?.sumupCheckoutId) return { sale: known, checkoutId: known.sumupCheckoutId }
  const added: Loaded<RecordWithSale> = usable ?? (yield { type: 'insert' })
  const { sale } = added.record
  const checkoutId = yield* createAtSumup(sale)
  const opened = yield* changeSale(sale.id, ({ record }) => decideOpened(record, checkoutId), added)
  if (!opened) throw new Refusal('payment-missing')
  return { sale, checkoutId }
}

function* create(sale: Sale): Flow<Created> {
  return yield { type: 'create', sale }
}

function* createAtSumup(sale: Sale): Flow<string> {
  const created = yield* create(sale)
  if (created.type === 'refused') throw new Refusal('price-not-payable', { cause: created.cause })
  if (created.type === 'created' && isOurs(sale, created.checkout)) return created.checkout.id
  const cause =
    created.type === 'created'
      ? new Error('SumUp created a checkout with other values')
      : created.cause
  throw new Refusal('payments-away', { cause, retryAfter: 5 })
}

/** How much time a form must have left to be offered again. */
const marginMs = 5 * minute

/**
 * Whether a row has the current price, agreed for the same, and enough time left to type a card. SumUp must know a way back
 * where the page may be left now, and none where it is not.
 */
function isReusable(sale: Sale, now: Date, wanted: FormRequest['wanted']): boolean {
  const remainingMs = sale.validUntil.getTime() - now.getTime()
  const isValid = remainingMs > (sale.state === 'submitted' ? 0 : marginMs)
  const isSamePrice = sale.amount === wanted.amount && sale.currency === wanted.currency
  const isSameWayBack = sale.hasReturnUrl === wanted.hasReturnUrl
  // A code of the same name may be another one.
  const isSameCode = sale.discountCodeId === wanted.discountCodeId
  const areSameTerms = isSameCode && isDeepStrictEqual(sale.terms, wanted.terms)
  // An order is about what its page showed.
  const isSameProduct = sale.shownVersion === wanted.shownVersion
  return isValid && isSamePrice && isSameProduct && isSameWayBack && areSameTerms
}

/** Before a new form the earlier one is reused or ended: if both could be paid, sometimes both would be. */
function* reuseOrEnd(
  context: Context,
  earlier: Loaded<RecordWithSale>,
  wanted: FormRequest['wanted'],
): Flow<Loaded<RecordWithSale> | undefined> {
  const { now } = earlier
  const { sale } = earlier.record
  const isUnused = sale.state === 'created' || sale.state === 'open'
  const isOurAccount = context.isOwn(sale)
  if (isUnused) {
    if (isOurAccount && isReusable(sale, now, wanted)) return earlier
    // Another node may have changed the account a moment ago: two forms at two accounts could both be paid.
    if (!isOurAccount && (yield* isOtherAccount())) throw new Refusal('mode-changed')
    // Another tab may still show it, perhaps at another price.
    const isValid = isOurAccount && sale.validUntil > now
    return isValid ? yield* endForm(context, sale) : undefined
  }
  const { status, record } = yield* settleShared(earlier)
  const facts = checkoutFacts(sale)
  switch (status.state) {
    case 'paid':
      throw new Refusal('already-paid', { facts: orderFacts(record) })
    case 'review':
      throw new Refusal('payment-in-review', { facts: { ...facts, reason: status.reason } })
    case 'at-bank':
      throw new Refusal('card-at-bank', { facts })
    case 'too-many-cards':
    case 'closed':
      return yield* endForm(context, record.sale)
    case 'waiting':
      // Where SumUp cannot be asked, the page follows the card that may be charged. If every card was declined, none may.
      if (status.reason === 'unreachable' && isEveryCardDeclined(record))
        throw new Refusal('payments-away', { retryAfter: 5 })
      if (status.reason !== 'no-card') throw new Refusal('card-under-way', { facts })
      break
    case 'declined':
    case 'open':
  }
  return isReusable(record.sale, now, wanted)
    ? { record, now }
    : yield* endForm(context, record.sale)
}

/** Ends a form at SumUp and here; refuses while SumUp's word is not that it is over. */
function* endForm(context: Context, sale: Sale): Flow<undefined> {
  if (sale.state === 'closed' || !sale.sumupCheckoutId) return undefined
  const ended = yield* end(context, sale)
  if (!ended) throw new Refusal('payment-missing')
  // Others kept changing it: the page goes on following it.
  if (ended === 'stale') throw new Refusal('card-under-way', { facts: checkoutFacts(sale) })
  assertUnpaid(ended)
  if (ended.record.sale.state === 'closed') return undefined
  // Without SumUp there is no new form either.
  if (ended.isUnreachable) throw new Refusal('payments-away', { retryAfter: 5 })
  const code = ended.status.state === 'at-bank' ? 'card-at-bank' : 'card-under-way'
  throw new Refusal(code, { facts: checkoutFacts(sale) })
}

function assertUnpaid({ status, record }: Settled): void {
  if (status.state === 'paid') throw new Refusal('already-paid', { facts: orderFacts(record) })
  if (status.state === 'review')
    throw new Refusal('payment-in-review', {
      facts: { reason: status.reason, ...checkoutFacts(record.sale) },
    })
}

type NewDetails = {
  details: CheckoutDetails
  /** Undefined where there is nothing to choose. */
  chosen?: Chosen | undefined
  formId: string
  pressId?: string
  /** The card of the details before never left the page: the form itself refused it. */
  isCardUnsent?: boolean
  /** A card follows: a piece and a use of the code are reserved with the details. */
  isForCard?: boolean
}

/**
 * Saves contact and delivery before any card: from here on the server can finish the sale alone. Once a card may be in
 * progress SumUp is asked first, and its details are not replaced by a second tab. A form of an account that the shop no
 * longer uses is closed, before anybody pays there.
 */
export function* saveDetails(
  context: Context,
  loaded: Loaded<RecordWithSale>,
  given: NewDetails,
  { offSale, isPage }: Circumstances,
): Flow<void> {
  const { sale } = loaded.record
  const isFresh = sale.state === 'open' && context.isOwn(sale)
  const current = isFresh ? loaded : yield* settleFirst(loaded, given)
  assertTakesDetails(current.record)
  assertOnSale(current.record, offSale)
  assertAgreed(current.record, given)
  const saved = yield* writeDetails(current, given, isPage)
  const { sale: after } = saved
  if (after.state === 'submitted' && after.formId === given.formId) return
  // Another form was faster: the sale is over, or its card is in progress.
  assertTakesDetails(saved)
  throw new Refusal('card-under-way', { facts: checkoutFacts(after) })
}

function* settleFirst(
  loaded: Loaded<RecordWithSale>,
  { details, chosen, formId }: NewDetails,
): Flow<Loaded<RecordWithSale>> {
  const { record, status } = yield* settleShared(loaded)
  const { sale } = record
  const facts = checkoutFacts(sale)
  if (status.state === 'paid') throw new Refusal('already-paid', { facts: orderFacts(record) })
  // SumUp takes no card on it any more.
  if (status.state === 'closed') throw new Refusal('checkout-expired')
  if (status.state === 'at-bank') throw new Refusal('card-under-way', { facts })
  if (status.state === 'waiting' && status.reason === 'unclear')
    throw new Refusal('card-under-way', { facts })
  // Without an answer of SumUp only the same page may try again, with the same details.
  const isRepeated =
    sale.formId === formId &&
    isDeepStrictEqual(sale.details, details) &&
    sale.chosen?.choice.id === chosen?.choice.id
  if (status.state === 'waiting' && status.reason === 'unreachable' && !isRepeated)
    throw new Refusal('payments-away', { retryAfter: 2 })
  const current = yield* load(sale.id)
  if (!current || !hasSale(current.record)) throw new Refusal('payment-missing')
  if (blocksDetails(current.record, formId, current.now))
    throw new Refusal('card-under-way', { facts })
  return { ...current, record: current.record }
}

/** Saves details without asking SumUp. Refuses if another sale of the same browser is paid, in review or under way. */
function* writeDetails(
  first: Loaded<RecordWithSale>,
  given: NewDetails,
  isPage: boolean,
): Flow<RecordWithSale> {
  const { sale } = first.record
  const result = yield* changeSale(
    sale.id,
    ({ record, now }) => decideDetails(record, given, now),
    first,
    sale.state === 'review' ? undefined : { isPage },
  )
  if (!result) throw new Refusal('payment-missing')
  if (result.written.type === 'other-card') throw yield* describeOther(sale, isPage)
  return result.record
}

/** Names the sale that is in the way, so that the page can switch to it. */
function* describeOther(sale: Sale, isPage: boolean): Flow<Refusal> {
  const other = yield* findEarlier(sale, isPage)
  const state = other?.record.sale.state
  const facts = other ? checkoutFacts(other.record.sale) : { checkoutId: '' }
  if (other && state === 'paid')
    return new Refusal('already-paid', { facts: { ...facts, ...orderFacts(other.record) } })
  if (other && state === 'review')
    return new Refusal('payment-in-review', {
      facts: { ...facts, reason: reasonOf(saleQuestion(other.record)) },
    })
  return new Refusal('card-under-way', { facts })
}

function assertTakesDetails(record: RecordWithSale): void {
  const { sale } = record
  if (sale.hasTooManyCards) throw new Refusal('too-many-cards')
  if (sale.state === 'open' || sale.state === 'submitted') return
  if (sale.state === 'review' && lacksDetailsOnly(record)) return
  if (sale.state === 'paid') throw new Refusal('already-paid')
  if (sale.state === 'created' || sale.state === 'closed') throw new Refusal('checkout-expired')
  const status = statusOf(record)
  const reason = 'reason' in status ? status.reason : ''
  throw new Refusal('payment-in-review', { facts: { reason, ...checkoutFacts(sale) } })
}

function assertOnSale({ sale }: RecordWithSale, offSale: OffSale | undefined): void {
  // What is in review is paid already, and only lacks where to send it.
  if (offSale && sale.state !== 'review') throw new Refusal(offSale)
}

/** The price holds only for where it was agreed to go. */
function assertAgreed({ sale }: RecordWithSale, { details }: NewDetails): void {
  if (!isAgreed(sale, details)) throw new Refusal('terms-changed')
}

/**
 * The buyer sends contact and delivery, right before a card: with them the server can finish the sale alone. Those of a
 * card in progress are frozen; the caller has asked SumUp before it saves others.
 */
function decideDetails(record: RecordWithSale, given: NewDetails, now: Date): Decision {
  const { sale } = record
  const isMissingOnly = sale.state === 'review' && lacksDetailsOnly(record)
  const takesDetails = sale.state === 'open' || sale.state === 'submitted' || isMissingOnly
  if (!takesDetails || blocksDetails(record, given.formId, now)) return unchanged(record)
  const after = withSale(clearQuestion(record, sale.id, now), {
    state: 'submitted',
    // What was chosen before counts no more, also if there is nothing to choose any more.
    chosen: given.chosen ?? null,
    details: given.details,
    detailsAt: now,
    formId: given.formId,
    pressId: given.pressId ?? '',
    submits: countSubmits(record, given, now),
    ...reserve(record, given, now),
    startedAt: sale.startedAt ?? now,
    expiredSince: null,
    checks: 0,
    priority: priorities.fresh,
    nextCheckAt: addMs(now, firstCheckMs),
  })
  return { after, status: statusOf(after) }
}

/** Whether the saved details may not be replaced, because their card may be in progress. */
function blocksDetails(record: RecordWithSale, formId: string, now: Date): boolean {
  const { sale } = record
  if (sale.state !== 'submitted' || !sale.detailsAt) return false
  if (pendingOf(record).length > 0) return true
  const isHeld = !isOlder(sale.detailsAt, maxUnseenCardMs, now)
  return sale.formId !== formId && isHeld && !isEveryCardDeclined(record)
}

/**
 * Another value is another piece, and no new hold: the one before is free again. Pay now holds anew what was held for
 * minutes without a card: each time counts, or a few forms would hold for ever.
 */
function reserve(
  { sale, payments }: RecordWithSale,
  { isForCard, chosen }: NewDetails,
  now: Date,
): Pick<Sale, 'heldAt' | 'holds'> {
  const { heldAt, holds, detailsAt } = sale
  // What is in review is paid: there is no card to reserve anything for.
  if (!isForCard || sale.state === 'review') {
    const isSameValue = sale.chosen?.choice.id === chosen?.choice.id
    return { heldAt: isSameValue ? heldAt : null, holds }
  }
  const hasTriedCard = payments.some(({ foundAt }) => detailsAt !== null && foundAt >= detailsAt)
  const isOver = heldAt !== null && !hasTriedCard && isOlder(heldAt, unseenHoldMs, now)
  return isHolding(sale) && !isOver ? { heldAt, holds } : { heldAt: now, holds: holds + 1 }
}

/**
 * How many cards may have been sent with this one. An earlier one that SumUp has never shown counts, unless it never left
 * the page, or SumUp was read so long after it that it would have been there.
 */
function countSubmits(record: RecordWithSale, given: NewDetails, now: Date): number {
  const { sale } = record
  if (sale.submits === 0) return 1
  if (given.isCardUnsent || isRepeated(record, given, now)) return sale.submits
  const isRead =
    sale.unreadSince === null && sale.detailsAt && isOlder(sale.detailsAt, maxUnseenCardMs, now)
  const failed = failedOf(record).length
  // One press may have failed twice, where the widget lets a buyer try again.
  return isRead ? failed + 1 : Math.max(sale.submits, failed) + 1
}

/** Nobody enters two cards within this time. For senders that do not name the press. */
const repeatMs = 2 * second

/** Whether a request is repeated, by a double click or because its answer was lost: no other card is sent with it. */
function isRepeated(record: RecordWithSale, { formId, pressId }: NewDetails, now: Date): boolean {
  const { sale } = record
  if (sale.formId !== formId || sale.detailsAt === null) return false
  if (pressId && sale.pressId) return sale.pressId === pressId
  return !isOlder(sale.detailsAt, repeatMs, now) && !isEveryCardDeclined(record)
}

/**
 * A buyer gives up on a card that may be at the bank. There is a new form only after SumUp confirmed that the old
 * one cannot be charged any more.
 */
export function* startOver(context: Context, loaded: Loaded<RecordWithSale>): Flow<void> {
  const settled = yield* settleShared(loaded)
  assertUnpaid(settled)
  const { status } = settled
  const { sale } = settled.record
  if (status.state === 'waiting' && status.reason === 'unreachable')
    throw new Refusal('payments-away', { retryAfter: 5 })
  // The end is not confirmed yet: a card may be hidden behind the expiry.
  if (status.state === 'waiting' && sale.expiredSince)
    throw new Refusal('card-under-way', { facts: checkoutFacts(sale) })
  yield* endForm(context, sale)
}

/** The rare ways of details follow: they come with the order, or after the payment. */

/** Saves details that come with the order itself. Of a product that is not sold now, only what was paid is an order. */
export function* addDetails(
  loaded: Loaded<RecordWithSale>,
  given: NewDetails,
  { offSale, isPage }: Circumstances,
): Flow<RecordWithSale> {
  const { record } = offSale ? yield* settleShared(loaded) : loaded
  assertOnSale(record, offSale)
  assertAgreed(record, given)
  return yield* writeDetails({ ...loaded, record }, given, isPage)
}

/**
 * The sale, if it is paid and lacks only details that can be acted on. SumUp is asked: a buyer may have paid before the
 * shop knows of it.
 */
export function* findPaidWithoutDetails(
  loaded: Loaded<RecordWithSale>,
): Flow<Loaded<RecordWithSale> | undefined> {
  const { sale } = loaded.record
  // A payment with details is an order.
  if (sale.details && !lacksDetailsOnly(loaded.record)) return undefined
  const { record, now } = yield* settleShared(loaded)
  return lacksDetailsOnly(record) ? { record, now } : undefined
}

/** Whether the payment is known and only lacks where to send it. */
export function lacksDetailsOnly(record: RecordWithSale): boolean {
  const question = saleQuestion(record)
  if (question?.state !== 'open' || reasonOf(question) !== 'no-details') return false
  return !record.payments.some((one) => isKept(one) && openRefundOf(record, one))
}

/** Keeps what the buyer of a payment told although it is refused, so that the owner knows who has paid. */
export function* keepDetails(
  loaded: Loaded<RecordWithSale>,
  details: NewDetails['details'],
): Flow<void> {
  const { sale } = loaded.record
  yield* changeSale(sale.id, ({ record, now }) => decideKeptDetails(record, details, now), loaded)
}

/** Keeps details that the shop does not act on. The sale stays with the owner, who sees them. */
function decideKeptDetails(record: RecordWithSale, details: CheckoutDetails, now: Date): Decision {
  const isMeant = record.sale.state === 'review' && lacksDetailsOnly(record)
  if (!isMeant) return unchanged(record)
  const after = withSale(record, { details, detailsAt: now })
  return { after, status: statusOf(after) }
}
