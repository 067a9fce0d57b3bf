import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { keepShownProduct } from '#server/catalog/products.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { checkouts, orders, products } from '#server/db/schema.ts'
import { annasAddress, ownLogo } from '#server/testing/orders.ts'
import { saveTimeZone } from '#server/testing/visitors.ts'
import { openBrowserShop, type BrowserShop } from '#e2e/testing/browser-shop.ts'

const hourInBerlin = Number(
  new Date().toLocaleString('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit' }),
)

/** Berlin, unless its day is about to end: what was sold today must be so until the file ends. */
export const timeZone = hourInBerlin === 23 ? 'America/New_York' : 'Europe/Berlin'

/** The analytics page of a shop with a history, as an admin far away opens it. */
export async function openAnalyticsPage() {
  const shop = await openBrowserShop()
  await replaceHistory(shop)
  const page = await shop.visitAsAdmin({
    viewport: { width: 1280, height: 1000 },
    timezoneId: 'Pacific/Kiritimati',
  })
  return {
    shop,
    page,
    ranges: page.getByRole('navigation', { name: 'Date range' }),
    waitForRevenue: (amount: string) =>
      page.locator('[aria-busy=false] dl').getByText(amount, { exact: true }).first().waitFor(),
    visitAnalytics: async (query = '') => {
      await page.goto(`/analytics${query}`)
      await page.getByText('Total Revenue', { exact: true }).waitFor()
    },
  }
}

/** A day on the shop's calendar, as in the address. */
export function daysAgo(count: number): string {
  const today = new Date().toLocaleDateString('sv-SE', { timeZone })
  return new Date(Date.parse(today) - count * 86_400_000).toISOString().slice(0, 10)
}

const noonOf = (ago: number) => new Date(`${daysAgo(ago)}T11:00:00Z`)

type Sale = { product: string; amount: string; ago: number; currency?: 'EUR' | 'GBP' }

/** One entry per view. */
type Views = {
  ago: number[]
  device: (string | null)[]
  country: (string | null)[]
  referrer: (string | null)[]
}
type History = { sales: Sale[]; views: Views }

/** 483 euros in eight orders and 30 pounds in one, over the last hundred days. */
const sales: Sale[] = [
  { product: 'Mug', amount: '49.00', ago: 0 },
  { product: 'Mug', amount: '49.00', ago: 0 },
  { product: 'Lamp', amount: '120.00', ago: 1 },
  { product: 'Chair', amount: '200.00', ago: 10 },
  { product: 'Mug', amount: '49.00', ago: 40 },
  { product: 'Mug', amount: '30.00', ago: 40, currency: 'GBP' },
  { product: 'Board', amount: '10.00', ago: 100 },
  { product: 'Kettle', amount: '5.00', ago: 100 },
  { product: 'Spoon', amount: '1.00', ago: 100 },
]
/** How many of the buyers saw the thank-you page. */
const thankYouViews = 6
const abandonedCheckouts = 3

/** Forty views: how many of them had which value. */
const views: Views = {
  ago: repeatEach([8, 0], [4, 1], [8, 10], [10, 40], [10, 100]),
  device: repeatEach([20, 'desktop'], [14, 'mobile'], [4, 'tablet'], [2, null]),
  country: repeatEach(
    [16, 'Germany'],
    [8, 'France'],
    [6, 'Italy'],
    [4, null],
    [3, 'Netherlands'],
    [2, 'Belgium'],
    [1, 'Canada'],
  ),
  referrer: repeatEach(
    [25, null],
    [10, 'https://www.google.com'],
    [5, 'https://www.instagram.com'],
  ),
}

/** The longest names allowed, without a space to break at. */
export const longNames: History = {
  sales: [{ product: 'Schiff'.repeat(84).slice(0, 500), amount: '1234567.00', ago: 1 }],
  views: {
    ago: repeatEach([3, 1]),
    device: repeatEach([3, 'desktop']),
    country: repeatEach([2, 'SouthGeorgiaAndTheSouthSandwichIslands'], [1, null]),
    referrer: repeatEach([3, `https://${`${'a'.repeat(62)}.`.repeat(4)}b`]),
  },
}

export const firstSaleToday: History = {
  sales: [{ product: 'Mug', amount: '49.00', ago: 0 }],
  views: { ...views, ago: repeatEach([4, 0]) },
}

