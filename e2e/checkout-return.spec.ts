import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiRoutes, checkoutPath, thankYouPath } from '#contract/paths.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  buyer,
  cardNumber,
  countOrders,
  fillCard,
  fillDelivery,
  getNewestCheckout,
  openCheckoutPage,
  pay,
  payButton,
  waitForOrders,
  waitForCardForm,
} from '#e2e/testing/checkout-page.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()

test('a sale about to expire is renewed behind the form: what is typed stays, and pays', async () => {
  const page = await openCheckoutPage(shop)
  await page.clock.install()
  await page.reload()
  await waitForCardForm(page)
  await fillDelivery(page)
  await fillCard(page)
  const old = getNewestCheckout(shop)
  await shop.db
    .update(checkouts)
    .set({ validUntil: sql`now() + interval '4 minutes'` })
    .where(eq(checkouts.id, old.reference))
  const renewed = page.waitForResponse('**/create-checkout')
  await page.clock.fastForward('27:00')
  await renewed
  await assertPaysAnew(page, old.id)
})

test('a sale that expired unseen is renewed by Pay now: what is typed stays, and pays', async () => {
  const page = await openCheckoutPage(shop)
  await fillDelivery(page)
  await fillCard(page)
  const old = getNewestCheckout(shop)
  await shop.shop.payments.sumup.deactivate(old.id)
  await shop.db
    .update(checkouts)
    .set({
      state: 'closed',
      validUntil: sql`now() - interval '1 minute'`,
      version: sql`version + 1`,
    })
    .where(eq(checkouts.id, old.reference))
  await assertPaysAnew(page, old.id)
})

/** Pays with what stands in both forms, on another sale than the old one. */
async function assertPaysAnew(page: Page, oldId: string): Promise<void> {
  await assertShows(() => page.getByLabel('City').first().inputValue(), buyer.city)
  await assertShows(() => cardNumber(page).inputValue(), /^4200/)
  await payButton(page).click()
  await page.waitForURL('**/thank-you/*')
  const paid = getNewestCheckout(shop)
  assert.notEqual(paid.id, oldId)
  assert.equal(paid.status, 'PAID')
}

const notice = (page: Page, when: string) =>
  page
    .getByRole('complementary', { name: 'Your last order' })
    .getByText(`You bought this ${when}.`, { exact: true })

/** Pays, but the page never gets to the thank-you page: an answer without content leaves it where it is. */
async function payUnthanked(page: Page): Promise<string> {
  await page.route('**/thank-you/*', (route) => route.fulfill({ status: 204 }))
  const answered = page.waitForResponse('**/thank-you/*')
  await pay(page)
  const path = new URL((await answered).url()).pathname
  await page.unroute('**/thank-you/*')
  return path
}

test('a buyer who never saw the thank-you page is redirected to it on return', async () => {
  const page = await openCheckoutPage(shop)
  const checkout = page.url()
  const thankYou = await payUnthanked(page)
  await page.goto(checkout)
  assert.equal(new URL(page.url()).pathname, thankYou)
  await page.getByText('Thank you!', { exact: true }).waitFor()
})

test('a checkout page restored by Back after its sale was paid redirects to the order', async () => {
  const page = await openCheckoutPage(shop)
  const thankYou = await payUnthanked(page)
  await page.evaluate(() => {
    setTimeout(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  })
  // Not waitForURL: the end of the navigation that was answered with 204 may be reported only now.
  await page.getByText('Your order has been confirmed').waitFor()
  assert.equal(new URL(page.url()).pathname, thankYou)
})

test('a tab that loads its form after another has paid redirects to the order, without an error', async () => {
  const before = await countOrders(shop)
  const page = await openCheckoutPage(shop)
  const other = await page.context().newPage()
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await other.route(`**${apiRoutes.createCheckout}`, async (route) => {
    await held
    await route.continue()
  })
  await other.goto(page.url())
  await page.route('**/api/orders', (route) => route.abort())
  await page.route('**/api/sumup/checkouts/*', (route) => route.abort())
  const asked = page.waitForRequest('**/api/orders')
  await pay(page)
  await asked
  await page.close()
  await waitForOrders(shop, before + 1)
  letGo()
  await other.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), before + 1)
})

test('after a purchase the form can be used again, below a notice with a link to the order', async () => {
  const mug = await addMug(shop)
  const page = await openCheckoutPage(shop, mug)
  await pay(page)
  await page.waitForURL('**/thank-you/*')
  const thankYou = new URL(page.url()).pathname
  await page.goto(checkoutPath(mug))
  await notice(page, 'just now').waitFor()
  await page.getByRole('link', { name: 'See your order' }).click()
  await page.waitForURL(`**${thankYou}`)
  await page.goto(checkoutPath(await addMug(shop)))
  await waitForCardForm(page)
  assert.equal(await page.getByText('You bought this').count(), 0, 'on another product')
  for (const [minutes, when] of [
    [1, '1 minute ago'],
    [7, '7 minutes ago'],
  ] as const) {
    const orderId = thankYou.slice(thankYouPath('').length)
    await shop.db
      .update(orders)
      .set({ createdAt: sql`now() - make_interval(mins => ${minutes}, secs => 5)` })
      .where(eq(orders.id, orderId))
    await page.goto(checkoutPath(mug))
    await notice(page, when).waitFor()
  }
  await pay(page)
  await page.waitForURL('**/thank-you/*')
  assert.notEqual(new URL(page.url()).pathname, thankYou)
  assert.equal(await shop.db.$count(orders, eq(orders.productId, mug)), 2)
})
