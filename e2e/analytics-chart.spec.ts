import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAgo, openAnalyticsPage } from '#e2e/testing/analytics-page.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const { shop, page } = await openAnalyticsPage()
const slider = page.getByRole('slider', { name: 'Revenue per day' })
const told = () => slider.getAttribute('aria-valuetext')

/** Sun, Nov 15, 2026 */
function inWords(ago: number): string {
  return new Date(daysAgo(ago)).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  })
}

/** 2026-11 */
function monthsAgo(count: number): string {
  const [year = 0, month = 0] = daysAgo(0).split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - count)).toISOString().slice(0, 7)
}

test('the chart is read by keyboard, day by day', async () => {
  await page.goto('/analytics?range=30d')
  await page.getByRole('button', { name: 'Show as table' }).focus()
  await page.keyboard.press('Tab')
  await assertShows(() => slider.evaluate((element) => element === document.activeElement), true)
  await assertShows(
    () => told(),
    `${inWords(0)}: €98.00, 2 orders, 8 views; before, €0.00 on ${inWords(30)}`,
  )
  await page.keyboard.press('ArrowLeft')
  await assertShows(
    () => told(),
    `${inWords(1)}: €120.00, 1 order, 4 views; before, €0.00 on ${inWords(31)}`,
  )
  await page.getByText(inWords(1), { exact: true }).waitFor()
  await page.keyboard.press('Home')
  await assertShows(() => told(), new RegExp(`^${inWords(29)}: €0.00, 0 orders`))
  await page.keyboard.press('Escape')
  await page.getByText(inWords(29), { exact: true }).waitFor({ state: 'detached' })
})

test('a pointer reads the bar below it', async () => {
  await page.goto('/analytics?range=7d')
  const box = await slider.boundingBox()
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 20, (box?.y ?? 0) + 60)
  await page.getByText('2 orders, 8 views').waitFor()
  await page.mouse.move(5, 5)
  await page.getByText('2 orders, 8 views').waitFor({ state: 'detached' })
})

test('the chart can be shown as a table, with every day', async () => {
  await page.goto('/analytics?range=30d')
  await page.getByRole('button', { name: 'Show as table' }).click()
  const table = page.getByRole('table')
  await assertShows(
    () => table.getByRole('columnheader').allInnerTexts(),
    ['Day', 'Revenue', 'Orders', 'Views', 'Revenue before'],
  )
  await assertShows(() => table.getByRole('row').count(), 31)
  await assertShows(
    () => table.getByRole('row').nth(11).getByRole('cell').allInnerTexts(),
    ['€200.00', '1', '8', '€49.00'],
  )
  await page.getByRole('link', { name: 'All time' }).click()
  await page.locator('[aria-busy=false] dl').getByText('€483.00').waitFor()
  await assertShows(() => table.getByRole('row').count(), 102)
  await page.getByRole('button', { name: 'Show as chart' }).click()
  await page.getByRole('slider', { name: 'Revenue per week' }).waitFor()
})

test('a range of years is a table of months, loaded at once', async () => {
  await page.goto(`/analytics?from=${daysAgo(3650)}&to=${daysAgo(0)}`)
  await page.getByRole('slider', { name: 'Revenue per month' }).waitFor()
  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.getByRole('region', { name: 'Revenue per month', exact: true }).waitFor()
  const table = page.getByRole('table')
  await assertShows(() => table.getByRole('columnheader').first().innerText(), 'Month')
  const count = await table.getByRole('row').count()
  assert.ok(count > 120 && count < 124, `${count} rows`)
  await assertShows(
    () => table.getByRole('rowheader').nth(6).innerText(),
    new Date(`${monthsAgo(6)}-01`).toLocaleDateString('en-US', {
      timeZone: 'UTC',
      year: 'numeric',
      month: 'long',
    }),
  )
})

test('days without a sale say so and lead back to all time', async () => {
  await page.goto('/analytics?from=2020-01-01&to=2020-01-31')
  await page.getByText('Nothing was sold in these days.').waitFor()
  await page.getByText('No visits in these days.').first().waitFor()
  await page.getByRole('link', { name: 'Show all time' }).click()
  await page.getByText('€483.00').waitFor()
})

test('every figure explains what it counts, by click and by keyboard, also while scrolling', async () => {
  await page.goto('/analytics')
  await page.getByText('Total Revenue', { exact: true }).waitFor()
  await assertShows(() => page.getByRole('button', { name: /^About / }).count(), 11)
  const definition = page.getByRole('dialog', { name: 'About Conversion Rate' })
  const words = 'Completed payments divided by views of your checkout pages.'
  const mark = page.getByRole('button', { name: 'About Conversion Rate' })

  await mark.focus()
  await page.keyboard.press('Enter')
  await definition.filter({ hasText: words }).waitFor()
  await page.keyboard.press('Escape')
  await definition.waitFor({ state: 'detached' })
  await assertShows(
    () => mark.evaluate((one) => one === document.activeElement),
    true,
    'focus was lost',
  )

  await mark.click()
  await definition.waitFor()
  await page.mouse.wheel(0, 40)
  await page.waitForFunction(() => window.scrollY > 0)
  await assertShows(() => definition.isVisible(), true, 'gone on the first scroll')
  await page.getByRole('button', { name: 'About Orders' }).click()
  await definition.waitFor({ state: 'detached' })
  await page.getByText('Every order that was paid').waitFor()
})

test('a tap opens a definition and another closes it', async () => {
  const phone = await shop.visitAsAdmin({
    viewport: { width: 375, height: 800 },
    hasTouch: true,
    isMobile: true,
  })
  await phone.goto('/analytics')
  const mark = phone.getByRole('button', { name: 'About Total Revenue' })
  const definition = phone.getByRole('dialog', { name: 'About Total Revenue' })
  await mark.tap()
  await definition.waitFor()
  await mark.tap()
  await definition.waitFor({ state: 'detached' })
})

test('the best period is named after what the chart and the table show', async () => {
  await page.goto('/analytics?range=30d')
  await page.getByText(`Best day: ${inWords(10)}, €200.00`).waitFor()
  await page.goto(`/analytics?from=${daysAgo(200)}&to=${daysAgo(0)}`)
  await page.getByText('Revenue per week', { exact: true }).waitFor()
  await page.getByText(/^Best week: .+–.+, €\d+\.00$/).waitFor()
  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.getByText(`Best day: ${inWords(10)}, €200.00`).waitFor()
  await page.goto(`/analytics?from=${daysAgo(900)}&to=${daysAgo(0)}`)
  await page.getByText(/^Best month: .+, €\d+\.00$/).waitFor()
})
