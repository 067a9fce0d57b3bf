import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiRoutes } from '#contract/paths.ts'
import { products } from '#server/db/schema.ts'
import { openBrowserShop } from '#e2e/browser-shop.ts'
import { findFaults } from '#e2e/find-faults.ts'

const shop = await openBrowserShop()

async function visitProducts(look: { width: number; colorScheme?: 'light' | 'dark' }) {
  await shop.db.delete(products)
  const { width, colorScheme = 'light' } = look
  const viewport = { width, height: 800 }
  const page = await shop.visitAsAdmin({ colorScheme, viewport, bypassCSP: true })
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
  return page
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 375]) {
    test(`list and dialogs are free of accessibility faults, ${colorScheme}, ${width} px`, async () => {
      const page = await visitProducts({ width, colorScheme })
      assert.deepEqual(await findFaults(page), [], 'list')

      await page.getByRole('button', { name: 'Get HTML Buy Button' }).first().click()
      await page.getByRole('dialog').waitFor()
      assert.deepEqual(await findFaults(page), [], 'buy button')
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
      assert.deepEqual(await findFaults(page), [], 'form with everything wrong, and an upload')

      await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
      await page.getByRole('alertdialog').waitFor()
      assert.deepEqual(await findFaults(page), [], 'question')
    })
  }
}

test('nothing is wider than the screen, down to 320 px', async () => {
  const page = await visitProducts({ width: 1280 })
  for (const name of [undefined, 'Get HTML Buy Button', 'Edit Product']) {
    if (name) await page.getByRole('button', { name }).first().click()
    if (name) await page.getByRole('dialog').waitFor()
    for (const width of [1280, 1024, 768, 375, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await nextFrame(page)
      assert.deepEqual(await findOverflow(page), [], `${name ?? 'list'} at ${width} px`)
    }
    await page.keyboard.press('Escape')
  }
})

/** By then the page has heard of its new width. */
function nextFrame(page: Page): Promise<unknown> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** What could be scrolled sideways: the page, and whatever a dialog holds. */
function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [document.documentElement, ...document.querySelectorAll('[role=dialog] *')]
    const wide = boxes.filter((box) => {
      const { overflowX, display } = getComputedStyle(box)
      const isWide = box.scrollWidth > box.clientWidth + 1
      return isWide && overflowX !== 'hidden' && overflowX !== 'clip' && display !== 'inline'
    })
    return wide.map((box) => box.outerHTML.slice(0, 120))
  })
}
