import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newsEveryMs } from '#contract/news.ts'
import { apiRoutes } from '#contract/paths.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import { recordWithdrawal } from '#server/orders/withdrawals.ts'
import { updateStatus } from '#server/orders/status.ts'
import { addOrders } from '#server/testing/orders.ts'
import { logIn, openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { orderRow, replaceOrders } from '#e2e/testing/order-pages.ts'
import { assertShows, findIssuesAtBothWidths, stopClock } from '#e2e/testing/page-checks.ts'

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

/** Opens a page whose clock the story moves on. */
async function openPage(page: Page, path: string): Promise<void> {
  await page.clock.install()
  await page.goto(path)
  await page.getByText('Logged in as').waitFor()
}

/** Opens a page whose time moves only when told. */
async function openStopped(page: Page, path: string): Promise<void> {
  await stopClock(page)
  await page.goto(path)
  while (!(await page.getByText('Logged in as').isVisible())) await page.clock.runFor(10)
}

/** Until the page asks what is new, and has been told. */
async function waitForNews(page: Page): Promise<void> {
  const told = page.waitForResponse((answer) => isNewsUrl(answer.url()))
  await page.clock.fastForward(newsEveryMs)
  assert.equal((await told).status(), 200)
}

const isNewsUrl = (url: string) => new URL(url).pathname === apiRoutes.news

test('a sale is announced over the list, and loaded by a click', async () => {
  const [known] = await replaceOrders(shop, {})
  const page = await openTab()
  await openPage(page, '/orders')
  await orderRow(page, known).waitFor()
  await assertShows(() => page.title(), 'Orders · Till')
  const top = async () => (await orderRow(page, known).boundingBox())?.y
  const topBefore = await top()
  const lists: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    // Scripts may still be on their way.
    if (pathname.startsWith('/api/') && pathname !== apiRoutes.news) lists.push(pathname)
  })
  const id = await sell()
  await waitForNews(page)
  await page.getByRole('status').getByText('1 new order').waitFor()
  await assertShows(() => page.title(), '(1) Orders · Till')
  await page.getByRole('link', { name: 'Orders 1 new' }).waitFor()
  // No row moved, and nothing was loaded.
  assert.equal(await top(), topBefore)
  assert.equal(await orderRow(page, id).count(), 0)
  assert.deepEqual(lists, [])
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  const second = await sell()
  await waitForNews(page)
  await pill(page, '2 new orders').focus()
  await page.keyboard.press('Enter')
  await orderRow(page, second).waitFor()
  await orderRow(page, id).waitFor()
  await pill(page, '2 new orders').waitFor({ state: 'detached' })
  await assertShows(() => page.title(), 'Orders · Till')
  await assertShows(() => page.evaluate(() => document.activeElement?.tagName), 'MAIN')
  // The next answer has both again, from its look-back.
  await waitForNews(page)
  assert.equal(await page.title(), 'Orders · Till')
})

test('a page asks 15 seconds after it was opened, then every 15, and not while it is hidden', async () => {
  await replaceOrders(shop, {})
  const page = await shop.visitAsAdmin({ viewport })
  let asked = 0
  page.on('request', (request) => (asked += isNewsUrl(request.url()) ? 1 : 0))
  await openStopped(page, '/products')
  await page.clock.fastForward(newsEveryMs - 1_000)
  await page.waitForLoadState('networkidle')
  assert.equal(asked, 0)
  await page.clock.fastForward(1_000)
  await assertShows(async () => asked, 1)
  await sell()
  await waitForNews(page)
  await page.waitForFunction(() => document.title === '(1) Products · Till')
  await setVisibility(page, 'hidden')
  for (let times = 0; times < 3; times += 1) await page.clock.fastForward(newsEveryMs)
  await sell()
  await setVisibility(page, 'visible')
  await page.waitForLoadState('networkidle')
  assert.equal(asked, 2, 'coming back asks for nothing')
  await waitForNews(page)
  await page.waitForFunction(() => document.title === '(2) Products · Till')
})

