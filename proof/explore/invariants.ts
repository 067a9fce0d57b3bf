import type { Country } from '#contract/countries.ts'
import { toCents } from '#contract/money.ts'
import {
  isKept,
  isOpenRefund,
  ordersPayment,
  remainingCents,
  returnedCents,
  type SaleRecord,
  type Decision,
  type Payment,
  type Refund,
  type StatusWithoutOrder,
} from '#server/payments/record.ts'
import { questionPayment } from '#server/payments/question.ts'
import { checkRecord, checkRefunded, isActive } from './books.ts'
import { priceOf, type Screen } from './shop.ts'
import {
  isOver,
  isReturnedInFull,
  isTaken,
  transactionsOf,
  type Sumup,
  type Transaction,
} from './sumup.ts'
import { isOrderAct, isStatus, ofOrder, type Result, type Run, type Task } from './tasks.ts'
import { minute, type OrderOf, type World } from './world.ts'

/** What must be true after every step. Each check returns a sentence if it is not. */

type Violation = string | undefined

/** Records that agree with a state of SumUp; most steps change neither. */
const checked = new WeakMap<Sumup, WeakSet<SaleRecord>>()

/** What holds between the rows and SumUp, whatever happened. */
export function checkWorld(world: World): Violation {
  const isChecked = checked.get(world.sumup) ?? new WeakSet()
  checked.set(world.sumup, isChecked)
  for (const record of Object.values(world.records)) {
    if (isChecked.has(record)) continue
    const violation = checkRecord(world.sumup, record) ?? checkReviewed(world.sumup, record)
    if (violation) return violation
    isChecked.add(record)
  }
  for (const one of world.sumup.transactions) {
    const violation = checkRefunded(one)
    if (violation) return violation
  }
  return undefined
}

/** The payment that an order was made for is refunded from the order, never in review. */
function checkReviewed(sumup: Sumup, { refunds, payments, ...record }: SaleRecord): Violation {
  const order: OrderOf | undefined = record.order
  const id = order?.transactionId
  if (!id || order.madeFor !== id) return undefined
  const payment = payments.find(({ transactionId }) => transactionId === id)
  const asked = sumup.transactions.find((one) => one.id === id)?.asked.filter(isActive) ?? []
  const ofOrders = refunds.filter(
    ({ paymentId, askedBy }) => paymentId === payment?.id && askedBy.startsWith(ofOrder),
  )
  return asked.length > ofOrders.length
    ? `${id} has an order and was refunded in review`
    : undefined
}

/** How old a reading may be that an order relies on. */
const freshMs = minute

/** What holds for a decision that creates an order. */
export function checkOrder(
  { sumup }: World,
  loadedAt: Date,
  decision: Decision,
  run: Run,
): Violation {
  const { order, after, returned = [] } = decision
  if (!order) return undefined
  const agreed = after.sale?.terms?.country
  if (agreed && agreed !== order.details.shippingAddress.country)
    return 'an order goes elsewhere than its price was agreed for'
  const truth = run.truths.at(-1) ?? sumup
  const payment = order.payment && after.payments.find(({ id }) => id === order.payment?.id)
  if (!payment) {
    const taken = transactionsOf(truth, after.sale?.sumupCheckoutId ?? '').some(isTaken)
    const { task } = run
    const questionId = 'owner' in task ? task.screen.questionId : undefined
    const question = run.lastRecord?.questions.find(({ id }) => id === questionId)
    // Only the owner can look at another account than the one that the shop uses.
    const isByWord = run.isBlind || question?.reason === 'account-changed'
    return taken || isByWord ? undefined : 'an order for which nothing was paid'
  }
  const one = truth.transactions.find(({ id }) => id === payment.transactionId)
  if (one?.status !== 'SUCCESSFUL')
    return `an order for ${payment.transactionId}, which is ${one?.status}`
  if (!('owner' in run.task) && after.sale && one.cents !== toCents(after.sale.amount))
    return `an order for ${one.id}, which was of another amount`
  const current = sumup.transactions.find(({ id }) => id === one.id)
  if (current?.asked.some(({ state }) => state !== 'failed'))
    return `an order for ${one.id}, which Till itself refunds`
  const isLongReturned = one.returnedAt !== null && loadedAt.getTime() - one.returnedAt >= freshMs
  const isByWord = run.isBlind && 'owner' in run.task
  if (isLongReturned && !isByWord) return `an order for ${one.id}, which went back before`
  const saidCents = returned.reduce((sum, { amount }) => sum + toCents(amount), 0)
  if (saidCents !== returnedCents(payment))
    return `the order of ${one.id} does not say what went back`
  return undefined
}

