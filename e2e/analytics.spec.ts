import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { view } from '#server/testing/visitors.ts'
import { products } from '#server/db/schema.ts'
import {
  daysAgo,
  readFigure,
  firstSaleToday,
  replaceHistory,
  openAnalyticsPage,
  salesWithoutViews,
  readVisibleFigures,
  readPanel,
  timeZone,
} from '#e2e/testing/analytics-page.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const { shop, page, ranges, waitForRevenue, visitAnalytics } = await openAnalyticsPage()

test('all time is shown at first: revenue, orders, average, conversion and visitors', async () => {
  await visitAnalytics()
  await page.getByRole('heading', { name: 'Analytics', level: 1 }).waitFor()
  await page.getByText('How your checkout links sell').waitFor()
  await assertShows(
    () => page.locator('dt').allInnerTexts(),
    ['Total Revenue', 'Orders', 'Avg. Order Value', 'Conversion Rate', 'Unique Visitors'],
  )
  await assertShows(
    () => readFigure(page, 'Total Revenue'),
    '€483.00 All time plus £30.00 (1 order)',
  )
  await assertShows(() => readFigure(page, 'Orders'), '9')
  await assertShows(() => readFigure(page, 'Avg. Order Value'), '€60.38')
  await assertShows(() => readFigure(page, 'Conversion Rate'), '22.5% 40 views, 9 completed')
  await assertShows(() => readFigure(page, 'Unique Visitors'), '40')
  await assertShows(() => ranges.locator('[aria-current]').innerText(), 'All time')
})

test('the five products with the highest revenue are listed with their orders', async () => {
  await visitAnalytics()
  await assertShows(
    () => readPanel(page, 'Top Products by Revenue'),
    'Top Products by Revenue Chair 1 order €200.00 Mug 3 orders €147.00 Lamp 1 order €120.00 Board 1 order €10.00 Kettle 1 order €5.00',
  )
})

test('devices and the top five countries are shown in percent, including Unknown', async () => {
  await visitAnalytics()
  await assertShows(
    () => readPanel(page, 'Device Breakdown'),
    'Device Breakdown Desktop 20 visits 50.0% Mobile 14 visits 35.0% Tablet 4 visits 10.0% unknown 2 visits 5.0%',
  )
  await assertShows(
    () => readPanel(page, 'Top Countries'),
    'Top Countries Germany 16 visits 40.0% France 8 visits 20.0% Italy 6 visits 15.0% Unknown 4 visits 10.0% Netherlands 3 visits 7.5% IP Geolocation by DB-IP',
  )
  const source = page.getByRole('link', { name: 'IP Geolocation by DB-IP' })
  await assertShows(() => source.getAttribute('href'), 'https://db-ip.com')
})

test('the funnel from visit to sale and the referring sites are shown', async () => {
  await visitAnalytics()
  await assertShows(
    () => readPanel(page, 'From visit to sale'),
    'From visit to sale Views 40 100.0% Payment started 12 30.0% Paid 75.0% of the step before 9 22.5% Thank-you 66.7% of the step before 6 15.0%',
  )
  await assertShows(
    () => readPanel(page, 'Where visitors come from'),
    'Where visitors come from Direct 25 visits google.com 10 visits instagram.com 5 visits',
  )
})

test('a range is a link: it is in the address, compared with the days before, and Back leaves it', async () => {
  await visitAnalytics()
  for (const [name, query, revenue, change] of [
    ['Today', '?range=today', '€98.00', '−18% against all of yesterday'],
    ['7 days', '?range=7d', '€218.00', '+9% against the 7 days before'],
    ['30 days', '?range=30d', '€418.00', '+753% against the 30 days before'],
    ['90 days', '?range=90d', '€467.00', '29 times the 90 days before'],
  ] as const) {
    await ranges.getByRole('link', { name }).click()
    await waitForRevenue(revenue)
    assert.equal(new URL(page.url()).search, query)
    const figure = await readFigure(page, 'Total Revenue')
    assert.ok(figure.startsWith(`${revenue} ${change}`), figure)
    await page.getByRole('region', { name: 'Revenue per day' }).getByText(change).waitFor()
    await assertShows(() => ranges.locator('[aria-current]').innerText(), name)
  }
  await page.goBack()
  await waitForRevenue('€418.00')
  await page.goBack()
  await page.goBack()
  await waitForRevenue('€98.00')
  await ranges.getByRole('link', { name: 'All time' }).click()
  await waitForRevenue('€483.00')
  assert.equal(new URL(page.url()).search, '')
})

test('days are those of the shop’s time zone, which is named, wherever the browser is', async () => {
  await visitAnalytics('?range=today')
  const [year, , day] = daysAgo(0).split('-').map(Number)
  const words = await page.getByText(`${timeZone.replace('_', ' ')} time`).innerText()
  assert.match(words, new RegExp(`^\\w{3} ${day}, ${year}, `))
})

test('figures stay on the screen while new ones load', async () => {
  await visitAnalytics()
  const { promise: enough, resolve: goOn } = Promise.withResolvers<void>()
  await page.route(`**${apiRoutes.analyticsSummary}?*`, async (route) => {
    await enough
    await route.continue()
  })
  await ranges.getByRole('link', { name: '7 days' }).click()
  await page.locator('[aria-busy=true]').getByText('€483.00').waitFor()
  goOn()
  await waitForRevenue('€218.00')
  await page.unroute(`**${apiRoutes.analyticsSummary}?*`)
})

