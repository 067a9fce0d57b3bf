import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkoutPath } from '#contract/paths.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { fillCard, fillDelivery, payButton, waitForCardForm } from '#e2e/testing/checkout-page.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop({ environment: { TRUST_PROXY: '1' } })

const country = (page: Page) => page.getByLabel('Country', { exact: true })
const state = (page: Page) => page.getByLabel('State')

async function openFrom(address: string): Promise<Page> {
  const page = await shop.visit({ extraHTTPHeaders: { 'x-forwarded-for': address } })
  await page.goto(checkoutPath(await addMug(shop)))
  await waitForCardForm(page)
  return page
}

test('the country is chosen where the visitor seems to be, and another that the buyer chose stays', async () => {
  const page = await openFrom('217.0.0.1')
  await assertShows(() => country(page).inputValue(), 'Germany')
  await country(page).selectOption('France')
  await page.reload()
  await waitForCardForm(page)
  await assertShows(() => country(page).inputValue(), 'France')
})

test('a state is asked for, with a list of those of the US and Canada, and nobody has to name one', async () => {
  const page = await openFrom('203.0.113.9')
  // Nobody knows where this is.
  await assertShows(() => country(page).inputValue(), '')
  await country(page).selectOption('Germany')
  await assertShows(() => state(page).getAttribute('list'), null)
  await country(page).selectOption('United States')
  await page.getByText('Carriers need it').waitFor()
  const list = page.locator(`datalist#${await state(page).getAttribute('list')}`)
  await assertShows(() => list.locator('option[value=CA]').textContent(), 'California')
  await state(page).fill('CA')
  await page.getByText('Carriers need it').waitFor({ state: 'hidden' })
  await country(page).selectOption('Canada')
  await assertShows(() => list.locator('option[value=QC]').textContent(), 'Quebec')
  await state(page).fill('')
  await fillDelivery(page)
  await country(page).selectOption('United States')
  await fillCard(page)
  await payButton(page).click()
  await page.waitForURL('**/thank-you/*')
})

test('the links of the footer are links, and open their text on the page', async () => {
  const page = await openFrom('203.0.113.9')
  const footer = page.getByRole('contentinfo')
  for (const name of [
    'Refund policy',
    'Shipping policy',
    'Privacy policy',
    'Terms of service',
    'Contact',
  ]) {
    await footer.getByRole('link', { name, exact: true }).click()
    const dialog = page.getByRole('dialog', { name, exact: true })
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const address = await footer.getByRole('link', { name: 'Contact' }).getAttribute('href')
  const other = await page.context().newPage()
  await other.goto(new URL(address ?? '', page.url()).href)
  // The shop has named no address, so nothing here refers to one.
  const contact = other.getByRole('dialog', { name: 'Contact' })
  await contact.getByText(/You reach the shop on the website, or in the message/).waitFor()
})
