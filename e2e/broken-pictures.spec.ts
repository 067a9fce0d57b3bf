import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath, thankYouPath } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const missing = ['/objects/nothing.png', `/api/objects/${'0'.repeat(32)}`]

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
  for (const [index, headerName] of ['The Chair Shop', null].entries()) {
    await page.goto(checkoutPath(await addWithout(missing[index] ?? '', { headerName })))
    const header = page.getByRole('banner')
    await header.getByText(headerName ?? 'Checkout', { exact: true }).waitFor()
    await assertShows(() => header.locator('img').count(), 0)
  }
})

test('buyers see a placeholder instead of a broken picture', async () => {
  const url = '/objects/nothing.png'
  const page = await shop.visit()
  const shown = page.locator(`img[src="${url}"]:visible`).first()
  await page.goto(checkoutPath(await addWithout(url)))
  await page.getByText('Oak chair').first().waitFor()
  await shown.waitFor({ state: 'detached' })

  const [order] = await addOrders(shop.db, [{}])
  assert.ok(order)
  const product = { ...order.product, imageUrl: url, headerLogoUrl: url }
  await shop.db.update(orders).set({ product }).where(eq(orders.id, order.id))
  await page.goto(thankYouPath(order.id))
  await page.getByText('Thank you!').waitFor()
  await shown.waitFor({ state: 'detached' })
})
