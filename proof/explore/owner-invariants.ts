import type { ReviewEntry } from '#contract/checkouts.ts'
import { toCents } from '#contract/money.ts'
import { isAgreed, type SaleRecord, type Question, type Payment } from '#server/payments/record.ts'
import { questionPayment } from '#server/payments/question.ts'
import { isMoneyKnown } from '#web/admin/orders/review-text.ts'
import { isReturnedInFull, transactionsOf, type Transaction } from './sumup.ts'
import { day, lagMs, type World } from './world.ts'

/**
 * What the list of reviews says to an owner must be true at SumUp when it is shown. It may only not know yet what has
 * happened since the last reading: a payment that was taken went back since, a card at the bank was decided about.
 */
export function checkShown(
  world: World,
  record: SaleRecord,
  question: Question,
  shown: ReviewEntry,
): string | undefined {
  const payment = questionPayment(record, question)
  const one = world.sumup.transactions.find(({ id }) => id === payment?.transactionId)
  const says = (sentence: string, isTrue: boolean) =>
    isTrue ? undefined : `the owner reads ${question.reason}: ${sentence}`
  return (
    checkMoney(shown, payment, one, says) ??
    (question.state === 'open'
      ? says('why', isReasonTrue(world, record, question, one))
      : undefined)
  )
}

function checkMoney(
  shown: ReviewEntry,
  payment: Payment | undefined,
  one: Transaction | undefined,
  says: (sentence: string, isTrue: boolean) => string | undefined,
): string | undefined {
  const isKnown = isMoneyKnown(shown)
  const total = shown.paid?.amount ?? shown.amount
  const returnedCents = one ? one.refunded + one.chargedBack : 0
  const isKeptAsRead =
    one !== undefined && (!isReturnedInFull(one) || isSinceReading(payment, one.returnedAt))
  // SumUp's 404 is all that is known of the payment of an order.
  const isUnsure = payment?.status !== 'successful' || shown.reason === 'not-at-sumup'
  return (
    says('SumUp has confirmed a payment', !isKnown || one?.status === 'SUCCESSFUL') ??
    says('it is not known whether money was taken', isKnown || isUnsure) ??
    says('the shop still has it', !shown.isPaid || isKeptAsRead) ??
    says(
      `${total} was paid`,
      !isKnown || !one || (total !== null && toCents(total) === one.cents),
    ) ??
    says(`${shown.refundedAmount} went back`, toCents(shown.refundedAmount) <= returnedCents)
  )
}

/** Whether it happened after the payment was last read, which may have shown what was true a moment before. */
function isSinceReading(payment: Payment | undefined, at: number | null): boolean {
  return !payment?.readAt || (at !== null && at + lagMs > payment.readAt.getTime())
}

function isReasonTrue(
  world: World,
  { sale, order }: SaleRecord,
  { reason }: Question,
  one: Transaction | undefined,
): boolean {
  const { sumup, records, merchantCode, outdated, now } = world
  const cards = transactionsOf(sumup, sale?.sumupCheckoutId ?? '')
  switch (reason) {
    case 'no-details':
      return sale !== undefined && (sale.details === null || !isAgreed(sale, sale.details))
    case 'paid-twice':
      return cards.filter(({ status }) => status === 'SUCCESSFUL').length >= 2
    case 'refunded':
      return one !== undefined && isReturnedInFull(one)
    case 'mismatch':
      return one !== undefined && sale !== undefined && one.cents !== toCents(sale.amount)
    case 'payment-reused':
      return sumup.echo !== undefined && sumup.echo.checkoutId === sale?.sumupCheckoutId
    case 'stuck':
      return cards.some(({ madeAt }) => now - madeAt >= 7 * day)
    case 'account-changed': {
      // The shop has just returned to the account, and asks it at once.
      const isDue = sale?.nextCheckAt && sale.nextCheckAt.getTime() <= now
      const isOutdated = outdated.includes(sale?.id ?? '')
      return sale?.merchantCode !== merchantCode || Boolean(isDue) || isOutdated
    }
    case 'no-sale': {
      const checkout = sumup.checkouts.find(({ id }) => id === one?.checkoutId)
      return records[checkout?.reference ?? '']?.sale === undefined
    }
    case 'not-at-sumup':
      return order !== undefined
    // About readings that were odd, and which nobody has repeated yet; or about a decision of the owner.
    default:
      return true
  }
}
