import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { refusals } from '#contract/refusals.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  bankPanel,
  buyer,
  cardNumber,
  challengeCard,
  countOrders,
  fillCard,
  fillDelivery,
  getNewestCheckout,
  openBankApp,
  openCheckoutPage,
  pay,
  payButton,
  toast,
  unknownCard,
  waitForOrders,
  waitForCardForm,
} from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths, stopClock } from '#e2e/testing/page-checks.ts'

const shopEmail = 'hello@mugs.example'
const shop = await openBrowserShop({
  environment: { SHOP_NAME: 'Mugs', SHOP_EMAIL: shopEmail, TRUST_PROXY: '1' },
})

test('after too many declined cards the page asks to wait, and soon there is no card form at all', async () => {
  const address = '203.0.113.7'
  const page = await openFrom(address)
  await fillDelivery(page)
  await waitForCardForm(page)
  const sale = getNewestCheckout(shop)
  await tryCard(page)
  await toast(page, 'Payment failed').waitFor()
  for (let card = 2; card < 5; card += 1) await payByCard(shop.sandbox, sale.id, unknownCard)
  await tryCard(page)
  await assertPanel(page, 'Card payment is paused', refusals['too-many-cards'].text)
  assert.equal(await page.getByText(/expired|try again/i).count(), 0)

  const elsewhere = createBuyer(shop, address)
  const checkoutId = await elsewhere.arrive(await addMug(shop))
  for (let card = 6; card <= 10; card += 1) await payByCard(shop.sandbox, checkoutId, unknownCard)
  assert.equal((await elsewhere.order(checkoutId)).statusCode, 429)
  await page.reload()
  await assertPanel(page, 'Card payment is paused', refusals['too-many-cards'].text)
})

test('cookies cleared while the bank asks: the page says that it cannot follow, and the order is still created', async () => {
  const before = await countOrders(shop)
  const page = await openFrom('203.0.113.8')
  await pay(page, challengeCard)
  const bankApp = await openBankApp(page)
  await page.context().clearCookies()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await assertPanel(page, 'We cannot follow this payment from here', /Cookies were cleared/)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  assert.equal(await page.getByText(/failed|by itself|order is placed/i).count(), 0)
  await bankApp.getByRole('button', { name: 'Approve' }).click()
  await waitForOrders(shop, before + 1)
  await page.getByRole('button', { name: 'Start over' }).click()
  await waitForCardForm(page)
  await page.reload()
  await waitForCardForm(page)
})

test('a browser that forbids storage: what was typed is gone after a reload, nothing is saved for next time, and reloaded while the bank asks, the page still leads to the order', async () => {
  const page = await shop.visit()
  await page.addInitScript(() => {
    for (const storage of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, storage, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
  })
  await page.goto(checkoutPath(await addMug(shop)))
  await waitForCardForm(page)
  await fillDelivery(page)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await waitForCardForm(page)
  for (const label of ['Email', 'City'])
    assert.equal(await page.getByLabel(label).first().inputValue(), '', label)
  await fillDelivery(page)
  await page.getByLabel('Save this information for next time').check()
  await fillCard(page, challengeCard)
  await payButton(page).click()
  const bankApp = await openBankApp(page)
  await page.reload()
  await bankPanel(page).waitFor()
  await bankApp.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL('**/thank-you/*')
  await page.getByText(buyer.email).waitFor()
})

test('a content blocker that stops what SumUp’s form asks for: the page says so, and opens it later', async () => {
  const page = await shop.visit()
  // A form that has said nothing for two seconds would count as loaded.
  await stopClock(page)
  await page.route('**/sandbox/v0.2/checkouts/*', (route) => route.abort())
  await page.goto(checkoutPath(await addMug(shop)))
  await page.getByText('whether an ad blocker stops this form').waitFor()
  await page.unroute('**/sandbox/v0.2/checkouts/*')
  await page.clock.resume()
  await waitForCardForm(page)
})

test('a private window that is closed while the bank asks: the order is created, and a new window knows nothing', async () => {
  const before = await countOrders(shop)
  const mug = await addMug(shop)
  const page = await openCheckoutPage(shop, mug)
  await pay(page, challengeCard)
  await openBankApp(page)
  await page.context().close()
  const checkout = getNewestCheckout(shop).id
  await shop.sandbox.controls.answerBank({ checkout, outcome: 'approve' })
  await waitForOrders(shop, before + 1)
  const other = await openCheckoutPage(shop, mug)
  await assertShows(() => other.getByText(/you bought this|bank is checking/i).count(), 0)
  await assertShows(() => other.getByLabel('Email', { exact: false }).first().inputValue(), '')
})

/** A new product's checkout, seen from an address of its own: declined cards are counted by it. */
async function openFrom(address: string): Promise<Page> {
  const extraHTTPHeaders = { 'x-forwarded-for': address }
  const page = await shop.visit({ bypassCSP: true, extraHTTPHeaders })
  await page.goto(checkoutPath(await addMug(shop)))
  return page
}

/** A card that is declined. */
async function tryCard(page: Page): Promise<void> {
  await fillCard(page, unknownCard)
  const answer = page.waitForResponse(`**${apiRoutes.orders}`)
  await payButton(page).click()
  await answer
}

/** A panel in place of the card form, with a way to the shop. */
async function assertPanel(page: Page, title: string, text: string | RegExp): Promise<void> {
  await page.getByRole('heading', { name: title }).waitFor()
  await page.getByText(text).waitFor()
  await page.getByRole('main').getByRole('link', { name: shopEmail }).waitFor()
  await assertShows(() => cardNumber(page).count(), 0)
}
