import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { toPickupAddress } from '#contract/pickup.ts'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import { defaultDelivery, type DeliverySettings } from '#contract/quotes.ts'
import type { ShopSettings } from '#contract/shop-settings.ts'
import { desc } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { addOrders, pickupTerms } from '#server/testing/orders.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { fillCard, openCheckoutPage, payButton, toast } from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const mug = await addMug(shop)
const admin = await shop.visitAsAdmin({ viewport: { width: 1280, height: 900 }, bypassCSP: true })
const dialog = admin.getByRole('dialog', { name: 'Settings' })
const place = {
  name: 'Harbour Store',
  address: 'Kai 1',
  postcode: '20457',
  city: 'Hamburg',
  state: null,
  country: 'Germany',
  hours: 'Mon to Fri, 10:00 to 18:00',
} as const

/** Opens the section of a shop that delivers like this. */
async function openSettings(change: Partial<DeliverySettings> = {}): Promise<void> {
  const { version } = (await (await admin.request.get(apiRoutes.settings)).json()) as ShopSettings
  const url = pathOf(apiRoutes.settingsSection, { section: 'delivery' })
  const data = { version, values: { ...defaultDelivery, ...change } }
  assert.equal((await admin.request.put(url, { data })).status(), 200)
  await admin.goto('/products?settings=delivery')
  await dialog.getByRole('checkbox', { name: 'Belgium' }).first().waitFor()
}

async function save(): Promise<void> {
  const answer = admin.waitForResponse((response) => response.request().method() === 'PUT')
  await dialog.getByRole('button', { name: 'Save' }).click()
  assert.equal((await answer).status(), 200)
  await toast(admin, 'Settings saved').waitFor()
}

const listOptions = (page: Page, label = 'Country') =>
  page.getByLabel(label).first().locator('option:not([value=""])').allTextContents()

test('the owner chooses countries, and buyers see those, with the address form of each', async () => {
  await openSettings()
  const ticked = dialog.getByRole('group', { name: 'Countries' }).getByRole('checkbox')
  await assertShows(() => ticked.count(), 8)
  for (const box of await ticked.all()) assert.ok(await box.isChecked())
  await dialog.getByRole('checkbox', { name: 'United States' }).uncheck()
  for (const country of ['Austria', 'Ireland']) {
    await dialog.getByLabel('Add a country').fill(country)
    await dialog.getByRole('checkbox', { name: country }).waitFor()
  }
  const add = dialog.getByLabel('Add a country')
  await add.fill('Niger')
  await add.press('Enter')
  await dialog.getByRole('checkbox', { name: 'Niger' }).uncheck()
  await save()

  const page = await openCheckoutPage(shop, mug)
  await assertShows(
    () => listOptions(page),
    [
      'Austria',
      'Belgium',
      'Canada',
      'France',
      'Germany',
      'Ireland',
      'Italy',
      'Netherlands',
      'United Kingdom',
    ],
  )
  await page.getByLabel('Country').first().selectOption('Ireland')
  await page.getByLabel('County').waitFor()
  const postcode = page.getByLabel('Postcode')
  await assertShows(() => postcode.getAttribute('required'), null)
  await page.getByLabel('Country').first().selectOption('Austria')
  await page.getByLabel('ZIP code').waitFor()
  await assertShows(() => page.getByLabel('ZIP code').getAttribute('required'), '')
  assert.equal(await page.getByLabel('County').count(), 0)

  await page.getByLabel('Country').first().selectOption('Ireland')
  await page.getByLabel('Email').first().fill('anna@example.com')
  await page.getByLabel('First name').fill('Anna')
  await page.getByLabel('Last name').fill('Muster')
  await page.getByLabel('Address', { exact: true }).fill('1 Mill Lane')
  await page.getByLabel('City').fill('Dublin')
  await fillCard(page)
  await payButton(page).click()
  await page.waitForURL('**/thank-you/**')
  await page.getByText('Ireland', { exact: true }).waitFor()
})

