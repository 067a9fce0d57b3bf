import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

/* A server that knows the calls of the specification, with the fields of the specification, and nothing else. */

const shop = await openBrowserShop()
const times = { createdAt: '2026-11-15T09:05:00.000Z', updatedAt: '2026-11-15T09:05:00.000Z' }

const product = {
  id: '6f1c1f0e-0000-4000-8000-000000000001',
  name: 'Oak chair',
  price: '49.00',
  currency: 'EUR',
  description: null,
  imageUrl: null,
  headerName: null,
  headerLogoUrl: '/logo.png',
  quantityPricingEnabled: false,
  quantityTiers: null,
  createdBy: 'admin',
  ...times,
}

const order = {
  id: '6f1c1f0e-0000-4000-8000-000000000002',
  productId: product.id,
  product: {
    id: product.id,
    name: product.name,
    imageUrl: null,
    description: null,
    headerLogoUrl: product.headerLogoUrl,
    headerName: null,
  },
  customerEmail: 'anna@example.com',
  customerPhone: null,
  customerName: 'Anna Muster',
  shippingAddress: {
    country: 'Germany',
    firstName: 'Anna',
    lastName: 'Muster',
    address: 'Weg 1',
    city: 'Berlin',
    postcode: '10115',
  },
  billingAddress: null,
  quantity: 1,
  amount: '49.00',
  currency: 'EUR',
  status: 'shipped',
  sumupCheckoutId: 'c1',
  sumupTransactionId: 't1',
  paymentMethod: 'card',
  ...times,
}

const oddOrder = {
  ...order,
  id: '7a2d2f0e-0000-4000-8000-000000000003',
  product: null,
  shippingAddress: null,
  customerEmail: null,
  customerName: null,
  amount: 12.5,
  status: 'on hold',
}

const answers: Record<string, unknown> = {
  '/api/admin/user': { email: 'owner@example.com' },
  '/api/products': [product],
  [`/api/products/${product.id}`]: product,
  '/api/custom-domain': { customDomain: null, currentDomain: shop.address },
  '/api/orders': [order, oddOrder],
  [`/api/orders/${order.id}`]: order,
  [`/api/orders/${oddOrder.id}`]: oddOrder,
  '/api/analytics/events': [],
}

async function visit(): Promise<{ page: Page; refused: Set<string> }> {
  const page = await shop.visitAsAdmin()
  const refused = new Set<string>()
  await page.route('**/api/**', (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname in answers) return route.fulfill({ json: answers[pathname] })
    refused.add(pathname)
    return route.fulfill({ status: 401, json: { message: 'Unauthorized' } })
  })
  return { page, refused }
}

/** Nothing that is refused leads away from the page. */
async function assertStays(page: Page, path: string, refused: Set<string>): Promise<void> {
  await page.waitForLoadState('networkidle')
  assert.ok(refused.size > 0)
  assert.equal(new URL(page.url()).pathname, path)
  assert.equal(await page.getByText('Unauthorized').count(), 0)
}

test('products with the specified fields are listed and opened', async () => {
  const { page, refused } = await visit()
  await page.goto('/products')
  const row = page.getByRole('row', { name: 'Oak chair' })
  await row.getByText('€49.00').waitFor()
  await row.getByText('No image').waitFor()
  await row.getByRole('button', { name: 'Edit Product' }).click()
  await page.getByRole('dialog', { name: 'Edit Product' }).getByLabel('Price').waitFor()
  await assertStays(page, '/products', refused)
})

test('orders with the specified fields are listed, whatever is missing', async () => {
  const { page, refused } = await visit()
  await page.goto('/orders')
  const odd = page.getByRole('row', { name: '7a2d2f0e…' })
  await odd.getByText('?', { exact: true }).waitFor()
  await odd.getByText('Unknown', { exact: true }).waitFor()
  await odd.getByText('€12.50').waitFor()
  await odd.getByText('on hold').waitFor()
  const usual = page.getByRole('row', { name: '6f1c1f0e…' })
  await usual.getByText('Oak chair').waitFor()
  await usual.getByText('Shipped').waitFor()
  await assertStays(page, '/orders', refused)
  await odd.getByRole('link', { name: '7a2d2f0e…' }).click()
  const panel = page.getByRole('dialog', { name: 'Order 7a2d2f0e…' })
  await panel.getByText('Unknown', { exact: true }).waitFor()
  await page.reload()
  await panel.getByText('on hold').waitFor()
  await assertStays(page, '/orders', refused)
})

