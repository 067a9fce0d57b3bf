import assert from 'node:assert/strict'
import { defaultMethods } from '#contract/payment-methods.ts'
import { changeConfig } from '#server/testing/prices.ts'
import { buyer, countOrders, getNewestCheckout } from '#e2e/testing/checkout-page.ts'
import { fillDelivery, openCheckout, waitForThanks } from './buyer-stories.ts'
import type { Story, Tab } from './tab.ts'

type Paying = { method: string; attempts: string[]; paidBy: string }

/** A buyer who has filled in the form chooses a method, in a shop that offers it, and has one order in the end. */
function choosing({ method, attempts, paidBy }: Paying, pay: (tab: Tab) => Promise<void>): Story {
  return async (tab, shop) => {
    const before = await countOrders(shop)
    changeConfig(shop, { methods: { ...defaultMethods, otherMethods: ['apple_pay', 'paypal'] } })
    try {
      await openCheckout(tab, shop)
      await fillDelivery(tab)
      await choose(tab, method)
      await pay(tab)
      await waitForThanks(tab)
    } finally {
      changeConfig(shop, { methods: defaultMethods })
    }
    await tab.waitForText(`Payment method ${paidBy}`)
    const { transactions } = getNewestCheckout(shop)
    assert.deepEqual(
      transactions.map(({ status }) => status),
      attempts,
    )
    assert.equal(await countOrders(shop), before + 1)
  }
}

async function choose(tab: Tab, method: string): Promise<void> {
  await tab.waitForSelector('[aria-busy=false] #sumup-card')
  await tab.click('button', 'Other ways to pay')
  await tab.click('button', `Pay with ${method}`)
}

export const otherMethodStories: Record<string, Story> = {
  'a wallet in the form pays, and the thank-you page names it': choosing(
    { method: 'Apple Pay', attempts: ['SUCCESSFUL'], paidBy: 'Apple Pay' },
    (tab) => tab.click('button', 'Confirm in the wallet'),
  ),

  'a method with a page of its own is cancelled: what was typed is there; it pays, and leads back to the order':
    choosing(
      { method: 'PayPal', attempts: ['CANCELLED', 'SUCCESSFUL'], paidBy: 'PayPal' },
      async (tab) => {
        await tab.waitFor('heading', 'Pay with PayPal')
        await tab.click('button', 'Cancel')
        await tab.waitForText('Please look again')
        assert.equal(await tab.readValue('City'), buyer.city)
        await choose(tab, 'PayPal')
        await tab.waitFor('heading', 'Pay with PayPal')
        await tab.click('button', 'Pay')
      },
    ),
}
