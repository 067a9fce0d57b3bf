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

async function openBankPage(tab: Tab, shop: BrowserShop): Promise<void> {
  await openAndFill(tab, shop)
  await payByCard(tab, challengeCard)
  await tab.waitInFrame('button', 'Approve')
}

/** The network is lost at this call, which arrives or not; its answer does not. */
async function payAndLose(
  [tab, shop, network]: Parameters<Story>,
  call: string,
  { isDelivered, card = goodCard }: { isDelivered: boolean; card?: string },
): Promise<string> {
  const path = await openAndFill(tab, shop)
  const lost = network.cutAt(call, { isDelivered })
  await payByCard(tab, card)
  await lost
  return path
}

/** The page says this, and whatever is not known is not said. */
async function waitForTruth(tab: Tab, sentence: string): Promise<void> {
  await tab.waitForText(sentence)
  const text = await tab.readText()
  assert.doesNotMatch(text, /failed|was declined|nothing was charged|has been confirmed/i)
}

/** However the network is lost: once it is back, the page leads to one order, for one payment. */
function endsInOneOrder(story: Story): Story {
  return async (tab, shop, network) => {
    const before = await countOrders(shop)
    await story(tab, shop, network)
    network.restore()
    await waitForThanks(tab)
    assert.equal(await countOrders(shop), before + 1)
    assert.equal(getNewestCheckout(shop).transactions.length, 1)
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

  'no network at Pay now, then lost again while the card is charged: it is sent once, and the page finds the order':
    endsInOneOrder(async (tab, shop, network) => {
      const before = await countOrders(shop)
      await openAndFill(tab, shop)
      await payByCard(tab, goodCard, () => network.cut())
      await waitForTruth(tab, unsent)
      network.restore()
      await network.cutAt(cardCall, { isDelivered: true })
      await waitForTruth(tab, sent)
      await waitForOrders(shop, before + 1)
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
      await tab.waitFor('heading', 'Your bank is checking the payment')
      const checkout = getNewestCheckout(shop).id
      await shop.sandbox.controls.answerBank({ checkout, outcome: 'approve' })
    }),

  'a tunnel at Pay now, where nothing arrives and nothing fails, then the thank-you page is lost: the product’s link leads to it':
    endsInOneOrder(async (tab, shop, network) => {
      const path = await openAndFill(tab, shop)
      await payByCard(tab, goodCard, () => network.silence())
      await waitForTruth(tab, unsent)
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

/** A call is lost here as in the stories above; which one decides what the page does, in every browser alike. */
export const lostCallStories: Record<string, Story> = {
  async 'the answer to the details is lost: a declined card is still called declined'(
    tab,
    shop,
    network,
  ) {
    await payAndLose([tab, shop, network], detailsCall, { isDelivered: true, card: unknownCard })
    await tab.waitForText(unsent)
    network.restore()
    await tab.waitForText('Payment failed')
    assert.equal(await tab.readValue('City'), buyer.city)
  },

  'no network between details and card: no payment is known, and Pay now works again':
    endsInOneOrder(async (tab, shop, network) => {
      await payAndLose([tab, shop, network], cardCall, { isDelivered: false })
      await waitForTruth(tab, sent)
      network.restore()
      await tab.waitForText('no payment with your card has arrived. Please try again.')
      assert.equal(await tab.readValue('City'), buyer.city)
      assert.match(await tab.readValue('Card number'), /^4200/)
      await tab.click('button', 'Pay now')
    }),

  'the network is lost for a while at the bank: its page works on': endsInOneOrder(
    async (tab, shop, network) => {
      await openBankPage(tab, shop)
      network.cut()
      await waitForTruth(tab, sent)
      network.restore()
      await tab.clickInFrame('button', 'Approve')
    },
  ),

  'the answer to the order is lost: the page leads to it when the network is back': endsInOneOrder(
    async (tab, shop, network) => {
      await payAndLose([tab, shop, network], 'POST /api/orders', { isDelivered: true })
      await waitForTruth(tab, sent)
    },
  ),
}
