import { setTimeout as delay } from 'node:timers/promises'
import type { CardOutcome } from './browser.ts'
import { getClaim } from './history.ts'
import {
  chooseOffer,
  closeTabAt,
  getText,
  isOrder,
  loadPage,
  maxTries,
  recordAnswer,
  recordOffer,
  recordRedirect,
  retry,
  type Offer,
  type Visit,
} from './visit.ts'
import { getDetails } from './visitors.ts'

/* What a buyer's page does once a payment was sent: it asks what became of it. */

/** What a step leads to: the end of the visit, another try on the same form, or a new form. */
export type Next = 'ended' | 'same form' | 'new form'

const maxUnclearReads = 3
/** How often a buyer reads that the card is at the bank before they start over. */
const readsPerStartOver = 5
/** How long a page asks for the outcome before the buyer leaves. */
const maxWaitMs = 20_000

/** The waiting panel: asks for the outcome until there is one or the buyer gives up. */
export async function waitForOutcome(visit: Visit, checkoutId: string): Promise<Next> {
  const { browser, random } = visit
  const seen = { 'at-bank': 0, 'no-card': 0 }
  for (const giveUpAt = Date.now() + maxWaitMs; Date.now() < giveUpAt;) {
    const answer = await browser.readCheckout(checkoutId)
    if (answer) recordAnswer(visit, checkoutId, answer)
    switch (answer?.body.state) {
      case 'paid':
      case 'review':
      case 'too-many-cards':
        return 'ended'
      case 'declined':
      case 'open':
        return 'same form'
      case 'closed':
        return 'new form'
      case 'at-bank':
        seen['at-bank'] += 1
        if (seen['at-bank'] % readsPerStartOver === 0 && (await startOver(visit, checkoutId)))
          return 'new form'
        break
      case 'waiting':
        if (answer.body.reason === 'no-card') seen['no-card'] += 1
        if (seen['no-card'] > maxUnclearReads) return 'same form'
    }
    await delay(random.between(200, 600))
  }
  return 'ended'
}

/** "I did not finish at my bank": true if the buyer may use another card. */
export async function startOver(visit: Visit, checkoutId: string): Promise<boolean> {
  const call = () => visit.browser.startOver(checkoutId)
  const answer = await retry(visit, call, [204, 404, 409, 410, 429])
  if (answer && answer.status !== 204) recordAnswer(visit, checkoutId, answer)
  return answer?.status === 204
}

export async function finishPaying(
  visit: Visit,
  offer: Offer,
  outcome: CardOutcome,
  orderFields: object,
): Promise<Next> {
  const isPaid = outcome === 'PAID' || outcome === 'PENDING' || outcome === 'processed'
  if (isPaid || outcome === 'unknown') await closeTabAt(visit, 'paid')
  // If the widget does not know the outcome, the page asks for it before another card is sent.
  return isPaid ? placeOrder(visit, offer, orderFields) : waitForOutcome(visit, offer.checkoutId)
}

/** The page that was left, loaded anew: it leads to the order, or asks what became of the payment. */
export async function comeBackTo(visit: Visit, checkoutId: string): Promise<Next> {
  const page = await retry(visit, () => visit.browser.visitPage(visit.productId), [200, 303])
  if (page?.status !== 303) return waitForOutcome(visit, checkoutId)
  recordRedirect(visit, page)
  return 'ended'
}

/**
 * Opens the page again while the card is at the bank, until it shows a form or says something about the sale, and only
 * records that.
 */
export async function reopenPage(visit: Visit): Promise<void> {
  const { browser, random } = visit
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const page = await loadPage(visit)
    if (page === 'ended') return
    if (page) {
      const request = chooseOffer(visit, page)
      const answer = await browser.createCheckout(request)
      const checkoutId = answer ? getText(answer, 'checkoutId') : ''
      if (answer?.status === 200) return recordOffer(visit, { ...request, checkoutId }, answer)
      if (answer && getClaim(answer)) return recordAnswer(visit, checkoutId, answer)
    }
    await delay(random.between(200, 900))
  }
}

export async function readOnce(visit: Visit, checkoutId: string): Promise<void> {
  const answer = await retry(visit, () => visit.browser.readCheckout(checkoutId), [200])
  if (answer) recordAnswer(visit, checkoutId, answer)
}

/** Reports the payment until the shop answers with an order or a refusal. */
export async function placeOrder(
  visit: Visit,
  { checkoutId, country, isPickup, amount, currency }: Offer,
  orderFields: object = {},
): Promise<Next> {
  const { browser, visitor, productId, random } = visit
  const order = {
    productId,
    quantity: 1,
    amount,
    currency,
    ...getDetails(visitor, { country, isPickup, choice: visit.choice }),
    sumupCheckoutId: checkoutId,
    status: 'pending',
    ...orderFields,
  }
  await closeTabAt(visit, 'ordering', (closing) => browser.placeOrder(order, closing))
  const clicks = visitor.doubleClicks ? 2 : 1
  let atBank = 0
  for (const giveUpAt = Date.now() + maxWaitMs; Date.now() < giveUpAt;) {
    const results = await Promise.all(
      Array.from({ length: clicks }, () => browser.placeOrder(order)),
    )
    const answers = results.filter((answer) => answer !== undefined)
    for (const answer of answers) recordAnswer(visit, checkoutId, answer)
    if (answers.some(isOrder)) {
      await closeTabAt(visit, 'ordered')
      return 'ended'
    }
    const refused = answers.find(({ status }) => [402, 404, 409, 410, 429].includes(status))
    if (refused?.status === 402) return 'same form'
    if (refused) return refused.body.code === 'checkout-expired' ? 'new form' : 'ended'
    if (answers.some(({ body }) => body.state === 'at-bank')) atBank += 1
    if (atBank >= readsPerStartOver && (await startOver(visit, checkoutId))) return 'new form'
    await delay(random.between(200, 800))
  }
  return 'ended'
}
