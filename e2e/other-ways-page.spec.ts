import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { otherMethodIds } from '#contract/payment-methods.ts'
import { checkoutPath } from '#contract/paths.ts'
import { checkouts } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { fillDelivery, openCheckoutPage, waitForCardForm } from '#e2e/testing/checkout-page.ts'
import {
  backToCard,
  chooseOtherWays,
  method,
  offerMethods,
  otherWays,
  press,
} from '#e2e/testing/other-ways.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
offerMethods(shop, otherMethodIds)

test('what another tab has replaced is not paid for here, from that moment on', async () => {
  const page = await shop.visit()
  // It does not ask by itself.
  await page.addInitScript(() => {
    const start = window.setTimeout.bind(window)
    window.setTimeout = ((run: () => void, ms = 0) =>
      ms < 10_000 ? start(run, ms) : 0) as typeof setTimeout
  })
  await page.goto(checkoutPath(await addMug(shop)))
  await chooseOtherWays(page)
  // So that its card cannot be on its way any more.
  await shop.db.update(checkouts).set({ detailsAt: new Date(Date.now() - 60_000) })
  const other = await page.context().newPage()
  await other.goto(page.url())
  await waitForCardForm(other)
  await fillDelivery(other)
  await other.getByLabel('City').first().fill('Hamburg')
  await otherWays(other).click()
  await backToCard(other).waitFor()
  await page.getByText('Contact or delivery were changed in another tab').first().waitFor()
  await assertShows(() => backToCard(page).count(), 0)
})

test('what is to be known before paying is above the other ways to pay, at any width', async () => {
  const page = await shop.visit({ viewport: { width: 1280, height: 667 } })
  await page.goto(checkoutPath(await addMug(shop)))
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 667 })
    await chooseOtherWays(page)
    const first = page.locator('#sumup-card').getByRole('button').first()
    await first.waitFor()
    const heading = page.getByRole('heading', { name: 'Other ways to pay' })
    const told = [
      heading,
      page.getByText('Amount due'),
      page.getByText('You can withdraw from this purchase'),
      page.getByText('By paying you place an order with an obligation to pay.'),
    ]
    const topOf = async (one: Locator) => (await one.boundingBox())?.y ?? NaN
    // The page goes there a moment after it shows them.
    await assertShows(async () => (await topOf(heading)) < 200, true, 'the heading is in sight')
    const tops = await Promise.all([...told, first].map(topOf))
    assert.deepEqual(
      tops,
      tops.toSorted((one, other) => one - other),
    )
    // Not below the bar that stays on top of a narrow screen.
    await heading.click({ trial: true })
    await backToCard(page).click()
  }
})

test('what is covered while the outcome is asked for cannot be pressed by keyboard either', async () => {
  const page = await openCheckoutPage(shop)
  await chooseOtherWays(page)
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/**/checkouts/*', async (route) => {
    await isReleased
    await route.continue()
  })
  await method(page, 'Apple Pay').click()
  await press(page, 'Close the wallet')
  await assertShows(() => page.locator('#sumup-card[inert]').count(), 1)
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  await assertShows(focused, 'Other ways to pay')
  await page.locator('#sumup-card button').first().focus()
  assert.equal(await focused(), 'Other ways to pay')
  release()
  await waitForCardForm(page)
  await assertShows(() => page.locator('#sumup-card[inert]').count(), 0)
})

test('the other ways to pay are free of accessibility faults, and keep the focus', async () => {
  const page = await shop.visit({ bypassCSP: true })
  await page.goto(checkoutPath(await addMug(shop)))
  await chooseOtherWays(page)
  await assertShows(
    () => page.evaluate(() => document.activeElement?.textContent ?? ''),
    'Other ways to pay',
  )
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
})
