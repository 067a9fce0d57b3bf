import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { apiRoutes } from '#contract/paths.ts'
import { checkouts, products } from '#server/db/schema.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { listedRows, replaceOrders, shortId } from '#e2e/testing/order-pages.ts'
import {
  assertShows,
  findIssuesAtBothWidths,
  pressEscapeIn,
  watchLayoutShifts,
} from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const headerLogoUrl = `${shop.address}/favicon.svg`

async function addProducts(page: Page, ...names: string[]): Promise<string[]> {
  await shop.db.delete(checkouts)
  await shop.db.delete(products)
  const ids: string[] = []
  for (const name of names) {
    const data = { name, price: '10', headerLogoUrl }
    const answer = await page.request.post(apiRoutes.products, { data })
    ids.push(((await answer.json()) as { id: string }).id)
  }
  return ids
}

const owner = (
  await shop.visitAsAdmin({ bypassCSP: true, permissions: ['clipboard-read', 'clipboard-write'] })
).context()

const openTab = () => shop.reopenAsAdmin(owner)

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' })
const field = (page: Page) => page.getByRole('combobox', { name: /^Search pages/ })
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

async function openPalette(page: Page, text = ''): Promise<void> {
  await page.keyboard.press('Control+k')
  await waitForField(page)
  if (text) await page.keyboard.type(text)
}

/** Until what is typed goes there, a moment after it is shown. */
async function waitForField(page: Page): Promise<void> {
  await assertShows(() => field(page).evaluate((one) => one === document.activeElement), true)
}

/** The text of the option that the field says is active. */
const activeOption = (page: Page) =>
  field(page).evaluate((input) => {
    const id = input.getAttribute('aria-activedescendant') ?? ''
    const active = document.getElementById(id)
    return active?.ariaSelected === 'true' ? active.textContent : undefined
  })

test('the palette opens by key and by button, without a mouse leads to a page, and gives the focus back', async () => {
  const page = await openTab()
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  const readShifts = await watchLayoutShifts(page)
  await page.goto('/orders')
  await heading(page, 'Orders').waitFor()
  assert.ok(!scripts.some((url) => url.includes('palette')), 'it loads when it is wanted')
  await readShifts()
  const button = page.getByRole('button', { name: 'Search', exact: true })
  await button.click()
  await waitForField(page)
  await assertShows(() => activeOption(page), /^Products/)
  await page.keyboard.press('ArrowUp')
  await assertShows(() => activeOption(page), /^Log/, 'it begins again at the end')
  await page.keyboard.press('ArrowDown')
  await assertShows(() => activeOption(page), /^Products/)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'detached' })
  await assertShows(() => button.evaluate((element) => element === document.activeElement), true)

  await openPalette(page, 'ana')
  await assertShows(() => activeOption(page), /^Analytics/)
  await page.keyboard.press('Enter')
  await heading(page, 'Analytics').waitFor()
  await palette(page).waitFor({ state: 'detached' })
  await assertShows(() => page.evaluate(() => document.activeElement?.id), 'main')
  await openPalette(page)
  await page.keyboard.press('Meta+k')
  await palette(page).waitFor({ state: 'detached' })
})

test('a product is edited, paused, resumed and its link copied by its name', async () => {
  const page = await openTab()
  const [id] = await addProducts(page, 'Harbour Mug', 'Blue mug', 'Travel mug', 'Lamp')
  await page.goto('/analytics')
  await heading(page, 'Analytics').waitFor()
  await openPalette(page, 'mug')
  await option(page, 'Harbour Mug').waitFor()
  await assertShows(() => palette(page).getByRole('option').count(), 3, 'many: only the products')
  await field(page).fill('harbour')
  await option(page, /^Pause/).waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await option(page, /^Copy link/).click()
  await toast(page, 'Copied!').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(copied, `${shop.address}/checkout/${id}`)
  await openPalette(page, 'pause harbour')
  await option(page, /^Pause/).waitFor()
  await page.keyboard.press('Enter')
  await toast(page, 'Product paused').waitFor()
  await openPalette(page, 'resume')
  await option(page, /^Resume.*Harbour/).waitFor()
  await page.keyboard.press('Enter')
  await toast(page, 'Product resumed').waitFor()
  await openPalette(page, 'harbour mug')
  await option(page, /^Harbour Mug/).waitFor()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Edit Product' })
  await form.waitFor()
  await assertShows(() => form.getByLabel('Product Name').inputValue(), 'Harbour Mug')
  await page.waitForURL((url) => url.pathname === '/products' && url.search === '')

  await form.getByLabel('Product Name').fill('Harbour Cup')
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  assert.equal(await palette(page).count(), 0, 'it does not open over a form')
})

