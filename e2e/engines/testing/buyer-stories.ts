import assert from 'node:assert/strict'
import { checkoutPath, thankYouPath } from '#contract/paths.ts'
import { addMug, goodCard } from '#server/testing/buyer.ts'
import type { BrowserShop } from '#e2e/testing/browser-shop.ts'
import { buyer, challengeCard, countOrders, getNewestCheckout } from '#e2e/testing/checkout-page.ts'
import type { Story, Tab } from './tab.ts'

const thanks = thankYouPath('')
export const bankTitle = 'Your bank is checking the payment'

export async function openCheckout(tab: Tab, shop: BrowserShop): Promise<string> {
  const path = checkoutPath(await addMug(shop))
  await tab.open(path)
  return path
}

export async function fillDelivery(tab: Tab): Promise<void> {
  await tab.fill('Email', buyer.email)
  await tab.choose('Country', buyer.country)
  await tab.fill('First name', buyer.firstName)
  await tab.fill('Last name', buyer.lastName)
  await tab.fill('Address', buyer.address)
  await tab.fill('ZIP code', buyer.postcode)
  await tab.fill('City', buyer.city)
}

/** `beforePay`: between the card and Pay now. */
export async function payByCard(
  tab: Tab,
  number: string,
  beforePay: () => void | Promise<void> = () => {},
): Promise<void> {
  await tab.waitForSelector('[aria-busy=false] #sumup-card')
  await tab.fill('Card number', number)
  await tab.fill('Expiry date', '12/39')
  await tab.fill('Security code', '123')
  await beforePay()
  await tab.click('button', 'Pay now')
}

export async function waitForThanks(tab: Tab): Promise<string> {
  await tab.waitForPath(thanks)
  await tab.waitForText('Your order has been confirmed')
  return tab.readPath()
}

export const buyerStories: Record<string, Story> = {
  async 'a buyer reads the policies over the form, and buys: the order is shown, also reloaded; the link says it is bought, Back leads to it'(
    tab,
    shop,
  ) {
    const before = await countOrders(shop)
    const checkout = await openCheckout(tab, shop)
    await fillDelivery(tab)
    for (const policy of ['Refund policy', 'Privacy policy']) {
      await tab.click('link', policy)
      await tab.waitFor('dialog', policy)
      // Escape reaches a dialog once it has the focus, a moment after it is shown.
      await tab.waitForSelector(':is(dialog, [role=dialog]):focus-within')
      await tab.pressEscape()
      await tab.waitForNo('dialog', policy)
    }
    assert.equal(await tab.readValue('City'), buyer.city)
    await payByCard(tab, goodCard)
    const order = await waitForThanks(tab)
    assert.equal(await countOrders(shop), before + 1)
    await tab.reload()
    for (const text of ['Thank you!', 'Mug', '€49.00', buyer.email, buyer.address, buyer.city])
      await tab.waitForText(text)
    await tab.open(checkout)
    await tab.waitForText('You bought this')
    await tab.back()
    assert.equal(await waitForThanks(tab), order)
    assert.equal(await countOrders(shop), before + 1)
  },

  async 'reloaded while the bank asks: the page says so, and the bank’s yes leads to the order'(
    tab,
    shop,
  ) {
    await openCheckout(tab, shop)
    await fillDelivery(tab)
    await payByCard(tab, challengeCard)
    await tab.waitForSelector('iframe')
    await tab.reload()
    await tab.waitFor('heading', bankTitle)
    await tab.waitForText('There is no need to pay again')
    await tab.waitForNo('button', 'Pay now')
    assert.doesNotMatch(await tab.readText(), /failed|nothing was charged/i)
    const checkout = getNewestCheckout(shop).id
    await shop.sandbox.controls.answerBank({ checkout, outcome: 'approve' })
    await waitForThanks(tab)
    assert.equal(getNewestCheckout(shop).id, checkout)
  },
}
