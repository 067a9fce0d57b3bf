import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { apiRoutes } from '#contract/paths.ts'
import { products } from '#server/db/schema.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const logoUrl = `${shop.address}/favicon.svg`
const picture = sharp({ create: { width: 96, height: 32, channels: 3, background: 'teal' } })
const logo = { name: 'logo.png', mimeType: 'image/png', buffer: await picture.png().toBuffer() }

async function addProduct(page: Page, changes: Record<string, unknown> = {}): Promise<string> {
  const product = { name: 'Oak chair', price: '49', headerLogoUrl: logoUrl, ...changes }
  const answer = await page.request.post(apiRoutes.products, { data: product })
  assert.equal(answer.status(), 201, await answer.text())
  return (await answer.json()).id
}

/** A page of products that holds these alone. */
async function visitProducts(...names: string[]) {
  await shop.db.delete(products)
  const page = await shop.visitAsAdmin({ permissions: ['clipboard-read', 'clipboard-write'] })
  const ids: string[] = []
  for (const name of names) ids.push(await addProduct(page, { name }))
  await page.goto('/products')
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
  return { page, ids }
}

const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first()
const row = (page: Page, name: string) => page.getByRole('row', { name })

test('the first product is added from an empty list', async () => {
  const { page } = await visitProducts()
  await page.getByText('Manage your products and checkout links').waitFor()
  await page.getByText('No products yet').waitFor()
  await page.getByRole('button', { name: 'Add your first product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add New Product' })
  await dialog.getByLabel('Product Name').fill('Oak chair')
  await dialog.getByLabel('Price').fill('49.5')
  await dialog.getByLabel('Description').fill('Solid oak')
  await dialog.getByLabel('Checkout Page Header Logo').setInputFiles(logo)
  await toast(page, 'Logo uploaded').waitFor()
  await dialog.getByRole('button', { name: 'Create Product' }).click()
  await toast(page, 'Product created').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await row(page, 'Oak chair').waitFor()
  await assertShows(() => page.evaluate(() => document.activeElement?.tagName), 'MAIN')
})

test('the table shows image, name, price, creator and the checkout link', async () => {
  const { page, ids } = await visitProducts('Oak chair')
  await row(page, 'Oak chair').waitFor()
  const titles = await page.getByRole('columnheader').allTextContents()
  assert.deepEqual(titles, ['Image', 'Name', 'Price', 'Created By', 'Checkout Link', 'Actions'])
  const cells = row(page, 'Oak chair').getByRole('cell')
  await assertShows(() => cells.nth(0).textContent(), 'No image')
  await assertShows(() => cells.nth(1).textContent(), 'Oak chair')
  await assertShows(() => cells.nth(2).textContent(), '€49.00')
  assert.ok((await cells.nth(3).textContent())?.includes(testAdmin.email))
  const link = `${shop.address}/checkout/${ids[0]}`
  await assertShows(() => cells.nth(4).textContent(), `${link.slice(0, 40)}…`)
  await assertShows(() => cells.nth(4).getByTitle(link).count(), 1)
  const newTab = cells.nth(4).getByRole('link', { name: 'Open in new tab' })
  await assertShows(() => newTab.getAttribute('href'), link)
  await assertShows(() => newTab.getAttribute('target'), '_blank')
  await assertShows(() => newTab.getAttribute('rel'), /noopener/)
})

test('a checkout link is copied whole, and says so', async () => {
  const { page, ids } = await visitProducts('Oak chair')
  await page.getByRole('button', { name: 'Copy link' }).click()
  await toast(page, 'Copied!').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(copied, `${shop.address}/checkout/${ids[0]}`)
})

test('a link is copied where browsers offer no clipboard, too', async () => {
  const { page, ids } = await visitProducts('Oak chair')
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })
    addEventListener('copy', () => {
      document.title = getSelection()?.toString() ?? ''
    })
  })
  await page.reload()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await toast(page, 'Copied!').waitFor()
  await assertShows(() => page.title(), `${shop.address}/checkout/${ids[0]}`)
})

