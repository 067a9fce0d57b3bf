import { randomUUID } from 'node:crypto'
import { payWithCard } from './browser.ts'
import { buy, openOffer, saveDetails } from './buy.ts'
import { placeOrder, waitForOutcome } from './outcome.ts'
import { isOrder, recordAnswer, recordOffer, retry, type Visit } from './visit.ts'
import { getDetails, type Attack } from './visitors.ts'

/** The shop must refuse before that. */
const maxDeclinedCards = 9

/** Visitors who try to get goods without paying, or access to another's checkout. */
export const attacks: Record<Attack, (visit: Visit) => Promise<void>> = {
  /** Uses the checkout of another browser. */
  async foreign(visit) {
    await visit.browser.visitPage(visit.productId)
    const victim = visit.random.pick(visit.context.history.offers)
    if (victim) await tryCheckout(visit, victim.checkoutId, 'another’s checkout')
  },

  /** Asks for a price of their own. */
  async cheap(visit) {
    const { browser, productId, context } = visit
    await browser.visitPage(productId)
    const request = { productId, amount: '0.01', currency: 'EUR' }
    const answer = await retry(visit, () => browser.createCheckout(request), [200, 400, 409])
    if (answer?.status !== 200) return
    context.history.breaches.push('a checkout at the visitor’s own price')
    const offer = { ...request, checkoutId: String(answer.body.checkoutId) }
    recordOffer(visit, offer, answer)
    await saveDetails(visit, offer)
    await payWithCard(context.sumup.account.url, offer.checkoutId, 'good')
    await placeOrder(visit, offer)
  },

  /** Orders without paying. */
  async unpaid(visit) {
    const offer = await openOffer(visit)
    if (!offer || offer === 'ended') return
    await saveDetails(visit, offer)
    for (let count = 0; count < 3; count += 1) {
      const order = { ...offer, ...getDetails(visit.visitor), sumupCheckoutId: offer.checkoutId }
      const call = () => visit.browser.placeOrder({ ...order, productId: visit.productId })
      const answer = await retry(visit, call, [200, 201, 202, 402, 404, 409, 410, 429])
      if (!answer) continue
      recordAnswer(visit, offer.checkoutId, answer)
      if (isOrder(answer)) visit.context.history.breaches.push('an order without a payment')
    }
  },

  /** Buys, then repeats webhooks and the order. */
  async replay(visit) {
    await buy(visit)
    const own = visit.context.history.offers.findLast(
      ({ visitor }) => visitor === visit.visitor.number,
    )
    if (!own) return
    for (let count = 0; count < 5; count += 1) await visit.browser.sendWebhook(own.checkoutId)
    await placeOrder(visit, { ...own, currency: 'EUR' })
    for (const { checkoutId } of visit.context.history.offers.slice(-5))
      await visit.browser.sendWebhook(checkoutId)
  },

  /** Invents checkout ids. */
  async forged(visit) {
    await visit.browser.visitPage(visit.productId)
    for (let count = 0; count < 3; count += 1) {
      const answer = await visit.browser.sendWebhook(randomUUID())
      if (answer && answer.status < 400)
        visit.context.history.breaches.push('a webhook for an unknown checkout')
      await tryCheckout(visit, randomUUID(), 'an unknown checkout')
    }
  },

  /** Tests stolen cards, one after the other. */
  async 'card-testing'(visit) {
    const { sumup, history } = visit.context
    const offer = await openOffer(visit)
    if (!offer || offer === 'ended') return
    for (let card = 0; card < maxDeclinedCards; card += 1) {
      if ((await saveDetails(visit, offer)) !== 'same form') return
      await payWithCard(sumup.account.url, offer.checkoutId, 'declined')
      if ((await waitForOutcome(visit, offer.checkoutId)) !== 'same form') return
    }
    history.breaches.push(`${maxDeclinedCards} cards on one form`)
  },

  /** Pays, but reports other values. */
  misstated: (visit) =>
    buy(visit, { amount: '0.01', currency: 'HUF', quantity: 5, status: 'completed' }),
}

async function tryCheckout(
  { browser, visitor, context }: Visit,
  id: string,
  what: string,
): Promise<void> {
  const details = getDetails(visitor)
  const answers = [
    await browser.saveDetails(id, details),
    await browser.readCheckout(id),
    await browser.placeOrder({ ...details, sumupCheckoutId: id, quantity: 1, amount: '0.01' }),
  ]
  if (answers.some((answer) => answer && answer.status < 400)) context.history.breaches.push(what)
}
