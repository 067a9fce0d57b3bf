import { toCents } from '#contract/money.ts'
import { quote } from '#contract/quotes.ts'
import { checkRecord, checkEnded, checkKnown, checkRefunded } from '#proof/explore/books.ts'
import type { SaleRecord } from '#server/payments/record.ts'
import {
  isCharged,
  isRefundedInApp,
  type FinalState,
  type History,
  type SavedWithdrawal,
  type Statement,
} from './history.ts'
import { pickupPlace } from './visitors.ts'

type Attempt = FinalState['attempts'][number]
type Order = FinalState['orders'][number]

/** Faults that must be gone as soon as sales have settled. */
const settledFaults = [
  'lost',
  'duplicate',
  'unpaid',
  'mispriced',
  'charged differently from what was shown',
  'sent elsewhere than agreed',
  'codes used too often',
  'without details',
  'wrong payments',
  'charged twice',
  'second forms',
  'false statements',
  'missing orders',
  'wrong mails',
  'wrong rows',
  'unneeded reviews',
  'false alarms',
  'wrong analytics',
  'untrue refunds',
  'untrue shipments',
  'lost withdrawals',
  'unacknowledged withdrawals',
  'untrue withdrawals',
  'successful attacks',
  'server errors',
] as const

/** These are only over once the shop has compared with SumUp's history. */
const comparedFaults = ['unknown money', 'untrue refund mails'] as const

/** These are only over once hours have passed, and the owner has done all that they wanted to do. */
const endedFaults = ['unfinished sales', 'unfinished refunds', 'wrong stock'] as const

export type FaultKind =
  | (typeof settledFaults)[number]
  | (typeof comparedFaults)[number]
  | (typeof endedFaults)[number]

/** A run ends in stages: at each of them these faults must be gone. */
export const faultsBy: Record<'settled' | 'compared' | 'ended', readonly FaultKind[]> = {
  settled: settledFaults,
  compared: [...settledFaults, ...comparedFaults],
  ended: [...settledFaults, ...comparedFaults, ...endedFaults],
}
export const faultKinds = faultsBy.ended

/** The ids that each fault is about. */
export type Faults = Record<FaultKind, string[]>

/** Every payment has one order and every order one payment, at the offered price, and nobody was misinformed. */
export function checkHistory(history: History, final: FinalState): Faults {
  const { attempts, orders, books } = final
  const payments = attempts.filter(isCharged)
  const paid = new Map(payments.map((payment) => [payment.checkoutId, payment]))
  const ordersByCheckout = Map.groupBy(orders, ({ sumupCheckoutId }) => sumupCheckoutId ?? '')
  const records = Object.values(books?.records ?? {})
  const reviewed = new Set(
    records.flatMap((record) => (isWithOwner(record) ? checkoutOf(record) : [])),
  )
  return {
    lost: payments
      .filter(({ checkoutId, refunds }) => refunds.length === 0 && !reviewed.has(checkoutId))
      .filter(({ checkoutId }) => !ordersByCheckout.has(checkoutId))
      .map(({ checkoutId }) => checkoutId),
    duplicate: [...ordersByCheckout].flatMap(([checkoutId, [, ...more]]) =>
      more.map(() => checkoutId),
    ),
    unpaid: orders.filter(({ sumupCheckoutId }) => !paid.has(sumupCheckoutId ?? '')).map(idOf),
    mispriced: orders.filter((order) => isMispriced(order, paid, history)).map(idOf),
    'charged differently from what was shown': payments
      .filter((payment) => !isShown(payment, history))
      .map(idOf),
    'sent elsewhere than agreed': orders.filter(isSentElsewhere).map(idOf),
    'codes used too often': findOverusedCodes(history, orders),
    'without details': orders.filter((order) => !hasDetails(order)).map(idOf),
    'wrong payments': books ? orders.filter((one) => hasWrongPayment(one, payments)).map(idOf) : [],
    'charged twice': findChargedTwice(history, paid, records),
    'second forms': findSecondForms(history, final, records),
    'false statements': findFalseStatements(history, final, records),
    'missing orders': findMissingOrders(history, orders),
    'wrong mails': findWrongMails(final),
    'wrong rows': books
      ? [
          ...listViolations(books.records, (record) => checkRecord(books.sumup, record)),
          ...books.sumup.transactions.flatMap((one) => checkRefunded(one) ?? []),
        ]
      : [],
    'unneeded reviews': findUnneededReviews(records, final.wrongResponses),
    'false alarms': findFalseAlarms(records, payments),
    'wrong analytics': final.wrongAnalytics,
    'untrue refunds': findUntrueRefunds(history, final, records),
    'untrue shipments': findUntrueShipments(history, final),
    ...checkWithdrawals(history, final.withdrawals),
    'successful attacks': history.breaches,
    'server errors': history.serverErrors,
    'unknown money': books?.sumup.transactions.flatMap((one) => checkKnown(books, one) ?? []) ?? [],
    'untrue refund mails': findUntrueRefundMails(final),
    'unfinished sales': books
      ? listViolations(books.records, (record) => checkEnded(books, record))
      : [],
    'unfinished refunds': findUnfinishedRefunds(history, final).map(({ about }) => about),
    'wrong stock': findWrongStock(history, final, records),
  }
}

