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
import { bankTitle, fillDelivery, openCheckout, payByCard, waitForThanks } from './buyer-stories.ts'
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

async function openBankPage(tab: Tab, shop: BrowserShop): Promise<string> {
  const path = await openAndFill(tab, shop)
  await payByCard(tab, challengeCard)
  await tab.waitInFrame('button', 'Approve')
  return path
}

/** The page says this, and whatever is not known is not said. */
async function waitForTruth(tab: Tab, sentence: string): Promise<void> {
  await tab.waitForText(sentence)
  const text = await tab.readText()
  assert.doesNotMatch(text, /failed|was declined|nothing was charged|has been confirmed/i)
}

/** However the network is lost: once it is back, the page leads to one order, and no card is sent twice. */
function endsInOneOrder(story: Story, attempts = ['SUCCESSFUL']): Story {
  return async (tab, shop, network) => {
    const before = await countOrders(shop)
    await story(tab, shop, network)
    network.restore()
    await waitForThanks(tab)
    assert.equal(await countOrders(shop), before + 1)
    const { transactions } = getNewestCheckout(shop)
    assert.deepEqual(
      transactions.map(({ status }) => status),
      attempts,
    )
  }
}

/** Browsers differ in how a call, a script, a frame or a page is lost, and in what they send again by themselves. */
export const networkStories: Record<string, Story> = {
  'no network before the card form, then one that comes and goes: the form opens by itself, with what was typed':
    endsInOneOrder(async (tab, shop, network) => {
      const lost = network.cutAt('create-checkout', { isDelivered: false })
      await openCheckout(tab, shop)
      await lost
      await tab.waitForText('The payment form did not load.')
      await tab.waitForText(`${unreachable} What you typed is kept`)
      await Promise.all([network.flap(), fillDelivery(tab)])
      await payByCard(tab, goodCard)
    }),

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

  'no network at Pay now, then between details and card: no payment is known, Pay now works again; then lost while the card is charged: the page finds the order':
    endsInOneOrder(async (tab, shop, network) => {
      const before = await countOrders(shop)
      await openAndFill(tab, shop)
      await payByCard(tab, goodCard, () => network.cut())
      await waitForTruth(tab, unsent)
      network.restore()
      await network.cutAt(cardCall, { isDelivered: false })
      await waitForTruth(tab, sent)
      network.restore()
      await tab.waitForText('no payment with your card has arrived. Please try again.')
      assert.equal(await tab.readValue('City'), buyer.city)
      assert.match(await tab.readValue('Card number'), /^4200/)
      const lost = network.cutAt(cardCall, { isDelivered: true })
      await tab.click('button', 'Pay now')
      await lost
      await waitForTruth(tab, sent)
      await waitForOrders(shop, before + 1)
    }),

  'the answer to the details is lost: a declined card is called declined, what was typed is kept, and another card buys':
    endsInOneOrder(
      async (tab, shop, network) => {
        await openAndFill(tab, shop)
        const lost = network.cutAt(detailsCall, { isDelivered: true })
        await payByCard(tab, unknownCard)
        await lost
        await waitForTruth(tab, unsent)
        network.restore()
        await tab.waitForText('Payment failed')
        assert.equal(await tab.readValue('City'), buyer.city)
        await payByCard(tab, goodCard)
      },
      ['FAILED', 'SUCCESSFUL'],
    ),

  'the bank asks inside the page (3-D Secure), without a network for a while: no other tab takes a card, and its yes is the order':
    endsInOneOrder(async (tab, shop, network) => {
      const path = await openBankPage(tab, shop)
      network.cut()
      await waitForTruth(tab, sent)
      network.restore()
      const second = await tab.openTab(path)
      await second.waitFor('heading', bankTitle)
      await tab.clickInFrame('button', 'Approve')
      const order = await waitForThanks(tab)
      assert.equal(await waitForThanks(second), order)
    }),

  'the bank’s page is lost with the network: it can be closed, and the bank’s yes counts':
    endsInOneOrder(async (tab, shop, network) => {
      await openBankPage(tab, shop)
      network.cut()
      await tab.clickInFrame('button', 'Approve')
      await tab.waitForText(sent)
      network.restore()
      await tab.waitForText('Does the page of your bank not work here?')
      await tab.click('button', 'Close it and wait for the bank')
      await tab.waitFor('heading', bankTitle)
      const checkout = getNewestCheckout(shop).id
      await shop.sandbox.controls.answerBank({ checkout, outcome: 'approve' })
    }),

  'a tunnel at Pay now, where nothing arrives and nothing fails; the answer with the order is lost, then the thank-you page: the product’s link leads to it':
    endsInOneOrder(async (tab, shop, network) => {
      const path = await openAndFill(tab, shop)
      await payByCard(tab, goodCard, () => network.silence())
      await waitForTruth(tab, unsent)
      network.restore()
      await network.cutAt('POST /api/orders', { isDelivered: true })
      await waitForTruth(tab, sent)
      network.restore()
      await network.cutAt(`GET ${thankYouPath('')}`, { isDelivered: false })
      // Until the browser has given up and says so itself.
      await tab.waitForNo('button', 'Processing')
      network.restore()
      await tab.open(path)
    }),

  'a network of the second generation: slow, and nothing else': endsInOneOrder(
    async (tab, shop, network) => {
      const assertNoFault = async () =>
        assert.doesNotMatch(await tab.readText(), /cannot be reached|did not load|failed/i)
      network.slowDown(secondGeneration)
      await openCheckout(tab, shop)
      await assertNoFault()
      await fillDelivery(tab)
      await assertNoFault()
      await payByCard(tab, goodCard, assertNoFault)
      await assertNoFault()
      await waitForThanks(tab)
    },
  ),
}
