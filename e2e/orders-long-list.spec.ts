import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  replaceOrders,
  listedRows,
  orderRow,
  shortId,
  repeatOrder,
} from '#e2e/testing/order-pages.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const page = await shop.visitAsAdmin({ viewport: { width: 1280, height: 800 } })
const ids = await replaceOrders(shop, ...repeatOrder(350))

/** At the head of the list. Going where one is already would be a reload, which keeps the place. */
async function visitOrders() {
  await page.goto('about:blank')
  await page.goto('/orders')
  await orderRow(page, ids[0]).waitFor()
}

const loadMore = page.getByRole('button', { name: 'Load more' })

/** Loads pages until there are so many rows, and scrolls to one of them. */
async function scrollDownTo(order: number, rows: number) {
  for (let loaded = 200; loaded <= rows; loaded += 100) {
    await loadMore.click()
    await assertShows(() => listedRows(page).count(), loaded)
  }
  await orderRow(page, ids[order]).evaluate((row) => row.scrollIntoView({ block: 'center' }))
}

/** The place is remembered a moment after the scrolling ends. */
async function untilRemembered() {
  await page.waitForFunction(() => history.state?.position?.top === scrollY)
}

async function topOf(id: string | undefined): Promise<number> {
  return Math.round((await orderRow(page, id).boundingBox())?.y ?? Number.NaN)
}

test('every order of a page is in the page, more are loaded on request, and the table has the total count', async () => {
  for (const path of ['/orders', '/fulfillment']) {
    await page.goto(path)
    await listedRows(page).first().waitFor()
    assert.equal(await listedRows(page).count(), 100)
    assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), '351')
    for (const rows of [200, 300, 350]) {
      await loadMore.click()
      await assertShows(() => listedRows(page).count(), rows)
    }
    await loadMore.waitFor({ state: 'detached' })
    assert.equal(await orderRow(page, ids[349]).getAttribute('aria-rowindex'), '351')
    await orderRow(page, ids[349]).scrollIntoViewIfNeeded()
    const head = page.getByRole('columnheader').nth(1)
    assert.equal(await head.evaluate((one) => one.getBoundingClientRect().top < 200), true)
  }
})

test('who loads more with the keyboard goes on in the first of the new rows', async () => {
  await visitOrders()
  await loadMore.focus()
  await page.keyboard.press('Enter')
  await assertShows(() => listedRows(page).count(), 200)
  await assertShows(
    () => page.evaluate(() => document.activeElement?.textContent),
    shortId(ids[100]),
  )
})

test('Back and a reload keep what was loaded, and the scroll position', async () => {
  await visitOrders()
  await scrollDownTo(240, 300)
  await untilRemembered()
  const top = await topOf(ids[240])
  await page.getByRole('navigation').getByRole('link', { name: 'Products' }).click()
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
  await page.goBack()
  await orderRow(page, ids[240]).waitFor()
  const isWhereItWas = async () => Math.abs((await topOf(ids[240])) - top) < 2
  await assertShows(isWhereItWas, true, 'Back')
  assert.equal(await listedRows(page).count(), 300)
  await page.reload()
  await orderRow(page, ids[240]).waitFor()
  await assertShows(isWhereItWas, true, 'reload')
  assert.equal(await listedRows(page).count(), 300)
  // What is read anew begins with the first page.
  await page.getByRole('button', { name: 'Look for new orders' }).click()
  await assertShows(() => listedRows(page).count(), 100)
})

test('an order far down opens and closes without losing the scroll position', async () => {
  await visitOrders()
  await scrollDownTo(240, 300)
  await untilRemembered()
  const link = page.getByRole('link', { name: shortId(ids[240]) })
  const top = await topOf(ids[240])
  await link.click()
  await page.getByRole('dialog').waitFor()
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await assertShows(() => topOf(ids[240]), top)
})

test('another filter starts at the top, and Back restores the position in the previous one', async () => {
  await visitOrders()
  await page.evaluate(() => scrollTo(0, 120))
  await untilRemembered()
  await page.getByRole('link', { name: 'Pending' }).click()
  await page.waitForFunction(() => location.search !== '' && scrollY === 0)
  await page.goBack()
  await page.waitForFunction(() => location.search === '' && scrollY === 120)
})

test('when the next orders fail to load the list says so, and continues on request', async () => {
  await visitOrders()
  await page.route(`**${apiRoutes.orders}?*cursor*`, (route) => route.fulfill({ status: 503 }))
  await loadMore.click()
  await page.getByText('The next orders could not be loaded.').waitFor()
  await page.unroute(`**${apiRoutes.orders}?*cursor*`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await assertShows(() => listedRows(page).count(), 200)
})