const idOf = ({ id }: { id: string }) => id

const checkoutOf = ({ sale }: SaleRecord) => sale?.sumupCheckoutId ?? ''

/** The owner looks at it, or has decided. */
function isWithOwner({ questions }: SaleRecord): boolean {
  return questions.some(({ state }) => state === 'open' || state === 'dismissed')
}

function listViolations(
  records: Record<string, SaleRecord>,
  check: (record: SaleRecord) => string | undefined,
): string[] {
  return Object.entries(records).flatMap(([id, record]) => {
    const violation = check(record)
    return violation === undefined ? [] : [`${id}: ${violation}`]
  })
}

/** Not the amount that was paid or offered, or never the price of this product for this country and code. */
function isMispriced(order: Order, paid: Map<string, Attempt>, history: History): boolean {
  const payment = paid.get(order.sumupCheckoutId ?? '')
  const cents = toCents(order.amount)
  const offer = history.offers.find(({ checkoutId }) => checkoutId === order.sumupCheckoutId)
  return (
    (payment !== undefined &&
      (payment.amountMinor !== cents || payment.currency !== order.currency)) ||
    (offer !== undefined && toCents(offer.amount) !== cents) ||
    !wasPrice(order, history)
  )
}

function wasPrice({ productId, amount, terms }: Order, history: History): boolean {
  const { subtotal = amount, country, isPickup = false, code } = terms ?? {}
  const prices = [...(history.prices.get(productId) ?? [])]
  const price = prices.find((one) => toCents(one) === toCents(subtotal))
  if (price === undefined) return false
  const discounts = code ? history.discounts.filter((one) => one.code === code) : [null]
  return discounts.some((discount) =>
    history.deliveries.some((delivery) => {
      const wish = { isPickup, ...(country && { country }) }
      const quoted = quote({ price, hasCents: true, discount, delivery }, wish)
      return typeof quoted !== 'string' && toCents(quoted.amount) === toCents(amount)
    }),
  )
}

/** Some page gave out this form, and every one that did showed the amount that was charged on it. */
function isShown({ checkoutId, amountMinor }: Attempt, { offers }: History): boolean {
  const ofForm = offers.filter((offer) => offer.checkoutId === checkoutId)
  return ofForm.length > 0 && ofForm.every(({ amount }) => toCents(amount) === amountMinor)
}

function isSentElsewhere({ terms, shippingAddress }: Order): boolean {
  if (terms?.isPickup) return shippingAddress?.address !== pickupPlace.name
  return Boolean(terms?.country && terms.country !== shippingAddress?.country)
}

