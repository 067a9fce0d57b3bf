import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  findIssuesAtBothWidths,
  findOverflow,
  watchLayoutShifts,
} from '#e2e/testing/page-checks.ts'
import { replaceOrders, listedRows, repeatOrder } from '#e2e/testing/order-pages.ts'

const shop = await openBrowserShop()
const cellsAndDialog = 'td, [role=dialog] *'
const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'
await replaceOrders(
  shop,
  { createdAt: new Date('2026-11-15T08:05:00Z') },
  { createdAt: new Date('2026-11-15T08:04:00Z'), status: 'processing' },
  {
    status: 'shipped',
    productName: long.repeat(4),
    customerName: long.repeat(2),
    customerEmail: `${long}@${long}.example`,
    shippingAddress: {
      country: 'Germany',
      lastName: long,
      address: long.repeat(2),
      city: long,
      postcode: '10115',
    },
    amount: '99999999.99',
  },
  { status: 'completed', customerName: 'مريم', productName: 'مصباح' },
  ...repeatOrder(3),
)

const page = await shop.visitAsAdmin({ bypassCSP: true })

test('orders and fulfillment are free of accessibility faults, on a desktop and a phone', async () => {
  await page.goto('/orders')
  await listedRows(page).first().waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'list')
  await listedRows(page).first().getByRole('link').click()
  await page.getByRole('dialog').getByText('Nothing has happened yet.').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'order')
  await page.goto('/fulfillment')
  await listedRows(page).nth(2).getByRole('checkbox').check()
  await page.getByText('1 order(s) selected').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'fulfillment')
})

test('nothing is wider than the screen, down to 320 px', async () => {
  for (const path of ['/orders', '/fulfillment']) {
    await page.goto(path)
    for (const width of [1280, 1024, 768, 375, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await listedRows(page).nth(3).waitFor()
      assert.deepEqual(await findOverflow(page, cellsAndDialog), [], `${path} at ${width} px`)
    }
    await listedRows(page).nth(2).getByRole('link').click()
    await page.getByRole('dialog').getByText('Nothing has happened yet.').waitFor()
    assert.deepEqual(await findOverflow(page, cellsAndDialog), [], `an order of ${path}`)
  }
})

test('nothing moves after it has been shown', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const moved = await watchLayoutShifts(page)
  for (const path of ['/orders', '/fulfillment']) {
    await page.goto(path)
    await listedRows(page).first().waitFor()
    await page.evaluate(() => document.fonts.ready)
    const shifts = await moved()
    assert.ok(shifts < 0.001, `${path} moved by ${shifts}`)
  }
})
