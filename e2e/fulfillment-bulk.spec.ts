import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
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
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const viewport = { width: 1280, height: 900 }
const page = await shop.visitAsAdmin({ viewport, bypassCSP: true })
const { mark, boxOf, all, visitFulfillment } = bulkControls(page)

beforeEach(async () => {
  await page.unrouteAll()
  await page.setViewportSize(viewport)
})

test('selected orders are counted, changed together, and undo restores each status', async () => {
  const ids = await replaceOrders(shop, {}, { status: 'processing' }, { status: 'completed' }, {})
  await visitFulfillment()
  await boxOf(ids[0]).check()
  await page.getByText('1 order(s) selected', { exact: true }).waitFor()
  await boxOf(ids[1]).check()
  await boxOf(ids[2]).check()
  await page.getByText('3 order(s) selected', { exact: true }).waitFor()
  await assertShows(
    () => page.getByRole('button', { name: /^Mark as/ }).allTextContents(),
    ['Mark as Processing', 'Mark as Shipped', 'Mark as Completed'],
  )
  await mark('Shipped').focus()
  await page.keyboard.press('Enter')
  await toast(page, 'Orders updated').waitFor()
  await toast(page, '3 order(s) moved to Shipped.').waitFor()
  await assertShows(() => page.evaluate(() => document.activeElement?.tagName), 'MAIN', 'the focus')
  assert.deepEqual(await readStatuses(shop, ids), ['shipped', 'shipped', 'shipped', 'pending'])
  await mark('Shipped').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await toast(page, '3 order(s) went back to what they were.').waitFor()
  assert.deepEqual(await readStatuses(shop, ids), ['pending', 'processing', 'completed', 'pending'])
})

