import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiRoutes } from '#contract/paths.ts'
import { products } from '#server/db/schema.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'

const shop = await openBrowserShop()
const logoUrl = `${shop.address}/favicon.svg`

/** The dialog of a saved product, which has a logo already. */
async function editProduct(changes: Record<string, unknown> = {}) {
  await shop.db.delete(products)
  const page = await shop.visitAsAdmin()
  const data = { name: 'Oak chair', price: '49.00', headerLogoUrl: logoUrl, ...changes }
  assert.equal((await page.request.post(apiRoutes.products, { data })).status(), 201)
  await page.goto('/orders')
  await page.getByRole('link', { name: 'Products' }).click()
  await page.getByRole('button', { name: 'Edit Product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Product' })
  await dialog.waitFor()
  return { page, dialog, save: dialog.getByRole('button', { name: 'Update Product' }) }
}

async function newProduct() {
  const page = await shop.visitAsAdmin()
  await page.goto('/products')
  await page.getByRole('button', { name: 'Add Product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add New Product' })
  return { page, dialog, save: dialog.getByRole('button', { name: 'Create Product' }) }
}

const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first()
/** Waits until one is at the field of that name. */
const waitForFocus = (page: Page, label: string) =>
  page.waitForFunction((name) => {
    const field = document.activeElement as HTMLInputElement | null
    return field?.labels?.[0]?.innerText.includes(name)
  }, label)
const checkFields = 'Please check all required fields are filled correctly.'
const noLogo = 'Header logo is required. Please upload a checkout page logo.'

test('an empty form reports each missing field, and focuses the first', async () => {
  const { page, dialog, save } = await newProduct()
  await save.click()
  await toast(page, 'Validation Error').waitFor()
  await toast(page, checkFields).waitFor()
  for (const [label, text] of [
    ['Product Name', 'Product name is required'],
    ['Price', 'Invalid price format'],
    ['Checkout Page Header Logo', noLogo],
  ] as const) {
    const field = dialog.getByLabel(label)
    assert.equal(await field.getAttribute('aria-invalid'), 'true', label)
    const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
    const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()))
    assert.ok(texts.includes(text), `${label}: ${texts.join(' ')}`)
  }
  await waitForFocus(page, 'Product Name')
  await dialog.getByLabel('Product Name').fill('x')
  await dialog.getByText('Product name is required').waitFor({ state: 'hidden' })
})

test('a product without a logo is refused for that alone', async () => {
  const { page, dialog, save } = await newProduct()
  await dialog.getByText('The checkout page needs a header logo').waitFor()
  await dialog.getByRole('button', { name: 'Go to the logo' }).click()
  await waitForFocus(page, 'Checkout Page Header Logo')
  await dialog.getByLabel('Product Name').fill('Oak chair')
  await dialog.getByLabel('Price').fill('49')
  await save.click()
  await toast(page, 'Validation Error').waitFor()
  await toast(page, noLogo).waitFor()
  await waitForFocus(page, 'Checkout Page Header Logo')
})

test('a price is digits with one or two decimals, checked on blur, not before', async () => {
  const { dialog } = await editProduct()
  const price = dialog.getByLabel('Price')
  const fault = dialog.getByText('Invalid price format')
  for (const text of ['12.345', '-1', 'abc', '1,500', '']) {
    await price.fill(text)
    await dialog.getByLabel('Product Name').focus()
    await fault.waitFor()
    await price.fill('12.34')
    await fault.waitFor({ state: 'hidden' })
  }
})

test('a price with a comma is taken as one with a point, of tiers too', async () => {
  const { page, dialog, save } = await editProduct()
  await dialog.getByLabel('Price').fill('12,5')
  await dialog.getByLabel('Enable quantity-based pricing').check()
  assert.equal(await dialog.getByLabel('Price').first().inputValue(), '12.5')
  await dialog.getByRole('button', { name: 'Add Tier' }).click()
  await dialog.getByRole('listitem').getByLabel('Price').fill('11,25')
  await save.click()
  await toast(page, 'Product updated').waitFor()
  const [saved] = await shop.db.select().from(products)
  assert.equal(saved?.price, '12.50')
  assert.equal(saved?.quantityTiers?.[0]?.price, '11.25')
})

