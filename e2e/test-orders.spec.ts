import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { orders } from '#server/db/schema.ts'
import { addMug, createBuyer, payByCard } from '#server/testing/buyer.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  assertShows,
  findAccessibilityIssues,
  findIssuesAtBothWidths,
} from '#e2e/testing/page-checks.ts'
import { listedRows, orderRow, replaceOrders, toast } from '#e2e/testing/order-pages.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const badge = (page: Page) => page.getByText('Test', { exact: true })

test('a live shop hides its test orders, shows them marked on request, and removes them', async () => {
  const shop = await openBrowserShop({ isLive: true })
  const [real, first, second] = await replaceOrders(
    shop,
    { customerName: 'Real Buyer' },
    { isTest: true },
    { isTest: true },
  )
  const page = await shop.visitAsAdmin({ bypassCSP: true })
  await page.goto('/orders')
  await page.getByText('2 test orders are hidden.').waitFor()
  await orderRow(page, real).waitFor()
  await assertShows(() => listedRows(page).count(), 1)
  assert.equal(await badge(page).count(), 0)

  await page.getByRole('link', { name: 'Show', exact: true }).click()
  await orderRow(page, first).waitFor()
  await assertShows(() => listedRows(page).count(), 3)
  await assertShows(() => badge(page).count(), 2)
  assert.equal(await orderRow(page, real).getByText('Test', { exact: true }).count(), 0)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })

  await orderRow(page, second).getByRole('link').click()
  const panel = page.getByRole('dialog')
  await panel.getByText('no money was taken, and nothing has to be delivered').waitFor()
  await panel.getByText('Test', { exact: true }).waitFor()
  await page.keyboard.press('Escape')

  await page.goto('/fulfillment')
  await orderRow(page, real).waitFor()
  await assertShows(() => listedRows(page).count(), 1)
  await page.getByText('Pending Orders').waitFor()
  await assertShows(() => page.locator('dd').first().innerText(), '1')

  await page.goto('/orders?tests=true')
  await button(page, 'Remove all test orders').click()
  const question = page.getByRole('alertdialog', { name: 'Remove 2 test orders?' })
  await question.getByText('Real orders are not touched.').waitFor()
  assert.deepEqual(await findAccessibilityIssues(page), [])
  await question.getByRole('button', { name: 'Keep them' }).click()
  assert.equal(await shop.db.$count(orders), 3)
  await button(page, 'Remove all test orders').click()
  const password = question.getByLabel('Your password')
  const remove = question.getByRole('button', { name: 'Remove', exact: true })
  await remove.click()
  await question.getByText('Please enter your password.').waitFor()
  await assertShows(() => password.evaluate((element) => element === document.activeElement), true)
  await password.fill('not my password')
  await remove.click()
  await question.getByText('This is not your password.').waitFor()
  assert.equal(await shop.db.$count(orders), 3)
  await password.fill(testAdmin.password)
  await remove.click()
  await toast(page, 'Test orders removed').waitFor()
  await page.getByText('2 test orders are shown.').waitFor({ state: 'detached' })
  await orderRow(page, real).waitFor()
  await orderRow(page, first).waitFor({ state: 'detached' })
  assert.deepEqual(
    (await shop.db.select().from(orders)).map(({ id }) => id),
    [real],
  )
})

test('a test purchase is marked everywhere: thank-you page, orders, fulfillment, payments in review', async () => {
  const shop = await openBrowserShop()
  const mug = await addMug(shop)
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(mug)
  await payByCard(shop.sandbox, checkoutId)
  const { id } = (await buyer.order(checkoutId)).json()
  const visitor = await shop.visit({ bypassCSP: true })
  await visitor.goto(`/thank-you/${id}`)
  await visitor.getByText('Test order: no money was taken, nothing will be delivered.').waitFor()
  await visitor.getByText('Your order has been confirmed').waitFor()
  assert.equal(await visitor.getByText('is on its way to').count(), 0)
  assert.equal(await visitor.getByText('your payment').count(), 0)
  assert.deepEqual(await findAccessibilityIssues(visitor), [])

  const other = createBuyer(shop, '203.0.113.2')
  const early = (await other.open(mug)).json()
  await payByCard(shop.sandbox, early.checkoutId)
  await other.look(early.checkoutId)
  const page = await shop.visitAsAdmin()
  await page.goto('/orders')
  await orderRow(page, id).getByText('Test', { exact: true }).waitFor()
  const review = page.getByRole('region', { name: /attention/ })
  await review.getByText('Test', { exact: true }).waitFor()
  await review.getByText('no real money was taken').waitFor()
  assert.equal(await page.getByText('are hidden').count(), 0)
  await page.goto('/fulfillment')
  await orderRow(page, id).getByText('Test', { exact: true }).waitFor()
})
