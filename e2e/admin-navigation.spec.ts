import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { adminPages } from '#contract/paths.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const phone = { viewport: { width: 375, height: 740 } }
const desktop = { viewport: { width: 1280, height: 800 } }

const sidebar = (page: Page) => page.getByRole('navigation').first()
const widthOf = async (page: Page) => {
  const box = await page.getByRole('complementary', { name: 'Admin panel' }).boundingBox()
  return Math.round(box?.width ?? 0)
}

test('the sidebar links to the four pages and marks the current one', async () => {
  const page = await shop.visitAsAdmin(desktop)
  await page.goto('/')
  await assertShows(
    () => sidebar(page).getByRole('link', { name: 'Products' }).getAttribute('aria-current'),
    'page',
  )
  for (const title of ['Orders', 'Fulfillment', 'Analytics', 'Products']) {
    await sidebar(page).getByRole('link', { name: title }).click()
    await page.waitForURL(`**/${title.toLowerCase()}`)
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await assertShows(
      () => sidebar(page).getByRole('link', { name: title }).getAttribute('aria-current'),
      'page',
    )
    await assertShows(() => page.title(), new RegExp(title))
  }
})

test('on an empty shop one heading has the name of the page, and its empty state is said once', async () => {
  const page = await shop.visitAsAdmin(desktop)
  for (const [title, texts] of [
    ['Products', ['No products yet', 'Add your first product']],
    ['Orders', ['No orders yet']],
    ['Fulfillment', ['No orders to fulfill']],
    ['Analytics', ['Add a product to begin']],
  ] as const) {
    await page.goto(`/${title.toLowerCase()}`)
    for (const text of texts) await page.getByText(text).waitFor()
    // Also those that only contain it, as strict locators look.
    await assertShows(() => page.getByRole('heading', { name: title }).count(), 1, title)
  }
})

test('the sidebar is 16rem wide, 3rem when collapsed, and remembers it for seven days', async () => {
  const page = await shop.visitAsAdmin(desktop)
  await page.goto('/products')
  await page.getByText('Logged in as').waitFor()
  await assertShows(() => widthOf(page), 256)
  await page.keyboard.press('Control+b')
  await page.waitForFunction(() => document.cookie.includes('sidebar_state=false'))
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'sidebar_state')
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400
  assert.ok(days > 6.9 && days <= 7, `${days} days`)
  await page.reload()
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
  await assertShows(() => widthOf(page), 48)
  await page.keyboard.press('Meta+b')
  await page.waitForFunction(() => document.cookie.includes('sidebar_state=true'))
})

test('a collapsed sidebar names its entries in tooltips, at once: they wait for no script', async () => {
  const page = await shop.visitAsAdmin(desktop)
  await page.context().addCookies([{ name: 'sidebar_state', value: 'false', url: shop.address }])
  const html = await (await page.request.get('/products')).text()
  await page.route('**/assets/*.js', (route) => {
    // Those that the page does not name are loaded later: here, never.
    if (html.includes(new URL(route.request().url()).pathname)) return route.continue()
  })
  await page.goto('/products', { waitUntil: 'commit' })
  await sidebar(page).getByRole('link', { name: 'Orders' }).hover()
  await page.getByRole('tooltip', { name: 'Orders' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('tooltip', { name: 'Orders' }).waitFor({ state: 'hidden' })
})

test('on a phone the sidebar is an overlay of 18rem that closes on navigation', async () => {
  const page = await shop.visitAsAdmin(phone)
  await page.goto('/products')
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
  await page.getByRole('button', { name: /sidebar/i }).click()
  const panel = page.getByRole('dialog')
  await panel.waitFor()
  assert.equal(Math.round((await panel.boundingBox())?.width ?? 0), 288)
  await panel.getByRole('link', { name: 'Analytics' }).click()
  await page.waitForURL('**/analytics')
  await panel.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+b')
  await panel.waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
})

test('neither the login nor a page that does not exist scrolls sideways, down to 320 px', async () => {
  const page = await shop.visitAsAdmin({ viewport: { width: 320, height: 640 } })
  // Those with a list or figures are looked at with long names, each in its file on accessibility.
  for (const path of ['/login', '/nowhere']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(overflow <= 0, `${path} is ${overflow} px too wide`)
  }
})

test('an unknown path is Page Not Found, with that status and without a script', async () => {
  const page = await shop.visit(desktop)
  for (const path of [
    '/nowhere',
    '/checkout',
    '/products/1/edit',
    '/LOGIN',
    '/login/',
    '/index.html',
  ]) {
    const answer = await page.goto(path)
    assert.equal(answer?.status(), 404, path)
    await page.getByText('Page Not Found', { exact: true }).waitFor()
    assert.equal(await page.locator('script').count(), 0)
  }
})

test('a page reads before its scripts have loaded, nothing in vain and nothing twice', async () => {
  for (const path of adminPages) {
    const page = await shop.visitAsAdmin(desktop)
    await page.addInitScript(() => {
      const { fetch } = globalThis
      globalThis.fetch = (url, init) => {
        if (typeof url === 'string') performance.mark(`called ${url}`)
        return fetch(url, init)
      }
    })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url().replace(shop.address, '')))
    await page.goto(path)
    const early = await page.$$eval('link[rel=preload][as=fetch]', (links) =>
      links.map((link) => link.getAttribute('href') ?? ''),
    )
    assert.ok(early.length >= 2, path)
    await page.waitForFunction(
      (urls) => urls.every((url) => performance.getEntriesByName(`called ${url}`).length > 0),
      early,
    )
    assert.deepEqual(asked.filter((url) => early.includes(url)).toSorted(), early.toSorted(), path)
  }
})
