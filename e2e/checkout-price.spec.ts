import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productSchema } from '#contract/products.ts'
import { thankYouPath } from '#contract/paths.ts'
import { createProduct } from '#server/catalog/products.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { addOrders, addPayment, ownLogo } from '#server/testing/orders.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { openCheckoutPage, pay } from '#e2e/testing/checkout-page.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()

test('a product priced in dollars and charged in euros has one total everywhere, at any width', async () => {
  const { id } = await createProduct(
    shop.db,
    productSchema.parse({
      name: 'Hat',
      price: '19.00',
      currency: 'USD',
      headerLogoUrl: ownLogo,
    }),
    'admin',
  )
  const page = await openCheckoutPage(shop, id)
  const summary = page.getByRole('complementary', { name: 'Order summary' })
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 900 })
    if (width < 768) {
      await summary.getByText('€19.00').first().waitFor()
      await summary.getByRole('button', { name: 'Show order summary' }).click()
    }
    for (const label of ['Subtotal', 'Total']) {
      const line = summary.locator('div', { has: page.getByText(label, { exact: true }) }).last()
      await line.getByText('€19.00').waitFor()
    }
    // Only the line of the item itself names the product's own price, with its currency.
    await assertShows(() => page.getByText('$19.00').count(), 1)
    await summary.getByText('USD', { exact: true }).waitFor()
    await page.getByText('You will be charged').waitFor()
  }
  await pay(page)
  await page.waitForURL('**/thank-you/*')
  await page.getByText('€19.00').first().waitFor()
  assert.equal(await page.getByText('$19.00').count(), 0)
})

test('buyers see the order status in plain words, what was refunded, and can copy the order number', async () => {
  const [order] = await addOrders(shop.db, [{}])
  assert.ok(order)
  const page = await shop.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  // What is pending or shipped: e2e/checkout-payment.spec.ts.
  for (const [status, words] of [
    ['processing', 'Being prepared'],
    ['completed', 'Completed'],
  ] as const) {
    await shop.db.update(orders).set({ status }).where(eq(orders.id, order.id))
    await page.goto(thankYouPath(order.id))
    await page.getByRole('status').getByText(words, { exact: true }).waitFor()
    assert.equal(await page.getByText(/pending/i).count(), 0)
    assert.equal(await page.getByText('Refunded').count(), 0)
  }
  await addPayment(shop.db, order, { refunded: '5.00' })
  await page.goto(thankYouPath(order.id))
  await page.getByText('Refunded', { exact: true }).waitFor()
  await page.getByText('€5.00').waitFor()
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor()
  // The page is plain HTML.
  await page.getByRole('button', { name: 'Copy order number' }).click()
  await page.getByText('Copied!', { exact: true }).first().waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), order.id)
})

test('once all the money went back the thank-you page calls nothing paid or being prepared', async () => {
  const page = await shop.visit()
  for (const [returned, title, label] of [
    [{ refunded: '49.00' }, 'Your order was refunded', 'Refunded'],
    [{ chargedBack: '49.00' }, 'Your order was charged back', 'Charged back'],
  ] as const) {
    const [order] = await addOrders(shop.db, [{ status: 'processing' }])
    await addPayment(shop.db, order, returned)
    await page.goto(thankYouPath(order?.id ?? ''))
    await page.getByRole('heading', { name: title }).waitFor()
    await page.getByRole('status').getByText(label, { exact: true }).waitFor()
    const text = await page.locator('main').innerText()
    assert.doesNotMatch(text, /thank you|confirm|prepared|your payment|\bpaid\b|on its way/i)
  }
})

test('the thank-you page of an order without a known payment claims none', async () => {
  const page = await shop.visit()
  for (const sumupTransactionId of [null, 't-known']) {
    const [order] = await addOrders(shop.db, [{ sumupTransactionId }])
    await page.goto(thankYouPath(order?.id ?? ''))
    await page.getByText('Your order has been confirmed').waitFor()
    const claims = await page.getByText('The shop has your order and your payment').count()
    assert.equal(claims, sumupTransactionId === null ? 0 : 1)
  }
})

/** That others do not ask for it is in e2e/assistive.spec.ts, which knows every field. */
test('an account in the United States asks for the card’s ZIP code', async () => {
  const { payments } = shop.shop
  const { account } = payments
  payments.account = () => ({ ...account(), country: 'US' })
  const page = await openCheckoutPage(shop)
  await page
    .locator('#sumup-card')
    .getByLabel(/zip|postal/i)
    .waitFor()
  payments.account = account
})
