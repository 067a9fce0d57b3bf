import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiRoutes } from '#contract/paths.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const desktop = { viewport: { width: 1280, height: 800 } }

/** A page whose clock stands still until the story moves it. */
async function visitWithStoppedClock(path: string): Promise<Page> {
  const page = await shop.visitAsAdmin({ ...desktop, closesToasts: true })
  await page.clock.install({ time: 0 })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Loading...' }).waitFor()
  await page.clock.pauseAt(600_000)
  return page
}

/** A toast that nothing else changes: signing in with a wrong password. */
async function failToSignIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.keyboard.press('Enter')
  const toast = toastOf(page)
  while (!(await toast.first().isVisible())) await page.clock.runFor(1)
}

const toastOf = (page: Page) => page.getByRole('listitem').filter({ hasText: 'Login failed' })

test('a toast stays five seconds', async () => {
  const page = await visitWithStoppedClock('/login')
  await failToSignIn(page)
  await page.mouse.move(10, 10)
  await page.clock.runFor(4_900)
  await assertShows(() => toastOf(page).isVisible(), true)
  await page.clock.runFor(600)
  await toastOf(page).waitFor({ state: 'hidden' })
})

test('only one toast is shown at a time, at most 420 px wide, and F8 focuses it', async () => {
  const page = await visitWithStoppedClock('/login')
  await failToSignIn(page)
  await page.route(`**${apiRoutes.adminLogin}`, (route) => route.abort())
  await page.getByLabel('Password', { exact: true }).fill('wrong again')
  await page.keyboard.press('Enter')
  const second = page.getByRole('listitem').filter({ hasText: 'Login error' })
  while (!(await second.isVisible())) await page.clock.runFor(1)
  await page.clock.runFor(500)
  await assertShows(() => page.getByRole('region').getByRole('listitem').count(), 1)
  await assertShows(() => second.isVisible(), true, 'the first one stayed instead')
  const box = await page.getByRole('region', { name: /F8/ }).locator('ol').boundingBox()
  assert.equal(Math.round(box?.width ?? 0), 420)
  await page.keyboard.press('F8')
  const focused = await page.evaluate(() => document.activeElement?.tagName)
  assert.equal(focused, 'OL')
})

test('a toast is swiped away to the right by fifty pixels, not by less', async () => {
  const page = await visitWithStoppedClock('/login')
  await failToSignIn(page)
  const swipe = async (pixels: number) => {
    const box = await toastOf(page).boundingBox()
    const [x, y] = [(box?.x ?? 0) + 150, (box?.y ?? 0) + 20]
    await page.mouse.move(x, y)
    await page.mouse.down()
    for (let moved = 0; moved <= pixels; moved += 4) await page.mouse.move(x + moved, y)
    await page.mouse.up()
    await page.clock.runFor(600)
  }
  await swipe(40)
  await assertShows(() => toastOf(page).isVisible(), true)
  await swipe(64)
  await toastOf(page).waitFor({ state: 'hidden' })
})

test('tooltips of the sidebar come at once, others after 700 ms', async () => {
  const page = await visitWithStoppedClock('/products')
  await page.keyboard.press('Control+b')
  await page.clock.runFor(400)
  const tooltip = page.getByRole('tooltip')
  await page.getByRole('navigation').getByRole('link', { name: 'Orders' }).hover()
  await page.clock.runFor(20)
  await tooltip.waitFor()
  await page.mouse.move(640, 700, { steps: 12 })
  await page.clock.runFor(1_000)
  await tooltip.waitFor({ state: 'detached' })
  // For a moment after one has gone, the next comes at once.
  await page.clock.runFor(1_000)
  await page.getByRole('button', { name: /sidebar/i }).hover()
  await page.clock.runFor(650)
  assert.equal(await tooltip.count(), 0, 'a tooltip came early')
  await page.clock.runFor(100)
  await tooltip.waitFor()
})

test('data is not fetched again by itself: not on focus, not by interval', async () => {
  const page = await shop.visitAsAdmin(desktop)
  await page.clock.install()
  let reads = 0
  page.on('request', (request) => {
    if (request.url().endsWith(apiRoutes.products)) reads += 1
  })
  await page.goto('/products')
  await page.getByText('No products yet').waitFor()
  await page.clock.runFor(3_600_000)
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Products' }).click()
  await page.getByText('No products yet').waitFor()
  assert.equal(reads, 1)
})

test('a failed fetch is not retried by itself', async () => {
  const page = await shop.visitAsAdmin(desktop)
  await page.clock.install()
  let reads = 0
  await page.route(`**${apiRoutes.products}`, (route) => {
    reads += 1
    return route.fulfill({ status: 503, body: '{}' })
  })
  await page.goto('/products')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.clock.runFor(600_000)
  assert.equal(reads, 1)
})
