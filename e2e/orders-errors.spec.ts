import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { replaceOrders, listedRows, shortId, toast } from '#e2e/testing/order-pages.ts'
import { pressEscapeIn } from '#e2e/testing/page-checks.ts'
import { addOrders } from '#server/testing/orders.ts'

const shop = await openBrowserShop()
const page = await shop.visitAsAdmin({ viewport: { width: 1280, height: 800 } })

test('a failed refresh says so, and a successful one loads payments in review too', async () => {
  await replaceOrders(shop, {})
  await page.goto('/orders')
  await listedRows(page).first().waitFor()
  await page.route(`**${apiRoutes.orders}?*`, (route) => route.fulfill({ status: 503 }))
  await page.getByRole('button', { name: 'Look for new orders' }).click()
  await toast(page, 'The orders could not be loaded').waitFor()
  await page.unroute(`**${apiRoutes.orders}?*`)
  const asked = page.waitForRequest(`**${apiRoutes.review}`)
  await page.getByRole('button', { name: 'Look for new orders' }).click()
  await asked
})

test('a page whose orders take long to read shows its frame meanwhile, and one that fails says so', async () => {
  await replaceOrders(shop, {})
  const gate = Promise.withResolvers<void>()
  await page.route(`**${apiRoutes.orders}?*`, (route) => gate.promise.then(() => route.continue()))
  await page.goto('/orders')
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  assert.equal(await listedRows(page).count(), 0)
  gate.resolve()
  await listedRows(page).first().waitFor()
  await page.unroute(`**${apiRoutes.orders}?*`)
  await page.route(`**${apiRoutes.orders}?*`, (route) => route.fulfill({ status: 503 }))
  await page.reload()
  await page.getByRole('button', { name: 'Try again' }).first().waitFor()
  await page.unroute(`**${apiRoutes.orders}?*`)
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await listedRows(page).first().waitFor()
})

test('no result of a search is shown before its answer has arrived', async () => {
  await replaceOrders(shop, { customerName: 'Berta' })
  await page.goto('/orders?q=nobody')
  await page.getByText('No orders match your search').waitFor()
  const gate = Promise.withResolvers<void>()
  await page.route(`**${apiRoutes.orders}?*`, (route) => gate.promise.then(() => route.continue()))
  await page.getByRole('button', { name: 'Clear search' }).first().click()
  await page.getByText('Loading...').first().waitFor({ state: 'attached' })
  assert.equal(await page.getByText('No orders yet').count(), 0)
  gate.resolve()
  await listedRows(page).first().waitFor()
  await page.unroute(`**${apiRoutes.orders}?*`)
})

test('an order opens by its link, even if another has its number as a name', async () => {
  const [mine] = await replaceOrders(shop, { customerName: 'Mine' })
  await addOrders(shop.db, [{ customerName: mine, createdAt: new Date() }])
  await page.goto(`/orders?status=completed&order=${mine?.toUpperCase()}`)
  await page.getByRole('dialog').getByText('Mine', { exact: true }).waitFor()
})

test('a double click on Close closes the order and stays on the page', async () => {
  const [id] = await replaceOrders(shop, {})
  await page.goto('/products')
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await page.getByRole('link', { name: shortId(id) }).click()
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' })
  await close.waitFor()
  await close.evaluate((button) => {
    for (let click = 0; click < 2; click += 1) (button as HTMLElement).click()
  })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/orders')
})

test('one Escape closes an order that was opened by keyboard', async () => {
  const [id] = await replaceOrders(shop, {})
  await page.goto('/orders')
  await page.getByRole('link', { name: shortId(id) }).focus()
  await page.keyboard.press('Enter')
  await pressEscapeIn(page.getByRole('dialog'))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('an address with too long a search is cut, not refused', async () => {
  await replaceOrders(shop, {})
  await page.goto(`/orders?q=${'x'.repeat(300)}`)
  await page.getByText('No orders match your search').waitFor()
})

test('an export after signing out elsewhere leads to the login', async () => {
  const guest = await shop.visitAsAdmin()
  await guest.goto('/orders')
  await guest.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  await guest.context().clearCookies()
  await guest.getByRole('link', { name: 'Export' }).click()
  await toast(guest, 'You are logged out. Logging in again...').waitFor()
  await guest.waitForURL('**/login')
})

test('each part of an order that could not be loaded can be loaded again', async () => {
  const [id = ''] = await replaceOrders(shop, {})
  const parts = [
    ['The history', apiRoutes.orderTimeline],
    ['The notes', apiRoutes.orderNotes],
    ['The refunds', apiRoutes.orderRefunds],
  ] as const
  for (const [, route] of parts)
    await page.route(`**${pathOf(route, { id })}`, (one) => one.fulfill({ status: 503 }))
  await page.goto(`/orders?order=${id}`)
  for (const [name, route] of parts) {
    const notice = page.getByRole('alert').filter({ hasText: `${name} could not be loaded.` })
    await notice.waitFor()
    await page.unroute(`**${pathOf(route, { id })}`)
    await notice.getByRole('button', { name: 'Try again' }).click()
    await notice.waitFor({ state: 'detached' })
  }
})