test('errors of tiers are in sight above the footer, also the one of all tiers', async () => {
  const { page, dialog, save } = await editProduct()
  await page.setViewportSize({ width: 1280, height: 600 })
  await dialog.getByLabel('Enable quantity-based pricing').check()
  for (const _tier of [1, 2]) await dialog.getByRole('button', { name: 'Add Tier' }).click()
  const footer = async () => (await dialog.locator('footer').boundingBox())?.y ?? 0
  const bottomOf = async (text: string) => {
    const box = await dialog.getByText(text).last().boundingBox()
    return (box?.y ?? Infinity) + (box?.height ?? 0)
  }
  await dialog.getByRole('listitem').first().getByLabel('Price').fill('5')
  await dialog.getByLabel('Product Name').focus()
  await save.click()
  await dialog.getByText('Invalid price format').waitFor()
  assert.ok((await bottomOf('Invalid price format')) <= (await footer()))

  await dialog.getByRole('listitem').last().getByLabel('Price').fill('4')
  await dialog.getByLabel('Product Name').focus()
  await save.click()
  await dialog.getByText('Each quantity can have one price only').waitFor()
  assert.ok((await bottomOf('Each quantity can have one price only')) <= (await footer()))
})

test('a toast stands above the dialog, and Escape closes the dialog first', async () => {
  const { page, dialog, save } = await newProduct()
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 800 })
    await save.click()
    const card = page.locator('li', { hasText: 'Validation Error' }).last()
    await card.waitFor()
    const [shown, form] = await Promise.all([card.boundingBox(), dialog.boundingBox()])
    assert.ok(shown && form && shown.y + shown.height <= form.y, `${width} px`)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
})

test('tiers are checked like prices, each quantity once, and only while they are on', async () => {
  const { page, dialog, save } = await editProduct()
  const pricing = dialog.getByLabel('Enable quantity-based pricing')
  await pricing.check()
  for (const _tier of [1, 2]) await dialog.getByRole('button', { name: 'Add Tier' }).click()
  await save.click()
  await toast(page, checkFields).waitFor()
  assert.equal(await dialog.getByText('Invalid price format').count(), 2)
  for (const tier of await dialog.getByRole('listitem').all())
    await tier.getByLabel('Price').fill('5')
  await save.click()
  await dialog.getByText('Each quantity can have one price only').waitFor()
  await dialog.getByRole('button', { name: 'Remove tier 2' }).click()
  await dialog.getByText('Each quantity can have one price only').waitFor({ state: 'hidden' })
  await dialog.getByRole('listitem').getByLabel('Price').fill('x')
  await pricing.uncheck()
  await save.click()
  await toast(page, 'Product updated').waitFor()
})

test('a price in another currency than buyers are charged in is never silent', async () => {
  const { dialog } = await editProduct()
  const currency = dialog.getByLabel('Currency')
  const options = await currency.getByRole('option').allTextContents()
  assert.equal(options.length, 15)
  assert.match(options[0] ?? '', /EUR.*€.*Euro/)
  await currency.selectOption('GBP')
  const note = 'Buyers are charged in EUR: this product will cost €49.00 at checkout, not £49.00.'
  await dialog.getByText(note).waitFor()
  await currency.selectOption('EUR')
  await dialog.getByText(note).waitFor({ state: 'hidden' })
})

test('while saving the button says so, and a second click does nothing', async () => {
  const { page, dialog, save } = await editProduct()
  let asked = 0
  await page.route(`**${apiRoutes.products}/*`, async (route) => {
    // Whether links work is asked again after a change.
    if (route.request().method() !== 'PUT') return route.continue()
    asked += 1
    await dialog.getByRole('button', { name: 'Updating...' }).click({ force: true })
    await dialog.getByLabel('Product Name').press('Enter')
    return route.continue()
  })
  await dialog.getByLabel('Product Name').fill('Elm chair')
  await save.click()
  await toast(page, 'Product updated').waitFor()
  assert.equal(asked, 1)
})