function findOverusedCodes({ codeLimits }: History, orders: Order[]): string[] {
  return [...codeLimits].flatMap(([code, max]) => {
    const uses = orders.filter(({ terms }) => terms?.code === code).length
    return uses > max ? [`${code}: ${uses} instead of ${max}`] : []
  })
}

function hasDetails({ customerEmail, shippingAddress }: Order): boolean {
  return Boolean(customerEmail && shippingAddress?.lastName && shippingAddress.address)
}

/** The order names a transaction of another checkout, or another way to pay than that of its transaction. */
function hasWrongPayment(order: Order, payments: Attempt[]): boolean {
  const payment = payments.find(({ id }) => id === order.sumupTransactionId)
  // Until SumUp has named the way, it is only known that SumUp was paid.
  const methods = payment?.method ? [payment.method, 'sumup'] : ['card']
  return (
    payment?.checkoutId !== order.sumupCheckoutId || !methods.includes(order.paymentMethod ?? '')
  )
}

/** Checkouts of sales that the owner has dismissed from review: their buyers may buy again. */
function listDismissed({ dismissed }: History, records: SaleRecord[]): Set<string> {
  return new Set(
    records.flatMap((record) => (dismissed.has(record.sale?.id ?? '') ? checkoutOf(record) : [])),
  )
}

/** Visitors who paid on two checkouts, although everybody wants to buy one thing. */
function findChargedTwice(
  history: History,
  paid: Map<string, Attempt>,
  records: SaleRecord[],
): string[] {
  const dismissed = listDismissed(history, records)
  const bought = history.offers.filter(
    ({ checkoutId, isAttack }) => !isAttack && paid.has(checkoutId) && !dismissed.has(checkoutId),
  )
  const checkoutsOf = Map.groupBy(bought, ({ visitor }) => visitor)
  return [...checkoutsOf].flatMap(([visitor, paidOnes]) =>
    new Set(paidOnes.map(({ checkoutId }) => checkoutId)).size > 1 ? [`visitor ${visitor}`] : [],
  )
}

function findMissingOrders({ confirmedOrders }: History, orders: Order[]): string[] {
  const known = new Map(orders.map((order) => [order.id, order.sumupCheckoutId]))
  return confirmedOrders
    .filter(({ orderId, checkoutId }) => known.get(orderId) !== checkoutId)
    .map(({ orderId }) => orderId)
}

/** Everybody is told of the order, who it was shipped to of that, and of a refund only if money of the sale went back. */
function findWrongMails({ orders, mails, attempts }: FinalState): string[] {
  const kinds = Map.groupBy(mails, ({ orderId }) => orderId)
  const isRefundMail = (kind: string) => kind.startsWith('refunded-')
  const isRare = (kind: string) => isRefundMail(kind) || kind.startsWith('withdrawal-')
  const wrong = orders.filter(({ id, status, sumupCheckoutId }) => {
    const written = (kinds.get(id) ?? []).map(({ kind }) => kind)
    const expected = ['confirmation', 'new-sale', ...(status === 'shipped' ? ['shipped'] : [])]
    const isRefunded = attempts.some(
      ({ checkoutId, refunds }) => checkoutId === sumupCheckoutId && refunds.length > 0,
    )
    const isToldWrongly = written.some(isRefundMail) && !isRefunded
    const others = written.filter((kind) => !isRare(kind))
    return isToldWrongly || others.toSorted().join() !== expected.join()
  })
  return wrong.map(idOf)
}

/** The faults that may lead to a review, by its reason. Nothing else may keep a payment from becoming an order. */
const reviewCauses: Record<string, string[]> = {
  mismatch: ['wrong-amount', 'wrong-currency', 'wrong-reference', 'wrong-merchant'],
  contradiction: ['without-transaction', 'still-pending', 'lag'],
  unreadable: [
    'unreadable',
    'null-transaction',
    'transactions-object',
    'transactions-text',
    'odd-transaction',
    'odd-status',
  ],
}

