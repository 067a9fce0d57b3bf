import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiRoutes } from '#contract/paths.ts'
import { orders } from '#server/db/schema.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  replaceOrders,
  listedRows,
  orderRow,
  shortId,
  readStatuses,
  toast,
} from '#e2e/testing/order-pages.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const desktop = { viewport: { width: 1280, height: 800 } }
const page = await shop.visitAsAdmin(desktop)

async function visitFulfillment(visitor = page, query = '') {
  await visitor.goto(`/fulfillment${query}`)
  await visitor.getByRole('heading', { name: 'Fulfillment', level: 1 }).waitFor()
}

async function countersAre(visitor: Page, ...expected: [number, number, number]) {
  await visitor.waitForFunction(
    (numbers) =>
      [...document.querySelectorAll('dl dd')].map((e) => e.textContent).join() === numbers,
    expected.join(),
  )
}

const statusOf = (visitor: Page, id: string | undefined) =>
  visitor.getByRole('combobox', { name: `Status of order ${shortId(id)}` })

test('a shop without orders has nothing to fulfill', async () => {
  await replaceOrders(shop)
  await visitFulfillment()
  await page.getByText('No orders to fulfill', { exact: true }).waitFor()
  await countersAre(page, 0, 0, 0)
})

test('there are three counters and five filters, kept in the address', async () => {
  const ids = await replaceOrders(
    shop,
    {},
    {},
    { status: 'processing' },
    { status: 'shipped' },
    { status: 'completed' },
  )
  await visitFulfillment()
  await countersAre(page, 2, 1, 1)
  await assertShows(
    () => page.locator('dl dt').allTextContents(),
    ['Pending Orders', 'Processing', 'Shipped'],
  )
  const filter = page.getByRole('navigation', { name: 'Status filter' })
  await assertShows(
    () => filter.getByRole('link').allTextContents(),
    ['All Orders', 'Pending', 'Processing', 'Shipped', 'Completed'],
  )
  // Beside the names, not part of them.
  assert.deepEqual(
    (await filter.getByRole('listitem').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' '),
    ),
    ['All Orders 5', 'Pending 2', 'Processing 1', 'Shipped 1', 'Completed 1'],
  )
  await listedRows(page).nth(4).waitFor()
  await filter.getByRole('link', { name: 'Completed' }).click()
  await page.waitForURL('**/fulfillment?status=completed')
  await orderRow(page, ids[0]).waitFor({ state: 'detached' })
  await assertShows(() => listedRows(page).count(), 1)
  await page.goBack()
  await listedRows(page).nth(4).waitFor()
})

test('counts have thousands separators', async () => {
  const json = { pending: 2, processing: 1, shipped: 12_001, completed: 1 }
  await page.route(`**${apiRoutes.orderCounts}`, (route) => route.fulfill({ json }))
  await visitFulfillment()
  const filter = page.getByRole('navigation', { name: 'Status filter' })
  await filter
    .getByText(/^[1-9]\d,\d{3}$/)
    .first()
    .waitFor()
  await assertShows(() => page.locator('dl dd').last().innerText(), '12,001')
  await page.unroute(`**${apiRoutes.orderCounts}`)
})

