import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import type { Product } from '#contract/products.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  fillCard,
  fillDelivery,
  openCheckoutPage,
  payButton,
  toast,
} from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const page = await shop.visitAsAdmin({ viewport: { width: 1280, height: 800 }, bypassCSP: true })
const dialog = page.getByRole('dialog')
const product = (name: string) => page.getByRole('row').filter({ hasText: name })
let buyers = 0

async function addShirt(name: string, values: object[], more: object = {}): Promise<Product> {
  const choice = { name: 'Size', values }
  const headerLogoUrl = `${shop.address}/favicon.svg`
  const data = { name, price: '49.00', headerLogoUrl, choice, ...more }
  const answer = await page.request.post(apiRoutes.products, { data })
  assert.equal(answer.status(), 201, await answer.text())
  return (await answer.json()) as Product
}

function idOf({ choice }: Product, name: string): string {
  return choice?.values.find((value) => value.name === name)?.id ?? ''
}

/** Somebody else buys one. */
async function buy(shirt: Product, name: string): Promise<void> {
  const other = createBuyer(shop, `203.0.113.${(buyers += 1)}`)
  const { checkoutId } = (await other.open(shirt.id)).json()
  await other.saveDetails(checkoutId, { ...delivery, choice: idOf(shirt, name) })
  await payByCard(shop.sandbox, checkoutId)
  // The sweep may have made the order already.
  assert.ok((await other.order(checkoutId)).json().id)
}

const size = (buyer: Page, name: string) => buyer.getByRole('radio', { name, exact: true })

test('the owner adds a choice, a buyer chooses M, and everyone is told of it', async () => {
  await addShirt('Linen shirt', [{ name: 'One size' }])
  await page.goto('/products')
  await page.getByRole('button', { name: 'Add Product' }).first().waitFor()
  await product('Linen shirt').getByRole('button', { name: 'Edit Product' }).click()
  await dialog.getByRole('textbox', { name: /^What buyers choose/ }).fill('')
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await dialog.getByText('Enter what buyers choose, such as Size').waitFor()
  await dialog.getByRole('textbox', { name: /^What buyers choose/ }).fill('Size')
  await dialog.getByRole('textbox', { name: 'Value 1' }).fill('M')
  await dialog.getByRole('button', { name: 'Add Value' }).click()
  await dialog.getByRole('textbox', { name: 'Value 2' }).fill('m')
  await dialog
    .getByRole('textbox', { name: /^In stock/ })
    .first()
    .fill('1')
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await dialog.getByText('Two values have the same name').waitFor()
  await dialog.getByRole('textbox', { name: 'Value 2' }).fill('L')
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await product('Linen shirt').getByText('M 1 · L').waitFor()

  const listed = (await (await page.request.get(apiRoutes.products)).json()) as Product[]
  const shirt = listed.find(({ name }) => name === 'Linen shirt')
  assert.ok(shirt)
  const buyer = await openCheckoutPage(shop, shirt.id)
  await fillDelivery(buyer)
  await fillCard(buyer)
  await payButton(buyer).click()
  await buyer.getByRole('link', { name: 'Choose: Size' }).click()
  await size(buyer, 'M').press('Space')
  await buyer.getByText('Size: M').waitFor()
  await buyer.reload()
  await buyer.getByText('Size: M').waitFor()
  await assertShows(() => size(buyer, 'M').isChecked(), true)
  await fillCard(buyer)
  await payButton(buyer).click()
  await buyer.waitForURL(/thank-you/)
  await buyer.getByText('Size: M').waitFor()

  await page.goto('/orders')
  const row = page.getByRole('row').filter({ hasText: 'Linen shirt' })
  await row.getByText('· M').waitFor()
  const order = buyer.url().split('/').at(-1) ?? ''
  await page.goto(`/orders?order=${order}`)
  await dialog.getByText('Size: M').waitFor()
  await dialog.getByRole('button', { name: 'Packing slip' }).click()
  await dialog.getByRole('article').getByText('Linen shirt · M').waitFor()
  await page.goto('/products')
  await product('Linen shirt').getByText('M sold out · L').waitFor()
  const next = await openCheckoutPage(shop, shirt.id)
  await assertShows(() => size(next, 'M Sold out').isDisabled(), true)
  await next.getByText('L', { exact: true }).click()
  await next.getByText('Size: L').waitFor()
})

