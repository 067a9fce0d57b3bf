import { toCents } from '#contract/money.ts'
import { findRefundFaults, isRefundedInApp, refundFaultKinds } from './refund-faults.ts'
import { pickupPlace } from './visitors.ts'
import { findWithdrawalFaults, withdrawalFaultKinds } from './withdrawals.ts'
import { isCharged, type FinalState, type History, type Statement } from './history.ts'

type Payment = FinalState['payments'][number]
type Attempt = FinalState['attempts'][number]
type Order = FinalState['orders'][number]

/** The ids that each fault is about. */
export type Faults = Record<FaultKind, string[]>

export const faultKinds = [
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
  'unneeded reviews',
  'wrong analytics',
  'successful attacks',
  'server errors',
  'unseen second payments',
  'unseen refunds',
  'false alarms',
  ...refundFaultKinds,
  ...withdrawalFaultKinds,
] as const
export type FaultKind = (typeof faultKinds)[number]

/** What the shop learns only by comparing with SumUp's history. */
export const comparisonFaults: FaultKind[] = [
  'unseen second payments',
  'unseen refunds',
  'lost refunds',
  'untrue refund mails',
]

/** Every payment has one order and every order one payment, at the offered price, and no buyer was misinformed. */
export function checkHistory(history: History, final: FinalState): Faults {
  const { payments, orders } = final
  const paid = new Map(payments.map((payment) => [payment.checkoutId, payment]))
  const ordersByCheckout = Map.groupBy(orders, ({ sumupCheckoutId }) => sumupCheckoutId ?? '')
  const reviewed = final.ledger.filter(({ state }) => state === 'review')
  const inReview = new Set(reviewed.map(({ sumupCheckoutId }) => sumupCheckoutId))
  const shown = new Set(final.shownPayments.map(({ sumupTransactionId }) => sumupTransactionId))
  const unshown = payments.filter(
    ({ id, checkoutId, refundedMinor }) =>
      refundedMinor === 0 && !shown.has(id) && !inReview.has(checkoutId),
  )
  const isSecond = ({ id, checkoutId }: Payment) =>
    ordersByCheckout.get(checkoutId)?.every((order) => (order.sumupTransactionId ?? id) !== id)
  return {
    lost: unshown
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
    'wrong payments': orders.filter((order) => hasWrongPayment(order, paid, final)).map(idOf),
    'charged twice': findChargedTwice(history, paid),
    'second forms': findSecondForms(history, final),
    'false statements': findFalseStatements(history, final),
    'missing orders': findMissingOrders(history, orders),
    'wrong mails': findWrongMails(final),
    'unneeded reviews': findUnneededReviews(reviewed, final.wrongResponses),
    'wrong analytics': final.wrongAnalytics,
    'successful attacks': history.breaches,
    'server errors': history.serverErrors,
    'unseen second payments': unshown.filter(isSecond).map(idOf),
    'unseen refunds': findUnseenRefunds(final),
    'false alarms': findFalseAlarms(final),
    ...findRefundFaults(final.refunds, history.toldRefunds, isRefundedInApp),
    ...findWithdrawalFaults(history, final.withdrawals),
  }
}

const idOf = ({ id }: { id: string }) => id

/** Not the amount that was paid or offered, or never a price of this product. */
function isMispriced(order: Order, paid: Map<string, Payment>, history: History): boolean {
  const payment = paid.get(order.sumupCheckoutId ?? '')
  const cents = toCents(order.amount)
  const offer = history.offers.find(({ checkoutId }) => checkoutId === order.sumupCheckoutId)
  const prices = [...(history.prices.get(order.productId) ?? [])]
  return (
    (payment !== undefined &&
      (payment.amountMinor !== cents || payment.currency !== order.currency)) ||
    (offer !== undefined && toCents(offer.amount) !== cents) ||
    !prices.some((price) => toCents(price) === cents)
  )
}