async function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  await page.evaluate((shown) => {
    Object.defineProperty(document, 'visibilityState', { value: shown, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    if (shown === 'visible') dispatchEvent(new Event('focus'))
  }, state)
}

test('each tab is told for itself, and a list says what it lacks', async () => {
  const [known] = await replaceOrders(shop, {})
  const first = await openTab()
  const second = await first.context().newPage()
  await openPage(first, '/orders')
  await openPage(second, '/products')
  await orderRow(first, known).waitFor()
  const id = await sell()
  // Both tabs have the same clock.
  await waitForNews(first)
  await second.waitForFunction(() => document.title === '(1) Products · Till')
  await pill(first, '1 new order').click()
  await orderRow(first, id).waitFor()
  await first.waitForFunction(() => document.title === 'Orders · Till')
  // The pointer has no focus to lose, and keyboards stay where they were.
  assert.equal(await first.evaluate(() => document.activeElement?.tagName), 'BODY')
  // A list that is read after the sale has it.
  await second.getByRole('link', { name: 'Fulfillment', exact: true }).click()
  await orderRow(second, id).waitFor()
  await assertShows(() => second.title(), 'Fulfillment · Till')
})

test('without an answer a page asks on, and is told what it missed, also after a log-in elsewhere', async () => {
  await replaceOrders(shop, {})
  const page = await openTab()
  await openPage(page, '/orders')
  await page.route(`**${apiRoutes.news}*`, (route) => route.abort())
  await sell()
  const failed = page.waitForEvent('requestfailed', (request) => isNewsUrl(request.url()))
  await page.clock.fastForward(newsEveryMs)
  await failed
  await page.unroute(`**${apiRoutes.news}*`)
  await waitForNews(page)
  await pill(page, '1 new order').waitFor()

  const other = await page.context().newPage()
  await other.goto('/products')
  await other.getByRole('button', { name: 'Log out' }).click()
  await other.waitForURL('**/login')
  const refused = page.waitForResponse((answer) => isNewsUrl(answer.url()))
  await page.clock.fastForward(newsEveryMs)
  assert.equal((await refused).status(), 401)
  await sell()
  await logIn(other)
  await other.waitForURL('**/products')
  await waitForNews(page)
  await pill(page, '2 new orders').waitFor()
  assert.equal(new URL(page.url()).pathname, '/orders')
})

test('a withdrawal is announced where orders are listed, and counted elsewhere', async () => {
  const [withdrawn] = await replaceOrders(shop, {})
  assert.ok(withdrawn)
  const page = await openTab()
  await openPage(page, '/orders')
  await orderRow(page, withdrawn).waitFor()
  const other = await page.context().newPage()
  await openPage(other, '/products')
  const statement = { name: 'Anna', orderNumber: withdrawn.slice(0, 8), email: 'anna@example.com' }
  const sender = { addressKey: 'a', isShared: false, isTestMode: true, timeZone: 'Europe/Berlin' }
  await recordWithdrawal(shop.db, statement, sender)
  // Both tabs have the same clock.
  await waitForNews(page)
  await other.waitForFunction(() => document.title === '(1) Products · Till')
  await pill(page, '1 withdrawal').click()
  await page.getByRole('heading', { name: 'A customer withdraws from a purchase' }).waitFor()
  await pill(page, '1 withdrawal').waitFor({ state: 'detached' })
})

test('a colleague’s change is announced, and one’s own is not', async () => {
  const [changed, own] = await replaceOrders(shop, {}, {})
  const { db } = shop
  const email = 'berta@example.com'
  const [berta] = await db.insert(users).values({ email }).returning()
  assert.ok(berta && changed && own)
  await db.insert(credentials).values({ userId: berta.id, username: 'berta', passwordHash: '' })
  const page = await openTab()
  await openPage(page, '/fulfillment')
  await orderRow(page, own).getByRole('combobox').selectOption('shipped')
  await page.getByText('Status updated', { exact: true }).first().waitFor()
  const admin = { id: berta.id, email, username: 'berta' }
  await updateStatus(db, changed, { status: 'processing' }, { admin, address: '203.0.113.7' })
  await waitForNews(page)
  await pill(page, '1 order changed').click()
  await pill(page, '1 order changed').waitFor({ state: 'detached' })
  const status = orderRow(page, changed).getByRole('combobox')
  await assertShows(() => status.inputValue(), 'processing')
})

test('sound and notification are chosen for each browser, which may refuse', async () => {
  const page = await openTab()
  await page.goto('/orders?settings=news')
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

test('the network of every page of the back-office comes to rest', async () => {
  await replaceOrders(shop, {})
  const page = await openTab()
  for (const path of ['/products', '/orders', '/fulfillment', '/analytics']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
  }
})

test('several tabs ring once for a sale, also hidden ones', async () => {
  await replaceOrders(shop, {})
  const first = await shop.visitAsAdmin({ viewport })
  const second = await first.context().newPage()
  await first.context().addInitScript(() => {
    localStorage.setItem('new-order-sound', 'on')
    const counter = globalThis as unknown as { rings: number }
    counter.rings = 0
    globalThis.AudioContext = class extends AudioContext {
      constructor() {
        super()
        counter.rings += 1
      }
    }
  })
  for (const page of [first, second]) await openPage(page, '/products')
  await setVisibility(second, 'hidden')
  const { promise: isTold, resolve: tellFirst } = Promise.withResolvers<void>()
  await first.route(`**${apiRoutes.news}*`, async (route) => {
    await isTold
    await route.continue()
  })
  await sell()
  // Both tabs have the same clock.
  await waitForNews(second)
  await second.waitForFunction(() => document.title === '(1) Products · Till')
  tellFirst()
  await first.waitForFunction(() => document.title === '(1) Products · Till')
  const rings = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'rings'))
  assert.deepEqual([await rings(second), await rings(first)], [1, 0])
})
