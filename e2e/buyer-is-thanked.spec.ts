import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf, thankYouPath } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openBrowserShop } from '#e2e/browser-shop.ts'
import { openCheckoutPage, pay } from '#e2e/checkout-page.ts'

const shop = await openBrowserShop()

test('the thank-you page asks for nothing by itself, and a reload shows how the order stands', async () => {
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
  assert.equal(await status.textContent(), 'Being prepared')

  await page.reload()
  await status.getByText('On its way', { exact: true }).waitFor()
})

test('addresses are written as the post of their country expects, the phone below', async () => {
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
  assert.deepEqual(await page.locator('address').allInnerTexts(), [
    'Anna Muster\nWeg 1\n10115 Berlin\nGermany\n+49 30 123456',
    'Sam Smith\n10 Downing Street\nLondon\nSW1A 2AA\nUnited Kingdom',
  ])
})