test('the owner sets prices for groups of countries, and is told what is wrong with them', async () => {
  await openSettings({ countries: ['Austria', 'Belgium', 'Canada', 'Germany'] })
  await dialog.getByText('Shipping is free.').waitFor()
  await dialog.getByRole('button', { name: 'Add a price' }).click()
  const first = dialog.getByRole('group', { name: 'Price 1' })
  for (const box of await first.getByRole('checkbox').all()) await box.uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await first.getByText('Please enter an amount such as 4.90.').waitFor()
  await first.getByText('Choose at least one country for this price.').waitFor()
  for (const country of ['Austria', 'Germany'])
    await first.getByRole('checkbox', { name: country }).check()
  await first.getByLabel('Price in EUR').fill('4,90')
  await first.getByLabel('Free from').fill('50')
  await first.getByText('Austria, Germany: €4.90, free from €50.00').waitFor()
  await dialog.getByText('Shipping is free to: Belgium, Canada.').waitFor()
  await dialog.getByRole('button', { name: 'Add a price' }).click()
  const second = dialog.getByRole('group', { name: 'Price 2' })
  await assertShows(() => second.getByRole('checkbox', { name: 'Austria' }).count(), 0)
  await second.getByLabel('Price in EUR').fill('12')
  await dialog.getByText('Every country has a price.').waitFor()
  const pickup = dialog.getByRole('checkbox', { name: 'Buyers can pick up their order' })
  await pickup.check()
  await dialog.getByLabel('Name of the place').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(admin), [])
  await pickup.uncheck()
  await save()
  // A country that is not delivered to any more has no price either.
  await dialog.getByRole('group', { name: 'Countries' }).getByLabel('Austria').uncheck()
  await first.getByText('Germany: €4.90, free from €50.00', { exact: true }).waitFor()
})

test('the owner names a pickup place, and buyers who choose it give a name and no address', async () => {
  await openSettings()
  await dialog.getByRole('checkbox', { name: 'Buyers can pick up their order' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Please enter a name.').waitFor()
  await dialog.getByLabel('Name of the place').fill(place.name)
  await dialog.getByLabel('Country', { exact: true }).selectOption(place.country)
  await dialog.getByLabel('Street and number').fill(place.address)
  await dialog.getByLabel('Postcode').fill(place.postcode)
  await dialog.getByLabel('Town').fill(place.city)
  await dialog.getByLabel('When').fill(place.hours)
  await save()

  const page = await shop.visit({ bypassCSP: true })
  await page.goto(checkoutPath(mug))
  await page.getByRole('radio', { name: 'Pickup' }).check()
  await page.getByText('Harbour Store').first().waitFor()
  await page.getByText(place.hours).waitFor()
  for (const gone of ['Country', 'Address', 'City', 'ZIP code'])
    await assertShows(() => page.getByLabel(gone, { exact: true }).count(), 0)
  await page.getByRole('radio', { name: 'No billing address' }).waitFor()
  await assertShows(() => page.getByText('Shipping method').count(), 0)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.reload()
  await assertShows(() => page.getByRole('radio', { name: 'Pickup' }).isChecked(), true)
  await fillCard(page)
  await payButton(page).click()
  await page.getByText('Enter a first name').first().waitFor()
  await page.getByLabel('Email').first().fill('anna@example.com')
  await page.getByLabel('First name').fill('Anna')
  await page.getByLabel('Last name').fill('Muster')
  await payButton(page).click()
  await page.waitForURL('**/thank-you/**')
  await waitFor('the shop has its own address', async () => {
    const [sale] = await shop.db.select().from(checkouts).orderBy(desc(checkouts.createdAt))
    return sale?.details?.shippingAddress.address === place.name && sale.details.isPickup === true
  })
})

test('an order that is picked up says so to the owner and the buyer, and asks for no tracking', async () => {
  const anna = { firstName: 'Anna', lastName: 'Muster' }
  const [order] = await addOrders(shop.db, [
    {
      terms: pickupTerms,
      shippingAddress: toPickupAddress(place, anna),
      productName: 'Picked mug',
      status: 'processing',
    },
  ])
  assert.ok(order)
  await openSettings({ pickup: place })
  await admin.goto(`/orders?order=${order.id}`)
  const panel = admin.locator('[data-order-panel]')
  await panel.getByRole('heading', { name: 'Pickup at' }).waitFor()
  await panel.getByText('Set it to Ready for pickup once it can be picked up.').waitFor()
  assert.equal(await panel.getByRole('button', { name: 'Add tracking' }).count(), 0)
  await admin.keyboard.press('Escape')
  const row = admin.getByRole('row').filter({ hasText: 'Picked mug' })
  await row.getByText('Pickup', { exact: true }).waitFor()
  await admin.goto('/fulfillment')
  await row.getByRole('combobox').selectOption({ label: 'Ready for pickup' })
  await admin.getByText('moved to Ready for pickup').first().waitFor()
  await admin.goto('/orders')
  await row.getByText('Ready for pickup', { exact: true }).waitFor()

  const page = await shop.visit({ bypassCSP: true })
  await page.goto(thankYouPath(order.id))
  await page.getByText('Pickup at', { exact: true }).waitFor()
  await page.getByText('You can pick your order up').waitFor()
})