test('a status is chosen in the row, and undone in the toast', async () => {
  const ids = await replaceOrders(shop, {}, {})
  await visitFulfillment()
  await statusOf(page, ids[0]).selectOption('Shipped')
  await toast(page, 'Status updated').waitFor()
  await toast(page, `Order ${shortId(ids[0])} moved to Shipped.`).waitFor()
  await countersAre(page, 1, 0, 1)
  assert.deepEqual(await readStatuses(shop, ids), ['shipped', 'pending'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await toast(page, `Order ${shortId(ids[0])} is back in Pending.`).waitFor()
  await countersAre(page, 2, 0, 0)
  await assertShows(() => statusOf(page, ids[0]).inputValue(), 'pending')
  assert.deepEqual(await readStatuses(shop, ids), ['pending', 'pending'])
  await orderRow(page, ids[0]).getByRole('link').click()
  const panel = page.getByRole('dialog')
  await panel.getByText('Pending → Shipped').waitFor()
  await panel.getByText('Shipped → Pending').waitFor()
})

test('an order that no longer fits the filter leaves the list, focus moves on, and undo brings it back', async () => {
  const ids = await replaceOrders(shop, {}, {}, {})
  await visitFulfillment(page, '?status=pending')
  await statusOf(page, ids[1]).focus()
  await statusOf(page, ids[1]).selectOption('Processing')
  await orderRow(page, ids[1]).waitFor({ state: 'detached' })
  await toast(page, `Order ${shortId(ids[1])} moved to Processing.`).waitFor()
  await countersAre(page, 2, 1, 0)
  await assertShows(
    () => page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    `Status of order ${shortId(ids[2])}`,
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await orderRow(page, ids[1]).waitFor()
  await assertShows(() => orderRow(page, ids[1]).getAttribute('aria-rowindex'), '3')
  await page.getByRole('link', { name: 'Processing' }).click()
  await page.getByText('No orders to fulfill', { exact: true }).waitFor()
})

test('in a list longer than the screen, focus moves on to the next order, never to one out of sight', async () => {
  const ids = await replaceOrders(shop, ...Array.from({ length: 60 }, () => ({})))
  await visitFulfillment(page, '?status=pending')
  await statusOf(page, ids[0]).focus()
  await statusOf(page, ids[0]).selectOption('Processing')
  await orderRow(page, ids[0]).waitFor({ state: 'detached' })
  await assertShows(
    () => page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    `Status of order ${shortId(ids[1])}`,
  )
  await toast(page, `Order ${shortId(ids[0])} moved to Processing.`).waitFor()
})

test('a status that cannot be saved goes back to what it was', async () => {
  const ids = await replaceOrders(shop, {})
  await visitFulfillment()
  await page.route(`**${apiRoutes.orders}/*/status`, (route) => route.fulfill({ status: 503 }))
  await statusOf(page, ids[0]).selectOption('Shipped')
  await toast(page, 'Failed to update order status.').waitFor()
  await page.unroute(`**${apiRoutes.orders}/*/status`)
  await page.waitForFunction(
    () => document.querySelector<HTMLSelectElement>('tbody select')?.value === 'pending',
  )
  await countersAre(page, 1, 0, 0)
})

test('two admins at once: the last change counts, nothing is lost, a reload shows it', async () => {
  const ids = await replaceOrders(shop, {}, {}, {})
  const other = await shop.visitAsAdmin(desktop)
  await Promise.all([visitFulfillment(page), visitFulfillment(other)])
  await statusOf(page, ids[0]).selectOption('Processing')
  await toast(page, 'Status updated').waitFor()
  await statusOf(other, ids[0]).selectOption('Shipped')
  await toast(other, 'Status updated').waitFor()
  await Promise.all([
    statusOf(page, ids[1]).selectOption('Completed'),
    statusOf(other, ids[2]).selectOption('Completed'),
  ])
  await Promise.all([
    toast(page, `Order ${shortId(ids[1])} moved to Completed.`).waitFor(),
    toast(other, `Order ${shortId(ids[2])} moved to Completed.`).waitFor(),
  ])
  assert.deepEqual(await readStatuses(shop, ids), ['shipped', 'completed', 'completed'])
  for (const visitor of [page, other]) {
    await visitFulfillment(visitor)
    await countersAre(visitor, 0, 0, 1)
    await assertShows(() => statusOf(visitor, ids[0]).inputValue(), 'shipped')
    await assertShows(() => statusOf(visitor, ids[2]).inputValue(), 'completed')
  }
  await orderRow(page, ids[0]).getByRole('link').click()
  const history = page.getByRole('dialog').getByRole('listitem')
  await history.filter({ hasText: 'Pending → Processing' }).waitFor()
  await history.filter({ hasText: 'Processing → Shipped' }).waitFor()
})

test('undo restores the status on the server, not the one on this screen', async () => {
  const [id] = await replaceOrders(shop, {})
  await visitFulfillment()
  await listedRows(page).first().waitFor()
  await shop.db.update(orders).set({ status: 'completed' })
  await statusOf(page, id).selectOption('Shipped')
  await toast(page, 'Status updated').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await toast(page, `Order ${shortId(id)} is back in Completed.`).waitFor()
  assert.deepEqual(await readStatuses(shop, [id ?? '']), ['completed'])
  await assertShows(() => statusOf(page, id).inputValue(), 'completed')
})

test('two quick changes that both fail leave what the server has', async () => {
  const [id] = await replaceOrders(shop, {})
  await visitFulfillment()
  const gate = Promise.withResolvers<void>()
  await page.route(`**${apiRoutes.orders}/*/status`, (route) =>
    gate.promise.then(() => route.fulfill({ status: 503 })),
  )
  await statusOf(page, id).selectOption('Shipped')
  await statusOf(page, id).selectOption('Completed')
  gate.resolve()
  await toast(page, 'Failed to update order status.').waitFor()
  await page.waitForFunction(
    () => document.querySelector<HTMLSelectElement>('tbody select')?.value === 'pending',
  )
  await page.unroute(`**${apiRoutes.orders}/*/status`)
})

test('a change whose answer is lost is shown as the change it is', async () => {
  const [id] = await replaceOrders(shop, {})
  await visitFulfillment()
  await page.route(`**${apiRoutes.orders}/*/status`, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await statusOf(page, id).selectOption('Shipped')
  await toast(page, `Order ${shortId(id)} moved to Shipped.`).waitFor()
  await assertShows(() => statusOf(page, id).inputValue(), 'shipped')
  await page.unroute(`**${apiRoutes.orders}/*/status`)
})
