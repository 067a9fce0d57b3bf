import { toCents } from '#contract/money.ts'
import type { History } from './history.ts'
import { findSecondForms, findUntrue, type Attempt } from './statements.ts'

/** A payment as the provider has it, and how much of it was given back. */
export type Payment = {
  id: string
  checkoutId: string
  reference: string
  amountMinor: number
  refundedMinor: number
  currency: string
}

export type BookedOrder = {
  id: string
  productId: string
  amount: string
  currency: string
  sumupCheckoutId: string | null
  sumupTransactionId: string | null
  refundedAmount: string
  customerEmail: string | null
  shippingAddress: { lastName?: string; address?: string } | null
}

/** What two books and the visitors' own notes say, once everything has come to rest. */
export type Books = {
  payments: Payment[]
  attempts: Attempt[]
  orders: BookedOrder[]
  mails: { orderId: string; kind: string }[]
  /** The shop's ledger; the naive shop has none. */
  ledger: {
    id: string
    sumupCheckoutId: string | null
    state: string
    reviewReason: string | null
  }[]
  /** Payments without an order that the shop shows to its owner. */
  strays: { sumupTransactionId: string; reason: string }[]
  /** How often the provider told which lie. */
  lies: Record<string, number>
  /** What analytics tell wrongly. */
  miscounted: string[]
}

/** Each with the ids it is about, so that a fault can be looked into. */
export type Faults = Record<(typeof faultKinds)[number], string[]>

export const faultKinds = [
  'lost',
  'duplicate',
  'unpaid',
  'mispriced',
  'without details',
  'misfiled',
  'charged twice',
  'second forms',
  'untrue sentences',
  'broken promises',
  'mails missing or doubled',
  'reviewed without reason',
  'miscounted',
  'breaches',
  'wrong answers',
  'second payments unseen',
  'refunds unseen',
  'false alarms',
] as const

/** What the shop learns only from the provider's list of payments. */
export const foundByComparison: (typeof faultKinds)[number][] = [
  'second payments unseen',
  'refunds unseen',
]

/** Every payment is one order and every order one payment, at the price that was offered, as everyone was told. */
export function checkHistory(history: History, books: Books): Faults {
  const { payments, orders } = books
  const paid = new Map(payments.map((payment) => [payment.checkoutId, payment]))
  const booked = Map.groupBy(orders, ({ sumupCheckoutId }) => sumupCheckoutId ?? '')
  const reviewed = books.ledger.filter(({ state }) => state === 'review')
  const inReview = new Set(reviewed.map(({ sumupCheckoutId }) => sumupCheckoutId))
  const shown = new Set(books.strays.map(({ sumupTransactionId }) => sumupTransactionId))
  const unshown = payments.filter(
    ({ id, checkoutId, refundedMinor }) =>
      refundedMinor === 0 && !shown.has(id) && !inReview.has(checkoutId),
  )
  const isSecond = ({ id, checkoutId }: Payment) =>
    booked.get(checkoutId)?.every((order) => (order.sumupTransactionId ?? id) !== id)
  return {
    lost: unshown
      .filter(({ checkoutId }) => !booked.has(checkoutId))
      .map(({ checkoutId }) => checkoutId),
    duplicate: [...booked].flatMap(([checkoutId, [, ...more]]) => more.map(() => checkoutId)),
    unpaid: orders.filter(({ sumupCheckoutId }) => !paid.has(sumupCheckoutId ?? '')).map(idOf),
    mispriced: orders.filter((order) => isMispriced(order, paid, history)).map(idOf),
    'without details': orders.filter((order) => !hasDetails(order)).map(idOf),
    misfiled: orders.filter((order) => isMisfiled(order, paid, books)).map(idOf),
    'charged twice': findChargedTwice(history, paid),
    'second forms': findSecondForms(history, books),
    'untrue sentences': findUntrue(history, books),
    'broken promises': findBroken(history, orders),
    'mails missing or doubled': findWrongMails(books),
    'reviewed without reason': findUnexcused(reviewed, books.lies),
    miscounted: books.miscounted,
    breaches: history.breaches,
    'wrong answers': history.wrongAnswers,
    'second payments unseen': unshown.filter(isSecond).map(idOf),
    'refunds unseen': findUnseenRefunds(books),
    'false alarms': findFalseAlarms(books),
  }
}

const idOf = ({ id }: { id: string }) => id

/** Not what was paid, not what the page said, or never a price of this product. */
function isMispriced(order: BookedOrder, paid: Map<string, Payment>, history: History): boolean {
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

function hasDetails({ customerEmail, shippingAddress }: BookedOrder): boolean {
  return Boolean(customerEmail && shippingAddress?.lastName && shippingAddress.address)
}

/** Paid by another transaction, or under a reference that is not its row on the ledger. */
function isMisfiled(
  order: BookedOrder,
  paid: Map<string, Payment>,
  { ledger, payments }: Books,
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

/** A visitor buys one thing: who paid on two checkouts was led to pay again. */
function findChargedTwice({ offers }: History, paid: Map<string, Payment>): string[] {
  const bought = offers.filter(({ checkoutId, isAttack }) => !isAttack && paid.has(checkoutId))
  const checkoutsOf = Map.groupBy(bought, ({ visitor }) => visitor)
  return [...checkoutsOf].flatMap(([visitor, paidOnes]) =>
    new Set(paidOnes.map(({ checkoutId }) => checkoutId)).size > 1 ? [`visitor ${visitor}`] : [],
  )
}

function findBroken({ promises }: History, orders: BookedOrder[]): string[] {
  const known = new Map(orders.map((order) => [order.id, order.sumupCheckoutId]))
  return promises
    .filter(({ orderId, checkoutId }) => known.get(orderId) !== checkoutId)
    .map(({ orderId }) => orderId)
}

function findWrongMails({ orders, mails }: Books): string[] {
  const kinds = Map.groupBy(mails, ({ orderId }) => orderId)
  return orders.map(idOf).filter((id) => {
    const written = (kinds.get(id) ?? []).map(({ kind }) => kind)
    return written.toSorted().join() !== 'confirmation,new-sale'
  })
}

/** Which lies of the provider's bring a sale into review. Nothing else may keep a payment from becoming an order. */
const excuses: Record<string, string[]> = {
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

function findUnexcused(reviewed: Books['ledger'], lies: Record<string, number>): string[] {
  const byReason = Map.groupBy(reviewed, ({ reviewReason }) => reviewReason ?? '')
  return [...byReason].flatMap(([reason, rows]) => {
    const told = (excuses[reason] ?? []).reduce((sum, lie) => sum + (lies[lie] ?? 0), 0)
    return rows.slice(told).map(({ id }) => `${id}: ${reason}`)
  })
}

function findUnseenRefunds({ payments, orders }: Books): string[] {
  const given = new Map(payments.map(({ id, refundedMinor }) => [id, refundedMinor]))
  return orders
    .filter(
      (order) => (given.get(order.sumupTransactionId ?? '') ?? 0) > toCents(order.refundedAmount),
    )
    .map(idOf)
}

/** A stray payment is the second one of a sale; other people's payments on the account are none of ours. */
function findFalseAlarms({ payments, strays }: Books): string[] {
  const known = new Map(payments.map((payment) => [payment.id, payment.checkoutId]))
  const isSecond = (id: string) =>
    payments.filter(({ checkoutId }) => checkoutId === known.get(id)).length > 1
  return strays
    .filter(({ sumupTransactionId: id, reason }) => reason !== 'paid-twice' || !isSecond(id))
    .map(({ sumupTransactionId, reason }) => `${sumupTransactionId}: ${reason}`)
}
