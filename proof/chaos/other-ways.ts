import { setTimeout as delay } from 'node:timers/promises'
import { pressElsewhere } from '#server/testing/buyer.ts'
import { payOtherwise } from './browser.ts'
import {
  comeBackTo,
  finishPaying,
  reopenPage,
  startOver,
  waitForOutcome,
  type Next,
} from './outcome.ts'
import { closeTabAt, TabClosed, type Offer, type Visit } from './visit.ts'
import type { OtherWay } from './visitors.ts'

/** With a wallet in the page, or on a page elsewhere, from which the buyer comes back or does not. */
export async function payInOtherWay(
  visit: Visit,
  offer: Offer,
  orderFields: object,
): Promise<Next> {
  const { visitor, random, context } = visit
  const { checkoutId } = offer
  const { account } = context.sumup
  const wallets: Partial<Record<OtherWay, 'approved' | 'declined'>> = {
    'pays with a wallet': 'approved',
    'is declined in a wallet': 'declined',
  }
  const wallet = visitor.otherWay && wallets[visitor.otherWay]
  const paying = payOtherwise(account.url, checkoutId, wallet)
  await closeTabAt(visit, 'paying')
  const { outcome, secret } = await paying
  if (!secret) return finishPaying(visit, offer, outcome, orderFields)
  const press = async (button: string) => {
    await delay(random.between(50, 600))
    await pressElsewhere(account, checkoutId, secret, button)
  }
  const comeBackLate = async (outcome: 'approve' | 'decline') => {
    await press('approve-later')
    const settled = delay(random.between(200, 3_000)).then(() =>
      context.sumup.control('answer-bank', { checkout: checkoutId, outcome }),
    )
    const [next] = await Promise.all([comeBackTo(visit, checkoutId), settled])
    return next
  }
  switch (visitor.otherWay) {
    case 'fails elsewhere':
      await press('decline')
      return comeBackTo(visit, checkoutId)
    case 'cancels elsewhere':
      await press('cancel')
      return comeBackTo(visit, checkoutId)
    case 'is elsewhere, then it is paid':
      return comeBackLate('approve')
    case 'is elsewhere, then it fails':
      return comeBackLate('decline')
    case 'pays elsewhere and never returns':
      await press('approve-and-stay')
      throw new TabClosed()
    case 'never finishes elsewhere':
      throw new TabClosed()
    case 'comes back and starts over': {
      await reopenPage(visit)
      const isOver = await startOver(visit, checkoutId)
      // On the page that is still open elsewhere.
      await press('approve')
      return isOver ? 'new form' : waitForOutcome(visit, checkoutId)
    }
    case 'pays elsewhere':
    case 'pays with a wallet':
    case 'is declined in a wallet':
    case undefined:
      await press('approve')
      return comeBackTo(visit, checkoutId)
  }
}
