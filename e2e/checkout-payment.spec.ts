import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  bankFrame,
  buyer,
  cardNumber,
  challengeCard,
  countOrders,
  fillCard,
  fillDelivery,
  getNewestCheckout,
  openCheckoutPage,
  pay,
  payButton,
  toast,
  unknownCard,
  waitForOrders,
  waitForCardForm,
} from '#e2e/testing/checkout-page.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop({ environment: { TRUST_PROXY: '1' } })

test('a buyer pays by card and is thanked, with both addresses as the post expects them', async () => {
  const before = await countOrders(shop)
  const page = await openCheckoutPage(shop)
  await page.getByLabel('Phone').fill('+49 30 123456')
  await page.getByLabel('Use a different billing address').check()
  const billing = page.getByRole('region', { name: 'Billing address' })
  await billing.getByLabel('Country').selectOption('United Kingdom')
  await billing.getByLabel('First name').fill('Sam')
  await billing.getByLabel('Last name').fill('Smith')
  await billing.getByRole('textbox', { name: 'Address' }).fill('10 Downing Street')
  await billing.getByLabel('City').fill('London')
  await billing.getByLabel('Postcode').fill('sw1a 2aa')
  await pay(page)
  await page.waitForURL('**/thank-you/*')
  for (const text of ['Thank you!', 'Your order has been confirmed', 'Card'])
    await page.getByText(text, { exact: true }).first().waitFor()
  await page.getByText(buyer.email).first().waitFor()
  await assertShows(
    () => page.locator('address').allInnerTexts(),
    [
      'Anna Muster\nWeg 1\n10115 Berlin\nGermany\n+49 30 123456',
      'Sam Smith\n10 Downing Street\nLondon\nSW1A 2AA\nUnited Kingdom',
    ],
  )
  assert.equal(await countOrders(shop), before + 1)
  await page.reload()
  await page.getByText('Thank you!', { exact: true }).waitFor()
})

test('the bank asks, the buyer approves, also under another host name of the shop', async () => {
  const page = await shop.visit({ baseURL: shop.address.replace('127.0.0.1', 'localhost') })
  await page.goto(checkoutPath(await addMug(shop)))
  await pay(page, challengeCard)
  await bankFrame(page).getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL('**/thank-you/*')
})

test('the bank asks, the buyer says Cancel, then Decline: no order, and another card can be paid', async () => {
  const before = await countOrders(shop)
  const page = await openCheckoutPage(shop)
  await fillDelivery(page)
  for (const answer of ['Cancel', 'Decline']) {
    await fillCard(page, challengeCard)
    await payButton(page).click()
    await bankFrame(page).getByRole('button', { name: answer }).click()
    await page.getByRole('button', { name: /Pay now/ }).waitFor()
    assert.equal(await countOrders(shop), before)
  }
  await fillCard(page)
  await payButton(page).click()
  await page.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), before + 1)
})

test('an incomplete number and a declined card are reported, the form is kept, and the next card pays the same sale', async () => {
  const page = await openCheckoutPage(shop)
  const sales = shop.sandbox.ledger().checkouts.length
  await pay(page, '4200')
  await page.getByText('Enter the long number on the front of your card').waitFor()
  await assertShows(() => cardNumber(page).getAttribute('aria-invalid'), 'true')
  assert.equal(getNewestCheckout(shop).transactions.length, 0, 'the card was submitted')
  await fillCard(page, unknownCard)
  await page.getByRole('button', { name: /Pay now/ }).click()
  await toast(page, 'Payment failed').waitFor()
  await page.getByText('Your card was declined. Try again or use another card.').first().waitFor()
  await assertShows(() => page.getByLabel('Last name').first().inputValue(), buyer.lastName)
  await fillCard(page)
  await payButton(page).click()
  await page.waitForURL('**/thank-you/*')
  assert.equal(shop.sandbox.ledger().checkouts.length, sales, 'a second checkout was opened')
})

test('clicked twice, paid once, and Back leads to no form that could be paid again', async () => {
  const before = await countOrders(shop)
  const page = await openCheckoutPage(shop)
  const checkout = page.url()
  await fillDelivery(page)
  await fillCard(page)
  await payButton(page).dblclick()
  await page.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), before + 1)
  assert.equal(getNewestCheckout(shop).transactions.length, 1, 'the card was charged twice')
  const sales = shop.sandbox.ledger().checkouts.length
  await page.goBack()
  assert.notEqual(page.url(), checkout)
  assert.equal(shop.sandbox.ledger().checkouts.length, sales)
})