test('an order is found by its number or e-mail, over the list that is shown', async () => {
  const page = await openTab()
  const ids = await replaceOrders(
    shop,
    { customerEmail: 'olivia@example.com' },
    { customerEmail: 'ben@example.com' },
  )
  await page.goto('/products')
  await heading(page, 'Products').waitFor()
  await openPalette(page, `#${shortId(ids[1])}`)
  await option(page, /^Anna Müller.*Pending · Nov 15, 2026.*ben@example\.com/).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/orders?order=${ids[1]}`)
  const panel = page.getByRole('dialog', { name: `Order ${shortId(ids[1])}` })
  await panel.getByText('ben@example.com').waitFor()

  await openPalette(page, 'olivia@')
  await option(page, /olivia/).waitFor()
  await page.keyboard.press('Enter')
  await pressEscapeIn(page.getByRole('dialog', { name: `Order ${shortId(ids[0])}` }))
  await page.waitForURL((url) => url.pathname === '/orders' && url.search === '')

  await page.goto('/orders?q=example')
  await listedRows(page).nth(1).waitFor()
  await openPalette(page, 'ben@')
  await option(page, /ben@/).click()
  await page.waitForURL(`**/orders?q=example&order=${ids[1]}`)
  await pressEscapeIn(panel)
  await page.waitForURL('**/orders?q=example')
})

test('a late answer never replaces a newer one, and nothing is empty while it is asked', async () => {
  const page = await openTab()
  await replaceOrders(
    shop,
    { customerEmail: 'olivia@example.com' },
    { customerEmail: 'ben@example.com' },
  )
  const held = new Map<string, Route>()
  await page.route(`**${apiRoutes.orders}?q=*`, (route) => {
    held.set(new URL(route.request().url()).searchParams.get('q') ?? '', route)
  })
  const waitFor = async (q: string): Promise<Route> => {
    for (;;) {
      const route = held.get(q)
      if (route) return route
      await page.evaluate(() => new Promise(requestAnimationFrame))
    }
  }
  await page.goto('/products')
  await heading(page, 'Products').waitFor()
  await openPalette(page, 'olivia@')
  const late = await waitFor('olivia@')
  assert.equal(
    await palette(page)
      .getByText(/^Nothing found/)
      .count(),
    0,
  )
  await field(page).fill('ben@')
  await (await waitFor('ben@')).continue()
  await option(page, /ben@example/).waitFor()
  await late.continue().catch(() => {})
  await field(page).fill('ben@example')
  await option(page, /ben@example/).waitFor()
  assert.equal(await option(page, /olivia/).count(), 0)
  await (await waitFor('ben@example')).continue()
  await option(page, /ben@example/).waitFor()
  await field(page).fill('zzzz')
  await (await waitFor('zzzz')).continue()
  await palette(page).getByText('Nothing found for “zzzz”').waitFor()
  await assertShows(() => field(page).getAttribute('aria-expanded'), 'false')
})

test('actions and places of the settings: new product, export, account, log out', async () => {
  const page = await openTab()
  await page.goto('/orders?status=pending')
  await heading(page, 'Orders').waitFor()
  await openPalette(page, 'export')
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  assert.match((await download).suggestedFilename(), /\.csv$/)
  await openPalette(page, 'second factor')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/orders?status=pending&settings=security')
  const account = page.getByRole('dialog', { name: 'Account' })
  await account.getByText('This browser').waitFor()
  await openPalette(page, 'invite')
  await page.keyboard.press('Enter')
  await account.getByLabel('Their email address').waitFor()
  await openPalette(page, 'new product')
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Add New Product' })
  await pressEscapeIn(form)
  await form.waitFor({ state: 'detached' })
  await openPalette(page, 'zzz nothing')
  await palette(page).getByText('Nothing found for “zzz nothing”').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await field(page).fill('sign out')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/login')
})

test('on a phone the palette is opened and used by touch', async () => {
  const page = await shop.visitAsAdmin({ viewport: { width: 375, height: 740 }, hasTouch: true })
  await page.goto('/products')
  await page.getByRole('button', { name: 'Search', exact: true }).tap()
  await field(page).fill('orders')
  await option(page, /^Orders/).tap()
  await heading(page, 'Orders').waitFor()
  await page.getByRole('button', { name: 'Search', exact: true }).tap()
  await palette(page).getByRole('button', { name: 'Close' }).tap()
  await palette(page).waitFor({ state: 'detached' })
})
