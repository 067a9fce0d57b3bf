import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { checkouts, products } from '#server/db/schema.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { fillCard, fillDelivery, payButton, waitForCardForm } from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const headerLogoUrl = `${shop.address}/favicon.svg`

const page = await shop.visitAsAdmin({ bypassCSP: true })

/** A list of these products alone; what the story before has routed and typed is gone. */
async function visitProducts(...names: string[]): Promise<string[]> {
  await page.unrouteAll()
  await page.setViewportSize({ width: 1280, height: 800 })
  await shop.db.delete(checkouts)
  await shop.db.delete(products)
  const ids: string[] = []
  for (const [index, name] of names.entries()) {
    const data = { name, price: `${10 + index}`, headerLogoUrl }
    const answer = await page.request.post(apiRoutes.products, { data })
    ids.push(((await answer.json()) as { id: string }).id)
  }
  await page.goto('/products')
  return ids
}

const row = (name: string) => page.getByRole('row').filter({ hasText: name })
const toast = (text: string) => page.getByText(text, { exact: true }).first()

async function choose(product: string, action: string) {
  await row(product).getByRole('button', { name: 'More actions', exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('a product is paused and resumed from its menu; neither a new page nor an open form takes a card', async () => {
  const [id = ''] = await visitProducts('Oak chair')
  await choose('Oak chair', 'Pause')
  await toast('Product paused').waitFor()
  await row('Oak chair').getByText('Paused').waitFor()
  const buyer = await shop.visit({ bypassCSP: true })
  await buyer.goto(checkoutPath(id))
  const pause = buyer.getByRole('heading', { name: 'Not for sale right now' })
  await pause.waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(buyer), [])

  await choose('Oak chair', 'Resume')
  await toast('Product resumed').waitFor()
  await buyer.reload()
  await waitForCardForm(buyer)
  await fillDelivery(buyer)
  await fillCard(buyer)
  await choose('Oak chair', 'Pause')
  await toast('Product paused').waitFor()
  await payButton(buyer).first().click()
  await pause.waitFor()
  assert.deepEqual(shop.sandbox.ledger().transactions, [])
})

test('a duplicate starts with everything of the original, and is in the list even if its creation is not answered', async () => {
  await visitProducts('Oak chair')
  await choose('Oak chair', 'Duplicate')
  const dialog = page.getByRole('dialog', { name: 'Add New Product' })
  await assertShows(() => dialog.getByLabel('Product Name').inputValue(), 'Oak chair (copy)')
  await assertShows(() => dialog.getByLabel('Price').first().inputValue(), '10.00')
  assert.equal(await shop.db.$count(products), 1)
  await page.route(`**${apiRoutes.products}`, async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    await route.fetch()
    return route.abort()
  })
  await dialog.getByRole('button', { name: 'Create Product' }).click()
  await toast('Failed to create product. Please try again.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await row('Oak chair (copy)').waitFor()
  assert.equal(await shop.db.$count(products), 2)
})

test('a deleted product comes back with Undo, at the same link', async () => {
  const ids = await visitProducts('Oak chair', 'Elm stool')
  page.once('dialog', (question) => question.accept())
  await row('Oak chair').getByRole('button', { name: 'Delete Product', exact: true }).click()
  await toast('Product deleted').waitFor()
  await row('Oak chair').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await toast('Product restored').waitFor()
  const link = row('Oak chair').getByRole('link', { name: 'Open in new tab', exact: true })
  await assertShows(() => link.getAttribute('href'), `${shop.address}${checkoutPath(ids[0] ?? '')}`)
  assert.equal((await page.request.get(`${apiRoutes.products}/${ids[0]}`)).status(), 200)
})

test('many products are searched and sorted, and the address keeps both', async () => {
  const names = ['Oak chair', 'Elm stool', 'Ash table', 'Oak bench', 'Fir shelf', 'Yew box', 'Bowl']
  await visitProducts(...names)
  await row('Bowl').waitFor()
  const search = page.getByRole('textbox', { name: 'Search products' })
  assert.equal(await search.count(), 0, 'seven products need no search')

  const data = { name: 'Vase', price: '5', headerLogoUrl }
  await page.request.post(apiRoutes.products, { data })
  await page.reload()
  await search.fill('oak')
  await row('Bowl').waitFor({ state: 'hidden' })
  await assertShows(() => page.getByRole('row').count(), 3)
  await page.getByLabel('Sort products').selectOption('Name, A to Z')
  await page.waitForURL('**/products?q=oak&sort=name')
  await page.reload()
  const rows = page.getByRole('row')
  await rows.nth(1).getByText('Oak bench').waitFor()
  await rows.nth(2).getByText('Oak chair').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await search.fill('nothing like it')
  await page.getByText('No products match your search', { exact: true }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click()
  await row('Bowl').waitFor()
})

test('the actions of each row have the same names, its product as description, and a menu for the keyboard', async () => {
  await visitProducts('Oak chair', 'Elm stool')
  for (const product of ['Oak chair', 'Elm stool']) {
    for (const [role, name] of [
      ['button', 'Copy link'],
      ['link', 'Open in new tab'],
      ['button', 'Get HTML Buy Button'],
      ['button', 'Edit Product'],
      ['button', 'Delete Product'],
      ['button', 'More actions'],
    ] as const) {
      const action = page.getByRole(role, { name, description: product, exact: true })
      await action.waitFor()
    }
  }
  const buyButton = page.getByRole('button', { name: 'Get HTML Buy Button' }).first()
  await assertShows(() => buyButton.innerText(), 'Buy Button')

  const more = page.getByRole('button', { name: 'More actions' }).first()
  await more.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page, '[role=menu] *'), [])
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  await assertShows(() => more.evaluate((button) => button === document.activeElement), true)
})

test('the checkout is previewed while it is typed, on a phone and a desktop, and nothing is saved', async () => {
  await visitProducts('Oak chair')
  await page.getByRole('button', { name: 'Edit Product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Product' })
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const preview = dialog.getByRole('region', { name: 'Checkout preview' })
  const frame = preview.frameLocator('iframe')
  await frame.getByText('€10.00').first().waitFor()
  await preview.getByRole('button', { name: 'Desktop' }).click()
  await dialog.getByLabel('Product Name').fill('Elm <b>armchair</b>')
  await dialog.getByLabel('Price').first().fill('12,5')
  await frame.getByText('Elm <b>armchair</b>').waitFor()
  const summary = frame.locator('#order-summary')
  await summary.getByText('€12.50').first().waitFor()
  await dialog.getByLabel('Price').first().fill('wrong')
  await summary.getByText('€0.00').first().waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page, '[role=dialog]'), [])
  const [saved] = await shop.db.select().from(products)
  assert.equal(saved?.name, 'Oak chair')
  assert.equal(await shop.db.$count(checkouts), 0, 'a preview opens no payment')

  await dialog.getByRole('button', { name: 'Preview' }).click()
  await preview.waitFor({ state: 'detached' })
  // On a phone it scrolls into view whole, as far as it fits.
  await page.setViewportSize({ width: 375, height: 812 })
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await preview.waitFor()
  await assertShows(async () => {
    const box = await dialog.locator('iframe').boundingBox()
    const footer = await dialog.locator('> footer').boundingBox()
    return box && footer && footer.y - box.y > 350
  }, true)
  await dialog.getByLabel('Price').first().fill('13')
  await dialog.getByRole('button', { name: 'Update Product' }).click()
  await row('Elm <b>armchair</b>').waitFor()
})