test('figures are fetched once, until new ones are asked for', async () => {
  await visitAnalytics()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(apiRoutes.analyticsSummary)) asked.push(request.url())
  })
  await ranges.getByRole('link', { name: '90 days' }).click()
  await waitForRevenue('€467.00')
  await ranges.getByRole('link', { name: 'All time' }).click()
  await waitForRevenue('€483.00')
  assert.equal(asked.length, 1)
  const [mug] = await shop.db.select({ id: products.id }).from(products)
  await view(shop, mug?.id ?? '')
  await page.getByRole('button', { name: 'Look for new figures' }).click()
  await page.getByText('41 views, 9 completed').waitFor()
  assert.equal(asked.length, 2)
})

test('figures that do not load say so, once, and offer another try', async () => {
  let asked = 0
  await page.route(`**${apiRoutes.analyticsSummary}?*`, (route) => {
    asked += 1
    return route.fulfill({ status: 503 })
  })
  await page.goto('/analytics?range=30d')
  await page.getByText('Your figures could not be loaded').waitFor()
  assert.equal(asked, 1)
  await page.unroute(`**${apiRoutes.analyticsSummary}?*`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await waitForRevenue('€418.00')
})

test('a shop with its first sale reads that there was nothing before', async () => {
  await replaceHistory(shop, firstSaleToday)
  await visitAnalytics('?range=7d')
  const nothing = 'Nothing in the 7 days before'
  await assertShows(
    () => readVisibleFigures(page),
    [
      ['€49.00', nothing],
      ['1', nothing],
      ['€49.00', nothing],
      ['25.0%', 'No views in the 7 days before', '4 views, 1 completed'],
      ['4', nothing],
    ],
  )
  assert.equal(await page.locator('dl dd svg').count(), 0, 'an arrow without a number')
  await replaceHistory(shop)
})

test('without views conversion is 0.0%, and no other share of views is shown', async () => {
  await replaceHistory(shop, salesWithoutViews)
  for (const range of ['', '?range=7d']) {
    await visitAnalytics(range)
    await assertShows(() => readFigure(page, 'Conversion Rate'), '0.0% 0 views, 3 completed', range)
    await assertShows(
      () => readPanel(page, 'From visit to sale'),
      'From visit to sale Views 0 – Payment started 6 – Paid 50.0% of the step before 3 – Thank-you 100.0% of the step before 3 –',
    )
  }
  await replaceHistory(shop)
})

test('a custom range is chosen, refused with a reason, kept in the address', async () => {
  await visitAnalytics('?range=30d')
  await page.getByRole('button', { name: 'Custom' }).click()
  const [first, last] = [page.getByLabel('First day'), page.getByLabel('Last day')]
  await assertShows(() => first.inputValue(), daysAgo(29))
  await first.fill(daysAgo(5))
  await last.fill(daysAgo(10))
  await page.getByRole('button', { name: 'Show these days' }).click()
  await page.getByText('The first day comes after the last.').waitFor()
  await first.fill(daysAgo(12))
  await page.keyboard.press('Enter')
  await waitForRevenue('€200.00')
  await assertShows(() => page.evaluate(() => document.activeElement?.textContent), 'Custom')
  const search = `?from=${daysAgo(12)}&to=${daysAgo(10)}`
  assert.equal(new URL(page.url()).search, search)
  await assertShows(() => readFigure(page, 'Total Revenue'), '€200.00 Nothing in the 3 days before')
  await page.reload()
  await waitForRevenue('€200.00')
  await assertShows(() => ranges.locator('[aria-current]').innerText(), 'Custom')
  await page.goBack()
  await waitForRevenue('€418.00')
})

test('a custom range can be chosen from all time, and replaces it in the address', async () => {
  await visitAnalytics()
  await waitForRevenue('€483.00')
  await page.getByRole('button', { name: 'Custom' }).click()
  await assertShows(() => page.getByLabel('First day').inputValue(), daysAgo(100))
  await page.getByLabel('First day').fill(daysAgo(12))
  await page.keyboard.press('Enter')
  await waitForRevenue('€418.00')
  assert.equal(new URL(page.url()).search, `?from=${daysAgo(12)}&to=${daysAgo(0)}`)
  await page.reload()
  await waitForRevenue('€418.00')
})

test('an impossible custom range is refused at the field that is wrong', async () => {
  await visitAnalytics('?range=7d')
  await page.getByRole('button', { name: 'Custom' }).click()
  const [first, last] = [page.getByLabel('First day'), page.getByLabel('Last day')]
  await first.fill('1999-01-01')
  await page.keyboard.press('Enter')
  await page.getByText('The first day is too long ago.').waitFor()
  await assertShows(() => first.getAttribute('aria-invalid'), 'true')
  await first.fill(daysAgo(3))
  await last.fill(daysAgo(-1))
  await page.keyboard.press('Enter')
  await page.getByText('The last day is in the future.').waitFor()
  await assertShows(() => last.getAttribute('aria-invalid'), 'true')
  assert.notEqual(await first.getAttribute('aria-invalid'), 'true')
  await last.fill(daysAgo(0))
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/analytics?from=${daysAgo(3)}&to=${daysAgo(0)}`)
})