/** Orders on days without views. */
export const salesWithoutViews: History = {
  sales: sales.slice(0, 3),
  views: { ...views, ago: [] },
}

/** Replaces all orders, checkouts and events of a shop in that time zone. */
export async function replaceHistory(
  shop: BrowserShop,
  history: History = { sales, views },
): Promise<void> {
  const { db } = shop
  await saveTimeZone(shop, timeZone)
  await db.delete(analyticsEvents)
  await db.delete(checkouts)
  await db.delete(orders)
  const names = new Set(['Mug', ...history.sales.map(({ product }) => product)])
  const productIds = await addProducts(shop, names)
  const sold = history.sales.map(({ product, amount, ago, currency = 'EUR' }) => {
    const productId = productIds.get(product) ?? ''
    return {
      id: randomUUID(),
      productId,
      product: createSnapshot(productId, product, amount),
      amount,
      currency,
      shippingAddress: annasAddress,
      createdAt: noonOf(ago),
    }
  })
  await db.insert(orders).values(sold)
  const [anySold] = sold
  if (!anySold) throw new Error('nothing was sold')
  const shownVersion = await keepShownProduct(db, anySold.product)
  await db.insert(checkouts).values(
    [...sold, ...sold.slice(0, abandonedCheckouts)].map(({ productId, amount, createdAt }) => ({
      productId,
      shownVersion,
      amount,
      currency: 'EUR' as const,
      buyerTokenHash: '0'.repeat(64),
      merchantCode: 'M',
      validUntil: createdAt,
      startedAt: createdAt,
    })),
  )
  const saleEvents = sold.flatMap(({ id, productId, createdAt }, index) => [
    { eventType: 'checkout_complete', orderId: id, productId, createdAt },
    ...(index < thankYouViews
      ? [{ eventType: 'thank_you_view', orderId: id, productId, createdAt }]
      : []),
  ])
  const viewEvents = history.views.ago.map((ago, index) => ({
    eventType: 'checkout_view',
    productId: productIds.get('Mug') ?? '',
    deviceType: history.views.device[index] ?? null,
    country: history.views.country[index] ?? null,
    referrer: history.views.referrer[index] ?? null,
    createdAt: noonOf(ago),
  }))
  await db.insert(analyticsEvents).values([...saleEvents, ...viewEvents])
}

export async function addProducts(
  { db }: BrowserShop,
  names: Iterable<string>,
): Promise<Map<string, string>> {
  const added = await db
    .insert(products)
    .values(
      [...names].map((name) => ({
        name,
        price: '49.00',
        headerLogoUrl: ownLogo,
        createdBy: 'owner',
      })),
    )
    .returning({ id: products.id, name: products.name })
  return new Map(added.map(({ id, name }) => [name, id]))
}

function createSnapshot(id: string, name: string, price: string) {
  const pictures = { imageUrl: null, headerName: null, headerLogoUrl: ownLogo }
  return { id, name, price, currency: 'EUR' as const, description: null, ...pictures }
}

function repeatEach<Value>(...shares: [count: number, value: Value][]): Value[] {
  return shares.flatMap(([count, value]) => Array.from({ length: count }, () => value))
}

/** The text of a panel in one line. */
export async function readPanel(page: Page, title: string): Promise<string> {
  const panel = page.getByRole('region', { name: title, exact: true })
  return oneLine(await panel.innerText())
}

/** A figure, its change and its caption in one line. */
export async function readFigure(page: Page, title: string): Promise<string> {
  const card = page.locator('dl > div', { has: page.getByText(title, { exact: true }) })
  return oneLine((await card.locator('dd').allInnerTexts()).join(' '))
}

/** All figures line by line, without the text that is for screen readers only. */
export async function readVisibleFigures(page: Page): Promise<string[][]> {
  return page.locator('dl > div').evaluateAll((cards) =>
    cards.map((card) =>
      [...card.querySelectorAll('dd > p, dd:not(:has(*))')].map((line) => {
        const parts = line.querySelectorAll('span:not(:has(*))')
        const seen = [...(parts.length > 0 ? parts : [line])].filter(
          (part) => part.getBoundingClientRect().width > 1,
        )
        return seen.map((part) => part.textContent).join(' ')
      }),
    ),
  )
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
