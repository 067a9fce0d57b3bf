import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { bulkControls, listedRows, repeatOrder, replaceOrders } from '#e2e/testing/order-pages.ts'

const shop = await openBrowserShop()

type Box = { x: number; y: number; width: number; height: number }

/** Once it is on the screen: a dialog is replaced when what it shows has loaded. */
const boxOf = (part: Locator): Promise<Box> =>
  waitFor('it is on the screen', async () => (await part.boundingBox()) ?? undefined)

function isCovered(part: Box, by: Box): boolean {
  return (
    part.x < by.x + by.width &&
    by.x < part.x + part.width &&
    part.y < by.y + by.height &&
    by.y < part.y + part.height
  )
}

const screens = {
  'on a desktop': { viewport: { width: 1280, height: 720 } },
  'on a phone': { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true },
}

for (const [where, screen] of Object.entries(screens))
  test(`${where} a toast covers no list, no bulk button, no dialog and no panel`, async () => {
    const [id] = await replaceOrders(shop, ...repeatOrder(40))
    const page = await shop.visitAsAdmin({ ...screen, reducedMotion: 'reduce' })
    // Not by its role, which it has not while a dialog is open.
    const toastOf = (title: string) =>
      page.locator('li').filter({ has: page.getByText(title, { exact: true }) })
    const { visitFulfillment, boxOf: checkboxOf } = bulkControls(page)
    await visitFulfillment()
    await checkboxOf(id).check()
    const bar = await boxOf(page.getByRole('banner'))
    await page.mouse.wheel(0, 900)
    await page.waitForFunction(() => scrollY > 0)
    await page.getByRole('button', { name: 'Mark as Processing' }).click()
    const shown = await boxOf(toastOf('Orders updated'))
    assert.ok(shown.y >= 0 && shown.y + shown.height <= bar.y + bar.height, JSON.stringify(shown))

    await page.goto(`/orders?order=${id}`)
    const panel = page.getByRole('dialog')
    await panel.waitFor()
    assert.ok(!isCovered(await boxOf(panel), shown), 'the panel of an order')
    await page.goto('/orders')
    await listedRows(page).first().waitFor()
    await page.getByRole('button', { name: /^Search/ }).click()
    assert.ok(!isCovered(await boxOf(page.getByRole('dialog')), shown), 'the palette')

    await page.goto('/products?product=new')
    const dialog = page.getByRole('dialog', { name: 'Add New Product' })
    await dialog.getByRole('button', { name: 'Create Product' }).click()
    const refusal = await boxOf(toastOf('Validation Error'))
    assert.ok(!isCovered(await boxOf(dialog), refusal), 'the form of a product')
    await page.goto('/products?settings=shop')
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await settings.waitFor()
    assert.ok(!isCovered(await boxOf(settings), shown), 'the settings')
    await page.close()
  })