test('the counters of fulfillment need no call of their own', async () => {
  const { page, refused } = await visit()
  await page.goto('/fulfillment')
  const counter = (title: string, count: number) =>
    page.locator('dl > div', { hasText: title }).getByText(String(count), { exact: true }).waitFor()
  await counter('Shipped', 1)
  await counter('Pending Orders', 0)
  const status = page.getByLabel('Status of order 7a2d2f0e…')
  await assertShows(() => status.inputValue(), 'on hold')
  await page.route(`**/api/orders/${oddOrder.id}/status`, (route) =>
    route.fulfill({ json: { ...oddOrder, status: 'pending' } }),
  )
  await status.selectOption('Pending')
  await page.getByText('Status updated', { exact: true }).first().waitFor()
  await counter('Pending Orders', 1)
  await assertStays(page, '/fulfillment', refused)
})

test('figures that are refused are missing, and send nobody to the login', async () => {
  const { page, refused } = await visit()
  await page.goto('/analytics')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await assertStays(page, '/analytics', refused)
})

test('a specified read that is refused leads to the login, and so does any read without a session', async () => {
  const { page } = await visit()
  await page.route('**/api/products', (route) =>
    route.fulfill({ status: 401, body: 'Unauthorized' }),
  )
  await page.goto('/products')
  await page.getByText('You are logged out. Logging in again...', { exact: true }).waitFor()
  await page.waitForURL('**/login')

  const { page: other } = await visit()
  await other.goto('/products')
  await other.getByRole('row', { name: 'Oak chair' }).waitFor()
  await other.waitForLoadState('networkidle')
  await other.unroute('**/api/**')
  await other.context().clearCookies()
  await other.getByRole('link', { name: 'Analytics' }).click()
  await other.getByText('You are logged out. Logging in again...', { exact: true }).waitFor()
  await other.waitForURL('**/login')
})

const asTesterPlays = {
  '**/api/orders**': [order, oddOrder],
  '**/api/products**': [product],
  '**/api/analytics/events**': [
    {
      eventType: 'checkout_view',
      productId: product.id,
      orderId: null,
      deviceType: 'desktop',
      country: 'Germany',
    },
  ],
}

/** A test that knows only the specification answers all calls of a kind alike. The rest are the shop's own answers. */
async function visitAsTester(played: Record<string, unknown>): Promise<Page> {
  const page = await shop.visitAsAdmin()
  for (const [pattern, json] of Object.entries(played))
    await page.route(pattern, (route) => route.fulfill({ json }))
  return page
}

test('a list is shown also where every call below its path is answered with the list', async () => {
  const page = await visitAsTester(asTesterPlays)
  await page.goto('/products')
  await page.getByRole('row', { name: 'Oak chair' }).getByText('€49.00').waitFor()
  await page.goto('/orders')
  await page.getByRole('row', { name: '7a2d2f0e…' }).waitFor()
  await page.getByRole('row', { name: '6f1c1f0e…' }).getByText('Oak chair').waitFor()
  await page.getByRole('link', { name: '6f1c1f0e…' }).click()
  const panel = page.getByRole('dialog', { name: 'Order 6f1c1f0e…' })
  await panel.getByText('anna@example.com').first().waitFor()
  await page.goto('/fulfillment')
  await page.getByLabel('Status of order 6f1c1f0e…').waitFor()
  const counter = page.locator('dl > div', { hasText: 'Shipped' })
  await counter.getByText('1', { exact: true }).waitFor()
  await page.goto('/analytics')
  await page.getByText('Total Revenue').first().waitFor()
})

test('a part that is answered with a single order, with nothing or with nonsense is left out', async () => {
  for (const odd of [order, null, 'odd', [null]]) {
    const page = await visitAsTester({
      '**/api/**': odd,
      '**/api/admin/user': { email: 'owner@example.com' },
      '**/api/products': [product],
      '**/api/orders?*': [order],
    })
    await page.goto('/products')
    await page.getByRole('row', { name: 'Oak chair' }).waitFor()
    await page.goto('/orders')
    await page.getByRole('row', { name: '6f1c1f0e…' }).waitFor()
    await page.goto('/fulfillment')
    await page.getByLabel('Status of order 6f1c1f0e…').waitFor()
    await page.goto('/analytics')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.close()
  }
})
