import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { fillCard, fillDelivery, payButton } from '#e2e/testing/checkout-page.ts'
import { waitForToast } from '#e2e/testing/order-pages.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const desktop = { width: 1280, height: 800 }
const page = await shop.visitAsAdmin({ viewport: desktop, bypassCSP: true })
const dialog = page.getByRole('dialog')
const product = (name: string) => page.getByRole('row').filter({ hasText: name })
let buyers = 0

async function addProduct(name: string, more: object = {}): Promise<string> {
  const data = { name, price: '49.00', headerLogoUrl: `${shop.address}/favicon.svg`, ...more }
  const answer = await page.request.post(apiRoutes.products, { data })
  return ((await answer.json()) as { id: string }).id
}

/** The id of a paid order. */
async function buy(id: string): Promise<string> {
  const buyer = createBuyer(shop, `203.0.113.${(buyers += 1)}`)
  const checkoutId = await buyer.arrive(id)
  await payByCard(shop.sandbox, checkoutId)
  return (await buyer.order(checkoutId)).json().id
}

test('the owner enters how many there are, and buyers are told when few are left, or none', async () => {
  const id = await addProduct('Oak chair')
  await page.goto('/products')
  await product('Oak chair').getByRole('button', { name: 'Edit Product' }).click()
  await dialog.getByRole('button', { name: 'Stock' }).click()
  const pieces = dialog.getByRole('textbox', { name: /^Pieces in stock/ })
  await pieces.fill('some')
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await dialog.getByText('Enter a whole number of pieces').waitFor()
  await pieces.fill('2')
  await dialog.getByRole('checkbox', { name: 'Show how few are left' }).check()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'form')
  await page.setViewportSize(desktop)
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await product('Oak chair').getByText('2 left').waitFor()

  const late = await shop.visit({ bypassCSP: true })
  await late.goto(checkoutPath(id))
  await late.getByText('Only 2 left').first().waitFor()
  await fillDelivery(late)
  await fillCard(late)
  await buy(id)
  await buy(id)
  await payButton(late).click()
  await late.getByRole('heading', { name: 'Sold out' }).waitFor()
  await late.getByText('Your card was not sent, and nothing was charged.').waitFor()
  assert.equal(shop.sandbox.ledger().transactions.length, 2)

  await late.goto(checkoutPath(id))
  await late.getByRole('heading', { name: 'Sold out' }).waitFor()
  await assertShows(() => late.getByText('Your card was not sent').count(), 0)
  assert.deepEqual(await findIssuesAtBothWidths(late), [], 'sold out')
  await page.reload()
  await product('Oak chair').getByText('Sold out').waitFor()
  await product('Oak chair').getByRole('button', { name: 'Edit Product' }).click()
  await dialog.getByText('0 left, 2 sold since you last entered a number.').waitFor()
})

test('saving a product does not count again what was sold while its form was open', async () => {
  const id = await addProduct('Lamp', { stock: 5 })
  await page.goto('/products')
  await product('Lamp').getByRole('button', { name: 'Edit Product' }).click()
  await buy(id)
  await dialog.getByRole('textbox', { name: /^Product Name/ }).fill('Brass lamp')
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await product('Brass lamp').getByText('4 left').waitFor()
})

test('an oversold order says so with the refund beside it; a piece that comes back is sold again', async () => {
  const id = await addProduct('Print', { stock: 1 })
  const order = await buy(id)
  await shop.db.update(orders).set({ isOversold: true }).where(eq(orders.id, order))
  await page.goto('/orders')
  const listed = page.getByRole('row').filter({ hasText: order.slice(0, 8) })
  await listed.getByText('Oversold').waitFor()
  await page.goto(`/orders?order=${order}`)
  await dialog.getByText('It was paid when no piece was left.').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await dialog.getByRole('button', { name: 'refund it' }).click()
  const refund = page.getByRole('dialog', { name: /^Refund/ })
  await refund.getByLabel(/^Amount/).waitFor()
  assert.equal(await refund.getByRole('checkbox', { name: 'Back in stock' }).count(), 0)

  await shop.db.update(orders).set({ isOversold: false }).where(eq(orders.id, order))
  await page.goto(`/orders?refund=${order}`)
  await refund.getByRole('checkbox', { name: 'Back in stock' }).check()
  await refund.getByRole('button', { name: 'Refund €49.00' }).click()
  await waitForToast(page, 'Refunded')
  const readLeft = async () => {
    const listedProducts = await page.request.get(apiRoutes.products)
    const all = (await listedProducts.json()) as { id: string; left?: number }[]
    return all.find((one) => one.id === id)?.left
  }
  await assertShows(readLeft, 1)
})
