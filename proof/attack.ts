import { randomUUID } from 'node:crypto'
import type { Answer } from './browser.ts'
import {
  again,
  buy,
  isOrder,
  keepDetails,
  note,
  noteOffer,
  openOffer,
  placeOrder,
  waitForEnd,
  type Visit,
} from './buy.ts'
import { payByCard } from './card.ts'
import { detailsOf, type Attack } from './plan-visitors.ts'

/** Nobody tries as many cards as this on one form. */
const mostBadCards = 9

/** Visitors who want something for nothing, or what is another's. */
export const attacks: Record<Attack, (visit: Visit) => Promise<void>> = {
  /** Another browser's checkout. */
  async foreign(visit) {
    await visit.browser.visit(visit.productId)
    const victim = visit.chance.pick(visit.world.history.offers)
    if (victim) await claim(visit, victim.checkoutId, 'another’s checkout')
  },

  /** A price of one's own. */
  async cheap(visit) {
    const { browser, productId, world } = visit
    await browser.visit(productId)
    const asked = { productId, amount: '0.01', currency: 'EUR' }
    const answer = await again(visit, () => browser.open(asked), [200, 400, 409])
    if (answer?.status !== 200) return
    world.history.breaches.push('a checkout at the visitor’s own price')
    const offer = { ...asked, checkoutId: String(answer.body.checkoutId) }
    noteOffer(visit, offer, answer)
    await keepDetails(visit, offer)
    await payByCard(world.sumup.account.url, offer.checkoutId, 'good')
    await placeOrder(visit, offer)
  },

  /** The browser's word alone. */
  async unpaid(visit) {
    const offer = await openOffer(visit)
    if (!offer || offer === 'ended') return
    await keepDetails(visit, offer)
    for (let time = 0; time < 3; time += 1) {
      const order = { ...offer, ...detailsOf(visit.visitor), sumupCheckoutId: offer.checkoutId }
      const answer = await visit.browser.order({ ...order, productId: visit.productId })
      if (!answer) continue
      note(visit, offer.checkoutId, answer)
      if (isOrder(answer)) visit.world.history.breaches.push('an order without a payment')
    }
  },

  /** The truth, far too often. */
  async replay(visit) {
    await buy(visit)
    const own = visit.world.history.offers.findLast(
      ({ visitor }) => visitor === visit.visitor.number,
    )
    if (!own) return
    for (let time = 0; time < 5; time += 1) await visit.browser.notify(own.checkoutId)
    await placeOrder(visit, { ...own, currency: 'EUR' })
    for (const { checkoutId } of visit.world.history.offers.slice(-5))
      await visit.browser.notify(checkoutId)
  },

  /** Ids that never were. */
  async forged(visit) {
    await visit.browser.visit(visit.productId)
    for (let time = 0; time < 3; time += 1) {
      const answer = await visit.browser.notify(randomUUID())
      if (answer && answer.status < 400)
        visit.world.history.breaches.push('a webhook for a checkout that never was')
      await claim(visit, randomUUID(), 'a checkout that never was')
    }
  },

  /** Stolen cards, one after the other. */
  async 'card-testing'(visit) {
    const { sumup, history } = visit.world
    const offer = await openOffer(visit)
    if (!offer || offer === 'ended') return
    for (let card = 0; card < mostBadCards; card += 1) {
      if ((await keepDetails(visit, offer)) !== 'same form') return
      await payByCard(sumup.account.url, offer.checkoutId, 'declined')
      if ((await waitForEnd(visit, offer.checkoutId)) !== 'same form') return
    }
    history.breaches.push(`${mostBadCards} cards on one form`)
  },

  /** Paid honestly, reported otherwise. */
  misstated: (visit) =>
    buy(visit, { amount: '0.01', currency: 'HUF', quantity: 5, status: 'completed' }),
}

async function claim({ browser, visitor, world }: Visit, id: string, what: string): Promise<void> {
  const details = detailsOf(visitor)
  const answers: (Answer | undefined)[] = [
    await browser.keepDetails(id, details),
    await browser.look(id),
    await browser.order({ ...details, sumupCheckoutId: id, quantity: 1, amount: '0.01' }),
  ]
  if (answers.some((answer) => answer && answer.status < 400)) world.history.breaches.push(what)
}
