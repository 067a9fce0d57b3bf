import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { apiRoutes } from '#contract/paths.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { replaceOrders, toast, waitForToast } from '#e2e/testing/order-pages.ts'
import { pressEscapeIn } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const headerLogoUrl = `${shop.address}/favicon.svg`
const data = { name: 'Oak chair', price: '49', headerLogoUrl }
const headers = await shop.signIn()
await shop.app.inject({ method: 'POST', url: apiRoutes.products, headers, payload: data })

const page = await shop.visitAsAdmin({ permissions: ['clipboard-read', 'clipboard-write'] })

async function visitProducts(): Promise<void> {
  await page.unrouteAll()
  await page.goto('/products')
  await page.getByRole('button', { name: 'Copy link', description: 'Oak chair' }).waitFor()
}

/** Holds the answers of a call back until they are wanted. */
async function holdAnswers(url: string, method: string) {
  const held: Route[] = []
  await page.route(url, (route) => {
    if (route.request().method() === method) held.push(route)
    else void route.continue()
  })
  return async (answer: (route: Route) => Promise<void>) => {
    // The page says that it calls a moment before the call is held.
    await waitFor('a call is held', () => held.length > 0)
    await Promise.all(held.map(answer))
  }
}

test('a dialog that was opened while a toast is shown closes once', async () => {
  await visitProducts()
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Products' }).click()
  await page.getByRole('button', { name: 'Copy link', description: 'Oak chair' }).click()
  await waitForToast(page, 'Copied!')
  await page.getByRole('link', { name: 'Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Account' })
  await pressEscapeIn(dialog)
  await dialog.waitFor({ state: 'detached' })
  await waitForToast(page, 'Copied!')
  assert.equal(new URL(page.url()).pathname, '/products', 'it does not go back twice')
})

test('a dialog closes before the toast over it, wherever the focus is', async () => {
  await visitProducts()
  const dialog = page.getByRole('dialog', { name: 'HTML Buy Button' })
  for (const isFocusLost of [false, true]) {
    await page.getByRole('button', { name: 'Get HTML Buy Button' }).click()
    await dialog.getByRole('button', { name: 'Copy' }).first().click()
    await waitForToast(page, 'Copied!')
    if (isFocusLost)
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await waitForToast(page, 'Copied!')
    await page.keyboard.press('Escape')
    await toast(page, 'Copied!').waitFor({ state: 'detached' })
  }
})

test('a form closes before the toast over it', async () => {
  await visitProducts()
  const answer = await holdAnswers(`**${apiRoutes.products}/*`, 'PUT')
  await page.getByRole('button', { name: 'Edit Product', description: 'Oak chair' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Product' })
  await form.getByLabel('Product Name').fill('Elm chair')
  await form.getByRole('button', { name: 'Update Product' }).click()
  await form.getByRole('button', { name: 'Updating...' }).waitFor()
  await answer((route) => route.fulfill({ status: 500, body: '{}' }))
  await waitForToast(page, 'Failed to update product. Please try again.')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await waitForToast(page, 'Changes discarded')
})

test('a menu and a popover close before the toast over them', async () => {
  await visitProducts()
  const answer = await holdAnswers(`**${apiRoutes.products}/*/pause`, 'POST')
  const menu = page.getByRole('menu')
  const openMenu = () =>
    page.getByRole('button', { name: 'More actions', description: 'Oak chair' }).click()
  await openMenu()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await menu.waitFor({ state: 'detached' })
  await openMenu()
  await menu.waitFor()
  await answer((route) => route.fulfill({ status: 500, body: '{}' }))
  const failure = toast(page, 'Failed to pause product. Please try again.')
  await failure.waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await waitForToast(page, 'Failed to pause product. Please try again.')

  await page
    .getByRole('button', { name: /^Link health/ })
    .first()
    .click()
  const popover = page.getByRole('dialog')
  await pressEscapeIn(popover)
  await popover.waitFor({ state: 'detached' })
  await failure.waitFor()
  await page.keyboard.press('Escape')
  await failure.waitFor({ state: 'detached' })
})

test('a panel closes before the toast over it', async () => {
  const [id = ''] = await replaceOrders(shop, {})
  await page.goto(`/orders?order=${id}`)
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Copy delivery address' }).click()
  await waitForToast(page, 'Copied!')
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => url.search === '')
  await waitForToast(page, 'Copied!')
})
