import { toCents } from '#contract/money.ts'
import type { History } from './history.ts'

/** A payment as the provider has it. */
export type Payment = {
  id: string
  checkoutId: string
  reference: string
  amountMinor: number
  currency: string
}

export type BookedOrder = {
  id: string
  productId: string
  amount: string
  currency: string
  sumupCheckoutId: string | null
  sumupTransactionId: string | null
  customerEmail: string | null
  shippingAddress: { lastName?: string; address?: string } | null
}

/** What two books and the visitors' own notes say, once everything has come to rest. */
export type Books = {
  payments: Payment[]
  orders: BookedOrder[]
  mails: { orderId: string; kind: string }[]
  /** The shop's ledger; the naive shop has none. */
  ledger: {
    id: string
    sumupCheckoutId: string | null
    state: string
    reviewReason: string | null
  }[]
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
  'broken promises',
  'mails missing or doubled',
  'reviewed without reason',
  'miscounted',
  'breaches',
  'wrong answers',
] as const

/** Every payment is one order and every order one payment, at the price that was offered, as everyone was told. */
export function checkHistory(history: History, books: Books): Faults {
  const { payments, orders } = books
  const paid = new Map(payments.map((payment) => [payment.checkoutId, payment]))
  const booked = Map.groupBy(orders, ({ sumupCheckoutId }) => sumupCheckoutId ?? '')
  const reviewed = books.ledger.filter(({ state }) => state === 'review')
  const inReview = new Set(reviewed.map(({ sumupCheckoutId }) => sumupCheckoutId))
  return {
    lost: payments
      .filter(({ checkoutId }) => !booked.has(checkoutId) && !inReview.has(checkoutId))
      .map(({ checkoutId }) => checkoutId),
    duplicate: [...booked].flatMap(([checkoutId, [, ...more]]) => more.map(() => checkoutId)),
    unpaid: orders.filter(({ sumupCheckoutId }) => !paid.has(sumupCheckoutId ?? '')).map(idOf),
    mispriced: orders.filter((order) => isMispriced(order, paid, history)).map(idOf),
    'without details': orders.filter((order) => !hasDetails(order)).map(idOf),
    misfiled: orders.filter((order) => isMisfiled(order, paid, books)).map(idOf),
    'charged twice': findChargedTwice(history, paid),
    'broken promises': findBroken(history, orders),
    'mails missing or doubled': findWrongMails(books),
    'reviewed without reason': findUnexcused(reviewed, books.lies),
    miscounted: books.miscounted,
    breaches: history.breaches,
    'wrong answers': history.wrongAnswers,
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
function isMisfiled(order: BookedOrder, paid: Map<string, Payment>, { ledger }: Books): boolean {
  const payment = paid.get(order.sumupCheckoutId ?? '')
  if (!payment || ledger.length === 0) return false
  const row = ledger.find(({ id }) => id === payment.reference)
  return (
    order.sumupTransactionId !== payment.id ||
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

/** What a lie of the provider's makes the shop say. Nothing else may keep a payment from becoming an order. */
const reasons: [RegExp, string][] = [
  [/^paid [\d.]+ instead of/, 'wrong-amount'],
  [/^paid in \w+ instead of/, 'wrong-currency'],
  [/^the reference is not ours/, 'wrong-reference'],
  [/^another account was paid/, 'wrong-merchant'],
  [/no payment went through|without a transaction/, 'without-transaction'],
]

function findUnexcused(reviewed: Books['ledger'], lies: Record<string, number>): string[] {
  const left = { ...lies }
  return reviewed.flatMap(({ id, reviewReason }) => {
    const lie = reasons.find(([reason]) => reason.test(reviewReason ?? ''))?.[1] ?? ''
    left[lie] = (left[lie] ?? 0) - 1
    return left[lie] < 0 ? [`${id}: ${reviewReason}`] : []
  })
}
