import { toCents } from '#contract/money.ts'
import {
  isHolding,
  isOpenRefund,
  ordersPayment,
  saleQuestion,
  type SaleRecord,
  type Question,
  type Payment,
} from '#server/payments/record.ts'
import { isReturnedInFull, isTaken, transactionsOf, type Sumup, type Transaction } from './sumup.ts'

/**
 * The shop's rows and what SumUp has. They must agree whatever happened: in every world of the exploration, and in a shop
 * after all that chaos did to it. Each check returns a sentence if they do not.
 */
export type Books = {
  /** By the id of the sale, or of a payment without a sale. */
  records: Record<string, SaleRecord>
  sumup: Sumup
  /** The account that the shop uses. */
  merchantCode: string
}

type Violation = string | undefined

/** Checks a record, at any time. */
export function checkRecord(sumup: Sumup, record: SaleRecord): Violation {
  const { sale, order, questions } = record
  for (const payment of record.payments) {
    const violation = checkMirror(sumup, record, payment)
    if (violation) return violation
  }
  if (!sale) return undefined
  if (sale.heldAt && !isHolding(sale)) return `a sale that is ${sale.state} holds a piece`
  if (sale.state === 'submitted' && !sale.nextCheckAt)
    return 'nobody looks at a submitted sale any more'
  if ((sale.state === 'paid') !== (order !== undefined))
    return `a sale is ${sale.state}, its order ${order?.id}`
  const own = questions.find(({ id }) => id === sale.id)
  if (sale.state === 'review' && own?.state !== 'open')
    return 'a sale in review has no open question'
  const isAboutOrder = order && ['refunded', 'not-at-sumup', 'stuck'].includes(own?.reason ?? '')
  if (own?.state === 'open' && sale.state !== 'review' && !isAboutOrder)
    return `an open question of a sale that is ${sale.state}`
  return undefined
}

/** Our rows never say more than SumUp did. */
function checkMirror(sumup: Sumup, record: SaleRecord, payment: Payment): Violation {
  const { transactionId: id, status } = payment
  const one = sumup.transactions.find((other) => other.id === id)
  if (!one) return `${id} is not at SumUp`
  if (status === 'successful' && one.status !== 'SUCCESSFUL')
    return `${id} is shown as paid but ${one.status}`
  if (status === 'failed' && one.status !== 'FAILED' && one.status !== 'CANCELLED')
    return `${id} is shown as declined but ${one.status}`
  if (toCents(payment.refunded) > one.refunded) return `${id} is shown as refunded, which it is not`
  if (toCents(payment.chargedBack) > one.chargedBack)
    return `${id} is shown as charged back, which it is not`
  const refunds = record.refunds.filter(({ paymentId }) => paymentId === payment.id)
  const open = refunds.filter(isOpenRefund)
  if (open.length > 1) return `two refunds of ${id} are open`
  if (open.length > 0 && !payment.nextReadAt) return `nobody follows the refund of ${id}`
  const known = refunds.filter(({ state }) => state !== 'failed')
  if (one.asked.filter(isActive).length > known.length)
    return `a refund of ${id} is shown as failed but is done or under way`
  const done = refunds.filter(({ state }) => state === 'done')
  const doneCents = done.reduce((sum, { amount }) => sum + toCents(amount), 0)
  if (doneCents > one.refunded) return `a refund of ${id} is shown as done, which it is not`
  const question = record.questions.find((other) => other.paymentId === payment.id)
  if (question?.state === 'refunded' && !isReturnedInFull(one))
    return `${id} counts as refunded, which it is not`
  return undefined
}

export const isActive = ({ state }: Transaction['asked'][number]) => state !== 'failed'

/** Never more of a payment goes back than was paid. */
export function checkRefunded({ id, asked, refunded, cents }: Transaction): Violation {
  const underWay = asked.filter(({ state }) => state === 'late' || state === 'pending')
  const promised = underWay.reduce((sum, one) => sum + one.cents, 0)
  return refunded + promised > cents ? `more of ${id} goes back than was paid` : undefined
}

/** Checks a record once nobody acts any more. */
export function checkEnded({ sumup, merchantCode }: Books, record: SaleRecord): Violation {
  const { sale } = record
  if (!sale) return undefined
  if (['created', 'open', 'submitted'].includes(sale.state))
    return `a sale stays ${sale.state} for ever`
  const cards = transactionsOf(sumup, sale.sumupCheckoutId ?? '')
  if (sale.state === 'closed' && cards.some((one) => one.status === 'PENDING' || isTaken(one)))
    return 'a sale is closed although a card was charged'
  const isUnpaid = record.order?.transactionId === null && !cards.some(isTaken)
  const isTold = record.questions.some(({ state }) => state === 'open')
  // Nobody can ask the account that the shop used before; the owner made the order knowing that.
  const canAsk = sale.merchantCode === merchantCode
  if (isUnpaid && !isTold && canAsk && Object.keys(sumup.broken).length === 0)
    return 'nothing was paid for an order, and nobody is told'
  const isReused =
    saleQuestion(record)?.state === 'open' && saleQuestion(record)?.reason === 'payment-reused'
  if (isReused && cards.some(isTaken)) return 'the payment of another sale hides the sale’s own'
  const waiting = record.refunds.find(({ state }) => state === 'asked' || state === 'unknown')
  const question =
    waiting && record.questions.find(({ paymentId }) => paymentId === waiting.paymentId)
  // One of an order is shown with the order.
  const isOfOrder = waiting && waiting.paymentId === ordersPayment(record)?.id
  if (waiting && !isOfOrder && question?.state !== 'open')
    return 'a refund stays unknown, and nobody sees it'
  return undefined
}

/** Every payment ends in an order, a question or a finished refund, and our rows say what went back. */
export function checkKnown({ sumup, records, merchantCode }: Books, one: Transaction): Violation {
  if (one.status !== 'SUCCESSFUL') return undefined
  const isOwn = (record: SaleRecord) =>
    record.payments.some(({ transactionId }) => transactionId === one.id)
  const record = Object.values(records).find(isOwn)
  const checkout = sumup.checkouts.find(({ id }) => id === one.checkoutId)
  const reference = checkout?.reference ?? ''
  // The owner has to look up what happened at an account that the shop cannot ask any more.
  const isOther = checkout?.merchantCode !== merchantCode
  const isSeen = ({ state, reason }: Question) =>
    isOther && reason === 'account-changed' ? state !== 'cleared' : state === 'open'
  const payment = record?.payments.find(({ transactionId }) => transactionId === one.id)
  if (!record || !payment)
    return records[reference]?.questions.some(isSeen)
      ? undefined
      : `${one.id} was paid, and nobody knows`
  const isTold = record.questions.some(
    ({ paymentId, state }) => paymentId === payment.id && state !== 'cleared',
  )
  const isOrdered = record.order?.transactionId === one.id
  const isReviewed = record.questions.some(
    (question) => question.id === reference && isSeen(question),
  )
  if (isTaken(one) && !isOrdered && !isTold && !isReviewed)
    return `${one.id} was paid, and nobody knows`
  if (sumup.broken[one.id] || payment.merchantCode !== merchantCode) return undefined
  const isMirrored =
    toCents(payment.refunded) === one.refunded && toCents(payment.chargedBack) === one.chargedBack
  return isMirrored ? undefined : `what went back of ${one.id} is never seen`
}
