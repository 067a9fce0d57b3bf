import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { apiRoutes } from '#contract/paths.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import { recordWithdrawal } from '#server/orders/withdrawals.ts'
import { updateStatus } from '#server/orders/status.ts'
import { addOrders } from '#server/testing/orders.ts'
import { logIn, openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { orderRow, replaceOrders } from '#e2e/testing/order-pages.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const viewport = { width: 1280, height: 800 }

/** One browser for all stories, each with a session and tabs of its own. */
const owner = (await shop.visitAsAdmin({ viewport, bypassCSP: true, permissions: [] })).context()

const openTab = () => shop.reopenAsAdmin(owner)

async function sell(): Promise<string | undefined> {
  const [order] = await addOrders(shop.db, [{}])
  return order?.id
}

const pill = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true })

/** Opens a page and waits until its browser listens. */
async function openListening(page: Page, path: string): Promise<void> {
  const opened = page.waitForResponse((answer) => answer.url().includes(apiRoutes.liveEvents))
  await page.goto(path)
  assert.equal((await opened).status(), 200)
}

test('a sale is announced over the list, and loaded by a click', async () => {
  const [known] = await replaceOrders(shop, {})
  const page = await openTab()
  await openListening(page, '/orders')
  await orderRow(page, known).waitFor()
  await assertShows(() => page.title(), 'Orders · Till')
  const top = async () => (await orderRow(page, known).boundingBox())?.y
  const topBefore = await top()
  const lists: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    // Scripts may still be on their way.
    if (pathname.startsWith('/api/') && pathname !== apiRoutes.liveEvents) lists.push(pathname)
  })
  const id = await sell()
  await pill(page, '1 new order').waitFor()
  await assertShows(() => page.title(), '(1) Orders · Till')
  await page.getByRole('link', { name: 'Orders 1 new' }).waitFor()
  // No row moved, and nothing was loaded.
  assert.equal(await top(), topBefore)
  assert.equal(await orderRow(page, id).count(), 0)
  assert.deepEqual(lists, [])
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  const second = await sell()
  await pill(page, '2 new orders').focus()
  await page.keyboard.press('Enter')
  await orderRow(page, second).waitFor()
  await orderRow(page, id).waitFor()
  await pill(page, '2 new orders').waitFor({ state: 'detached' })
  await assertShows(() => page.title(), 'Orders · Till')
  await assertShows(() => page.evaluate(() => document.activeElement?.tagName), 'MAIN')
})

test('tabs share a stream; if one closes another goes on with it, also after a log-in, until the session ends', async () => {
  const [known] = await replaceOrders(shop, {})
  const first = await openTab()
  await openListening(first, '/products')
  const second = await first.context().newPage()
  const streams: string[] = []
  second.on('request', (request) => {
    if (request.url().includes(apiRoutes.liveEvents)) streams.push(request.url())
  })
  await second.goto('/fulfillment')
  await orderRow(second, known).waitFor()
  await sell()
  await second.getByRole('link', { name: 'Orders 1 new' }).waitFor()
  await first.getByRole('link', { name: 'Orders 1 new' }).waitFor()
  await assertShows(() => first.title(), '(1) Products · Till')
  assert.deepEqual(streams, [])
  await pill(second, '1 new order').click()
  await pill(second, '1 new order').waitFor({ state: 'detached' })
  await assertShows(() => second.title(), 'Fulfillment · Till')

  const takenOver = second.waitForResponse((answer) => answer.url().includes(apiRoutes.liveEvents))
  await first.close()
  await takenOver
  await sell()
  await pill(second, '1 new order').waitFor()

  const third = await second.context().newPage()
  await third.goto('/products')
  await third.getByRole('button', { name: 'Log out' }).click()
  await third.waitForURL('**/login')
  await sell()
  await logIn(third)
  await third.waitForURL('**/products')
  await pill(second, '2 new orders').waitFor()
  await third.close()
  await sell()
  await pill(second, '3 new orders').waitFor()

  // The server ends it, or the browser as it leaves the page.
  const predicate = (request: Request) => request.url().includes(apiRoutes.liveEvents)
  const isOver = Promise.race([
    second.waitForEvent('requestfinished', { predicate }),
    second.waitForEvent('requestfailed', { predicate }),
  ])
  await second.getByRole('button', { name: 'Log out' }).click()
  await second.waitForURL('**/login')
  await isOver
})