/** What holds for any decision that was written: owners decide about what they saw, and mails are true. */
export function checkWrite(
  { sumup }: World,
  before: SaleRecord,
  decision: Decision,
  run: Run,
): Violation {
  const { after, mails = [] } = decision
  const truth = run.truths.at(-1) ?? sumup
  const own = transactionsOf(truth, after.sale?.sumupCheckoutId ?? '')
  if (mails.includes('not-charged') && own.some(mayCharge))
    return 'a mail says that nothing was charged'
  if (mails.includes('payment-returned') && !own.some(isReturnedInFull))
    return 'a mail says that a payment went back'
  for (const one of before.payments) {
    const now = after.payments.find(({ id }) => id === one.id)
    if (now && returnedCents(now) < returnedCents(one))
      return `what went back of ${one.transactionId} is forgotten`
  }
  const movedTo = decision.reassignOrderTo?.id
  if (after.refunds.some((one) => isOpenRefund(one) && one.paymentId === movedTo))
    return 'an order moves to a payment that is being given back'
  const { task } = run
  const isSubmit = after.sale?.detailsAt?.getTime() !== before.sale?.detailsAt?.getTime()
  if (isSubmit && before.payments.some(({ status }) => status === 'pending'))
    return 'details are accepted although a card is known to be at the bank'
  if (!('owner' in task)) return undefined
  const begun = after.refunds.find(({ id }) => !before.refunds.some((one) => one.id === id))
  const paidBy = before.payments.find(
    ({ transactionId }) => transactionId === before.order?.transactionId,
  )
  if (isOrderAct(task.kind)) return checkOrderRefund(before, begun, run)
  if (begun && begun.paymentId === paidBy?.id) return 'a refund of a payment that has an order'
  const others = before.payments.filter((one) => isKept(one) && one.id !== begun?.paymentId)
  if (begun && before.order && others.length === 0)
    return 'the last payment of an order is given back'
  if (begun && paidBy && !run.answers.some((one) => isReadingOf(one, paidBy)))
    return 'a refund beside an order whose own payment may have gone back'
  const question = before.questions.find(({ id }) => id === task.screen.questionId)
  const isDismissed = after.questions.some(
    ({ id, state }) => id === question?.id && state === 'dismissed',
  )
  const isAct = decision.order ?? begun ?? (task.kind === 'dismiss' && isDismissed)
  if (!isAct || !question) return undefined
  return checkShown(task.screen, questionPayment(before, question))
}

function checkShown({ payment: shown }: Screen, payment: Payment | undefined): Violation {
  const names = ['id', 'amount', 'status', 'refunded', 'chargedBack'] as const
  const isShown = payment ? shown && names.every((name) => shown[name] === payment[name]) : !shown
  return isShown ? undefined : 'a decision about a payment that was not on the screen'
}

/** What holds when an owner begins to refund what pays for an order. */
function checkOrderRefund(before: SaleRecord, begun: Refund | undefined, run: Run): Violation {
  if (!begun || !('owner' in run.task)) return undefined
  const payment = ordersPayment(before)
  if (begun.paymentId !== payment?.id) return 'a refund of a payment that is not the order’s'
  if (toCents(begun.amount) > remainingCents(payment)) return 'a refund of more than is left'
  if (!run.answers.some((one) => isReadingOf(one, payment)))
    return 'a refund of a payment that nobody has read'
  return checkShown(run.task.screen, payment)
}

function isReadingOf(answer: unknown, { transactionId }: Payment): boolean {
  if (typeof answer !== 'object' || answer === null || !('id' in answer)) return false
  return answer.id === transactionId && 'chargedBack' in answer
}

