import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  replaceOrders,
  listedRows,
  orderRow,
  shortId,
  repeatOrder,
} from '#e2e/testing/order-pages.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'
import { annasAddress } from '#server/testing/orders.ts'

const shop = await openBrowserShop()
const page = await shop.visitAsAdmin({ viewport: { width: 1280, height: 800 } })
const ids = await replaceOrders(shop, ...repeatOrder(350))
/** Of the first order: the head of the table is row 1. */
const firstRowIndex = 2

/** At the head of the list. Going where one is already would be a reload, which keeps the place. */
async function visitOrders() {
  await page.goto('about:blank')
  await page.goto('/orders')
  await orderRow(page, ids[0]).waitFor()
}

/** Down until this order is on the screen, as a wheel does it. Rows are drawn a moment later: if it was passed, back. */
async function scrollDownTo(order: number) {
  await waitFor('the order is in the list', () =>
    page.evaluate((wanted) => {
      const rows = [...document.querySelectorAll('[aria-rowindex]')]
      const row = rows.find(({ ariaRowIndex }) => Number(ariaRowIndex) === wanted)
      if (row) row.scrollIntoView({ block: 'center' })
      else scrollBy(0, Number(rows.at(-1)?.ariaRowIndex) < wanted ? 2000 : -700)
      return row !== undefined
    }, order + firstRowIndex),
  )
}

/** The place is remembered a moment after the scrolling ends. */
async function untilRemembered() {
  await page.waitForFunction(() => history.state?.position?.top === scrollY)
}

async function topOf(id: string | undefined): Promise<number> {
  return Math.round((await orderRow(page, id).boundingBox())?.y ?? Number.NaN)
}

test('only the rows on the screen are in the page, and the table has the total count', async () => {
  await visitOrders()
  const table = page.getByRole('table', { name: 'Orders' })
  await assertShows(() => table.getAttribute('aria-rowcount'), '351')
  await scrollDownTo(349)
  await assertShows(() => orderRow(page, ids[349]).getAttribute('aria-rowindex'), '351')
  assert.ok((await listedRows(page).count()) < 40)
  await assertShows(() => page.getByRole('columnheader', { name: 'Order ID' }).isVisible(), true)
})

test('Back and a reload restore the scroll position', async () => {
  await visitOrders()
  await scrollDownTo(240)
  await untilRemembered()
  const top = await topOf(ids[240])
  await page.getByRole('navigation').getByRole('link', { name: 'Products' }).click()
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
  await page.goBack()
  await orderRow(page, ids[240]).waitFor()
  const isWhereItWas = async () => Math.abs((await topOf(ids[240])) - top) < 90
  await assertShows(isWhereItWas, true, 'Back')
  await untilRemembered()
  await page.reload()
  await orderRow(page, ids[240]).waitFor()
  await assertShows(isWhereItWas, true, 'reload')
})

test('the current row is in the address, and a link scrolls to it', async () => {
  await visitOrders()
  await scrollDownTo(240)
  await untilRemembered()
  // Not page.url(), which Playwright learns of a moment later.
  const address = await page.evaluate(() => location.href)
  const row = Number(new URL(address).searchParams.get('row'))
  assert.ok(row > 225 && row <= 241, `row ${row}`)
  const guest = await shop.visitAsAdmin({ viewport: { width: 1280, height: 800 } })
  await guest.goto(address)
  await guest.waitForFunction(() => scrollY > 1000)
  await orderRow(guest, ids[240]).waitFor()
  await guest.getByRole('link', { name: 'Pending' }).click()
  await guest.waitForFunction(() => location.search === '?status=pending' && scrollY === 0)
})

test('the remembered row is the one at the remembered position, also in the middle of a jump', async () => {
  await visitOrders()
  await scrollDownTo(120)
  await untilRemembered()
  const { jumped, settled } = await page.evaluate(async () => {
    const position = () => history.state.position as { top: number; row: number }
    const settled = position()
    scrollTo(0, 0)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    // The pause after the last scrolling ends when the page has just been scrolled on, and not been drawn yet.
    const start = window.setTimeout
    const timers: (() => void)[] = []
    window.setTimeout = ((work: () => void) => timers.push(work)) as unknown as typeof start
    dispatchEvent(new Event('scroll'))
    window.setTimeout = start
    scrollTo(0, settled.top)
    for (const work of timers) work()
    return { jumped: position(), settled }
  })
  assert.equal(jumped.top, settled.top)
  assert.equal(jumped.row, settled.row)
})

test('an order far down opens and closes without losing the scroll position', async () => {
  await visitOrders()
  await scrollDownTo(240)
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

test('the focused row stays in the page while scrolling', async () => {
  await visitOrders()
  await orderRow(page, ids[3]).getByRole('link').focus()
  await page.evaluate(() => scrollTo(0, 6000))
  await orderRow(page, ids[3]).waitFor({ state: 'attached' })
  await orderRow(page, ids[60]).waitFor()
  const focused = await page.evaluate(() => document.activeElement?.textContent)
  assert.equal(focused, shortId(ids[3]))
})

test('when the next orders fail to load the list says so, and continues on request', async () => {
  await visitOrders()
  await page.route(`**${apiRoutes.orders}?*cursor*`, (route) => route.fulfill({ status: 503 }))
  await page.goto('/orders?status=pending')
  await orderRow(page, ids[0]).waitFor()
  await scrollDownTo(90)
  await page.getByText('The next orders could not be loaded.').waitFor()
  await page.unroute(`**${apiRoutes.orders}?*cursor*`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await scrollDownTo(150)
})

test('reused rows show nothing of the order before', async () => {
  const country = 'Germany'
  const twice = { ...annasAddress, address: country, apartment: '', country }
  const others = await replaceOrders(
    shop,
    ...repeatOrder(60).map((_, place) => (place % 3 === 0 ? { shippingAddress: twice } : {})),
  )
  await page.goto('about:blank')
  await page.goto('/orders')
  await orderRow(page, others[0]).waitFor()
  for (const far of [others[59], others[0], others[59]]) {
    const isDown = far === others[59]
    await page.evaluate((down) => scrollTo(0, down ? document.body.scrollHeight : 0), isDown)
    await orderRow(page, far).waitFor()
  }
  const cells = await listedRows(page).evaluateAll((rows) =>
    rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
  )
  for (const cell of cells.flat().filter((text) => text?.includes(country)))
    assert.match(cell ?? '', /^(Lange Straße 12, Hinterhaus|Germany)Berlin, 10115Germany$/)
})
