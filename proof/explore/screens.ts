import type { ReviewEntry } from '#contract/checkouts.ts'
import {
  ordersPayment,
  type SaleRecord,
  type Question,
  type Payment,
} from '#server/payments/record.ts'
import {
  questionPayment,
  orderVersionOf,
  showQuestion,
  whyNoOrderRefund,
} from '#server/payments/question.ts'
import { checkShown } from './owner-invariants.ts'
import type { Screen } from './shop.ts'
import { isOrderAct, type OwnerAct } from './tasks.ts'
import { spend, type World } from './world.ts'

/** What an owner's browser shows before a decision. */

type Look = { label: string; world: World; violation?: string | undefined }

/** The owner's browser loads the list of reviews. */
export function listLooks(world: World, owner: string): Look[] {
  return Object.entries(world.records).flatMap(([recordId, record]) =>
    record.questions
      .filter(({ state }) => state === 'open' || state === 'dismissed')
      .map((question) => {
        const isOwn = ({ merchantCode }: { merchantCode: string }) =>
          merchantCode === world.merchantCode
        const shown = showQuestion({ isOwn }, record, question, new Date(world.now), null)
        const screens = {
          ...world.screens,
          [owner]: createScreen(record, recordId, question, shown),
        }
        return {
          label: `owner ${owner} sees ${question.reason} (${question.state})`,
          world: { ...spend(world, `look ${owner}`), screens },
          violation: checkShown(world, record, question, shown),
        }
      }),
  )
}

/** The owner's browser loads an order that can be refunded. */
export function listOrderLooks(world: World, owner: string, acts: readonly OwnerAct[]): Look[] {
  if (!acts.some(isOrderAct)) return []
  return Object.entries(world.records).flatMap(([recordId, record]) => {
    const payment = ordersPayment(record)
    const refused = whyNoOrderRefund(record, new Date(world.now))
    if (!record.order || !payment || refused || payment.merchantCode !== world.merchantCode)
      return []
    const screen: Screen = {
      recordId,
      questionId: '',
      orderId: record.order.id,
      version: orderVersionOf(record),
      payment: pickShown(payment),
      canOrder: false,
      canRefund: false,
      canDismiss: false,
      state: 'cleared',
    }
    const screens = { ...world.screens, [owner]: screen }
    return [
      {
        label: `owner ${owner} sees the order of ${payment.transactionId}`,
        world: { ...spend(world, `look ${owner}`), screens },
      },
    ]
  })
}

function pickShown({ id, amount, status, refunded, chargedBack }: Payment) {
  return { id, amount, status, refunded, chargedBack }
}

function createScreen(
  record: SaleRecord,
  recordId: string,
  question: Question,
  shown: ReviewEntry,
): Screen {
  const payment = questionPayment(record, question)
  const { version, canOrder, canRefund, canDismiss } = shown
  return {
    recordId,
    questionId: question.id,
    version,
    payment: payment ? pickShown(payment) : null,
    canOrder,
    canRefund,
    canDismiss,
    state: question.state,
  }
}
