import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import type { Product } from '#contract/products.ts'
import { products } from '#server/db/schema.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { toast, waitForToast } from '#e2e/testing/order-pages.ts'
import { assertShows, pressEscapeIn } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const logoUrl = `${shop.address}/favicon.svg`

const page = await shop.visitAsAdmin()

/** What the story before has typed and refused is gone. */
async function openProducts() {
  await page.unrouteAll()
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/products')
}

/** The dialog of a saved product, which has a logo already. */
async function editProduct(more: object = {}) {
  await shop.db.delete(products)
  const data = { name: 'Oak chair', price: '49.00', headerLogoUrl: logoUrl, ...more }
  assert.equal((await page.request.post(apiRoutes.products, { data })).status(), 201)
  await openProducts()
  await page.getByRole('button', { name: 'Edit Product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Product' })
  await dialog.waitFor()
  return { dialog, save: dialog.getByRole('button', { name: 'Update Product' }) }
}

async function newProduct() {
  await openProducts()
  await page.getByRole('button', { name: 'Add Product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add New Product' })
  return { dialog, save: dialog.getByRole('button', { name: 'Create Product' }) }
}

/** Waits until one is at the field of that name. */
const waitForFocus = (label: string) =>
  page.waitForFunction((name) => {
    const field = document.activeElement as HTMLInputElement | null
    return field?.labels?.[0]?.innerText.includes(name)
  }, label)
const checkFields = 'Please check all required fields are filled correctly.'
const noLogo = 'Header logo is required. Please upload a checkout page logo.'

test('what is required says so in its label, and an empty form reports each that is missing', async () => {
  const { dialog, save } = await newProduct()
  for (const label of ['Product Name', 'Price', 'Currency', 'Checkout Page Header Logo']) {
    const field = dialog.getByLabel(`${label} *`, { exact: true })
    await assertShows(() => field.getAttribute('required'), '', label)
    await assertShows(() => dialog.getByLabel(label).count(), 1, label)
  }
  for (const label of ['Description', 'Product Image', 'Checkout Page Header Name']) {
    const field = dialog.getByLabel(label, { exact: true })
    await assertShows(() => field.getAttribute('required'), null, label)
  }
  // Screen readers announce that it is required, so its name has no star.
  for (const name of ['Product Name', 'Price'])
    await dialog.getByRole('textbox', { name, exact: true }).waitFor()
  await save.click()
  await toast(page, 'Validation Error').waitFor()
  await toast(page, checkFields).waitFor()
  for (const [label, text] of [
    ['Product Name', 'Product name is required'],
    ['Price', 'Invalid price format'],
    ['Checkout Page Header Logo', noLogo],
  ] as const) {
    const field = dialog.getByLabel(label)
    await assertShows(() => field.getAttribute('aria-invalid'), 'true', label)
    const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
    const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()))
    assert.ok(texts.includes(text), `${label}: ${texts.join(' ')}`)
  }
  await waitForFocus('Product Name')
  await dialog.getByLabel('Product Name').fill('x')
  await dialog.getByText('Product name is required').waitFor({ state: 'hidden' })
})

test('a new product has four groups; what few products have opens in its place, with the focus in it', async () => {
  const { dialog, save } = await newProduct()
  const titles = [
    'Basic Information',
    'Product Images',
    'Checkout Page Settings',
    'Advanced Pricing',
  ]
  const groups = dialog.getByRole('group')
  await assertShows(() => groups.locator('> legend').allTextContents(), titles)
  await assertShows(() => dialog.getByRole('checkbox').count(), 1)
  const line = dialog.getByText('Add:').locator('..')
  await assertShows(
    () => line.innerText(),
    /^Add:\s*Choice\s*·\s*Stock\s*·\s*Buyer’s text\s*·\s*Right of withdrawal$/,
  )
  await page.setViewportSize({ width: 375, height: 800 })
  await assertShows(
    () => line.innerText(),
    /^Add:\s*Choice\s*Stock\s*Buyer’s text\s*Right of withdrawal$/,
  )
  await page.setViewportSize({ width: 1280, height: 720 })

  for (const [name, field] of [
    ['Right of withdrawal', 'Right of withdrawal'],
    ['Stock', 'Pieces in stock'],
    ['Buyer’s text', 'Ask buyers for a text'],
    ['Choice', 'What buyers choose'],
  ] as const) {
    await line.getByRole('button', { name }).click()
    await waitForFocus(field)
  }
  await dialog.getByLabel('Ask buyers for a text').fill('Gift text')
  await dialog.getByLabel('Ask buyers for a text').fill('')
  // Pieces are counted by value now.
  const open = [...titles, 'Choice', 'Buyer’s text', 'Right of withdrawal']
  await assertShows(() => groups.locator('> legend').allTextContents(), open)
  await assertShows(() => line.count(), 0)
  await dialog.getByRole('button', { name: 'Remove the choice' }).click()
  const focused = page.locator(':focus')
  await assertShows(() => focused.innerText(), 'Choice')
  await dialog.getByLabel('Pieces in stock').fill('3')
  await dialog.getByLabel('Right of withdrawal').selectOption('perishable')
  await dialog.getByLabel('Product Name').fill('Apples')
  await dialog.getByLabel('Price').fill('4')
  await save.click()
  await toast(page, noLogo).waitFor()

  await shop.db.delete(products)
  const data = { name: 'Apples', price: '4', headerLogoUrl: logoUrl, stock: 3 }
  await page.request.post(apiRoutes.products, {
    data: { ...data, withdrawalExemption: 'perishable' },
  })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await openProducts()
  await page.getByRole('button', { name: 'Edit Product' }).click()
  const saved = page.getByRole('dialog', { name: 'Edit Product' }).getByRole('group')
  await assertShows(
    () => saved.locator('> legend').allTextContents(),
    [...titles, 'Stock', 'Right of withdrawal'],
    'what a product uses is open',
  )
})

