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
  await page.clock.pauseAt(Date.now() + 1000)
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

test('whoever turns to something else before it has loaded is not interrupted', async () => {
  const { page, arrive } = await visitWithoutLayers()
  const sort = page.getByRole('button', { name: 'Sort orders' })
  await sort.click()
  await page.keyboard.press('Escape')
  assert.equal(await sort.getAttribute('aria-expanded'), 'false')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const search = page.getByRole('textbox', { name: 'Search orders' })
  await search.click()
  await page.keyboard.type('oa')
  await sort.click()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  arrive()
  await page.getByRole('dialog', { name: 'Filter orders' }).waitFor()
  assert.equal(await page.getByRole('menu').count(), 0)
  assert.equal(await search.inputValue(), 'oa')
})

test('while a dialog is awaited no shortcut leads away from it, and Escape gives it up', async () => {
  const { page, arrive } = await visitWithoutLayers()
  await page.getByRole('button', { name: 'Payment archive' }).click()
  await page.keyboard.type('ga')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sort orders' }).click()
  arrive()
  await page.getByRole('menu').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(new URL(page.url()).pathname, '/orders')
})

test('what cannot be loaded closes again and says why, and the next click tries again', async () => {
  const page = await shop.visitAsAdmin({ viewport: { width: 1280, height: 800 } })
  await replaceOrders(shop, {})
  await page.route(script, (route) => route.abort())
  const failed = page.waitForEvent('requestfailed')
  await page.goto('/orders')
  await failed
  await listedRows(page).first().waitFor()
  const filter = page.getByRole('button', { name: 'Filter', exact: true })
  await filter.click()
  await page.getByText('Unable to connect to server').first().waitFor()
  assert.equal(await filter.getAttribute('aria-expanded'), 'false')
  await page.unroute(script)
  await filter.click()
  await page.getByRole('dialog', { name: 'Filter orders' }).waitFor()
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