function findUnneededReviews(
  records: SaleRecord[],
  wrongResponses: Record<string, number>,
): string[] {
  const reviewed = records.flatMap((record) =>
    record.order === undefined && isWithOwner(record)
      ? record.questions.filter(({ id, state }) => id === record.sale?.id && state !== 'cleared')
      : [],
  )
  const byReason = Map.groupBy(reviewed, ({ reason }) => reason)
  return [...byReason].flatMap(([reason, questions]) => {
    const causes = reviewCauses[reason] ?? []
    const happened = causes.reduce((sum, fault) => sum + (wrongResponses[fault] ?? 0), 0)
    return questions.slice(happened).map(({ id }) => `${id}: ${reason}`)
  })
}

/** Payments in review that are not the second payment of a sale. */
function findFalseAlarms(records: SaleRecord[], payments: Attempt[]): string[] {
  return records.flatMap(({ questions, payments: rows }) =>
    questions.flatMap(({ paymentId, reason, state, id }) => {
      const row = rows.find((one) => one.id === paymentId && one.id === id)
      if (!row || state === 'cleared') return []
      const { checkoutId } = payments.find((one) => one.id === row.transactionId) ?? {}
      const isSecond = payments.filter((one) => one.checkoutId === checkoutId).length > 1
      return reason === 'paid-twice' && isSecond ? [] : [`${row.transactionId}: ${reason}`]
    }),
  )
}

/** Declined cards after which the shop may say that there were too many. */
const minDeclines = 5

/** Statements that SumUp's ledger refutes. */
function findFalseStatements(history: History, final: FinalState, records: SaleRecord[]): string[] {
  const attempts = Map.groupBy(final.attempts, ({ checkoutId }) => checkoutId)
  const ofForm = (checkoutId: string) => attempts.get(checkoutId) ?? []
  const isTrue = (statement: Statement) => {
    const own = ofForm(statement.checkoutId)
    switch (statement.claim) {
      case 'paid':
        return final.orders.some(({ id, sumupCheckoutId }) =>
          statement.orderId ? id === statement.orderId : sumupCheckoutId === statement.checkoutId,
        )
      case 'declined':
        return isUncharged(statement, own) && own.some(({ status }) => status === 'FAILED')
      case 'closed':
        return isUncharged(statement, own)
      case 'at-bank':
        return (
          statement.checkoutId === '' ||
          own.some(({ createdAt }) => createdAt <= statement.receivedAt)
        )
      case 'review': {
        const { sale } = records.find((record) => checkoutOf(record) === statement.checkoutId) ?? {}
        return sale?.state !== 'closed' || !own.some(isCharged)
      }
      case 'too-many-cards':
        return countDeclines(statement, history, final) >= minDeclines
    }
  }
  return [
    ...history.statements
      .filter((statement) => !isTrue(statement))
      .map(
        ({ visitor, claim, checkoutId, orderId }) =>
          `visitor ${visitor}: ${claim} of ${orderId ?? checkoutId}`,
      ),
    // Told that no card was sent on this form: SumUp knows of none until then.
    ...history.soldOut
      .filter(({ checkoutId, receivedAt }) =>
        ofForm(checkoutId).some(({ createdAt }) => createdAt < receivedAt),
      )
      .map(({ checkoutId }) => `sold out on ${checkoutId}`),
  ]
}

/** No attempt made before the request was charged, or still could be when the answer came. */
function isUncharged({ sentAt, receivedAt }: Statement, attempts: Attempt[]): boolean {
  return !attempts.some(
    (one) => one.createdAt <= sentAt && (isCharged(one) || isOpen(one, receivedAt)),
  )
}

