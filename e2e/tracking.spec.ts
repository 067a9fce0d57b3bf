import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request, Response } from 'playwright-core'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { getSummary } from '#server/testing/visitors.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openBrowserShop, type BrowserShop } from '#e2e/testing/browser-shop.ts'
import { pay, waitForCardForm } from '#e2e/testing/checkout-page.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

type Told = { eventType: string; productId: string; orderId?: string; keepalive: boolean }

/** A buyer, and every event the pages send. */
async function visitAsBuyer(shop: BrowserShop): Promise<{ page: Page; told: Told[] }> {
  const page = await shop.visit()
  const told: Told[] = []
  await page.exposeFunction('noteTold', (body: string, keepalive: boolean) =>
    told.push({ ...JSON.parse(body), keepalive }),
  )
  await page.addInitScript((path) => {
    const { fetch: send, noteTold } = globalThis as typeof globalThis & {
      noteTold: (body: string, keepalive: boolean) => void
    }
    globalThis.fetch = (to, options) => {
      const { body, keepalive } = options ?? {}
      if (to === path && typeof body === 'string') noteTold(body, keepalive === true)
      return send(to, options)
    }
  }, apiRoutes.track)
  return { page, told }
}

/** One wait for all that was sent: figures are asked for again until they are so, or stay otherwise. */
async function untilCounted(shop: BrowserShop, expected: object): Promise<void> {
  await assertShows(async () => {
    const { views, completed, thanked } = await getSummary(shop)
    return { views, completed, thanked }
  }, expected)
}

/** Opened anew, with whatever this page tells answered. */
async function reload(page: Page, told: Told[], tells: number): Promise<void> {
  // Nothing of the page before may still be under way.
  await page.waitForLoadState('networkidle')
  const asked = new Set<Request>()
  const answers: Response[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(apiRoutes.track)) asked.add(request)
  })
  // An answer to the page before may come late.
  page.on('response', (answer) => {
    if (asked.has(answer.request())) answers.push(answer)
  })
  const before = told.length
  await page.reload()
  // Where the page is slow to begin, the network is idle before it has told anything.
  await assertShows(async () => answers.length, tells)
  await page.waitForLoadState('networkidle')
  assert.equal(told.length - before, tells)
  assert.equal(answers.length, tells)
}

test('the pages send an event for every view, and each is counted once', async () => {
  const shop = await openBrowserShop()
  const productId = await addMug(shop)
  const { page, told } = await visitAsBuyer(shop)
  await page.goto(checkoutPath(productId))
  await waitForCardForm(page)
  await untilCounted(shop, { views: 1, completed: 0, thanked: 0 })
  await reload(page, told, 1)
  await untilCounted(shop, { views: 2, completed: 0, thanked: 0 })

  await pay(page)
  await page.waitForURL('**/thank-you/*')
  await untilCounted(shop, { views: 2, completed: 1, thanked: 1 })
  await reload(page, told, 1)
  await untilCounted(shop, { views: 2, completed: 1, thanked: 1 })

  const orderId = new URL(page.url()).pathname.split('/').at(-1)
  assert.deepEqual(told, [
    { eventType: 'checkout_view', productId, keepalive: true },
    { eventType: 'checkout_view', productId, keepalive: true },
    { eventType: 'checkout_complete', productId, orderId, keepalive: true },
    { eventType: 'thank_you_view', productId, orderId, keepalive: true },
    { eventType: 'thank_you_view', productId, orderId, keepalive: true },
  ])
})

test('a view is sent on load, whether or not a payment can be created', async () => {
  const shop = await openBrowserShop()
  const page = await shop.visit()
  await page.route(`**${apiRoutes.createCheckout}`, () => undefined)
  await page.goto(checkoutPath(await addMug(shop)))
  await untilCounted(shop, { views: 1, completed: 0, thanked: 0 })
})

test('when no event can be sent the pages work, and the sale is still counted', async () => {
  const shop = await openBrowserShop()
  const { page, told } = await visitAsBuyer(shop)
  await page.route(`**${apiRoutes.track}`, (route) => route.abort())
  await page.goto(checkoutPath(await addMug(shop)))
  await pay(page)
  await page.waitForURL('**/thank-you/*')
  await page.getByText('Thank you!', { exact: true }).waitFor()
  await assertShows(async () => told.length, 3)
  await page.waitForLoadState('networkidle')
  assert.equal(told.length, 3)
  const { completed, thanked } = await getSummary(shop)
  assert.deepEqual({ completed, thanked }, { completed: 1, thanked: 0 })
})

test('a view is counted with the site it came from, without a cookie before the payment is created', async () => {
  const shop = await openBrowserShop()
  const productId = await addMug(shop)
  const page = await shop.visit()
  const cookies: string[] = []
  page.on('response', async (response) => {
    // Of an answer that is still on its way when the story ends there are none.
    const headers = await response.headersArray().catch(() => [])
    const names = headers.filter(({ name }) => /^set-cookie$/i.test(name))
    if (names.length > 0) cookies.push(new URL(response.url()).pathname)
  })
  await page.route('https://blog.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'referrer-policy': 'unsafe-url' },
      body: `<a href="${shop.address}${checkoutPath(productId)}">Buy</a>`,
    }),
  )
  await page.goto('https://blog.example/')
  await page.getByText('Buy').click()
  await waitForCardForm(page)
  await untilCounted(shop, { views: 1, completed: 0, thanked: 0 })
  assert.deepEqual((await getSummary(shop)).referrers, [
    { referrer: 'https://blog.example', views: 1 },
  ])
  // Headers are read a moment after an answer.
  await assertShows(async () => [...new Set(cookies)], [apiRoutes.createCheckout])
})
