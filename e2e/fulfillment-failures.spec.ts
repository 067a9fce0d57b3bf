import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  interceptStatusChanges,
  bulkControls,
  statusChangeUrl,
  replaceOrders,
  listedRows,
  orderRow,
  readStatuses,
  repeatOrder,
  toast,
} from '#e2e/testing/order-pages.ts'

const shop = await openBrowserShop()
const page = await shop.visitAsAdmin({ viewport: { width: 1280, height: 900 } })
const { mark, boxOf, all, visitFulfillment } = bulkControls(page)

test('what fails stays selected and is tried again; the rest is done', async () => {
  const ids = await replaceOrders(shop, ...repeatOrder(8))
  await visitFulfillment('?status=pending')
  await interceptStatusChanges(page, ids[2], (route) => route.fulfill({ status: 503 }))
  await all.click()
  await mark('Completed').click()
  await toast(page, 'Failed to update orders.').waitFor()
  await toast(page, '7 updated, 1 failed').waitFor()
  await page.getByText('1 order(s) selected', { exact: true }).waitFor()
  assert.equal(await boxOf(ids[2]).isChecked(), true)
  assert.equal(await listedRows(page).count(), 1)
  await page.unroute(statusChangeUrl)
  await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
  // The same change still: told, and undone, as a whole.
  await toast(page, '8 order(s) moved to Completed.').waitFor()
  await page.getByText('7 updated, 1 failed').waitFor({ state: 'detached' })
  assert.deepEqual(new Set(await readStatuses(shop, ids)), new Set(['completed']))
})

test('what was changed before something failed can be given back', async () => {
  const ids = await replaceOrders(shop, {}, { status: 'processing' }, {})
  await visitFulfillment()
  await interceptStatusChanges(page, ids[2], (route) => route.fulfill({ status: 503 }))
  await all.click()
  await mark('Completed').click()
  await page.getByRole('button', { name: 'Undo 2' }).click()
  await toast(page, '2 order(s) went back to what they were.').waitFor()
  await page.unroute(statusChangeUrl)
  assert.deepEqual(await readStatuses(shop, ids), ['pending', 'processing', 'pending'])
})

test('an order that failed and is then changed by hand is not changed again', async () => {
  const ids = await replaceOrders(shop, {}, {})
  await visitFulfillment()
  await interceptStatusChanges(page, ids[1], (route) => route.fulfill({ status: 503 }))
  await all.click()
  await mark('Completed').click()
  const notice = page.getByRole('main').getByText('1 updated, 1 failed')
  await notice.waitFor()
  await page.unroute(statusChangeUrl)
  await orderRow(page, ids[1]).getByRole('combobox').selectOption('Shipped')
  await notice.waitFor({ state: 'detached' })
  await toast(page, 'Status updated').waitFor()
  assert.deepEqual(await readStatuses(shop, ids), ['completed', 'shipped'])
})

test('a server that wants a pause gets it, and whoever cancels keeps the rest selected', async () => {
  const ids = await replaceOrders(shop, ...repeatOrder(30))
  await visitFulfillment()
  await page.route(statusChangeUrl, (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '600' } }),
  )
  await all.click()
  await mark('Shipped').click()
  await page.getByText('The server asked for a short pause. It goes on by itself.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await toast(page, 'Nothing was changed').waitFor()
  await page.getByText('30 order(s) selected', { exact: true }).waitFor()
  await page.unroute(statusChangeUrl)
  const refused = { once: true }
  await interceptStatusChanges(page, ids[4], async (route) => {
    if (!refused.once) return route.continue()
    refused.once = false
    await route.fulfill({ status: 429, headers: { 'retry-after': '1' } })
  })
  await mark('Shipped').click()
  await toast(page, '30 order(s) moved to Shipped.').waitFor()
  await page.unroute(statusChangeUrl)
  assert.deepEqual(new Set(await readStatuses(shop, ids)), new Set(['shipped']))
})

test('who was signed out meanwhile is told so once, and sent to sign in', async () => {
  const ids = await replaceOrders(shop, ...repeatOrder(12))
  await visitFulfillment()
  await all.click()
  await page.context().clearCookies()
  await mark('Shipped').click()
  await toast(page, 'You are logged out. Logging in again...').waitFor()
  await page.waitForURL('**/login')
  assert.deepEqual(new Set(await readStatuses(shop, ids)), new Set(['pending']))
})