/** Taken, or about to be. */
function mayCharge(one: Transaction): boolean {
  return one.status === 'PENDING' || isTaken(one)
}

/** What a page is told was true at SumUp at the reading that it is based on. */
export function checkResult(
  world: World,
  task: Task,
  result: Result,
  run: Run | undefined,
): Violation {
  if (!('tab' in task)) return undefined
  if (task.kind === 'open') return checkOpened(world, task.country, result)
  // What was read before the last look at our rows does not count any more.
  const isRead = run && run.step.type !== 'load' && run.truths.length > 0
  const truths = isRead ? run.truths : [world.sumup]
  const record = world.records[task.saleId]
  const { sumupCheckoutId = '', startedAt } = record?.sale ?? {}
  const cards = (sumup: Sumup) => transactionsOf(sumup, sumupCheckoutId ?? '')
  const isFree = (sumup: Sumup) => !cards(sumup).some(mayCharge)
  const isOverAt = (sumup: Sumup) =>
    sumup.checkouts.some((one) => one.id === sumupCheckoutId && isOver(one, world.now))
  const isClosed = (sumup: Sumup) => isFree(sumup) && (startedAt === null || isOverAt(sumup))
  const holds = (is: (sumup: Sumup) => boolean) => truths.some(is)
  if ('refused' in result) {
    if (result.refused === 'checkout-expired' && !holds(isFree)) return 'told that the form expired'
    if (
      result.refused === 'already-paid' &&
      !Object.values(world.records).some(({ order }) => order)
    )
      return 'told of an order that does not exist'
    return undefined
  }
  if (task.kind === 'details') return checkSecondCard(world, task.saleId, run)
  if (task.kind === 'start-over')
    return holds(isClosed) ? undefined : 'a new form while the old one can be charged'
  if (!isStatus(result.value)) return undefined
  return checkStatus(result.value, { record, holds, isFree, isClosed, cards })
}

/** The page goes on showing its price above this form. */
function checkOpened(world: World, country: Country | undefined, result: Result): Violation {
  if ('refused' in result) return undefined
  const { amount, terms } = world.records[String(result.value)]?.sale ?? {}
  const shown = priceOf(country)
  const isSame =
    amount === shown.amount && (terms?.country ?? null) === (shown.terms?.country ?? null)
  return isSame ? undefined : 'a form for another delivery than the page shows'
}

function checkStatus(
  status: StatusWithoutOrder,
  {
    record,
    holds,
    isFree,
    isClosed,
    cards,
  }: {
    record: SaleRecord | undefined
    holds: (is: (sumup: Sumup) => boolean) => boolean
    isFree: (sumup: Sumup) => boolean
    isClosed: (sumup: Sumup) => boolean
    cards: (sumup: Sumup) => Transaction[]
  },
): Violation {
  switch (status.state) {
    case 'declined':
      return holds(isFree) ? undefined : 'told that the card was declined'
    case 'closed':
      return holds(isClosed) ? undefined : 'told that nothing was charged and nothing can be'
    case 'too-many-cards':
      return undefined
    case 'paid':
      return record?.order ? undefined : 'told of an order that does not exist'
    case 'at-bank':
      return holds((sumup) => cards(sumup).length > 0)
        ? undefined
        : 'told of a card that was never sent'
    case 'review':
      return status.reason !== 'refunded' || holds((sumup) => cards(sumup).some(isReturnedInFull))
        ? undefined
        : 'told that the money went back'
    case 'open':
    case 'waiting':
      return undefined
  }
}

/**
 * Details were accepted, so a card follows: none may be under way on this form, as far as SumUp could be asked, or on
 * another one of the browser.
 */
function checkSecondCard(world: World, saleId: string, run: Run | undefined): Violation {
  for (const { sale } of Object.values(world.records)) {
    if (!sale || sale.thankedAt !== null) continue
    const isRisky = (sumup: Sumup) =>
      transactionsOf(sumup, sale.sumupCheckoutId ?? '').some(mayCharge)
    const truths = run?.isBlind ? [] : (run?.truths ?? [])
    const known = sale.id === saleId ? truths : [world.sumup]
    if (known.length > 0 && known.every(isRisky)) return 'a second card may be charged'
  }
  return undefined
}
