import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productSchema } from '#contract/products.ts'
import { checkoutPath, thankYouPath } from '#contract/paths.ts'
import { createProduct } from '#server/catalog/products.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { addOrders, addPayment, ownLogo } from '#server/testing/orders.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { openCheckoutPage, pay, waitForCardForm } from '#e2e/testing/checkout-page.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()

for (const width of [1280, 375]) {
  test(`a product priced in dollars and charged in euros has one total everywhere, ${width} px`, async () => {
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
    const page = await shop.visit({ viewport: { width, height: 900 } })
    await page.goto(checkoutPath(id))
    await waitForCardForm(page)
    const summary = page.getByRole('complementary', { name: 'Order summary' })
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
    await pay(page)
    await page.waitForURL('**/thank-you/*')
    await page.getByText('€19.00').first().waitFor()
    assert.equal(await page.getByText('$19.00').count(), 0)
  })
}

test('buyers see the order status in plain words, and what was refunded', async () => {
  const [order] = await addOrders(shop.db, [{}])
  assert.ok(order)
  const page = await shop.visit()
  for (const [status, words] of [
    ['pending', 'Being prepared'],
    ['processing', 'Being prepared'],
    ['shipped', 'On its way'],
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

test('the order number can be copied from the page, which is plain HTML', async () => {
  const [order] = await addOrders(shop.db, [{}])
  assert.ok(order)
  const page = await shop.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(thankYouPath(order.id))
  await page.getByRole('button', { name: 'Copy order number' }).click()
  await page.getByText('Copied!', { exact: true }).first().waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), order.id)
})

test('an account in the United States asks for the card’s ZIP code, others do not', async () => {
  const page = await openCheckoutPage(shop)
  const inCard = (where: typeof page) => where.locator('#sumup-card').getByLabel(/zip|postal/i)
  assert.equal(await inCard(page).count(), 0)
  const { payments } = shop.shop
  const { account } = payments
  payments.account = () => ({ ...account(), country: 'US' })
  const american = await openCheckoutPage(shop)
  await inCard(american).waitFor()
  payments.account = account
})