function countDeclines(
  { visitor, receivedAt }: Statement,
  { offers }: History,
  final: FinalState,
): number {
  const forms = new Set(
    offers.filter((offer) => offer.visitor === visitor).map(({ checkoutId }) => checkoutId),
  )
  return final.attempts.filter(
    ({ checkoutId, status, createdAt }) =>
      forms.has(checkoutId) && status === 'FAILED' && createdAt <= receivedAt,
  ).length
}

/** Forms that a browser was given while a card of an earlier form was pending or charged. */
function findSecondForms(
  history: History,
  { attempts }: FinalState,
  records: SaleRecord[],
): string[] {
  const sent = Map.groupBy(attempts, ({ checkoutId }) => checkoutId)
  const dismissed = listDismissed(history, records)
  const honest = history.offers.filter(({ isAttack }) => !isAttack)
  const formsOf = Map.groupBy(honest, ({ visitor }) => visitor)
  return honest.flatMap(({ visitor, checkoutId, sentAt, receivedAt }) =>
    (formsOf.get(visitor) ?? [])
      .filter((earlier) => earlier.checkoutId !== checkoutId && earlier.receivedAt < sentAt)
      .filter((earlier) => !dismissed.has(earlier.checkoutId))
      .filter((earlier) =>
        (sent.get(earlier.checkoutId) ?? []).some(
          (one) => one.createdAt < sentAt && (isCharged(one) || isOpen(one, receivedAt)),
        ),
      )
      .map((earlier) => `visitor ${visitor}: ${checkoutId} beside ${earlier.checkoutId}`),
  )
}

function isOpen({ status, changedAt }: Attempt, at: number): boolean {
  return status === 'PENDING' || changedAt > at
}

/** Refunds of an order at SumUp, of all payments of its checkout. */
function listReturned({ attempts }: FinalState, { sumupCheckoutId }: Order): number[] {
  return attempts
    .filter(({ checkoutId }) => checkoutId === sumupCheckoutId)
    .flatMap(({ refunds }) => refunds)
}

const sum = (cents: number[]) => cents.reduce((total, one) => total + one, 0)

/** More went back than the owner wanted, a refund is shown or was told as done that is not, or the other way round. */
function findUntrueRefunds(
  { refunds }: History,
  final: FinalState,
  records: SaleRecord[],
): string[] {
  return final.orders.flatMap((order) => {
    const { id, sumupCheckoutId } = order
    if (isRefundedInApp({ checkoutId: sumupCheckoutId ?? '' })) return []
    const made = listReturned(final, order)
    const asked = records.find((record) => checkoutOf(record) === sumupCheckoutId)?.refunds ?? []
    const done = asked.filter(({ state }) => state === 'done').map((one) => toCents(one.amount))
    const told = refunds.told
      .filter(({ orderId, outcome }) => orderId === id && outcome.state === 'done')
      .map(({ outcome }) => toCents(outcome.amount))
    const isTrue =
      isSameList(made, done) &&
      told.length <= made.length &&
      told.every((cents) => made.includes(cents)) &&
      sum(made) <= (refunds.goals.get(id) ?? 0)
    const about = `at SumUp ${made.join(' + ')}, here ${done.join(' + ')}, told ${told.join(' + ')}`
    return isTrue ? [] : [`${id}: ${about}`]
  })
}

function isSameList(one: number[], other: number[]): boolean {
  const sort = (list: number[]) => list.toSorted((a, b) => a - b).join()
  return sort(one) === sort(other)
}

function findUntrueRefundMails(final: FinalState): string[] {
  const mailsOf = Map.groupBy(final.mails, ({ orderId }) => orderId)
  return final.orders.flatMap((order) => {
    const told = (mailsOf.get(order.id) ?? []).filter(({ kind }) => kind.startsWith('refunded-'))
    const mailed = sum(told.map(({ amount }) => toCents(amount ?? '0')))
    const returned = sum(listReturned(final, order))
    return mailed === returned ? [] : [`${order.id}: ${mailed} instead of ${returned}`]
  })
}

