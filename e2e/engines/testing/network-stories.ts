import assert from 'node:assert/strict'
import { thankYouPath } from '#contract/paths.ts'
import { goodCard } from '#server/testing/buyer.ts'
import type { BrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  buyer,
  challengeCard,
  countOrders,
  getNewestCheckout,
  unknownCard,
  waitForOrders,
} from '#e2e/testing/checkout-page.ts'
import { secondGeneration } from '#e2e/testing/relay.ts'
import { fillDelivery, openCheckout, payByCard, waitForThanks } from './buyer-stories.ts'
import type { Story, Tab } from './tab.ts'

/*
 * A buyer loses the network, at every step. The page says what is true, keeps what was typed, and goes on by itself when
 * the network is back, of which no browser is told.
 */

const detailsCall = '/details HTTP'
const cardCall = 'PUT /sandbox/v0.2/checkouts/'
const unreachable = 'The shop cannot be reached right now.'
const unsent = `${unreachable} Your card has not been sent yet.`
const sent = `${unreachable} Please do not pay again: this page goes on by itself`

async function openAndFill(tab: Tab, shop: BrowserShop): Promise<string> {
  const path = await openCheckout(tab, shop)
  await fillDelivery(tab)
  return path
}

/** Whatever is not known is not said. */
async function assertClaimsNothing(tab: Tab): Promise<void> {
  const text = await tab.readText()
  assert.doesNotMatch(text, /failed|was declined|nothing was charged|has been confirmed/i)
}

/** One order, for one payment, of this story. */
async function assertBoughtOnce(shop: BrowserShop, before: number): Promise<void> {
  assert.equal(await countOrders(shop), before + 1)
  assert.equal(getNewestCheckout(shop).transactions.length, 1)
}

