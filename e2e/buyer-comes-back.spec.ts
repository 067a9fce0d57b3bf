import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { openBrowserShop } from '#e2e/browser-shop.ts'
import {
  bank,
  buyer,
  cardNumber,
  challengeCard,
  countOrders,
  fillCard,
  fillDelivery,
  openBankApp,
  openCheckoutPage,
  pay,
  payButton,
  toast,
} from '#e2e/checkout-page.ts'

const shop = await openBrowserShop()

const newestSale = () => {
  const sale = shop.sandbox.ledger().checkouts.at(-1)
  assert.ok(sale)
  return sale
}

/** Away in the middle of it, past the browser's question whether that is meant, and back. */
async function leaveAndComeBack(page: Page): Promise<void> {
  const address = page.url()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto('about:blank')
  await page.goto(address)
}

test('left while the bank asks: the page is honest about it, and thanks once the bank says yes', async () => {
  const before = await countOrders(shop)
  const page = await openCheckoutPage(shop)
  await page.clock.install()
  await pay(page, challengeCard)
  const bankApp = await openBankApp(page)
  await leaveAndComeBack(page)
  await page.getByRole('heading', { name: 'Processing...' }).waitFor()
  await page.clock.fastForward('01:01')
  await page.getByRole('heading', { name: 'Your payment is being confirmed' }).waitFor()
  await page.getByText('If you stopped before your bank had confirmed the payment').waitFor()
  assert.equal(await page.getByText(/failed/i).count(), 0)
  assert.equal(await cardNumber(page).count(), 0)
  await bankApp.getByRole('button', { name: 'Approve' }).click()
  await bankApp.getByText('You can go back to the shop.').waitFor()
  await page.clock.fastForward('00:16')
  await page.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), before + 1)
})

test('left while the bank asks, and the bank says no: the card form opens again and another card pays', async () => {
  const before = await countOrders(shop)
  const page = await openCheckoutPage(shop)
  await pay(page, challengeCard)
  const bankApp = await openBankApp(page)
  await leaveAndComeBack(page)
  await page.getByRole('heading', { name: 'Processing...' }).waitFor()
  await bankApp.getByRole('button', { name: 'Decline' }).click()
  await toast(page, 'Payment failed').waitFor()
  await fillCard(page)
  assert.equal(await page.getByLabel('City').first().inputValue(), buyer.city)
  await payButton(page).click()
  await page.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), before + 1)
})

test('the tab is closed while the bank asks: a new one takes another card, and one is charged', async () => {
  const before = await countOrders(shop)
  const closed = await openCheckoutPage(shop)
  await pay(closed, challengeCard)
  await bank(closed).getByRole('button', { name: 'Approve' }).waitFor()
  const address = closed.url()
  const page = await closed.context().newPage()
  await closed.close()
  await page.goto(address)
  await cardNumber(page).waitFor()
  await pay(page)
  await page.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), before + 1)
  const charged = newestSale().transactions.map(({ status }) => status)
  assert.deepEqual(charged, ['CANCELLED', 'SUCCESSFUL'])
})

test('a sale about to expire is renewed behind the form: what is typed stays, and pays', async () => {
  const page = await openCheckoutPage(shop)
  await page.clock.install()
  await page.reload()
  await cardNumber(page).waitFor()
  await fillDelivery(page)
  await fillCard(page)
  const old = newestSale()
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
  const old = newestSale()
  await shop.shop.payments.sumup.deactivate(old.id)
  await shop.db
    .update(checkouts)
    .set({ state: 'expired', validUntil: sql`now() - interval '1 minute'` })
    .where(eq(checkouts.id, old.reference))
  await assertPaysAnew(page, old.id)
})

/** Pays with what stands in both forms, on another sale than the old one. */
async function assertPaysAnew(page: Page, oldId: string): Promise<void> {
  assert.equal(await page.getByLabel('City').first().inputValue(), buyer.city)
  assert.match(await cardNumber(page).inputValue(), /^4200/)
  await payButton(page).click()
  await page.waitForURL('**/thank-you/*')
  const paid = newestSale()
  assert.notEqual(paid.id, oldId)
  assert.equal(paid.status, 'PAID')
}
