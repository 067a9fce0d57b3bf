import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { checkoutPath } from '#contract/paths.ts'
import { orders } from '#server/db/schema.ts'
import { addMug, goodCard } from '#server/testing/buyer.ts'
import type { BrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows } from './page-checks.ts'

export const challengeCard = '4200000000000042'
export const unknownCard = '4111111111111111'

export const buyer = {
  email: 'anna@example.com',
  country: 'Germany',
  firstName: 'Anna',
  lastName: 'Muster',
  address: 'Weg 1',
  city: 'Berlin',
  postcode: '10115',
}

/** A buyer on the checkout page of a new product, once the card form is there. */
export async function openCheckoutPage(shop: BrowserShop, productId?: string): Promise<Page> {
  const page = await shop.visit()
  await page.goto(checkoutPath(productId ?? (await addMug(shop))))
  await waitForCardForm(page)
  return page
}

export async function fillDelivery(page: Page): Promise<void> {
  await page.getByLabel('Email', { exact: false }).first().fill(buyer.email)
  await page.getByLabel('Country').first().selectOption(buyer.country)
  await page.getByLabel('First name').first().fill(buyer.firstName)
  await page.getByLabel('Last name').first().fill(buyer.lastName)
  await page.getByLabel('Address', { exact: false }).first().fill(buyer.address)
  await page.getByLabel('City').first().fill(buyer.city)
  await page.getByLabel('ZIP code').first().fill(buyer.postcode)
}

export const cardNumber = (page: Page) => page.getByLabel('Card number')

/** Until it can be paid with, a moment after its fields are there. */
export async function waitForCardForm(page: Page): Promise<void> {
  await page.locator('[aria-busy=false]').getByLabel('Card number').waitFor()
}

export async function fillCard(page: Page, number = goodCard): Promise<void> {
  await waitForCardForm(page)
  await cardNumber(page).fill(number)
  await page.getByLabel('Expiry date').fill('12/39')
  await page.getByLabel('Security code').fill('123')
}

export const payButton = (page: Page) => page.getByRole('button', { name: /Pay now|Processing/ })

export async function pay(page: Page, number = goodCard): Promise<void> {
  await fillDelivery(page)
  await fillCard(page, number)
  await payButton(page).click()
}

/** Shown in place of the form while the bank has the card. */
export const bankPanel = (page: Page) =>
  page.getByRole('heading', { name: 'Your bank is checking the payment' })

export function getNewestCheckout({ sandbox }: Pick<BrowserShop, 'sandbox'>) {
  const checkout = sandbox.ledger().checkouts.at(-1)
  assert.ok(checkout)
  return checkout
}

/** Any text that claims a failure or that nothing was charged. */
export const failureText = (page: Page) => page.getByText(/failed|nothing was charged/i)

/** The visible toast: the first match, the second is for screen readers. */
export const toast = (page: Page, title: string) => page.getByText(title, { exact: true }).first()

export const bankFrame = (page: Page) => page.frameLocator('iframe').last()

/** The bank's page in a tab of its own, as in its app: it stays open whatever happens to the checkout page. */
export async function openBankApp(page: Page): Promise<Page> {
  const framed = page.locator('iframe').last()
  await bankFrame(page).getByRole('button', { name: 'Approve' }).waitFor()
  const address = new URL((await framed.getAttribute('src')) ?? '')
  address.searchParams.delete('parent')
  const app = await page.context().newPage()
  await app.goto(address.href)
  return app
}

export async function countOrders({ db }: Pick<BrowserShop, 'db'>): Promise<number> {
  return db.$count(orders)
}

export async function waitForOrders(shop: Pick<BrowserShop, 'db'>, count: number): Promise<void> {
  await assertShows(() => countOrders(shop), count)
}