async function readProducts(): Promise<Product[]> {
  return (await page.request.get(apiRoutes.products)).json()
}

/** Somebody else saves the product of the open form. */
async function changeElsewhere(data: object) {
  const [{ id } = { id: '' }] = await shop.db.select().from(products)
  const answer = await page.request.put(`${apiRoutes.products}/${id}`, { data })
  assert.equal(answer.status(), 200, await answer.text())
}

test('a form does not bring back what was changed elsewhere: it tells what, and keeps what was typed', async () => {
  const { dialog, save } = await editProduct()
  await dialog.getByLabel('Product Name').fill('Elm chair')
  await changeElsewhere({ price: '55', description: 'Solid oak' })
  await save.click()
  const notice = dialog.getByRole('alert')
  await notice.getByText('Somebody saved this product meanwhile.').waitFor()
  await assertShows(() => notice.evaluate((one) => one === document.activeElement), true)
  await assertShows(() => notice.getByRole('definition').allTextContents(), ['55.00', 'Solid oak'])
  await assertShows(() => dialog.getByLabel('Product Name').inputValue(), 'Elm chair')
  await assertShows(() => dialog.getByLabel('Price').inputValue(), '49.00')
  await notice.getByRole('button', { name: 'Take these changes' }).click()
  await assertShows(() => dialog.getByLabel('Price').inputValue(), '55.00')
  await save.click()
  await toast(page, 'Product updated').waitFor()
  const [saved] = await shop.db.select().from(products)
  assert.deepEqual(
    [saved?.name, saved?.price, saved?.description],
    ['Elm chair', '55.00', 'Solid oak'],
  )
})