/** Orders of which less went back than the owner wanted. */
export function findUnfinishedRefunds(
  { refunds }: History,
  final: FinalState,
): { orderId: string; about: string }[] {
  return final.orders.flatMap((order) => {
    const [goal, returned] = [refunds.goals.get(order.id) ?? 0, sum(listReturned(final, order))]
    return returned >= goal
      ? []
      : [{ orderId: order.id, about: `${order.id}: ${returned} of ${goal}` }]
  })
}

function findUntrueShipments({ shipped }: History, { orders }: FinalState): string[] {
  return orders
    .filter(({ id, status }) =>
      status === 'shipped' ? !shipped.asked.has(id) : shipped.told.has(id),
    )
    .map(({ id, status }) => `${id}: ${status}`)
}

type WithdrawalFaults = Pick<
  Faults,
  'lost withdrawals' | 'unacknowledged withdrawals' | 'untrue withdrawals'
>

function checkWithdrawals(
  { withdrawals, handled }: History,
  saved: SavedWithdrawal[],
): WithdrawalFaults {
  const savedBy = Map.groupBy(saved, ({ name }) => name ?? '')
  const isUntrue = ({ id, name, orderId, isHandled }: SavedWithdrawal) => {
    const stated = withdrawals.find((one) => one.name === name)
    return (
      stated?.orderId !== (orderId ?? undefined) ||
      stated === undefined ||
      (isHandled ? !handled.asked.has(id ?? '') : handled.told.has(id ?? ''))
    )
  }
  return {
    'lost withdrawals': withdrawals
      .filter(({ name, isAnswered }) => isAnswered && !savedBy.has(name))
      .map(({ name }) => name),
    // Also a mail without a statement.
    'unacknowledged withdrawals': saved
      .filter(({ id, mail }) => id === null || mail !== 'known')
      .map(({ id, name, mail }) => `${id} of ${name}: ${mail}`),
    'untrue withdrawals': [
      ...saved.filter(isUntrue).map(({ id, name }) => `${id} of ${name}`),
      ...withdrawals
        .filter(({ name, sent }) => (savedBy.get(name)?.length ?? 0) > sent)
        .map(({ name }) => `${name}: more than were sent`),
    ],
  }
}

/** Never more is sold than there is, unless the order says so, and in the end no piece is held for nobody. */
function findWrongStock(
  { late }: History,
  { stocks, orders }: FinalState,
  records: SaleRecord[],
): string[] {
  return stocks.flatMap(({ productId, valueId, pieces, stock, reserved }) => {
    const own = orders.filter((one) => one.productId === productId && one.valueId === valueId)
    const taken = own.filter(({ isOversold }) => !isOversold)
    const kept = taken.filter(({ isPieceReturned }) => !isPieceReturned)
    const oversold = own.filter(({ isOversold }) => isOversold)
    // Only these paid without a reservation, so only they may find none left; then somebody else may have held the piece.
    const flagged = oversold.filter(({ sumupCheckoutId }) => late.includes(sumupCheckoutId ?? ''))
    const inReview = records.filter(
      ({ sale }) =>
        sale?.state === 'review' &&
        sale.productId === productId &&
        sale.product.choice?.id === valueId,
    ).length
    const wrong = {
      'sold without a piece': kept.length - pieces,
      'reserved more often than there are': oversold.length - flagged.length,
      'held for nobody': reserved - inReview,
      'lost or too many': Math.abs(pieces - kept.length - stock),
      'flagged although a piece was left': Math.min(
        flagged.length,
        pieces - taken.length - inReview,
      ),
      'without the value that was chosen':
        valueId === undefined
          ? 0
          : orders.filter((one) => one.productId === productId && !one.valueId).length,
    }
    return Object.entries(wrong).flatMap(([what, count]) =>
      count > 0 ? [`${valueId ?? productId}: ${count} ${what}`] : [],
    )
  })
}
