import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { apiRoutes, checkoutPath, pages } from '#contract/paths.ts'
import { productSchema } from '#contract/products.ts'
import { createProduct } from '#server/catalog/products.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { ownLogo } from '#server/testing/orders.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { buyer, payButton } from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shopEmail = 'hello@mugs.example'
const shop = await openBrowserShop({ environment: { SHOP_NAME: 'Mugs', SHOP_EMAIL: shopEmail } })
const phone = { viewport: { width: 375, height: 667 } }

test('the first screen of a phone shows picture, name and price of the product', async () => {
  const product = productSchema.parse({
    name: 'A mug with a rather long name that nobody can read at once',
    description: 'Stoneware, thrown and glazed by hand.\nKeeps tea warm for an hour.',
    price: '49.00',
    headerLogoUrl: ownLogo,
    imageUrl: ownLogo,
  })
  const { id } = await createProduct(shop.db, product, 'admin')
  const page = await shop.visit(phone)
  await page.goto(checkoutPath(id))
  for (const element of [
    page.locator('img[data-product-picture]'),
    page.getByText(product.name, { exact: true }),
    page.getByText('€49.00').first(),
  ]) {
    const box = await element.boundingBox()
    assert.ok(box && box.height > 0 && box.y >= 0 && box.y + box.height <= 667)
  }
})

test('a toast covers neither the field in use nor one that is used next', async () => {
  const page = await shop.visit(phone)
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(`**${apiRoutes.createCheckout}`, async (route) => {
    await held
    await route.abort()
  })
  await page.goto(checkoutPath(await addMug(shop)))
  const [city, phoneNumber] = [page.getByLabel('City'), page.getByLabel('Phone')]
  await city.focus()
  await city.evaluate((field) => scrollBy(0, field.getBoundingClientRect().top - 60))
  letGo()
  const card = page.getByRole('alert').locator('> *')
  await card.waitFor()
  await assertShows(() => isOver(card, city), false)
  await phoneNumber.focus()
  await phoneNumber.evaluate((field) =>
    scrollBy(0, field.getBoundingClientRect().bottom - innerHeight),
  )
  await city.focus()
  await phoneNumber.focus()
  await assertShows(() => isOver(card, phoneNumber), false)
})

async function isOver(one: Locator, other: Locator): Promise<boolean> {
  const [first, second] = [await one.boundingBox(), await other.boundingBox()]
  assert.ok(first && second)
  return first.y < second.y + second.height && second.y < first.y + first.height
}

test('Enter on a checkout page before its script has arrived sends nothing anywhere', async () => {
  const page = await shop.visit(phone)
  await page.route('**/assets/*.js', () => undefined)
  await assertEnterSendsNothing(page)
})

test('without scripts the checkout says so at its top and shows everything else, and Enter sends nothing anywhere', async () => {
  const page = await shop.visit({ ...phone, javaScriptEnabled: false })
  await assertEnterSendsNothing(page)
  const notice = page.locator('noscript p', { hasText: 'Paying here needs JavaScript.' })
  await page.evaluate('scrollTo(0, 0)')
  await assertShows(async () => (await notice.boundingBox())?.y, 0)
  await page.getByText('Subtotal', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Delivery' }).waitFor()
  await assertShows(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
})

async function assertEnterSendsNothing(page: Page): Promise<void> {
  const path = checkoutPath(await addMug(shop))
  await page.goto(path, { waitUntil: 'commit' })
  await assertShows(() => payButton(page).isDisabled(), true)
  const requests: string[] = []
  // What the page consists of may still be on its way.
  const parts = ['stylesheet', 'script', 'image', 'font']
  page.on('request', (request) => {
    if (!parts.includes(request.resourceType())) requests.push(request.url())
  })
  const email = page.getByLabel('Email', { exact: true })
  await email.fill(buyer.email)
  await email.press('Enter')
  await page.evaluate("document.getElementById('checkout-form').requestSubmit()")
  assert.equal(page.url(), shop.address + path)
  assert.deepEqual(requests, [])
}

test('without scripts the login says so', async () => {
  const page = await shop.visit({ ...phone, javaScriptEnabled: false })
  await page.goto(pages.login)
  const box = await page.locator('noscript p').boundingBox()
  assert.ok(box && box.x >= 16 && box.y >= 16 && box.y < 100 && box.width <= 375 - 32)
})

test('pages in place of a checkout name the shop and how to reach it', async () => {
  const page = await shop.visit({ bypassCSP: true })
  for (const [path, title] of [
    ['/nowhere', 'Page Not Found'],
    ['/checkout/none', 'Product not found'],
    ['/thank-you/none', 'Order not found'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { name: title, exact: true }).waitFor()
    await assertNamesShop(page)
    await page.getByText('Mugs', { exact: true }).waitFor()
    assert.deepEqual(await findIssuesAtBothWidths(page), [], title)
  }
  const mug = await addMug(shop)
  await shop.db
    .update(products)
    .set({ pausedAt: sql`now()` })
    .where(eq(products.id, mug))
  await page.goto(checkoutPath(mug))
  await page.getByRole('heading', { name: 'Not for sale right now' }).waitFor()
  await page.getByRole('img', { name: 'Mugs' }).waitFor()
  await assertNamesShop(page)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
})

async function assertNamesShop(page: Page): Promise<void> {
  await page.getByText('Write to Mugs').waitFor()
  await page.getByRole('link', { name: shopEmail }).waitFor()
}
