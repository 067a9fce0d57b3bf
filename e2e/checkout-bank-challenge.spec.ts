import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { sandboxCards } from '#sandbox/cards.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  bankFrame,
  bankPanel,
  buyer,
  cardNumber,
  challengeCard,
  countOrders,
  fillCard,
  fillDelivery,
  getNewestCheckout,
  openBankApp,
  openCheckoutPage,
  pay,
  payButton,
  toast,
  failureText,
  waitForCardForm,
} from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
beforeEach(() => shop.sandbox.faults.clear())

const giveUpButton = (page: Page) =>
  page.getByRole('button', { name: 'I did not finish at my bank' })

/** Away in the middle of it, past the browser's question whether that is meant, and back. */
async function leaveAndComeBack(page: Page): Promise<void> {
  const address = page.url()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto('about:blank')
  await page.goto(address)
}

/** The panel, nothing to pay with, and no word of a failure. */
async function assertAtBank(page: Page): Promise<void> {
  await bankPanel(page).waitFor()
  await giveUpButton(page).waitFor()
  await page.getByText('There is no need to pay again').waitFor()
  await assertShows(() => cardNumber(page).count(), 0)
  await assertShows(() => payButton(page).count(), 0)
  assert.equal(await failureText(page).count(), 0)
}

/** A buyer whose bank asks, and the bank's own page beside. */
async function payAtBank(): Promise<{ page: Page; bankApp: Page }> {
  const page = await openCheckoutPage(shop)
  await pay(page, challengeCard)
  return { page, bankApp: await openBankApp(page) }
}

test('left while the bank asks, and the bank says no: the card form opens again and another card pays', async () => {
  const before = await countOrders(shop)
  const { page, bankApp } = await payAtBank()
  await leaveAndComeBack(page)
  await assertAtBank(page)
  await bankApp.getByRole('button', { name: 'Decline' }).click()
  await toast(page, 'Payment failed').waitFor()
  await fillCard(page)
  await assertShows(() => page.getByLabel('City').first().inputValue(), buyer.city)
  await payButton(page).click()
  await page.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), before + 1)
})

test('the tab is closed while the bank asks: a new one says so, starts over, and one card is charged, also if a content blocker stops the bank’s page', async () => {
  const before = await countOrders(shop)
  const { page: closed, bankApp } = await payAtBank()
  const old = getNewestCheckout(shop)
  const page = await closed.context().newPage()
  const address = closed.url()
  await closed.close()
  await page.goto(address)
  await assertAtBank(page)
  await giveUpButton(page).click()
  await waitForCardForm(page)
  assert.equal(await failureText(page).count(), 0)
  const bankPage = '**/3ds/challenge/**'
  await page.route(bankPage, (route) => route.abort())
  const stopped = page.waitForRequest(bankPage)
  await pay(page, challengeCard)
  await stopped
  await page.getByText('Does the page of your bank not work here?').waitFor()
  await page.getByRole('button', { name: 'Close it and wait for the bank' }).click()
  await assertAtBank(page)
  await assertShows(() => page.locator('iframe').count(), 0)
  await shop.sandbox.controls.answerBank({
    checkout: getNewestCheckout(shop).id,
    outcome: 'approve',
  })
  await page.waitForURL('**/thank-you/*')
  // The bank's yes comes too late for the card that was given up.
  await bankApp.getByRole('button', { name: 'Approve' }).click()
  assert.notEqual(getNewestCheckout(shop).id, old.id)
  const charged = shop.sandbox
    .ledger()
    .checkouts.filter(({ id }) => id === old.id || id === getNewestCheckout(shop).id)
    .flatMap(({ transactions }) => transactions.map(({ status }) => status))
  assert.deepEqual(charged, ['CANCELLED', 'SUCCESSFUL'])
  assert.equal(await countOrders(shop), before + 1)
})

test('neither an expired form, a lost answer nor a SumUp that refuses opens a second form, and a late approval is one order', async () => {
  const before = await countOrders(shop)
  const { page, bankApp } = await payAtBank()
  const sale = getNewestCheckout(shop)
  await leaveAndComeBack(page)
  await bankPanel(page).waitFor()
  await page.route(`**${apiRoutes.startOver.replace(':checkoutId', '*')}`, (route) => route.abort())
  await giveUpButton(page).click()
  await page.getByText('Please try again in a moment').waitFor()
  await assertAtBank(page)
  await page.unrouteAll()

  shop.sandbox.faults.set({ rules: [{ on: 'deactivate', kind: 'refuse-while-pending' }] })
  await giveUpButton(page).click()
  await page.getByText('Your bank still has this payment').waitFor()
  await assertAtBank(page)
  shop.sandbox.faults.clear()

  shop.sandbox.controls.expire({ checkout: sale.id })
  await page.reload()
  await assertAtBank(page)
  await bankApp.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), before + 1)
  assert.equal(getNewestCheckout(shop).id, sale.id, 'there was a second form')
})

test('the bank’s page gives up while the bank has the card: never a failed payment, and everyone can read so', async () => {
  const before = await countOrders(shop)
  const page = await shop.visit({ bypassCSP: true })
  await page.goto(checkoutPath(await addMug(shop)))
  await pay(page, sandboxCards.bankTimesOut)
  await assertAtBank(page)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await shop.sandbox.controls.answerBank({
    checkout: getNewestCheckout(shop).id,
    outcome: 'approve',
  })
  await page.waitForURL('**/thank-you/*')
  assert.equal(await countOrders(shop), before + 1)
})

test('while the bank’s page is on the screen it stays there, another tab takes no second card, and Back says that it is bought', async () => {
  const before = await countOrders(shop)
  const page = await openCheckoutPage(shop)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await fillDelivery(other)
  await other.getByLabel('City').first().fill('Elsewhere')
  await fillCard(other)
  await pay(page, challengeCard)
  await bankFrame(page).getByRole('button', { name: 'Approve' }).waitFor()
  await payButton(other).click()
  await assertAtBank(other)
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await bankFrame(page).getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL('**/thank-you/*')
  await page.getByText(buyer.city).first().waitFor()
  assert.equal(await page.getByText('Elsewhere').count(), 0)
  await other.waitForURL('**/thank-you/*')
  const thankYou = new URL(page.url()).pathname
  assert.equal(new URL(other.url()).pathname, thankYou)
  assert.equal(getNewestCheckout(shop).transactions.length, 1)
  // The bank's pages left entries in the history, which lead to the checkout.
  for (const way of ['first', 'second']) {
    await page.goBack()
    await page.getByText(/^You bought this/).waitFor()
    const link = page.getByRole('link', { name: 'See your order' })
    await assertShows(() => link.getAttribute('href'), thankYou, way)
  }
  assert.equal(await countOrders(shop), before + 1)
})
