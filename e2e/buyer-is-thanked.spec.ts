import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf, thankYouPath } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'

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
