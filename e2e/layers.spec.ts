import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { listedRows, replaceOrders } from '#e2e/testing/order-pages.ts'

/* What opens over a page is loaded after the page. These are the moments before it is there. */

const shop = await openBrowserShop()
const script = '**/assets/layers-*.js'

test('the orders are there before anything that opens over them', async () => {
  const { page, arrive } = await visitWithoutLayers()
  assert.equal(await listedRows(page).count(), 1)
  arrive()
})

test('a menu that is opened before it has loaded opens when it has', async () => {
  const { page, arrive } = await visitWithoutLayers()
  const button = page.getByRole('button', { name: 'Sort orders' })
  await button.click()
  assert.equal(await button.getAttribute('aria-expanded'), 'true')
  arrive()
  await page.getByRole('menuitemradio', { name: 'Oldest first' }).click()
  await page.waitForURL('**/orders?sort=oldest')
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-haspopup') === 'menu')
})

test('a filter that is opened and closed before it has loaded stays closed', async () => {
  const { page, arrive } = await visitWithoutLayers()
  const button = page.getByRole('button', { name: 'Filter', exact: true })
  await button.click()
  await button.click()
  arrive()
  await page.getByRole('button', { name: 'Payment archive' }).click()
  await page.getByRole('dialog').waitFor()
  assert.equal(await page.getByText('First day').count(), 0)
})

test('an order in the address opens as soon as it can', async () => {
  const { page, arrive, id } = await visitWithoutLayers((id) => `/orders?order=${id}`)
  assert.equal(await page.getByRole('dialog').count(), 0)
  arrive()
  await page.getByRole('dialog').getByText(id).first().waitFor()
})

test('the tooltip of a button that was left before it has loaded does not come', async () => {
  const { page, arrive } = await visitWithoutLayers()
  await page.clock.install()
  await page.getByRole('button', { name: 'Toggle sidebar' }).hover()
  await page.clock.runFor(800)
  await page.mouse.move(640, 700)
  arrive()
  await page.clock.runFor(400)
  await page.getByRole('button', { name: 'Toggle sidebar' }).hover()
  await page.clock.runFor(650)
  assert.equal(await page.getByRole('tooltip').count(), 0)
  await page.clock.runFor(100)
  await page.getByRole('tooltip').waitFor()
})

test('without a connection at first, the next click tries again; a new release asks for a reload', async () => {
  const page = await shop.visitAsAdmin({ viewport: { width: 1280, height: 800 } })
  await replaceOrders(shop, {})
  await page.route(script, (route) => route.abort())
  const failed = page.waitForEvent('requestfailed')
  await page.goto('/orders')
  await failed
  await listedRows(page).first().waitFor()
  await page.unroute(script)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('dialog', { name: 'Filter orders' }).waitFor()

  await page.route(script, (route) => route.fulfill({ status: 404 }))
  await page.reload()
  await listedRows(page).first().waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('heading', { name: 'This page did not load' }).waitFor()
  await page.unroute(script)
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await listedRows(page).first().waitFor()
})

/** The orders page of a shop with one order, whose layers arrive when the test says so. */
async function visitWithoutLayers(pathOf = (_id: string) => '/orders') {
  const page: Page = await shop.visitAsAdmin({ viewport: { width: 1280, height: 800 } })
  const [id = ''] = await replaceOrders(shop, {})
  const gate = Promise.withResolvers<void>()
  await page.route(script, (route) => gate.promise.then(() => route.continue()))
  await page.goto(pathOf(id), { waitUntil: 'commit' })
  await listedRows(page).first().waitFor()
  return { page, id, arrive: gate.resolve }
}
