import type { ReviewEntry } from '#contract/checkouts.ts'
import { ordersPayment, type Case, type Entry, type Payment } from '#server/payments/case.ts'
import {
  entryPayment,
  orderVersionOf,
  showEntry,
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
  return Object.entries(world.cases).flatMap(([caseId, kase]) =>
    kase.entries
      .filter(({ state }) => state === 'open' || state === 'dismissed')
      .map((entry) => {
        const isOwn = ({ merchantCode }: { merchantCode: string }) =>
          merchantCode === world.merchantCode
        const shown = showEntry({ isOwn }, kase, entry, new Date(world.now), null)
        const screens = { ...world.screens, [owner]: createScreen(kase, caseId, entry, shown) }
        return {
          label: `owner ${owner} sees ${entry.reason} (${entry.state})`,
          world: { ...spend(world, `look ${owner}`), screens },
          violation: checkShown(world, kase, entry, shown),
        }
      }),
  )
}

/** The owner's browser loads an order that can be refunded. */
export function listOrderLooks(world: World, owner: string, acts: readonly OwnerAct[]): Look[] {
  if (!acts.some(isOrderAct)) return []
  return Object.entries(world.cases).flatMap(([caseId, kase]) => {
    const payment = ordersPayment(kase)
    const refused = whyNoOrderRefund(kase, new Date(world.now))
    if (!kase.order || !payment || refused || payment.merchantCode !== world.merchantCode) return []
    const screen: Screen = {
      caseId,
      entryId: '',
      orderId: kase.order.id,
      version: orderVersionOf(kase),
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

function createScreen(kase: Case, caseId: string, entry: Entry, shown: ReviewEntry): Screen {
  const payment = entryPayment(kase, entry)
  const { version, canOrder, canRefund, canDismiss } = shown
  return {
    caseId,
    entryId: entry.id,
    version,
    payment: payment ? pickShown(payment) : null,
    canOrder,
    canRefund,
    canDismiss,
    state: entry.state,
  }
}
