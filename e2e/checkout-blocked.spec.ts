import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { refusals } from '#contract/refusals.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  bankPanel,
  cardNumber,
  challengeCard,
  countOrders,
  fillCard,
  fillDelivery,
  openBankApp,
  pay,
  payButton,
  unknownCard,
  waitForOrders,
  waitForCardForm,
} from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shopEmail = 'hello@mugs.example'
const shop = await openBrowserShop({
  environment: { SHOP_NAME: 'Mugs', SHOP_EMAIL: shopEmail, TRUST_PROXY: '1' },
})

test('after too many declined cards the page asks to wait, and soon there is no card form at all', async () => {
  const page = await openFrom('203.0.113.7')
  await fillDelivery(page)
  await tryCards(page, 5)
  await assertPanel(page, 'Card payment is paused', refusals['too-many-cards'].text)
  assert.equal(await page.getByText(/expired|try again/i).count(), 0)
  await page.reload()
  await tryCards(page, 5)
  await page.getByRole('heading', { name: 'Card payment is paused' }).waitFor()
  await page.reload()
  await assertPanel(page, 'Card payment is paused', refusals['too-many-cards'].text)
})

test('cookies cleared while the bank asks: the page says that it cannot follow, and the order is still created', async () => {
  const before = await countOrders(shop)
  const page = await openFrom('203.0.113.8')
  await pay(page, challengeCard)
  const bankApp = await openBankApp(page)
  await page.context().clearCookies()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await assertPanel(page, 'We cannot follow this payment from here', /Cookies were cleared/)
  assert.equal(await page.getByText(/failed|by itself|order is placed/i).count(), 0)
  await bankApp.getByRole('button', { name: 'Approve' }).click()
  await waitForOrders(shop, before + 1)
  await page.getByRole('button', { name: 'Start over' }).click()
  await waitForCardForm(page)
  await page.reload()
  await waitForCardForm(page)
})

test('a browser that forbids storage: reloaded while the bank asks, the page still leads to the order', async () => {
  const page = await shop.visit()
  await page.addInitScript(() => {
    for (const storage of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, storage, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
  })
  await page.goto(checkoutPath(await addMug(shop)))
  await pay(page, challengeCard)
  const bankApp = await openBankApp(page)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await bankPanel(page).waitFor()
  await bankApp.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL('**/thank-you/*')
})

/** A new product's checkout, seen from an address of its own: declined cards are counted by it. */
async function openFrom(address: string): Promise<Page> {
  const extraHTTPHeaders = { 'x-forwarded-for': address }
  const page = await shop.visit({ bypassCSP: true, extraHTTPHeaders })
  await page.goto(checkoutPath(await addMug(shop)))
  return page
}

/** One card after the other, each declined. */
async function tryCards(page: Page, count: number): Promise<void> {
  for (let declined = 0; declined < count; declined += 1) {
    await page.getByRole('button', { name: 'Pay now' }).waitFor()
    await fillCard(page, unknownCard)
    const answer = page.waitForResponse(`**${apiRoutes.orders}`)
    await payButton(page).click()
    await answer
  }
}

/** A panel in place of the card form, with a way to the shop, that everyone can read. */
async function assertPanel(page: Page, title: string, text: string | RegExp): Promise<void> {
  await page.getByRole('heading', { name: title }).waitFor()
  await page.getByText(text).waitFor()
  await page.getByRole('main').getByRole('link', { name: shopEmail }).waitFor()
  await assertShows(() => cardNumber(page).count(), 0)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
}