test('the owner can save over what was changed elsewhere, also in a form that was opened again', async () => {
  const { dialog, save } = await editProduct()
  await dialog.getByLabel('Product Name').fill('Elm chair')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await waitForToast(page, 'Changes discarded')
  await changeElsewhere({ price: '55' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await assertShows(() => dialog.getByLabel('Product Name').inputValue(), 'Elm chair')
  await save.click()
  const notice = dialog.getByRole('alert')
  await notice.getByText('Price:').waitFor()
  await save.click()
  await toast(page, 'Product updated').waitFor()
  const [saved] = await shop.db.select().from(products)
  assert.deepEqual([saved?.name, saved?.price], ['Elm chair', '49.00'])
})

test('a typed number of pieces is saved as it was typed, whatever was counted elsewhere', async () => {
  const size = { name: 'Size', values: [{ name: 'S', stock: 10 }] }
  for (const [more, label, named] of [
    [{ stock: 10 }, /^Pieces in stock/, '50'],
    [{ choice: size }, /^In stock/, 'S 50'],
  ] as const) {
    const { dialog, save } = await editProduct(more)
    const [saved] = await readProducts()
    const [value] = saved?.choice?.values ?? []
    await dialog.getByLabel(label).fill('12')
    const counted = { ...size, values: [{ id: value?.id, name: 'S', stock: 50 }] }
    await changeElsewhere(value ? { choice: counted } : { stock: 50 })
    await save.click()
    const notice = dialog.getByRole('alert')
    await notice.getByText(`Pieces in stock now: ${named}`).waitFor()
    await save.click()
    await toast(page, 'Product updated').waitFor()
    const [updated] = await readProducts()
    assert.equal(updated?.choice ? updated.choice.values[0]?.stock : updated?.stock, 12)
  }
})

test('after the notice was left, a form that is opened again tells anew what was changed', async () => {
  const { dialog, save } = await editProduct()
  await dialog.getByLabel('Product Name').fill('Elm chair')
  await changeElsewhere({ price: '55' })
  await save.click()
  const notice = dialog.getByRole('alert')
  await notice.getByText('Price:').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await assertShows(() => dialog.getByLabel('Product Name').inputValue(), 'Elm chair')
  await save.click()
  await notice.getByText('Price:').waitFor()
  const [kept] = await readProducts()
  assert.deepEqual([kept?.name, kept?.price], ['Oak chair', '55.00'])
  await save.click()
  await toast(page, 'Product updated').waitFor()
  const [saved] = await readProducts()
  assert.deepEqual([saved?.name, saved?.price], ['Elm chair', '49.00'])
})

test('a product without a logo is refused for that alone', async () => {
  const { dialog, save } = await newProduct()
  await dialog.getByText('The checkout page needs a header logo').waitFor()
  await dialog.getByRole('button', { name: 'Go to the logo' }).click()
  await waitForFocus('Checkout Page Header Logo')
  await dialog.getByLabel('Product Name').fill('Oak chair')
  await dialog.getByLabel('Price').fill('49')
  await save.click()
  await toast(page, 'Validation Error').waitFor()
  await toast(page, noLogo).waitFor()
  await waitForFocus('Checkout Page Header Logo')
})

test('a price is digits with one or two decimals, checked on blur; a comma is a point, of tiers too', async () => {
  const { dialog, save } = await editProduct()
  const price = dialog.getByLabel('Price')
  const fault = dialog.getByText('Invalid price format')
  for (const text of ['12.345', '-1', 'abc', '1,500', '']) {
    await price.fill(text)
    await dialog.getByLabel('Product Name').focus()
    await fault.waitFor()
    await price.fill('12.34')
    await fault.waitFor({ state: 'hidden' })
  }
  await dialog.getByLabel('Price').fill('12,5')
  await dialog.getByLabel('Enable quantity-based pricing').check()
  await assertShows(() => dialog.getByLabel('Price').first().inputValue(), '12.5')
  await dialog.getByRole('button', { name: 'Add Tier' }).click()
  await dialog.getByRole('listitem').getByLabel('Price').fill('11,25')
  await save.click()
  await toast(page, 'Product updated').waitFor()
  const [saved] = await shop.db.select().from(products)
  assert.equal(saved?.price, '12.50')
  assert.equal(saved?.quantityTiers?.[0]?.price, '11.25')
})

test('tiers are checked like prices, with errors in sight above the footer, and only while they are on', async () => {
  const { dialog, save } = await editProduct()
  await page.setViewportSize({ width: 1280, height: 600 })
  const pricing = dialog.getByLabel('Enable quantity-based pricing')
  await pricing.check()
  for (const _tier of [1, 2]) await dialog.getByRole('button', { name: 'Add Tier' }).click()
  await save.click()
  await toast(page, checkFields).waitFor()
  await assertShows(() => dialog.getByText('Invalid price format').count(), 2)
  await dialog.getByRole('listitem').first().getByLabel('Price').fill('5')
  await dialog.getByLabel('Product Name').focus()
  await save.click()
  await assertShows(() => dialog.getByText('Invalid price format').count(), 1)
  // The field takes the focus, and is scrolled to, after its error is shown.
  await assertShows(async () => {
    const footer = await dialog.locator('footer').boundingBox()
    const error = await dialog.getByText('Invalid price format').boundingBox()
    return footer && error && error.y + error.height <= footer.y
  }, true)
  for (const tier of await dialog.getByRole('listitem').all())
    await tier.getByLabel('Price').fill('5')
  await dialog.getByRole('button', { name: 'Remove tier 2' }).click()
  await dialog.getByRole('listitem').getByLabel('Price').fill('x')
  await pricing.uncheck()
  await save.click()
  await toast(page, 'Product updated').waitFor()
})

test('a new tier is for quantity 1: two of them are saved, with a warning', async () => {
  const { dialog, save } = await editProduct()
  await dialog.getByLabel('Enable quantity-based pricing').check()
  const warning = dialog.getByText('More than one tier is for quantity 1.')
  for (const price of ['45', '40']) {
    assert.equal(await warning.count(), 0)
    await dialog.getByRole('button', { name: 'Add Tier' }).click()
    const tier = dialog.getByRole('listitem').last()
    await assertShows(() => tier.getByLabel('Quantity').inputValue(), '1')
    await assertShows(() => tier.getByLabel('Price').inputValue(), '')
    await tier.getByLabel('Price').fill(price)
  }
  await warning.waitFor()
  await dialog.getByRole('listitem').last().getByLabel('Quantity').fill('2')
  await warning.waitFor({ state: 'detached' })
  await dialog.getByRole('listitem').last().getByLabel('Quantity').fill('1')
  await warning.waitFor()
  await save.click()
  await toast(page, 'Product updated').waitFor()
  const [saved] = await shop.db.select().from(products)
  assert.deepEqual(saved?.quantityTiers, [
    { quantity: 1, price: '45' },
    { quantity: 1, price: '40' },
  ])
})

test('a price in another currency than buyers are charged in is never silent', async () => {
  const { dialog, save } = await editProduct()
  const currency = dialog.getByLabel('Currency')
  const options = await currency.getByRole('option').allTextContents()
  assert.equal(options.length, 15)
  assert.match(options[0] ?? '', /EUR.*€.*Euro/)
  await currency.selectOption('GBP')
  const note = 'Buyers are charged in EUR: this product will cost €49.00 at checkout, not £49.00.'
  const shown = dialog.getByText(note)
  await shown.waitFor()
  const colour = await shown.locator('..').evaluate((frame) => getComputedStyle(frame).background)
  assert.match(colour, /rgb\(251, 234, 229\)/, 'red, as other errors are')
  await currency.selectOption('EUR')
  await shown.waitFor({ state: 'hidden' })
  await currency.selectOption('GBP')
  await save.click()
  await page.getByRole('button', { name: 'Link health: needs fixing. Oak chair' }).click()
  await page
    .getByRole('dialog', { name: /^Link health/ })
    .getByText(note)
    .waitFor()
})

test('while saving the button says so, and a second click does nothing', async () => {
  const { dialog, save } = await editProduct()
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
  const { dialog, save } = await editProduct()
  const message = 'There is no room for more products. Please delete some first.'
  await page.route(`**${apiRoutes.products}/*`, (route) =>
    route.fulfill({ status: 400, json: { message, error: message } }),
  )
  await dialog.getByLabel('Product Name').fill('Elm chair')
  await save.click()
  await toast(page, 'Failed to update product. Please try again.').waitFor()
  await dialog.getByRole('alert').getByText(message).waitFor()
  await assertShows(() => dialog.getByLabel('Product Name').inputValue(), 'Elm chair')
})

test('a changed product closes at once: by Esc, outside it, by Cancel, by the cross; Undo brings it back', async () => {
  const { dialog } = await editProduct()
  const name = dialog.getByLabel('Product Name')
  await name.fill('Elm chair')
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 300),
    () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    () => dialog.getByRole('button', { name: 'Close' }).click(),
  ]) {
    await close()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('alertdialog').count(), 0)
    await waitForToast(page, 'Changes discarded')
    await page.getByRole('button', { name: 'Undo' }).click()
    await dialog.waitFor()
    await assertShows(() => name.inputValue(), 'Elm chair')
    assert.equal(new URL(page.url()).search, '')
  }
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await toast(page, 'Product updated').waitFor()
  assert.equal((await shop.db.select().from(products))[0]?.name, 'Elm chair')
})