/** Some page gave out this form, and every one that did showed the amount that was charged on it. */
function isShown({ checkoutId, amountMinor }: Payment, { offers }: History): boolean {
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

/** The order names another transaction, or its checkout in the ledger does not match. */
function hasWrongPayment(
  order: Order,
  paid: Map<string, Payment>,
  { ledger, payments }: FinalState,
): boolean {
  const payment = paid.get(order.sumupCheckoutId ?? '')
  if (!payment || ledger.length === 0) return false
  const row = ledger.find(({ id }) => id === payment.reference)
  return (
    !payments.some(
      ({ id, checkoutId }) =>
        id === order.sumupTransactionId && checkoutId === order.sumupCheckoutId,
    ) ||
    row?.sumupCheckoutId !== payment.checkoutId ||
    row.state !== 'paid'
  )
}

/** Visitors who paid on two checkouts, although everybody wants to buy one thing. */
function findChargedTwice({ offers }: History, paid: Map<string, Payment>): string[] {
  const bought = offers.filter(({ checkoutId, isAttack }) => !isAttack && paid.has(checkoutId))
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

/** Of a refund the buyer is told only if money of the sale went back. */
function findWrongMails({ orders, mails, payments }: FinalState): string[] {
  const kinds = Map.groupBy(mails, ({ orderId }) => orderId)
  const isRefundMail = (kind: string) => kind.startsWith('refunded-')
  const isRare = (kind: string) => isRefundMail(kind) || kind.startsWith('withdrawal-')
  const wrong = orders.filter(({ id, sumupCheckoutId }) => {
    const written = (kinds.get(id) ?? []).map(({ kind }) => kind)
    const others = written.filter((kind) => !isRare(kind))
    const isRefunded = payments.some(
      ({ checkoutId, refundedMinor }) => checkoutId === sumupCheckoutId && refundedMinor > 0,
    )
    const isToldWrongly = written.some(isRefundMail) && !isRefunded
    return isToldWrongly || others.toSorted().join() !== 'confirmation,new-sale'
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
  reviewed: FinalState['ledger'],
  wrongResponses: Record<string, number>,
): string[] {
  const byReason = Map.groupBy(reviewed, ({ reviewReason }) => reviewReason ?? '')
  return [...byReason].flatMap(([reason, rows]) => {
    const causes = reviewCauses[reason] ?? []
    const happened = causes.reduce((sum, fault) => sum + (wrongResponses[fault] ?? 0), 0)
    return rows.slice(happened).map(({ id }) => `${id}: ${reason}`)
  })
}

function findUnseenRefunds({ payments, orders }: FinalState): string[] {
  const refunded = new Map(payments.map(({ id, refundedMinor }) => [id, refundedMinor]))
  return orders
    .filter(
      (order) =>
        (refunded.get(order.sumupTransactionId ?? '') ?? 0) > toCents(order.refundedAmount),
    )
    .map(idOf)
}

/** Payments in review that are not the second payment of a sale. */
function findFalseAlarms({ payments, shownPayments }: FinalState): string[] {
  const known = new Map(payments.map((payment) => [payment.id, payment.checkoutId]))
  const isSecond = (id: string) =>
    payments.filter(({ checkoutId }) => checkoutId === known.get(id)).length > 1
  return shownPayments
    .filter(({ sumupTransactionId: id, reason }) => reason !== 'paid-twice' || !isSecond(id))
    .map(({ sumupTransactionId, reason }) => `${sumupTransactionId}: ${reason}`)
}

/** Declined cards after which the shop may say that there were too many. */
const minDeclines = 5

/** Statements that SumUp's ledger refutes. */
function findFalseStatements(history: History, final: FinalState): string[] {
  const attempts = Map.groupBy(final.attempts, ({ checkoutId }) => checkoutId)
  return history.statements
    .filter(
      (statement) =>
        !isTrueStatement(statement, attempts.get(statement.checkoutId) ?? [], history, final),
    )
    .map(
      ({ visitor, claim, checkoutId, orderId }) =>
        `visitor ${visitor}: ${claim} of ${orderId ?? checkoutId}`,
    )
}

function isTrueStatement(
  statement: Statement,
  attempts: Attempt[],
  history: History,
  final: FinalState,
): boolean {
  switch (statement.claim) {
    case 'paid':
      return final.orders.some(({ id, sumupCheckoutId }) =>
        statement.orderId ? id === statement.orderId : sumupCheckoutId === statement.checkoutId,
      )
    case 'declined':
      return isUncharged(statement, attempts) && attempts.some(({ status }) => status === 'FAILED')
    case 'closed':
      return isUncharged(statement, attempts)
    case 'at-bank':
      return (
        statement.checkoutId === '' ||
        attempts.some(({ createdAt }) => createdAt <= statement.receivedAt)
      )
    case 'review':
      return isVisibleToOwner(statement, attempts, final)
    case 'too-many-cards':
      return countDeclines(statement, history, final) >= minDeclines
  }
}

/** No attempt made before the request was charged, or still could be when the answer came. */
function isUncharged({ sentAt, receivedAt }: Statement, attempts: Attempt[]): boolean {
  return !attempts.some(
    (one) => one.createdAt <= sentAt && (isCharged(one) || isOpen(one, receivedAt)),
  )
}

function isVisibleToOwner(
  { checkoutId }: Statement,
  attempts: Attempt[],
  { ledger }: FinalState,
): boolean {
  const row = ledger.find(({ sumupCheckoutId }) => sumupCheckoutId === checkoutId)
  return row === undefined || row.state !== 'closed' || !attempts.some(isCharged)
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
function findSecondForms({ offers }: History, { attempts }: FinalState): string[] {
  const sent = Map.groupBy(attempts, ({ checkoutId }) => checkoutId)
  const honest = offers.filter(({ isAttack }) => !isAttack)
  const formsOf = Map.groupBy(honest, ({ visitor }) => visitor)
  return honest.flatMap(({ visitor, checkoutId, sentAt, receivedAt }) =>
    (formsOf.get(visitor) ?? [])
      .filter((earlier) => earlier.checkoutId !== checkoutId && earlier.receivedAt < sentAt)
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
