import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAgo, readFigure, openAnalyticsPage } from '#e2e/testing/analytics-page.ts'

const { page, ranges, revenueIs, visitAnalytics } = await openAnalyticsPage()

test('days of one’s own are chosen, refused with a reason, kept in the address', async () => {
  await visitAnalytics('?range=30d')
  await page.getByRole('button', { name: 'Custom' }).click()
  const [first, last] = [page.getByLabel('First day'), page.getByLabel('Last day')]
  assert.equal(await first.inputValue(), daysAgo(29))
  await first.fill(daysAgo(5))
  await last.fill(daysAgo(10))
  await page.getByRole('button', { name: 'Show these days' }).click()
  await page.getByText('The first day comes after the last.').waitFor()
  await first.fill(daysAgo(12))
  await page.keyboard.press('Enter')
  await revenueIs('€200.00')
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Custom')
  const search = `?from=${daysAgo(12)}&to=${daysAgo(10)}`
  assert.equal(new URL(page.url()).search, search)
  assert.equal(await readFigure(page, 'Total Revenue'), '€200.00 Nothing in the 3 days before')
  await page.reload()
  await revenueIs('€200.00')
  assert.equal(await ranges.locator('[aria-current]').innerText(), 'Custom')
  await page.goBack()
  await revenueIs('€418.00')
})

test('days of one’s own can be chosen from all time, and only they are in the address', async () => {
  await visitAnalytics()
  await revenueIs('€483.00')
  await page.getByRole('button', { name: 'Custom' }).click()
  assert.equal(await page.getByLabel('First day').inputValue(), daysAgo(100))
  await page.getByLabel('First day').fill(daysAgo(12))
  await page.keyboard.press('Enter')
  await revenueIs('€418.00')
  assert.equal(new URL(page.url()).search, `?from=${daysAgo(12)}&to=${daysAgo(0)}`)
  await page.reload()
  await revenueIs('€418.00')
})

test('days of one’s own that cannot be looked at are refused at the field with the fault', async () => {
  await visitAnalytics('?range=7d')
  await page.getByRole('button', { name: 'Custom' }).click()
  const [first, last] = [page.getByLabel('First day'), page.getByLabel('Last day')]
  await first.fill('1999-01-01')
  await page.keyboard.press('Enter')
  await page.getByText('The first day is too long ago.').waitFor()
  assert.equal(await first.getAttribute('aria-invalid'), 'true')
  await first.fill(daysAgo(3))
  await last.fill(daysAgo(-1))
  await page.keyboard.press('Enter')
  await page.getByText('The last day is in the future.').waitFor()
  assert.equal(await last.getAttribute('aria-invalid'), 'true')
  assert.notEqual(await first.getAttribute('aria-invalid'), 'true')
  await last.fill(daysAgo(0))
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/analytics?from=${daysAgo(3)}&to=${daysAgo(0)}`)
})