export const networkStories: Record<string, Story> = {
  async 'no network before the card form: it opens by itself, and what was typed is there'(
    tab,
    shop,
    network,
  ) {
    const lost = network.cutAt('create-checkout', { isDelivered: false })
    await openCheckout(tab, shop)
    await lost
    await tab.waitForText('The payment form did not load.')
    await tab.waitForText(`${unreachable} What you typed is kept`)
    await fillDelivery(tab)
    network.restore()
    await payByCard(tab, goodCard)
    await waitForThanks(tab)
  },

  async 'no network for SumUp’s script or its form: the card form opens by itself'(
    tab,
    shop,
    network,
  ) {
    for (const call of ['sdk.js', 'GET /sandbox/v0.2/checkouts/']) {
      const lost = network.cutAt(call, { isDelivered: false })
      await openCheckout(tab, shop)
      await lost
      await tab.waitForText('The payment form did not load.')
      network.restore()
      await tab.waitForSelector('[aria-busy=false] #sumup-card > *')
    }
  },

  async 'no network at Pay now: the card is sent when it is back, once'(tab, shop, network) {
    const before = await countOrders(shop)
    await openAndFill(tab, shop)
    await payByCard(tab, goodCard, () => network.cut())
    await tab.waitForText(unsent)
    await assertClaimsNothing(tab)
    network.restore()
    await waitForThanks(tab)
    await assertBoughtOnce(shop, before)
  },

  async 'the answer to the details is lost: a declined card is still called declined'(
    tab,
    shop,
    network,
  ) {
    await openAndFill(tab, shop)
    const lost = network.cutAt(detailsCall, { isDelivered: true })
    await payByCard(tab, unknownCard)
    await lost
    await tab.waitForText(unsent)
    network.restore()
    await tab.waitForText('Payment failed')
    assert.equal(await tab.readValue('City'), buyer.city)
  },

  async 'no network between details and card: no payment is known, and Pay now works again'(
    tab,
    shop,
    network,
  ) {
    const before = await countOrders(shop)
    await openAndFill(tab, shop)
    const lost = network.cutAt(cardCall, { isDelivered: false })
    await payByCard(tab, goodCard)
    await lost
    await tab.waitForText(sent)
    await assertClaimsNothing(tab)
    network.restore()
    await tab.waitForText('no payment with your card has arrived. Please try again.')
    assert.equal(await tab.readValue('City'), buyer.city)
    assert.match(await tab.readValue('Card number'), /^4200/)
    await tab.click('button', 'Pay now')
    await waitForThanks(tab)
    await assertBoughtOnce(shop, before)
  },

  async 'the network is lost while the card is charged: the page finds the order'(
    tab,
    shop,
    network,
  ) {
    const before = await countOrders(shop)
    await openAndFill(tab, shop)
    const lost = network.cutAt(cardCall, { isDelivered: true })
    await payByCard(tab, goodCard)
    await lost
    await tab.waitForText(sent)
    await assertClaimsNothing(tab)
    await waitForOrders(shop, before + 1)
    network.restore()
    await waitForThanks(tab)
    await assertBoughtOnce(shop, before)
  },

  async 'the network is lost for a while at the bank: its page works on'(tab, shop, network) {
    const before = await countOrders(shop)
    await openAndFill(tab, shop)
    await payByCard(tab, challengeCard)
    await tab.waitInFrame('button', 'Approve')
    network.cut()
    await tab.waitForText(sent)
    await assertClaimsNothing(tab)
    network.restore()
    await tab.clickInFrame('button', 'Approve')
    await waitForThanks(tab)
    await assertBoughtOnce(shop, before)
  },

  async 'the bank’s page is lost with the network: it can be closed, and the bank’s yes counts'(
    tab,
    shop,
    network,
  ) {
    const before = await countOrders(shop)
    await openAndFill(tab, shop)
    await payByCard(tab, challengeCard)
    await tab.waitInFrame('button', 'Approve')
    network.cut()
    await tab.clickInFrame('button', 'Approve')
    await tab.waitForText(sent)
    network.restore()
    await tab.click('button', 'Close it and wait for the bank')
    await tab.waitFor('heading', 'Your bank is checking the payment')
    const checkout = getNewestCheckout(shop).id
    await shop.sandbox.controls.answerBank({ checkout, outcome: 'approve' })
    await waitForThanks(tab)
    await assertBoughtOnce(shop, before)
  },

  async 'the answer to the order is lost: the page leads to it when the network is back'(
    tab,
    shop,
    network,
  ) {
    const before = await countOrders(shop)
    await openAndFill(tab, shop)
    const lost = network.cutAt('POST /api/orders', { isDelivered: true })
    await payByCard(tab, goodCard)
    await lost
    await tab.waitForText(sent)
    await assertClaimsNothing(tab)
    network.restore()
    await waitForThanks(tab)
    await assertBoughtOnce(shop, before)
  },

  async 'the thank-you page is lost: the link of the product leads to it'(tab, shop, network) {
    const before = await countOrders(shop)
    const path = await openAndFill(tab, shop)
    const lost = network.cutAt(`GET ${thankYouPath('')}`, { isDelivered: false })
    await payByCard(tab, goodCard)
    await lost
    // Until the browser has given up and says so itself.
    await tab.waitForNo('button', 'Processing')
    network.restore()
    await tab.open(path)
    await waitForThanks(tab)
    await assertBoughtOnce(shop, before)
  },

  async 'a tunnel at Pay now, where nothing arrives and nothing fails: one card is sent'(
    tab,
    shop,
    network,
  ) {
    const before = await countOrders(shop)
    await openAndFill(tab, shop)
    await payByCard(tab, goodCard, () => network.silence())
    await tab.waitForText(unsent)
    network.restore()
    await waitForThanks(tab)
    await assertBoughtOnce(shop, before)
  },

  async 'a network that comes and goes: the card form opens, and one card is sent'(
    tab,
    shop,
    network,
  ) {
    const before = await countOrders(shop)
    const lost = network.cutAt('create-checkout', { isDelivered: false })
    await openCheckout(tab, shop)
    await lost
    await Promise.all([network.flap(), fillDelivery(tab)])
    await payByCard(tab, goodCard)
    await waitForThanks(tab)
    await assertBoughtOnce(shop, before)
  },

  async 'a network of the second generation: slow, and nothing else'(tab, shop, network) {
    const before = await countOrders(shop)
    network.slowDown(secondGeneration)
    await openAndFill(tab, shop)
    await payByCard(tab, goodCard)
    await waitForThanks(tab)
    await assertBoughtOnce(shop, before)
  },
}
