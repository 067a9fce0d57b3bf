import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf, thankYouPath } from '#contract/paths.ts'
import { deleteProduct } from '#server/catalog/products.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { addOrders, ownLogo } from '#server/testing/orders.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  fillCard,
  fillDelivery,
  openCheckoutPage,
  pay,
  payButton,
  toast,
  waitForCardForm,
} from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths, stopClock } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()

test('the product, its price and the form are in the first answer, before any script', async () => {
  const mug = await addMug(shop)
  const html = await (await fetch(`${shop.address}/checkout/${mug}`)).text()
  for (const text of ['Mug', '€49.00', 'Contact', 'Delivery', 'Pay now', 'Refund policy']) {
    assert.ok(html.includes(text), text)
  }
})

test('contact and delivery are one group for browsers that fill in addresses', async () => {
  const html = await (await fetch(`${shop.address}/checkout/${await addMug(shop)}`)).text()
  const fields = Array.from(
    html.matchAll(/autocomplete="(shipping [^"]*)"/gi),
    ([, field]) => field,
  )
  assert.deepEqual(fields, [
    'shipping email',
    'shipping country-name',
    'shipping given-name',
    'shipping family-name',
    'shipping address-line1',
    'shipping address-line2',
    'shipping address-level2',
    'shipping address-level1',
    'shipping postal-code',
    'shipping tel',
  ])
})

test('every missing required field is reported by toast, at the field and in a list', async () => {
  const page = await openCheckoutPage(shop)
  await payButton(page).click()
  await toast(page, 'Please complete all required fields').waitFor()
  await page.getByText('Fill in all required information before paying.').first().waitFor()
  for (const label of [
    'Email',
    'Country',
    'First name',
    'Last name',
    'Address',
    'City',
    'ZIP code',
  ]) {
    const field = page.getByLabel(label, { exact: false }).first()
    await assertShows(() => field.getAttribute('aria-invalid'), 'true', label)
  }
  await assertShows(() => page.title(), /^Error/)
})

test('Enter in a field goes to the next one, and from the last one it pays', async () => {
  const page = await openCheckoutPage(shop)
  const focused = page.locator(':focus')
  await page.getByLabel('Email', { exact: true }).fill('anna@example.com')
  await page.keyboard.press('Enter')
  await page.locator('select:focus').selectOption('Germany')
  await page.keyboard.press('Tab')
  for (const [label, text] of [
    ['First name', 'Anna'],
    ['Last name', 'Muster'],
    ['Address', 'Weg 1'],
    ['Apartment', ''],
    ['City', 'Berlin'],
    ['State', ''],
    ['ZIP code', '10115'],
    ['Phone', ''],
  ] as const) {
    await page.getByLabel(label).and(focused).waitFor()
    assert.equal(await page.locator('[aria-invalid]').count(), 0)
    if (text) await focused.fill(text)
    if (label !== 'Phone') await page.keyboard.press('Enter')
  }
  await fillCard(page)
  await page.getByLabel('Phone').first().press('Enter')
  await page.waitForURL('**/thank-you/**')
})

test('shipping is shown once the address is complete, and hidden when a field is cleared', async () => {
  const page = await openCheckoutPage(shop)
  await stopClock(page)
  assert.equal(await page.getByText('Standard Shipping').isVisible(), false)
  await fillDelivery(page)
  await page
    .getByText(/calculating/i)
    .first()
    .waitFor()
  await page.clock.runFor(1_400)
  assert.equal(await page.getByText('Standard Shipping').isVisible(), false)
  await page.clock.runFor(200)
  await page.getByText('Standard Shipping').waitFor()
  await page.getByText('Ready to ship').waitFor()
  await page.getByLabel('City').first().fill('')
  await page.getByText('Standard Shipping').waitFor({ state: 'hidden' })
})

test('the postcode field has the name the country uses', async () => {
  const page = await openCheckoutPage(shop)
  await page.getByLabel('ZIP code').first().waitFor()
  await page.getByLabel('Country').first().selectOption('United Kingdom')
  await page.getByLabel('Postcode').first().waitFor()
  await assertShows(
    () => page.getByLabel('Country').first().locator('option:not([value=""])').allTextContents(),
    [
      'Belgium',
      'Canada',
      'France',
      'Germany',
      'Italy',
      'Netherlands',
      'United Kingdom',
      'United States',
    ],
  )
})