test('a product is edited, starting from its current values', async () => {
  const { page } = await visitProducts('Oak chair')
  await row(page, 'Oak chair').getByRole('button', { name: 'Edit Product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Product' })
  await assertShows(() => dialog.getByLabel('Product Name').inputValue(), 'Oak chair')
  await assertShows(() => dialog.getByLabel('Price').inputValue(), '49.00')
  await dialog.getByLabel('Product Name').fill('Oak armchair')
  await dialog.getByLabel('Enable quantity-based pricing').check()
  await dialog.getByRole('button', { name: 'Add Tier' }).click()
  const tier = dialog.getByRole('listitem')
  await assertShows(() => tier.getByLabel('Quantity').inputValue(), '1')
  await assertShows(() => tier.getByLabel('Price').inputValue(), '')
  await tier.getByLabel('Quantity').fill('5 pieces')
  await tier.getByLabel('Price').fill('45')
  await assertShows(() => tier.getByLabel('Quantity').inputValue(), '5')
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await toast(page, 'Product updated').waitFor()
  await row(page, 'Oak armchair').waitFor()
  const [saved] = await shop.db.select().from(products)
  assert.deepEqual(saved?.quantityTiers, [{ quantity: 5, price: '45' }])
})

test('deleting asks first, then the product leaves the list', async () => {
  const { page } = await visitProducts('Oak chair', 'Elm stool')
  const questions: string[] = []
  let answer = false
  page.on('dialog', async (question) => {
    questions.push(question.message())
    await (answer ? question.accept() : question.dismiss())
  })
  const remove = row(page, 'Oak chair').getByRole('button', { name: 'Delete Product' })
  await remove.click()
  await row(page, 'Oak chair').waitFor()
  answer = true
  await remove.click()
  await toast(page, 'Product deleted').waitFor()
  await row(page, 'Oak chair').waitFor({ state: 'hidden' })
  await row(page, 'Elm stool').waitFor()
  const asked = 'Are you sure you want to delete this product?'
  assert.deepEqual(questions, [asked, asked])
})

test('a product that cannot be deleted stays, and the owner sees an error', async () => {
  const { page } = await visitProducts('Oak chair')
  page.on('dialog', (question) => question.accept())
  await page.route(`**${apiRoutes.products}/*`, (route) => route.fulfill({ status: 503 }))
  await row(page, 'Oak chair').getByRole('button', { name: 'Delete Product' }).click()
  await toast(page, 'Error').waitFor()
  await toast(page, 'Failed to delete product. Please try again.').waitFor()
  await row(page, 'Oak chair').waitFor()
})

test('a list that does not load says so and offers another try', async () => {
  const { page } = await visitProducts('Oak chair')
  await page.route(`**${apiRoutes.products}`, (route) => route.fulfill({ status: 503 }))
  await page.reload()
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute(`**${apiRoutes.products}`)
  await again.click()
  await row(page, 'Oak chair').waitFor()
})

test('when the custom domain cannot be loaded, checkout links use the address of the page', async () => {
  const { page, ids } = await visitProducts('Oak chair')
  for (const fail of [
    (route: Route) => route.fulfill({ status: 500, body: '{}' }),
    (route: Route) => route.abort(),
  ]) {
    await page.unroute(`**${apiRoutes.customDomain}`)
    await page.route(`**${apiRoutes.customDomain}`, fail)
    await page.reload()
    const newTab = row(page, 'Oak chair').getByRole('link', { name: 'Open in new tab' })
    await assertShows(() => newTab.getAttribute('href'), `${shop.address}/checkout/${ids[0]}`)
  }
})

test('while the list loads the page says so', async () => {
  const { page } = await visitProducts('Oak chair')
  const { promise: enough, resolve: goOn } = Promise.withResolvers<void>()
  await page.route(`**${apiRoutes.products}`, async (route) => {
    await enough
    await route.continue()
  })
  await page.reload()
  await page.locator('p').getByText('Loading...').waitFor()
  goOn()
  await row(page, 'Oak chair').waitFor()
})

test('an admin who was signed out meanwhile is told so when changing a product', async () => {
  const { page } = await visitProducts('Oak chair')
  page.on('dialog', (question) => question.accept())
  await page.context().clearCookies()
  await row(page, 'Oak chair').getByRole('button', { name: 'Delete Product' }).click()
  await toast(page, 'You are logged out. Logging in again...').waitFor()
  await page.waitForURL('**/login')
})

test('buttons with only an icon show their name on hover', async () => {
  const { page } = await visitProducts('Oak chair')
  for (const name of ['Get HTML Buy Button', 'Edit Product', 'Delete Product']) {
    await row(page, 'Oak chair').getByRole('button', { name }).hover()
    await page.getByRole('tooltip', { name }).waitFor()
    await page.mouse.move(0, 0, { steps: 5 })
    await page.getByRole('tooltip', { name }).waitFor({ state: 'hidden' })
  }
})