test('Shift selects everything in between, and the box above shows none, some or all', async () => {
  const ids = await replaceOrders(shop, ...repeatOrder(6))
  await visitFulfillment()
  await boxOf(ids[1]).click()
  await boxOf(ids[4]).click({ modifiers: ['Shift'] })
  await page.getByText('4 order(s) selected', { exact: true }).waitFor()
  const isHalf = () => all.evaluate((box) => (box as HTMLInputElement).indeterminate)
  await assertShows(() => isHalf(), true)
  await all.click()
  await page.getByText('6 order(s) selected', { exact: true }).waitFor()
  await assertShows(() => isHalf(), false)
  await assertShows(() => all.isChecked(), true)
  await boxOf(ids[5]).click()
  await boxOf(ids[2]).click({ modifiers: ['Shift'] })
  await page.getByText('2 order(s) selected', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await assertShows(() => isHalf(), false)
  await mark('Shipped').waitFor({ state: 'detached' })
})

test('all orders of a filter are selected, including those not loaded yet, and how many is said where it is known', async () => {
  const ids = await replaceOrders(shop, ...repeatOrder(102), { status: 'completed' })
  await page.route(`**${apiRoutes.orderCounts}`, (route) => route.fulfill({ status: 503 }))
  await visitFulfillment('?status=pending')
  const label = page.getByRole('table').locator('label', { hasText: 'Select all' })
  await assertShows(() => label.innerText(), /^Select all\s*orders$/)
  await page.unroute(`**${apiRoutes.orderCounts}`)
  await visitFulfillment('?status=pending')
  await boxOf(ids[0]).check()
  await page.getByRole('button', { name: 'Select all 102' }).click()
  await page.getByText('102 order(s) selected', { exact: true }).waitFor()
  const most = { atOnce: 0, now: 0 }
  page.on('request', (request) => {
    if (request.method() === 'PATCH') most.atOnce = Math.max(most.atOnce, (most.now += 1))
  })
  page.on('requestfinished', (request) => {
    if (request.method() === 'PATCH') most.now -= 1
  })
  await mark('Processing').click()
  await page.getByRole('button', { name: 'Mark 102 orders' }).click()
  await page.getByRole('progressbar', { name: 'Updating orders' }).waitFor()
  await toast(page, '102 order(s) moved to Processing.').waitFor()
  await page.getByText('No orders to fulfill', { exact: true }).waitFor()
  assert.ok(most.atOnce <= 6 && most.atOnce > 1, `${most.atOnce} at once`)
  const statuses = await readStatuses(shop, ids)
  assert.equal(statuses.filter((status) => status === 'processing').length, 102)
})

test('a bulk change can be undone later by any admin, without what was changed since', async () => {
  const ids = await replaceOrders(shop, {}, { status: 'processing' }, {})
  await visitFulfillment()
  await all.click()
  await mark('Completed').click()
  await toast(page, '3 order(s) moved to Completed.').waitFor()
  await orderRow(page, ids[0]).getByRole('combobox').selectOption('Shipped')
  await toast(page, 'Status updated').waitFor()

  // Another admin knows what the server knows.
  await visitFulfillment()
  await page.getByRole('button', { name: 'Bulk changes' }).click()
  await page.waitForURL('**/fulfillment?history=bulk')
  const history = page.getByRole('dialog', { name: 'History of bulk changes' })
  const entry = history.getByRole('listitem').first()
  await entry.getByText('3 order(s) moved to Completed').waitFor()
  await entry.getByText('owner@example.com').waitFor()
  await entry.getByText('1 were changed since.').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await entry.getByRole('button', { name: 'Undo 2' }).click()
  await toast(
    page,
    '2 order(s) went back to what they were. 1 were changed since and left as they are.',
  ).waitFor()
  await entry.getByText('Undone by owner@example.com.').waitFor()
  await assertShows(() => entry.getByRole('button').count(), 0)
  assert.deepEqual(await readStatuses(shop, ids), ['shipped', 'processing', 'pending'])
  await page.reload()
  await entry.getByText('Undone by owner@example.com.').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL('**/fulfillment')
})

test('a bulk change under way survives navigation, stands in the history, and is undone after its end', async () => {
  const ids = await replaceOrders(shop, ...repeatOrder(9))
  await visitFulfillment()
  const gate = Promise.withResolvers<void>()
  await interceptStatusChanges(page, ids[8], (route) => gate.promise.then(() => route.continue()))
  await all.click()
  await mark('Shipped').click()
  const bar = page.getByRole('progressbar', { name: 'Updating orders' })
  await bar.waitFor()
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  await assertShows(() => isAskedBeforeUnload(), true)
  await page.getByRole('link', { name: 'Fulfillment' }).click()
  await bar.waitFor()
  await page.getByText('Updating 8 of 9').waitFor()
  await page.getByRole('button', { name: 'Bulk changes' }).click()
  const entry = page.getByRole('dialog').getByRole('listitem').first()
  await entry.getByText('Moving orders to').waitFor()
  await entry.getByText('Updating 8 of 9').waitFor()
  await assertShows(() => entry.getByRole('button').count(), 0)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Processing' }).click()
  await page.getByText('No orders to fulfill', { exact: true }).waitFor()
  await assertShows(() => bar.isVisible(), true, 'in a filter without orders')
  gate.resolve()
  await toast(page, '9 order(s) moved to Shipped.').waitFor()
  await bar.waitFor({ state: 'detached' })
  await assertShows(() => isAskedBeforeUnload(), false)
  await page.unroute(statusChangeUrl)
  assert.deepEqual(new Set(await readStatuses(shop, ids)), new Set(['shipped']))
  await page.getByRole('button', { name: 'Bulk changes' }).click()
  await entry.getByText('9 order(s) moved to').waitFor()
  await entry.getByRole('button', { name: 'Undo 9' }).click()
  await toast(page, '9 order(s) went back to what they were.').waitFor()
})

async function isAskedBeforeUnload(): Promise<boolean> {
  return page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
}

test('failed changes stay selected and can be retried; what is done or leaves the filter does not', async () => {
  const ids = await replaceOrders(shop, ...repeatOrder(8))
  await visitFulfillment('?status=pending')
  await interceptStatusChanges(page, ids[2], (route) => route.fulfill({ status: 503 }))
  await all.click()
  await orderRow(page, ids[1]).getByRole('combobox').selectOption('Shipped')
  await page.getByText('7 order(s) selected', { exact: true }).waitFor()
  await toast(page, 'Status updated').waitFor()
  await mark('Completed').click()
  await toast(page, 'Failed to update orders.').waitFor()
  await toast(page, '6 updated, 1 failed').waitFor()
  await page.getByText('1 order(s) selected', { exact: true }).waitFor()
  await assertShows(() => boxOf(ids[2]).isChecked(), true)
  await assertShows(() => listedRows(page).count(), 1)
  await page.unroute(statusChangeUrl)
  await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
  // The same change still: told, and undone, as a whole.
  await toast(page, '7 order(s) moved to Completed.').waitFor()
  await page.getByText('6 updated, 1 failed').waitFor({ state: 'detached' })
  const [first, second, ...others] = await readStatuses(shop, ids)
  assert.deepEqual([first, second], ['completed', 'shipped'])
  assert.deepEqual(new Set(others), new Set(['completed']))
})

test('changes made before a failure can be undone', async () => {
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

test('more than 50 orders are not changed without a question; a server that asks for a pause gets it', async () => {
  const ids = await replaceOrders(shop, ...repeatOrder(51))
  await visitFulfillment()
  let asked = 0
  await page.route(statusChangeUrl, (route) => {
    asked += 1
    return route.fulfill({ status: 429, headers: { 'retry-after': '600' } })
  })
  await all.click()
  await mark('Shipped').click()
  const question = page.getByRole('alertdialog', { name: 'Mark 51 orders as Shipped?' })
  await question.waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.setViewportSize(viewport)
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await page.getByText('51 order(s) selected', { exact: true }).waitFor()
  assert.equal(asked, 0)
  await boxOf(ids[0]).uncheck()
  await mark('Shipped').click()
  await page
    .getByText('The server asked for a short pause. Updating continues automatically.')
    .waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await toast(page, 'Nothing was changed').waitFor()
  await page.getByText('50 order(s) selected', { exact: true }).waitFor()
  assert.deepEqual(new Set(await readStatuses(shop, ids)), new Set(['pending']))
  await page.unroute(statusChangeUrl)

  await page.getByRole('button', { name: 'Clear selection' }).click()
  const few = ids.slice(0, 3)
  for (const id of few) await boxOf(id).check()
  const refused = { once: true }
  await interceptStatusChanges(page, few[1], async (route) => {
    if (!refused.once) return route.continue()
    refused.once = false
    await route.fulfill({ status: 429, headers: { 'retry-after': '1' } })
  })
  await mark('Shipped').click()
  await toast(page, '3 order(s) moved to Shipped.').waitFor()
  await page.unroute(statusChangeUrl)
  assert.deepEqual(new Set(await readStatuses(shop, few)), new Set(['shipped']))
})

test('an admin who was signed out meanwhile sees one message and the login page', async () => {
  const ids = await replaceOrders(shop, ...repeatOrder(12))
  await visitFulfillment()
  await all.click()
  await page.context().clearCookies()
  await mark('Shipped').click()
  await toast(page, 'You are logged out. Logging in again...').waitFor()
  await page.waitForURL('**/login')
  assert.deepEqual(new Set(await readStatuses(shop, ids)), new Set(['pending']))
})