test('without SumUp’s script the buyer sees an error and can try again', async () => {
  const page = await shop.visit()
  // It would try again by itself, perhaps right before the buyer does.
  await stopClock(page)
  await page.route('**/sdk.js', (route) => route.abort())
  await page.goto(`/checkout/${await addMug(shop)}`)
  await toast(page, 'Payment widget error').waitFor()
  await page.getByText('Failed to load payment form. Please refresh the page.').first().waitFor()
  await page.getByText('whether an ad blocker stops this form').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await toast(page, 'Payment widget error').waitFor({ state: 'hidden' })
  await payButton(page).click()
  await toast(page, 'Payment not ready').waitFor()
  await page.unroute('**/sdk.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await waitForCardForm(page)
})

test('before the card form has loaded, Pay now says so', async () => {
  const page = await shop.visit()
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(`**${apiRoutes.createCheckout}`, async (route) => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest(`**${apiRoutes.createCheckout}`)
  await page.goto(`/checkout/${await addMug(shop)}`)
  await asked
  await payButton(page).click()
  await toast(page, 'Payment not ready').waitFor()
  await page.getByText('Please wait for the payment form to load.').first().waitFor()
  letGo()
  await waitForCardForm(page)
})

test('when the details cannot be saved the card is not submitted', async () => {
  const page = await openCheckoutPage(shop)
  await page.route('**/details', (route) => route.fulfill({ status: 500, body: '{}' }))
  await pay(page)
  await toast(page, 'Payment submission failed').waitFor()
  assert.equal(shop.sandbox.ledger().checkouts.at(-1)?.transactions.length, 0)
})

test('while SumUp is down the buyer sees an error, and loses nothing typed, also by a reload', async () => {
  shop.sandbox.faults.set({ rules: [{ on: '*', kind: 'error-500' }] })
  const page = await shop.visit()
  await page.goto(`/checkout/${await addMug(shop)}`)
  await toast(page, 'Payment widget error').waitFor()
  await fillDelivery(page)
  shop.sandbox.faults.clear()
  await page.getByRole('button', { name: 'Try again' }).click()
  await waitForCardForm(page)
  await assertShows(() => page.getByLabel('City').first().inputValue(), 'Berlin')
  await page.reload()
  await waitForCardForm(page)
  await assertShows(() => page.getByLabel('City').first().inputValue(), 'Berlin')
})

test('a price raised while somebody buys: they pay what they saw, and a reload shows the new one', async () => {
  const mug = await addMug(shop)
  const [first, second] = [await openCheckoutPage(shop, mug), await openCheckoutPage(shop, mug)]
  const edited = await shop.app.inject({
    method: 'PUT',
    url: pathOf(apiRoutes.product, { id: mug }),
    headers: await shop.signIn(),
    payload: { name: 'Mug', price: '99.00', headerLogoUrl: ownLogo },
  })
  assert.equal(edited.statusCode, 200)
  await pay(first)
  await first.waitForURL('**/thank-you/*')
  await first.getByText('€49.00').first().waitFor()
  await second.reload()
  await second.getByText('€99.00').last().waitFor()
  const sold = await shop.db.select().from(orders).where(eq(orders.productId, mug))
  assert.deepEqual(
    sold.map(({ amount }) => amount),
    ['49.00'],
  )
})

test('a product deleted while somebody fills in its form is not sold any more, and gone for others', async () => {
  const mug = await addMug(shop)
  const page = await openCheckoutPage(shop, mug)
  await deleteProduct(shop.db, mug)
  shop.shop.productCache.outdate(mug)
  await pay(page)
  await page.getByText('This product is no longer sold').waitFor()
  await page.getByText('nothing was charged').waitFor()
  const other = await shop.visit()
  const answer = await other.goto(`/checkout/${mug}`)
  assert.equal(answer?.status(), 404)
  await other.getByText('Product not found').first().waitFor()
  assert.equal((await other.goto('/thank-you/none'))?.status(), 404)
  await other.getByText('Order not found').first().waitFor()
})

test('the payment page loads two scripts: ours and SumUp’s', async () => {
  const page = await shop.visit()
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  await page.goto(`/checkout/${await addMug(shop)}`)
  await waitForCardForm(page)
  assert.equal(scripts.length, 2, scripts.join(' '))
})

test('checkout and thank-you are free of accessibility faults, on a desktop and a phone', async () => {
  const page = await shop.visit({ bypassCSP: true })
  await page.goto(`/checkout/${await addMug(shop)}`)
  await waitForCardForm(page)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  const [order] = await addOrders(shop.db, [{}])
  await page.goto(thankYouPath(order?.id ?? ''))
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
})