test('the server’s message is shown when it refuses, and nothing typed is lost', async () => {
  const { page, dialog, save } = await editProduct()
  const message = 'There is no room for more products. Please delete some first.'
  await page.route(`**${apiRoutes.products}/*`, (route) =>
    route.fulfill({ status: 400, json: { message, error: message } }),
  )
  await dialog.getByLabel('Product Name').fill('Elm chair')
  await save.click()
  await toast(page, 'Failed to update product. Please try again.').waitFor()
  await dialog.getByRole('alert').getByText(message).waitFor()
  assert.equal(await dialog.getByLabel('Product Name').inputValue(), 'Elm chair')
})

test('a product that cannot be created shows an error', async () => {
  const { page, dialog, save } = await newProduct()
  const key = '0a'.repeat(16)
  const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('png') }
  const uploadURL = `${shop.address}/arrival`
  await page.route(`**${apiRoutes.upload}`, (route) =>
    route.fulfill({ json: { objectPath: key, uploadURL } }),
  )
  await page.route('**/arrival', (route) => route.fulfill({ headers: { etag: '"1"' } }))
  await page.route(`**/api/objects/${key}*`, (route) =>
    route.fulfill({ path: 'web/ui/favicon.svg' }),
  )
  await page.route(`**${apiRoutes.products}`, (route) => route.fulfill({ status: 500 }))
  await dialog.getByLabel('Product Name').fill('Oak chair')
  await dialog.getByLabel('Price').fill('49')
  await dialog.getByLabel('Checkout Page Header Logo').setInputFiles(file)
  await toast(page, 'Logo uploaded').waitFor()
  await save.click()
  await toast(page, 'Failed to create product. Please try again.').waitFor()
})

test('closing a changed product asks first: by Esc, outside it, by Cancel, by the cross', async () => {
  const { page, dialog } = await editProduct()
  await dialog.getByLabel('Product Name').fill('Elm chair')
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 300),
    () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    () => dialog.getByRole('button', { name: 'Close' }).click(),
  ]) {
    await close()
    await question.waitFor()
    await question.press('Escape')
    await question.waitFor({ state: 'hidden' })
    // Only once the question is gone for React too, the dialog below takes clicks again.
    await dialog.getByRole('button', { name: 'Cancel' }).click({ trial: true })
    assert.equal(await dialog.getByLabel('Product Name').inputValue(), 'Elm chair')
  }
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

test('an unchanged product closes without a question, and focus returns to its button', async () => {
  const { page, dialog } = await editProduct()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const focused = page.locator(':focus')
  assert.equal(await focused.getAttribute('aria-label'), 'Edit Product: Oak chair')
})

test('going back or leaving the page with a changed product asks, too', async () => {
  const { page, dialog } = await editProduct()
  await dialog.getByLabel('Product Name').fill('Elm chair')
  await page.evaluate(() => history.back())
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  assert.equal(new URL(page.url()).pathname, '/products')
  assert.equal(await dialog.getByLabel('Product Name').inputValue(), 'Elm chair')

  const asked = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  const browserQuestion = await asked
  assert.equal(browserQuestion.type(), 'beforeunload')
  await browserQuestion.dismiss()
  await closing

  await page.evaluate(() => history.back())
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await page.waitForURL('**/orders')
})

test('a form survives an ended session: one logs in again over it, then saves', async () => {
  const { page, dialog, save } = await editProduct()
  await dialog.getByLabel('Product Name').fill('Elm chair')
  await page.context().clearCookies()
  await save.click()
  await toast(page, 'You are logged out. Logging in again...').waitFor()
  const login = page.getByRole('dialog', { name: 'Log in again' })
  await login.getByLabel('Username').fill(testAdmin.username)
  await login.getByLabel('Password', { exact: true }).fill('wrong password')
  await login.getByRole('button', { name: 'Login' }).click()
  await login.getByRole('alert').waitFor()
  await login.getByLabel('Password', { exact: true }).fill(testAdmin.password)
  await login.getByRole('button', { name: 'Login' }).click()
  await login.waitFor({ state: 'hidden' })
  assert.equal(await dialog.getByLabel('Product Name').inputValue(), 'Elm chair')
  assert.equal(await dialog.getByRole('alert').count(), 0)
  await save.click()
  await toast(page, 'Product updated').waitFor()
  await page.getByRole('row', { name: 'Elm chair' }).waitFor()
})
