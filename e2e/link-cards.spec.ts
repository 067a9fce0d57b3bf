import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'
import { addMug } from '#server/testing/buyer.ts'

const shop = await openBrowserShop()

test('the owner sees the card of a link while writing a product, and chooses what it says', async () => {
  await addMug(shop)
  const page = await shop.visitAsAdmin({ viewport: { width: 1280, height: 900 } })
  await page.goto('/products')
  await page.getByRole('button', { name: 'Edit' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const preview = dialog.getByRole('region', { name: 'Checkout preview' })
  await preview.getByRole('button', { name: 'Link' }).click()
  for (const service of ['WhatsApp', 'iMessage', 'Slack']) {
    const card = preview.getByRole('figure', { name: service })
    await card.getByText('Mug', { exact: true }).waitFor()
    await assertShows(
      () => card.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth),
      1200,
    )
    const source = (await card.locator('img').getAttribute('src')) ?? ''
    const { width, height } = await sharp(
      Buffer.from(source.split(',')[1] ?? '', 'base64'),
    ).metadata()
    assert.deepEqual({ width, height }, { width: 1200, height: 630 })
  }
  await dialog.getByLabel('Product Name').fill('Harbour Mug')
  await preview.getByText('Harbour Mug', { exact: true }).first().waitFor()
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.goto('/products?settings=links')
  await dialog.getByLabel('Price in the card’s title').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved', { exact: true }).first().waitFor()
  await page.goto('/products')
  await page.getByRole('button', { name: 'Edit' }).first().click()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await preview.getByRole('button', { name: 'Link' }).click()
  await preview.getByText('Harbour Mug · €49.00', { exact: true }).first().waitFor()
})