test('an order that comes before the stream is open is announced', async () => {
  const [known] = await replaceOrders(shop, {})
  const page = await openTab()
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>()
  await page.route(`**${apiRoutes.liveEvents}*`, async (route) => {
    await isOpen
    await route.continue()
  })
  const asked = page.waitForRequest((one) => one.url().includes(apiRoutes.liveEvents))
  await page.goto('/orders')
  await orderRow(page, known).waitFor()
  await asked
  await sell()
  open()
  await pill(page, '1 new order').waitFor()
})

test('what one tab has loaded is new in no other, but a list says what it lacks', async () => {
  const [known] = await replaceOrders(shop, {})
  const first = await openTab()
  await openListening(first, '/orders')
  const [second, third] = [await first.context().newPage(), await first.context().newPage()]
  await second.goto('/fulfillment')
  await third.goto('/products')
  await third.getByRole('heading', { name: 'Products', exact: true }).waitFor()
  // A list that is read after the sale has it already.
  for (const page of [first, second]) await orderRow(page, known).waitFor()
  const id = await sell()
  await third.waitForFunction(() => document.title === '(1) Products · Till')
  await pill(second, '1 new order').waitFor()
  await pill(first, '1 new order').click()
  await orderRow(first, id).waitFor()
  await first.waitForFunction(() => document.title === 'Orders · Till')
  // The pointer has no focus to lose, and keyboards stay where they were.
  assert.equal(await first.evaluate(() => document.activeElement?.tagName), 'BODY')
  await third.waitForFunction(() => document.title === 'Products · Till')
  await pill(second, '1 new order').waitFor()
  await assertShows(() => second.title(), '(1) Fulfillment · Till')
  const fourth = await first.context().newPage()
  await fourth.goto('/products')
  await fourth.getByRole('heading', { name: 'Products', exact: true }).waitFor()
  await sell()
  await fourth.waitForFunction(() => document.title === '(1) Products · Till')
})

test('a withdrawal is announced where orders are listed, and counted elsewhere', async () => {
  const [withdrawn] = await replaceOrders(shop, {})
  assert.ok(withdrawn)
  const page = await openTab()
  await openListening(page, '/orders')
  await orderRow(page, withdrawn).waitFor()
  const other = await page.context().newPage()
  await other.goto('/products')
  await other.getByRole('heading', { name: 'Products', exact: true }).waitFor()
  const statement = { name: 'Anna', orderNumber: withdrawn.slice(0, 8), email: 'anna@example.com' }
  const sender = { addressKey: 'a', isTestMode: true, timeZone: 'Europe/Berlin' }
  await recordWithdrawal(shop.db, statement, sender)
  await other.waitForFunction(() => document.title === '(1) Products · Till')
  await pill(page, '1 withdrawal').click()
  await page.getByRole('heading', { name: 'A customer withdraws from a purchase' }).waitFor()
  await pill(page, '1 withdrawal').waitFor({ state: 'detached' })
  await other.waitForFunction(() => document.title === 'Products · Till')
})

test('a colleague’s change is announced, and one’s own is not', async () => {
  const [changed, own] = await replaceOrders(shop, {}, {})
  const { db } = shop
  const email = 'berta@example.com'
  const [berta] = await db.insert(users).values({ email }).returning()
  assert.ok(berta && changed && own)
  await db.insert(credentials).values({ userId: berta.id, username: 'berta', passwordHash: '' })
  const page = await openTab()
  await openListening(page, '/fulfillment')
  await orderRow(page, own).getByRole('combobox').selectOption('shipped')
  await page.getByText('Status updated', { exact: true }).first().waitFor()
  const admin = { id: berta.id, email, username: 'berta' }
  await updateStatus(db, changed, { status: 'processing' }, { admin, address: '203.0.113.7' })
  await pill(page, '1 order changed').click()
  await pill(page, '1 order changed').waitFor({ state: 'detached' })
  const status = orderRow(page, changed).getByRole('combobox')
  await assertShows(() => status.inputValue(), 'processing')
})

test('sound and notification are chosen for each browser, which may refuse', async () => {
  const page = await openTab()
  await page.goto('/orders?settings=live')
  const sound = page.getByLabel('Play a sound')
  const notification = page.getByLabel('Show a browser notification')
  assert.deepEqual([await sound.isChecked(), await notification.isChecked()], [false, false])
  await sound.check()
  await page.evaluate(() => {
    Notification.requestPermission = async () => 'denied'
  })
  await notification.click()
  await page.getByText('The browser does not allow notifications', { exact: false }).waitFor()
  await assertShows(() => notification.isChecked(), false)
  await page.reload()
  await sound.waitFor()
  await assertShows(() => sound.isChecked(), true)
})
