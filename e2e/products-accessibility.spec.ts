import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { products } from '#server/db/schema.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { findIssuesAtBothWidths, findOverflow } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()

const page = await shop.visitAsAdmin({ bypassCSP: true })

async function visitProducts() {
  await page.unrouteAll()
  await shop.db.delete(products)
  for (const data of [
    { name: 'Oak chair', price: '49', imageUrl: `${shop.address}/favicon.svg` },
    { name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(5), price: '99999999' },
    { name: 'مصباح', price: '5', currency: 'CZK', quantityPricingEnabled: true },
  ]) {
    const product = { headerLogoUrl: `${shop.address}/favicon.svg`, ...data }
    assert.equal((await page.request.post(apiRoutes.products, { data: product })).status(), 201)
  }
  await page.goto('/products')
  await page.getByRole('row', { name: 'Oak chair' }).waitFor()
}

test('list and dialogs are free of accessibility faults, on a desktop and a phone', async () => {
  await visitProducts()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'list')

  await page.getByRole('button', { name: 'Get HTML Buy Button' }).first().click()
  await page.getByRole('dialog').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'buy button')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Add Product' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Currency').selectOption('GBP')
  await dialog.getByLabel('Enable quantity-based pricing').check()
  await dialog.getByRole('button', { name: 'Add Tier' }).click()
  await dialog.getByLabel('Checkout Page Header Logo').setInputFiles({
    name: 'a.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('x'),
  })
  await dialog.getByRole('button', { name: 'Create Product' }).click()
  await dialog.getByText('Product name is required').waitFor()
  await page.route(`**${apiRoutes.upload}`, () => {})
  const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('x') }
  await dialog.getByLabel('Product Image').setInputFiles(file)
  await dialog.getByRole('progressbar').waitFor()
  // The bare button of an upload stands out of its row on purpose, by its padding.
  const form = await findIssuesAtBothWidths(page, '[role=dialog]')
  assert.deepEqual(form, [], 'with everything wrong, and an upload')

  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByText('Changes discarded', { exact: true }).waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'toast')
})

test('nothing is wider than the screen, down to 320 px', async () => {
  await visitProducts()
  for (const name of [undefined, 'Get HTML Buy Button', 'Edit Product']) {
    if (name) await page.getByRole('button', { name }).first().click()
    if (name) await page.getByRole('dialog').waitFor()
    for (const width of [1280, 1024, 768, 375, 320]) {
      await page.setViewportSize({ width, height: 800 })
      assert.deepEqual(await findOverflow(page), [], `${name ?? 'list'} at ${width} px`)
    }
    await page.keyboard.press('Escape')
  }
})