test('a new product that was discarded comes back with its tiers, also from another page', async () => {
  const { dialog } = await newProduct()
  await dialog.getByLabel('Product Name').fill('Oak table')
  await dialog.getByLabel('Enable quantity-based pricing').check()
  await dialog.getByRole('button', { name: 'Add Tier' }).click()
  await dialog.getByRole('listitem').getByLabel('Price').fill('7')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await waitForToast(page, 'Changes discarded')
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await dialog.waitFor()
  await assertShows(() => dialog.getByLabel('Product Name').inputValue(), 'Oak table')
  await assertShows(() => dialog.getByRole('listitem').getByLabel('Price').inputValue(), '7')

  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Add Product' }).click()
  await assertShows(() => dialog.getByLabel('Product Name').inputValue(), '', 'a new form is empty')
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
})

test('an unchanged product closes without a question, and focus returns to its button', async () => {
  const { dialog } = await editProduct()
  await pressEscapeIn(dialog)
  await dialog.waitFor({ state: 'hidden' })
  const focused = page.locator(':focus')
  await assertShows(() => focused.getAttribute('aria-label'), 'Edit Product')
})

test('leaving the page with a changed product asks; going back offers to undo it', async () => {
  const { dialog } = await editProduct()
  await page.goto('/orders')
  await page.getByRole('link', { name: 'Products' }).click()
  await page.getByRole('button', { name: 'Edit Product' }).click()
  await dialog.getByLabel('Product Name').fill('Elm chair')
  const asked = page.waitForEvent('dialog')
  // By the page itself: from outside, Chromium asks a page only that answers within half a second.
  const leaving = page.evaluate(() => location.reload())
  const browserQuestion = await asked
  assert.equal(browserQuestion.type(), 'beforeunload')
  await browserQuestion.dismiss()
  await leaving

  await page.evaluate(() => history.back())
  await page.waitForURL('**/orders')
  await waitForToast(page, 'Changes discarded')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForURL('**/products')
  await assertShows(() => dialog.getByLabel('Product Name').inputValue(), 'Elm chair')
})
