import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkoutPath } from '#contract/paths.ts'
import { sandboxCards } from '#sandbox/cards.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  cardNumber,
  countOrders,
  fillCard,
  fillDelivery,
  getNewestCheckout,
  openCheckoutPage,
  pay,
  payButton,
  toast,
  unknownCard,
  failureText,
  waitForCardForm,
} from '#e2e/testing/checkout-page.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()

/** Lets the time of a page whose clock stands still pass in such steps. */
async function runUntilToast(page: Page, title: string, stepMs: number): Promise<void> {
  const isTold = async () => {
    await page.clock.runFor(stepMs)
    return toast(page, title).isVisible()
  }
  await assertShows(isTold, true)
}

test('the widget reports errors without a word and in another language, then nothing at all: each time a toast says so for five seconds, the form comes back, and pays', async () => {
  const page = await shop.visit({ closesToasts: true })
  await page.clock.install({ time: 0 })
  await page.goto(checkoutPath(await addMug(shop)))
  await waitForCardForm(page)
  const sale = getNewestCheckout(shop)
  await fillDelivery(page)
  await page.clock.pauseAt(600_000)
  for (const [card, words] of [
    [sandboxCards.emptyError, 'Please check your card details and try again.'],
    [sandboxCards.foreignError, 'Die Zahlung konnte nicht ausgeführt werden.'],
  ] as const) {
    await fillCard(page, card)
    await payButton(page).click()
    // Toasts stay while they are pointed at.
    await page.mouse.move(10, 10)
    await runUntilToast(page, 'Payment failed', 50)
    await page.getByText(words).first().waitFor()
    await page.getByRole('button', { name: 'Pay now' }).waitFor()
    await page.clock.runFor(4_900)
    await assertShows(() => toast(page, 'Payment failed').isVisible(), true)
    await page.clock.runFor(200)
    await toast(page, 'Payment failed').waitFor({ state: 'detached' })
  }
  await fillCard(page, sandboxCards.silent)
  await payButton(page).click()
  await runUntilToast(page, 'Payment submission failed', 1_000)

  await page.clock.resume()
  await fillCard(page)
  await payButton(page).click()
  await page.waitForURL('**/thank-you/*')
  assert.equal(getNewestCheckout(shop).id, sale.id, 'there was a second sale')
})

test('SumUp still reports the first card as declined: the second, which is paid, is not called failed', async () => {
  const before = await countOrders(shop)
  const page = await openCheckoutPage(shop)
  await pay(page, unknownCard)
  await toast(page, 'Payment failed').waitFor()
  const { id: checkout } = getNewestCheckout(shop)
  shop.sandbox.controls.lag({ checkout, shows: 'as-before' })
  await fillCard(page)
  const answered = page.waitForResponse('**/api/orders')
  await payButton(page).click()
  assert.equal((await answered).status(), 202)
  await page.getByText('Confirming your payment').waitFor()
  assert.equal(await failureText(page).count(), 0)
  shop.sandbox.controls.release({ checkout })
  await page.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), before + 1)
})

test('a payment that does not fit is looked at by the shop: no form, also in another tab or after a reload', async () => {
  const mug = await addMug(shop)
  const page = await openCheckoutPage(shop, mug)
  shop.sandbox.faults.set({
    rules: [{ on: 'get', kind: 'wrong-amount', checkout: getNewestCheckout(shop).id }],
  })
  await pay(page)
  await assertInReview(page, 'We have your payment', /has arrived/)
  shop.sandbox.faults.clear()
  await page.reload()
  await assertInReview(page, 'We have your payment', /has arrived/)
  const other = await page.context().newPage()
  await other.goto(checkoutPath(mug))
  await assertInReview(other, 'We have your payment', /has arrived/)
})

test('a payment that SumUp contradicts itself about: the page does not say that money was taken', async () => {
  const page = await openCheckoutPage(shop)
  const sale = getNewestCheckout(shop)
  shop.sandbox.controls.lag({ checkout: sale.id, shows: 'successful-under-pending' })
  const answered = page.waitForResponse('**/api/orders')
  await pay(page)
  assert.equal((await answered).status(), 202)
  await letUnclearTimePass(sale.reference)
  await page.getByRole('heading', { name: 'Your payment is being looked at' }).waitFor()
  await page.getByText('It is not certain yet').waitFor()
  assert.equal(await page.getByText(/has arrived|we have your payment/i).count(), 0)
  await assertShows(() => cardNumber(page).count(), 0)
  shop.sandbox.controls.release({ checkout: sale.id })
  await page.waitForURL('**/thank-you/*')
})

/** Half a minute later SumUp's answer still makes no sense. */
async function letUnclearTimePass(checkoutId: string): Promise<void> {
  const unclear = await shop.db
    .update(checkouts)
    .set({
      unclearSince: sql`now() - interval '30 seconds'`,
      nextCheckAt: sql`now()`,
      // A decision about the row as it was is made again.
      version: sql`version + 1`,
    })
    .where(sql`id = ${checkoutId} and unclear_since is not null`)
    .returning({ id: checkouts.id })
  assert.equal(unclear.length, 1)
}

test('the widget reports an error while SumUp cannot be reached: the page neither says failed nor offers to pay again', async () => {
  const page = await openCheckoutPage(shop)
  await page.clock.install()
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-503' }] })
  await pay(page, sandboxCards.emptyError)
  await page.getByText('Confirming your payment').waitFor()
  await page.clock.fastForward('01:30')
  await page.getByRole('heading', { name: 'Your payment is being confirmed' }).waitFor()
  assert.equal(await failureText(page).count(), 0)
  await assertShows(() => cardNumber(page).count(), 0)
  shop.sandbox.faults.clear()
})

async function assertInReview(page: Page, title: string, text: RegExp): Promise<void> {
  await page.getByRole('heading', { name: title }).waitFor()
  await page.getByText(text).first().waitFor()
  await assertShows(() => cardNumber(page).count(), 0)
  await assertShows(() => payButton(page).count(), 0)
}