test('a dot says whether the link works, and its popover why, also in a window that is lower than it', async () => {
  const ids = await visitProducts('Oak chair')
  const elsewhere = 'https://example.com/logo.png'
  await page.route(elsewhere, (route) => route.fulfill({ path: 'web/ui/favicon.svg' }))
  const data = { name: 'Elm stool', price: '20', headerLogoUrl: elsewhere }
  await page.request.post(apiRoutes.products, { data })
  await page.request.post(`${apiRoutes.products}/${ids[0]}/pause`)
  await page.reload()
  await page.getByRole('button', { name: 'Link health: needs a look. Elm stool' }).click()
  await page.getByText('The link works on this computer only.').waitFor()
  const json = { currentDomain: 'https://shop.example.com', customDomain: null }
  await page.route(`**${apiRoutes.customDomain}`, (route) => route.fulfill({ json }))
  await page.reload()
  await page.getByRole('button', { name: 'Link health: works. Elm stool' }).click()
  const panel = page.getByRole('dialog', { name: 'Link health: Elm stool' })
  await panel.getByText('Buyers are charged €20.00.').waitFor()
  await panel.getByText('None in 30 days').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Link health: needs a look. Oak chair' }).click()
  await page.getByText('Paused: the checkout takes no payments.').waitFor()
  await page.getByText('The picture does not load. Please upload it again.').waitFor()

  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 375, height: 320 })
  await page.getByRole('button', { name: /^Link health: .*Oak chair/ }).click()
  const low = page.getByRole('dialog', { name: 'Link health: Oak chair' })
  await low.getByText('Last sale').waitFor()
  await assertShows(async () => {
    const box = await low.boundingBox()
    return box && box.y >= 0 && box.y + box.height <= 320
  }, true)
  await low.hover()
  await page.mouse.wheel(0, 600)
  await page.waitForFunction(() => {
    const seen = document.querySelector('[role=dialog] dl')?.getBoundingClientRect()
    return seen && seen.bottom <= innerHeight
  })
})

test('pictures are looked at when their row comes into sight, not all at once', async () => {
  await page.goto('about:blank')
  await shop.db.delete(checkouts)
  await shop.db.delete(products)
  const begun = Date.now()
  await shop.db.insert(products).values(
    Array.from({ length: 40 }, (_, index) => ({
      name: `Chair ${index}`,
      price: '10',
      headerLogoUrl: `${headerLogoUrl}?${index}`,
      createdBy: 'owner',
      createdAt: new Date(begun + index),
    })),
  )
  const loaded = new Set<string>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/favicon.svg' && search) loaded.add(search)
  })
  await page.setViewportSize({ width: 1280, height: 800 })
  const asked = (number: number) =>
    page.waitForRequest((request) => request.url().endsWith(`/favicon.svg?${number}`))
  // Newest first.
  await Promise.all([asked(39), page.goto('/products')])
  assert.ok(!loaded.has('?0'), [...loaded].join())
  await Promise.all([asked(0), row('Chair 0').last().scrollIntoViewIfNeeded()])
})
