import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { languageCodes, languages, type Language } from '#contract/languages.ts'
import { apiRoutes, checkoutPath, pathOf, thankYouPath } from '#contract/paths.ts'
import { checkoutTextsOf, pageTextsOf } from '#contract/texts/all.ts'
import { nameCountry } from '#contract/texts/countries.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { buyer, fillCard, waitForCardForm } from '#e2e/testing/checkout-page.ts'
import { assertShows, findOverflow } from '#e2e/testing/page-checks.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { orders } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { addOrders } from '#server/testing/orders.ts'
import { testAdmin } from '#server/testing/test-shop.ts'

const shop = await openBrowserShop()
const mug = await addMug(shop)
await chooseLanguage('browser')

async function chooseLanguage(ofBuyers: Language | 'browser'): Promise<void> {
  const headers = await shop.signIn()
  const { version } = (await shop.app.inject({ url: apiRoutes.settings, headers })).json()
  const url = pathOf(apiRoutes.settingsSection, { section: 'language' })
  const payload = { version, values: { ofBuyers }, password: testAdmin.password }
  const saved = await shop.app.inject({ method: 'PUT', url, headers, payload })
  assert.equal(saved.statusCode, 200, saved.body)
}

async function buy(page: Page, language: Language): Promise<void> {
  const { fields, contact, payment } = checkoutTextsOf[language]
  const fill = (label: string, text: string) =>
    page.getByLabel(label, { exact: true }).first().fill(text)
  await fill(contact.email, buyer.email)
  await page.getByLabel(fields.country).first().selectOption(nameCountry('Germany', language))
  await fill(fields.firstName, buyer.firstName)
  await fill(fields.lastName, buyer.lastName)
  await fill(fields.address, buyer.address)
  await fill(fields.zipCode, buyer.postcode)
  await fill(fields.city, buyer.city)
  await fillCard(page)
  await page.getByRole('button', { name: payment.pay, exact: true }).click()
  await page.waitForURL('**/thank-you/**')
}

/** Of a phone and of a desktop. */
async function assertFits(page: Page, what: string): Promise<void> {
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    assert.deepEqual(await findOverflow(page), [], `${what}, ${width} px`)
  }
}

for (const language of languageCodes) {
  const { name, locale } = languages[language]
  test(`a buyer whose browser asks for ${name} reads it on every page, and it fits, also with every error`, async () => {
    const page = await shop.visit({ locale })
    await page.goto(checkoutPath(mug))
    assert.equal(await page.getAttribute('html', 'lang'), language)
    const { payment, billing, errors } = checkoutTextsOf[language]
    await waitForCardForm(page)
    await page.getByLabel(billing.other).check()
    await page.getByRole('button', { name: payment.pay, exact: true }).click()
    await page.getByRole('heading', { name: errors.title }).waitFor()
    await assertFits(page, 'checkout with errors')
    const [order] = await addOrders(shop.db, [{ language }])
    await page.goto(thankYouPath(order?.id ?? ''))
    await page.getByRole('heading', { name: pageTextsOf[language].thankYou.title }).waitFor()
    await assertFits(page, 'thank-you')
  })
}

test('a buyer buys in the language of the browser, and the order remembers it', async () => {
  const language = 'it'
  const page = await shop.visit({ locale: languages[language].locale })
  await page.goto(checkoutPath(mug))
  await buy(page, language)
  const { thankYou } = pageTextsOf[language]
  await page.getByRole('heading', { name: thankYou.title }).waitFor()
  await page.getByText(nameCountry('Germany', language), { exact: true }).first().waitFor()
  const id = page.url().split('/').at(-1) ?? ''
  const stored = await shop.db.select().from(orders)
  const order = stored.find((row) => row.id === id)
  assert.equal(order?.language, language)
  assert.equal(order?.shippingAddress.country, 'Germany', 'stored as the API names it')
  // Another browser, such as the one in which the link of the mail is opened.
  const other = await shop.visit({ locale: 'pl-PL' })
  await other.goto(page.url())
  await other.getByRole('heading', { name: thankYou.title }).waitFor()
})

test('the language is switched at the foot of the page, without losing what was typed', async () => {
  const page = await shop.visit({ locale: 'de-DE' })
  await page.goto(checkoutPath(mug))
  await waitForCardForm(page)
  await page.getByLabel(checkoutTextsOf.de.contact.email, { exact: true }).fill(buyer.email)
  await page.getByRole('link', { name: 'Français' }).click()
  const pay = page.getByRole('button', { name: checkoutTextsOf.fr.payment.pay })
  await pay.waitFor()
  const email = page.getByLabel(checkoutTextsOf.fr.contact.email, { exact: true })
  await assertShows(() => email.inputValue(), buyer.email)
  await page.reload()
  await pay.waitFor()
})

test('pages without script speak the buyer’s language, too', async () => {
  const page = await shop.visit({ locale: 'it-IT', javaScriptEnabled: false })
  await page.goto('/nowhere')
  await page.getByRole('heading', { name: pageTextsOf.it.missing['Page Not Found'] }).waitFor()
  await page.getByRole('link', { name: pageTextsOf.it.withdrawal.here }).click()
  await page.getByLabel(pageTextsOf.it.withdrawal.orderNumber).waitFor()
  await page.getByRole('link', { name: 'Nederlands' }).click()
  await page.getByLabel(pageTextsOf.nl.withdrawal.orderNumber).waitFor()
})

test('a withdrawal keeps the language of the page on which it was stated', async () => {
  const page = await shop.visit({ locale: 'fr-FR' })
  await page.goto(checkoutPath(mug))
  const texts = pageTextsOf.fr.withdrawal
  await page.getByRole('contentinfo').getByRole('link', { name: texts.here }).click()
  const dialog = page.getByRole('dialog', { name: texts.here })
  await dialog.getByLabel(texts.name).fill('Anna Muster')
  await dialog.getByLabel(texts.orderNumber).fill('#1042')
  await dialog.getByLabel(texts.email).fill(buyer.email)
  await dialog.getByRole('button', { name: texts.continue }).click()
  await dialog.getByRole('button', { name: texts.confirm }).click()
  await dialog.getByText('Nous avons reçu votre rétractation').waitFor()
  const saved = await shop.db.select().from(withdrawals)
  assert.deepEqual(
    saved.map(({ language }) => language),
    ['fr'],
  )
})

test('one language for all: no switch, whatever the browser or the address asks for', async () => {
  await chooseLanguage('nl')
  const page = await shop.visit({ locale: 'de-DE' })
  await page.goto(`${checkoutPath(mug)}?lang=fr`)
  await page.getByRole('button', { name: checkoutTextsOf.nl.payment.pay }).waitFor()
  assert.equal(await page.getByRole('navigation').count(), 0)
  await chooseLanguage('en')
  await page.goto(`${checkoutPath(mug)}?lang=fr`)
  await page.getByRole('button', { name: 'Pay now' }).waitFor()
})
