import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { repeatOrder, replaceOrders } from '#e2e/testing/order-pages.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
await replaceOrders(shop, ...repeatOrder(2))
const page = await shop.visitAsAdmin({ bypassCSP: true })

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const search = (page: Page) => page.getByRole('textbox', { name: 'Search orders' })

async function press(page: Page, keys: string) {
  for (const key of keys.split(' ')) await page.keyboard.press(key)
}

/** Without waiting in between: the second key counts for a second and a half. */
async function pressBoth(page: Page, keys: string) {
  await Promise.all(keys.split(' ').map((key) => page.keyboard.press(key)))
}

test('g and a letter leads to a page, and / into its search', async () => {
  await page.goto('/products')
  await heading(page, 'Products').waitFor()
  for (const [keys, title] of [
    ['g o', 'Orders'],
    ['g f', 'Fulfillment'],
    ['g a', 'Analytics'],
    ['g p', 'Products'],
    ['G O', 'Orders'],
  ] as const) {
    await pressBoth(page, keys)
    await heading(page, title).waitFor()
  }
  await press(page, 'g x o')
  await press(page, '/')
  await assertShows(() => search(page).evaluate((input) => input === document.activeElement), true)
  await assertShows(() => search(page).inputValue(), '')
  await press(page, 'g p ?')
  await assertShows(() => search(page).inputValue(), 'gp?', 'who types is not led away')
  assert.equal(await sheet(page).count(), 0)
})

test('single keys do nothing with other keys held, or while a dialog is open', async () => {
  await page.goto('/products')
  await heading(page, 'Products').waitFor()
  await press(page, 'Alt+g o')
  await press(page, 'g Alt+o')
  await page.getByRole('button', { name: 'Add Product' }).click()
  const form = page.getByRole('dialog', { name: 'Add New Product' })
  await form.waitFor()
  await form.getByRole('button', { name: 'Close' }).focus()
  await press(page, 'g o ?')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/products')
  assert.equal(await sheet(page).count(), 0)
})

test('? lists the shortcuts, where single keys are turned off for good', async () => {
  await page.goto('/orders')
  await search(page).waitFor()
  await assertShows(() => search(page).getAttribute('aria-keyshortcuts'), '/')
  await press(page, '?')
  await sheet(page).getByText('Go to fulfillment').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  const choice = sheet(page).getByRole('checkbox', { name: 'Single-key shortcuts' })
  await choice.uncheck()
  await press(page, 'Escape')
  await sheet(page).waitFor({ state: 'detached' })
  await page.reload()
  await search(page).waitFor()
  await assertShows(() => search(page).getAttribute('aria-keyshortcuts'), null)
  await press(page, 'g p ? /')
  assert.equal(new URL(page.url()).pathname, '/orders')
  await assertShows(() => page.evaluate(() => document.activeElement?.tagName), 'BODY')

  await press(page, 'Control+k')
  await page.getByRole('combobox').fill('shortcuts')
  await press(page, 'Enter')
  await choice.check()
  await press(page, 'Escape')
  await sheet(page).waitFor({ state: 'detached' })
  await pressBoth(page, 'g p')
  await heading(page, 'Products').waitFor()
})
