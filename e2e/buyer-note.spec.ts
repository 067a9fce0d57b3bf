import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  buyer,
  fillDelivery,
  openCheckoutPage,
  pay,
  payButton,
  waitForCardForm,
} from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const text = 'For Anna\nwith love'

async function addRing(isNoteRequired: boolean): Promise<string> {
  const page = await shop.visitAsAdmin()
  const headerLogoUrl = `${shop.address}/favicon.svg`
  const data = { name: 'Ring', price: '49', headerLogoUrl, noteLabel: 'Engraving', isNoteRequired }
  const answer = await page.request.post(apiRoutes.products, { data })
  assert.equal(answer.status(), 201)
  return (await answer.json()).id
}

test('the owner asks for a text, without a right of withdrawal, and can ask for nothing again', async () => {
  const page = await shop.visitAsAdmin()
  await addRing(false)
  await page.goto('/products')
  await page.getByRole('button', { name: 'Edit Product' }).first().click()
  const dialog = page.getByRole('dialog')
  await assertShows(() => dialog.getByLabel('Ask buyers for a text').inputValue(), 'Engraving')
  await dialog.getByLabel('Required').check()
  await dialog.getByLabel('Made for the buyer').check()
  const right = dialog.getByLabel('Right of withdrawal', { exact: true })
  await assertShows(() => right.inputValue(), 'personalised')
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Edit Product' }).first().click()
  await assertShows(() => dialog.getByLabel('Required').isChecked(), true)
  await assertShows(() => dialog.getByLabel('Made for the buyer').isChecked(), true)
  await dialog.getByLabel('Ask buyers for a text').fill('')
  await dialog.getByLabel('Required').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [product] = await (await page.request.get(apiRoutes.products)).json()
  assert.deepEqual([product.noteLabel, product.withdrawalExemption], [undefined, 'personalised'])
})

test('the buyer writes it, in a field that everyone can use, and the owner reads it wherever the order is made ready', async () => {
  const page = await shop.visit({ bypassCSP: true })
  await page.goto(checkoutPath(await addRing(true)))
  const field = page.getByLabel('Engraving')
  await fillDelivery(page)
  await waitForCardForm(page)
  await payButton(page).click()
  await page.getByRole('link', { name: 'Fill in “Engraving”' }).waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.getByRole('link', { name: 'Fill in “Engraving”' }).click()
  await assertShows(() => field.evaluate((one) => one === document.activeElement), true)
  await page.keyboard.type('For Anna')
  await page.keyboard.press('Enter')
  await page.keyboard.type('with love')
  await page.getByText('Characters left: 482').waitFor()

  await page.reload()
  await assertShows(() => field.inputValue(), text)
  await waitForCardForm(page)
  await pay(page)
  await page.waitForURL('**/thank-you/**')
  await page.getByText('with love').waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''

  const owner = await shop.visitAsAdmin({ permissions: ['clipboard-read', 'clipboard-write'] })
  await owner.goto('/orders?q=love')
  await owner.getByRole('row').getByText('For Anna').waitFor()
  await owner.goto(`/orders?order=${id}`)
  const panel = owner.locator('[data-order-panel]')
  await panel.getByRole('heading', { name: 'Engraving' }).waitFor()
  await panel.getByRole('button', { name: 'Copy the buyer’s text' }).click()
  await owner.getByText('Copied!', { exact: true }).first().waitFor()
  assert.equal(await owner.evaluate(() => navigator.clipboard.readText()), text)
  await panel.getByRole('button', { name: 'Packing slip' }).click()
  const slip = owner.getByRole('article', { name: 'Packing slip' })
  await slip.getByText('Engraving').waitFor()
  await slip.getByText('with love').waitFor()
})

test('a page from before the text was needed is loaded again, with what was typed', async () => {
  const id = await addRing(false)
  const page = await openCheckoutPage(shop, id)
  await fillDelivery(page)
  await waitForCardForm(page)
  const owner = await shop.visitAsAdmin()
  const headerLogoUrl = `${shop.address}/favicon.svg`
  const data = { name: 'Ring', price: '49', headerLogoUrl, isNoteRequired: true }
  assert.equal((await owner.request.put(`/api/products/${id}`, { data })).status(), 200)
  await pay(page)
  await page.getByText('This product needs a text from you.').first().waitFor()
  await assertShows(() => page.getByLabel('Engraving').getAttribute('required'), '')
  await assertShows(() => page.getByLabel('City').first().inputValue(), buyer.city)
  await page.getByLabel('Engraving').fill(text)
  await waitForCardForm(page)
  await pay(page)
  await page.waitForURL('**/thank-you/*')
})
