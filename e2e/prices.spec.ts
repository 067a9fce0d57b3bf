import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { adminOrderPath, apiRoutes, checkoutPath } from '#contract/paths.ts'
import { defaultDelivery } from '#contract/quotes.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { addMug, createBuyer } from '#server/testing/buyer.ts'
import { addCode, changeConfig, pricedDelivery } from '#server/testing/prices.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  fillCard,
  fillDelivery,
  payButton,
  toast,
  waitForCardForm,
} from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const mug = await addMug(shop)

const summaryOf = (page: Page) => page.getByRole('complementary', { name: 'Order summary' })
const chooseCountry = (page: Page, country: string) =>
  page.getByLabel('Country').first().selectOption(country)

/** Every total on the page: in the summary, on a phone's bar and above the button. */
async function assertTotal(page: Page, total: string): Promise<void> {
  const totals = page.locator('[data-price=total], p:has-text("Amount due") bdi')
  await assertShows(() => totals.allTextContents(), [total, total, total])
}

async function assertLine(page: Page, label: string, value: string): Promise<void> {
  const line = summaryOf(page).locator('div', { has: page.getByText(label, { exact: true }) })
  await assertShows(() => line.last().locator('dd').textContent(), value)
}

/** What SumUp charged for the order on the thank-you page, and what we keep of it. */
async function readCharge(page: Page) {
  await page.waitForURL('**/thank-you/**')
  const id = page.url().split('/').at(-1) ?? ''
  const [order] = await shop.db.select().from(orders).where(eq(orders.id, id))
  const charged = shop.sandbox
    .ledger()
    .transactions.find((one) => one.id === order?.sumupTransactionId)
  return { order, chargedCents: charged?.amountMinor }
}

test('the total follows the country, and exactly what is shown is charged', async () => {
  changeConfig(shop, { delivery: pricedDelivery })
  const page = await shop.visit({ bypassCSP: true })
  await page.goto(checkoutPath(mug))
  await page.getByText('Choose a country above to see what delivery costs').waitFor()
  await assertLine(page, 'Shipping', 'Choose a country')
  await assertTotal(page, '€49.00 + shipping')
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await payButton(page).click()
  await page.getByRole('link', { name: 'Choose a country' }).waitFor()

  await fillDelivery(page)
  await assertLine(page, 'Shipping', '€4.90')
  await assertTotal(page, '€53.90')
  await page.getByRole('status').getByText('Shipping: €4.90. Total: €53.90.').waitFor()
  await page.getByText('Ready to ship').waitFor()
  await fillCard(page)
  await chooseCountry(page, 'France')
  await payButton(page).click()
  const { order, chargedCents } = await readCharge(page)
  assert.equal(chargedCents, 5850)
  assert.deepEqual([order?.amount, order?.terms?.country], ['58.50', 'France'])
  await page.getByText('€9.50', { exact: true }).waitFor()
  await page.getByText('€58.50', { exact: true }).waitFor()

  const owner = await shop.visitAsAdmin()
  await owner.goto(adminOrderPath(order?.id ?? ''))
  const panel = owner.getByRole('dialog')
  await panel.getByText('Subtotal', { exact: true }).waitFor()
  await panel.getByText('€9.50', { exact: true }).waitFor()
})

test('a country that the owner takes off meanwhile is asked for again, and nothing typed is lost', async () => {
  changeConfig(shop, { delivery: defaultDelivery })
  const product = await addMug(shop)
  const page = await shop.visit()
  await page.goto(checkoutPath(product))
  await fillDelivery(page)
  await fillCard(page)
  const countries = defaultDelivery.countries.filter((one) => one !== 'Germany')
  changeConfig(shop, { delivery: { ...defaultDelivery, countries } })
  const charged = shop.sandbox.ledger().transactions.length
  await payButton(page).click()
  await page.getByText('The shop does not offer this country').first().waitFor()
  // A page that is loaded again shows what was typed a moment later.
  await assertShows(() => page.getByLabel('City').first().inputValue(), 'Berlin')
  const country = page.getByLabel('Country').first()
  await assertShows(() => country.inputValue(), '')
  assert.equal(await country.locator('option[value=Germany]').count(), 0)
  assert.equal(shop.sandbox.ledger().transactions.length, charged)
})

test('each of two tabs is charged what it shows', async () => {
  changeConfig(shop, { delivery: pricedDelivery })
  const product = await addMug(shop)
  const first = await shop.visit()
  await first.goto(checkoutPath(product))
  await fillDelivery(first)
  await fillCard(first)
  const second = await first.context().newPage()
  await second.goto(checkoutPath(product))
  await chooseCountry(second, 'Italy')
  await assertTotal(second, '€49.00')
  await waitForCardForm(second)
  await assertTotal(first, '€53.90')
  await payButton(first).click()
  const { order, chargedCents } = await readCharge(first)
  assert.equal(chargedCents, 5390)
  assert.equal(order?.terms?.country, 'Germany')
})

test('a code in the link stays when the language is changed, and is charged', async () => {
  changeConfig(shop, { delivery: defaultDelivery })
  changeConfig(shop, { buyersLanguage: 'browser' })
  await addCode(shop, 'WELCOME')
  const page = await shop.visit({ locale: 'de-DE' })
  await page.goto(`${checkoutPath(mug)}?code=welcome&from=letter`)
  await page.getByText('Rabatt (WELCOME)').waitFor()
  await page.getByRole('link', { name: 'English' }).click()
  await page.waitForURL('**lang=en**')
  changeConfig(shop, { buyersLanguage: 'en' })
  assert.match(page.url(), /code=welcome&from=letter/)
  await assertLine(page, 'Discount (WELCOME)', '−€4.90')
  await assertTotal(page, '€44.10')
  await fillDelivery(page)
  await fillCard(page)
  await payButton(page).click()
  const { order, chargedCents } = await readCharge(page)
  assert.equal(chargedCents, 4410)
  assert.equal(order?.terms?.code, 'WELCOME')
  await page.getByText('Discount (WELCOME)').waitFor()
})

test('a code that others use up meanwhile costs nobody more than they agreed to', async () => {
  changeConfig(shop, { delivery: defaultDelivery })
  await addCode(shop, 'LAST', { maxUses: 1 })
  const product = await addMug(shop)
  const page = await shop.visit({ bypassCSP: true })
  await page.goto(`${checkoutPath(product)}?code=LAST`)
  await assertTotal(page, '€44.10')
  await fillDelivery(page)
  await fillCard(page)
  const other = createBuyer(shop)
  const body = { productId: product, amount: '44.10', currency: 'EUR', code: 'LAST' }
  const { checkoutId } = (await other.call('POST', apiRoutes.createCheckout, body)).json()
  assert.equal((await other.saveDetails(checkoutId)).statusCode, 204)

  const charged = shop.sandbox.ledger().transactions.length
  await payButton(page).click()
  await toast(page, 'Please look again').waitFor()
  await page.getByText('The discount code in the link is not valid for this purchase').waitFor()
  await summaryOf(page).getByText('€49.00').first().waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  assert.equal(shop.sandbox.ledger().transactions.length, charged)
  await assertShows(() => page.getByLabel('City').first().inputValue(), 'Berlin')
  await fillCard(page)
  await payButton(page).click()
  assert.equal((await readCharge(page)).chargedCents, 4900)
})