test('of a value that is bought meanwhile the buyer is told at its field, and keeps the rest', async () => {
  const shirt = await addShirt('Wool shirt', [{ name: 'M', stock: 1 }, { name: 'L' }])
  const late = await openCheckoutPage(shop, shirt.id)
  await late.getByText('M', { exact: true }).click()
  await fillDelivery(late)
  await fillCard(late)
  await buy(shirt, 'M')
  await payButton(late).click()
  await toast(late, 'Please look again').waitFor()
  const link = late.getByRole('link', { name: /^What you chose is sold/ })
  await link.click()
  await late.keyboard.press('Space')
  await late.getByText('Size: L').waitFor()
  await assertShows(() => size(late, 'M Sold out').isDisabled(), true)
  await payButton(late).click()
  await late.waitForURL(/thank-you/)
  await late.getByText('Size: L').waitFor()
})

test('a link names the value, whose picture the summary shows', async () => {
  const picture = `${shop.address}/favicon.svg`
  const shirt = await addShirt('Silk shirt', [{ name: 'Red', imageUrl: picture }, { name: 'Blue' }])
  const buyer = await shop.visit({ bypassCSP: true })
  await buyer.goto(`${checkoutPath(shirt.id)}?choice=red`)
  await buyer.getByText('Size: Red').waitFor()
  const shown = buyer.locator(`img[data-value="${idOf(shirt, 'Red')}"]`)
  await shown.waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(buyer), [])
  await buyer.getByText('Blue', { exact: true }).click()
  await buyer.getByText('Size: Blue').waitFor()
  assert.ok(await shown.isHidden())
})

test('a page whose value is gone or renamed is loaded again, with what was typed', async () => {
  const shirt = await addShirt('Cotton shirt', [{ name: 'S' }, { name: 'M' }])
  const buyer = await openCheckoutPage(shop, shirt.id)
  await buyer.getByText('M', { exact: true }).click()
  await buyer.getByText('Size: M').waitFor()
  await fillDelivery(buyer)
  await fillCard(buyer)
  const { name, price, headerLogoUrl } = shirt
  const change = async (values: object[]) => {
    const data = { name, price, headerLogoUrl, choice: { name: 'Size', values } }
    const saved = await page.request.put(`/api/products/${shirt.id}`, { data })
    assert.equal(saved.status(), 200)
  }
  const small = { id: idOf(shirt, 'S'), name: 'S' }
  await change([small])
  await payButton(buyer).click()
  await toast(buyer, 'Please look again').waitFor()
  await size(buyer, 'M').waitFor({ state: 'detached' })
  await assertShows(() => buyer.getByLabel('City').first().inputValue(), 'Berlin')
  assert.ok(!(await size(buyer, 'S').isChecked()))

  const other = await openCheckoutPage(shop, shirt.id)
  await other.getByText('S', { exact: true }).click()
  await fillDelivery(other)
  await fillCard(other)
  await change([{ ...small, name: 'XXL' }])
  await payButton(other).click()
  await other.getByText('What you chose was changed, or is no longer offered').waitFor()
  await other.getByText('Size: XXL').waitFor()
})

test('without script the page says what there is', async () => {
  const shirt = await addShirt('Hemp shirt', [{ name: 'S', stock: 0 }, { name: 'M' }])
  const visitor = await shop.visit({ javaScriptEnabled: false })
  await visitor.goto(checkoutPath(shirt.id))
  await visitor.getByRole('heading', { name: 'Size' }).waitFor()
  await visitor.getByText('Sold out').waitFor()
  await visitor.getByText('M', { exact: true }).waitFor()
})