test('the tab is closed right after paying: the order is created without it', async () => {
  const before = await countOrders(shop)
  const page = await openCheckoutPage(shop)
  await page.route('**/api/orders', (route) => route.abort())
  const asked = page.waitForRequest('**/api/orders')
  await pay(page)
  await asked
  await page.context().close()
  await waitForOrders(shop, before + 1)
})

test('the connection is lost after paying: the page waits and thanks', async () => {
  const page = await openCheckoutPage(shop)
  let lost = 0
  await page.route('**/api/orders', (route) =>
    (lost += 1) <= 1 ? route.abort() : route.continue(),
  )
  await pay(page)
  await page.waitForURL('**/thank-you/*')
})

test('reloaded while paying: the page keeps waiting and thanks', async () => {
  const before = await countOrders(shop)
  const page = await openCheckoutPage(shop)
  await page.route('**/api/orders', (route) => route.abort())
  // It must not learn of the payment in another way either, or it would leave before the reload.
  await page.route('**/api/sumup/checkouts/*', (route) => route.abort())
  const asked = page.waitForRequest('**/api/orders')
  await pay(page)
  await asked
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload({ waitUntil: 'commit' })
  await page.unrouteAll()
  await page.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), before + 1)
})

test('two tabs of one browser share one sale', async () => {
  const mug = await addMug(shop)
  const first = await openCheckoutPage(shop, mug)
  const sales = shop.sandbox.ledger().checkouts.length
  const second = await first.context().newPage()
  await second.goto(first.url())
  await waitForCardForm(second)
  assert.equal(shop.sandbox.ledger().checkouts.length, sales)
  await pay(first)
  await first.waitForURL('**/thank-you/*')
  const orderId = new URL(first.url()).pathname
  await pay(second)
  await second.waitForURL('**/thank-you/*')
  assert.equal(new URL(second.url()).pathname, orderId, 'the same sale became two orders')
})

test('the widget stops without a message: the buyer sees an error, and the same form takes the card', async () => {
  const before = await countOrders(shop)
  const page = await openCheckoutPage(shop)
  const opened = new Set<string>()
  page.on('request', (request) => {
    const id = /\/v0\.2\/checkouts\/([\w-]+)$/.exec(new URL(request.url()).pathname)?.[1]
    if (id) opened.add(id)
  })
  let cards = 0
  await page.route('**/v0.2/checkouts/*', (route) =>
    route.request().method() === 'PUT' && (cards += 1) === 1
      ? route.fulfill({ status: 400, json: {} })
      : route.continue(),
  )
  await pay(page)
  await toast(page, 'Payment failed').waitFor()
  await page.getByText('Please check your card details and try again.').first().waitFor()
  await payButton(page).click()
  await page.waitForURL('**/thank-you/*')
  assert.equal(cards, 2)
  assert.equal(opened.size, 1, 'another checkout was paid')
  assert.equal(await countOrders(shop), before + 1)
})

test('the thank-you page does not poll, and a reload shows the current status', async () => {
  const [order] = await addOrders(shop.db, [{}])
  const id = order?.id ?? ''
  const page = await shop.visit()
  await page.clock.install()
  let reads = 0
  await page.route(`**${pathOf(apiRoutes.order, { id })}*`, (route) => {
    reads += 1
    return route.continue()
  })
  await page.goto(thankYouPath(id))
  const status = page.getByRole('status').filter({ hasText: /^(Being prepared|On its way)$/ })
  await status.getByText('Being prepared', { exact: true }).waitFor()

  await shop.db.update(orders).set({ status: 'shipped' }).where(eq(orders.id, id))
  await page.clock.runFor(3_600_000)
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'))
    dispatchEvent(new Event('focus'))
  })
  await page.clock.runFor(1_000)
  assert.equal(reads, 0)
  await assertShows(() => status.textContent(), 'Being prepared')

  await page.reload()
  await status.getByText('On its way', { exact: true }).waitFor()
})
