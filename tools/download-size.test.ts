import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { orderPageSize } from '#contract/orders.ts'
import { apiRoutes, checkoutPath, pages } from '#contract/paths.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { addMug } from '#server/testing/buyer.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openTestShop } from '#server/testing/test-shop.ts'

/*
 * What browsers download, compressed. On a phone with a poor connection ten kilobytes are seconds. A limit is its figure
 * rounded up: where a change needs more, it says so here.
 */

const kilobyte = 1024
const shop = await openTestShop({ web: await readWebFiles() })
const admin = await shop.signIn()

// 1 kB each are other ways to pay than the card, and going on after a lost connection.
test('all scripts of the checkout together are at most 81 kB', () => {
  const scripts = listCheckoutScripts()
  assert.ok(scripts.length > 0)
  assertAtMost(measurePacked(scripts), 81 * kilobyte)
})

// A quarter of it are the texts that its script says, in one language, a sixth the right of withdrawal, which has to be
// there before anybody pays, and 0.7 kB the states of the shop's countries.
test('the page of a checkout is at most 12 kB', async () => {
  const { rawPayload } = await read(checkoutPath(await addMug(shop)))
  assertAtMost(rawPayload.length, 12 * kilobyte)
})

// With all that opens over a page: tooltips, menus and dialogs are there as soon as the buttons are. 3 kB are the
// countries of the world and how their addresses are written.
test('the orders are shown after five scripts of 163 kB and a stylesheet of 13 kB', async () => {
  const { body } = await shop.app.inject({ url: pages.orders, headers: admin })
  const files = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
    ([, path]) => `dist/pages/web${path}`,
  )
  const scripts = files.filter((file) => file.endsWith('.js'))
  assertAtMost(scripts.length, 5)
  assertAtMost(measurePacked(scripts), 163 * kilobyte)
  assertAtMost(measurePacked(files.filter((file) => file.endsWith('.css'))), 13 * kilobyte)
})

test('an order of the first page is at most 85 bytes', async () => {
  const count = orderPageSize.page
  await addOrders(
    shop.db,
    Array.from({ length: count }, (_order, index) => ({ customerName: `Buyer ${index}` })),
  )
  const { rawPayload } = await read(`${apiRoutes.orders}?limit=${count}`)
  assertAtMost(rawPayload.length / count, 85)
})

/** Paths of all of them, those that load later too. */
function listCheckoutScripts(): string[] {
  const manifest: Record<string, { file: string }> = JSON.parse(
    readFileSync('dist/pages/web/.vite/checkout-manifest.json', 'utf8'),
  )
  const files = new Set(Object.values(manifest).map(({ file }) => `dist/pages/web/${file}`))
  return [...files].filter((file) => file.endsWith('.js'))
}

/** In bytes, with Brotli, which every current browser takes. */
function measurePacked(paths: string[]): number {
  return paths.reduce((sum, path) => sum + readFileSync(`${path}.br`).length, 0)
}

function read(url: string) {
  return shop.app.inject({ url, headers: { ...admin, 'accept-encoding': 'gzip, deflate, br' } })
}

function assertAtMost(figure: number, limit: number): void {
  assert.ok(figure <= limit, `${figure} is more than ${limit}`)
}
