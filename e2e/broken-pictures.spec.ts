import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath, thankYouPath } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
/** Pictures that are not there, and texts that are no pictures: they are kept, and nothing is loaded. */
const missing = [
  `${shop.address}/objects/nothing.png`,
  `/api/objects/${'0'.repeat(32)}`,
  'logo.png',
  'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=',
  '/objects/nothing.png',
  'x'.repeat(1000),
]

/** A product whose pictures are not there, saved by its owner. */
async function addWithout(url: string, changes: Record<string, unknown> = {}): Promise<string> {
  const product = { name: 'Oak chair', price: '49', imageUrl: url, headerLogoUrl: url, ...changes }
  const answer = await shop.app.inject({
    method: 'POST',
    url: apiRoutes.products,
    headers: await shop.signIn(),
    payload: product,
  })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().id
}

test('in the back-office a broken picture reads No image, in the list and in the form', async () => {
  for (const url of missing) await addWithout(url)
  const page = await shop.visitAsAdmin()
  await page.goto('/products')
  for (const index of missing.keys())
    await page.getByText('No image', { exact: true }).nth(index).waitFor()
  await assertShows(() => page.locator('table img:visible').count(), 0)
  await page.getByRole('button', { name: 'Edit Product' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Edit Product' })
  await dialog.getByText('No image', { exact: true }).nth(1).waitFor()
  await dialog.getByLabel('Product Name').fill('Elm chair')
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await page.getByText('Product updated', { exact: true }).first().waitFor()
})

test('a checkout with a broken logo shows the header name, or Checkout', async () => {
  const page = await shop.visit()
  for (const [index, url] of missing.entries()) {
    const headerName = index % 2 ? 'The Chair Shop' : null
    await page.goto(checkoutPath(await addWithout(url, { headerName })))
    const header = page.getByRole('banner')
    await header.getByText(headerName ?? 'Checkout', { exact: true }).waitFor()
    await assertShows(() => header.locator('img').count(), 0)
  }
})

test('buyers see a placeholder instead of a broken picture', async () => {
  const page = await shop.visit()
  const shown = page.locator('img[data-product-picture]:visible')
  const [order] = await addOrders(shop.db, [{}])
  assert.ok(order)
  for (const url of missing) {
    const path = checkoutPath(await addWithout(url))
    await page.goto(path)
    await page.getByText('Oak chair').first().waitFor()
    await assertShows(() => shown.count(), 0, url)

    const product = { ...order.product, imageUrl: url, headerLogoUrl: url }
    await shop.db.update(orders).set({ product }).where(eq(orders.id, order.id))
    await page.goto(thankYouPath(order.id))
    await page.getByText('Thank you!').waitFor()
    await assertShows(() => shown.count(), 0, url)
    const [, ...tags] = (await (await page.request.get(path)).text()).split('<')
    const isShown = tags.some(
      (tag) => /^(img|link|meta)/.test(tag) && tag.includes(url.slice(0, 40)),
    )
    assert.equal(isShown, /^http|^.api/.test(url), url)
  }
})

test('the list of orders shows ? for a text that is no picture', async () => {
  const [order] = await addOrders(shop.db, [{}])
  assert.ok(order)
  const product = { ...order.product, name: 'Elm stool', imageUrl: 'logo.png' }
  await shop.db.update(orders).set({ product }).where(eq(orders.id, order.id))
  const page = await shop.visitAsAdmin()
  await page.goto('/orders')
  await page.getByText('Elm stool').waitFor()
  await assertShows(() => page.getByText('?', { exact: true }).count(), 2)
  await assertShows(() => page.locator('main img').count(), 0)
})
