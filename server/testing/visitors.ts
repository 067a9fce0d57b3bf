import { setTimeout as pause } from 'node:timers/promises'
import type { AnalyticsSummary } from '#contract/analytics.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { ShopSettings } from '#contract/shop-settings.ts'
import { formatBuyerToken } from '#server/orders/buyer.ts'
import { createBuyer, payByCard } from './buyer.ts'
import { testSecret, type TestShop } from './test-shop.ts'

/** Visits are counted by day, mostly by that of UTC: no test of them begins in the last minute of a day. */
const msToMidnight = 86_400_000 - (Date.now() % 86_400_000)
if (msToMidnight < 60_000) await pause(msToMidnight)

export const userAgents = {
  desktop:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  mobile:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  tablet:
    'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
  bot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
}

export const knownVisitor = { ip: '203.0.113.7', userAgent: userAgents.desktop }

export type VisitorRequest = Partial<typeof knownVisitor> & {
  cookie?: string
  referer?: string
  'x-visitor-from'?: string
  'sec-purpose'?: string
}

let visitors = 0

/** A visitor with a new address. */
export function newVisitor(): { ip: string } {
  visitors += 1
  return { ip: `198.51.${Math.floor(visitors / 250)}.${visitors % 250}` }
}

/** The cookie of a returning browser, one for each number, last set today or on the given day. */
export function buyerCookie(browser: number, day?: number): { cookie: string } {
  const token = formatBuyerToken(String(browser).padStart(22, '0'), testSecret, day?.toString())
  return { cookie: `till_buyer=${token}` }
}

/** Reports an event as a page does. */
export function track({ app }: TestShop, payload: object, visitor: VisitorRequest = {}) {
  const { ip, userAgent, ...more } = { ...knownVisitor, ...visitor }
  const headers = { 'user-agent': userAgent, ...more }
  return app.inject({ method: 'POST', url: apiRoutes.track, payload, headers, remoteAddress: ip })
}

export async function view(
  shop: TestShop,
  productId: string,
  visitor: VisitorRequest = newVisitor(),
) {
  return (await track(shop, { eventType: 'checkout_view', productId }, visitor)).statusCode
}

/** Buys without reporting any event. */
export async function buy(shop: TestShop, productId: string, buyer = createBuyer(shop)) {
  const checkoutId = await buyer.arrive(productId)
  await payByCard(shop.sandbox, checkoutId)
  const orderId: string = (await buyer.order(checkoutId)).json().id
  return { buyer, orderId }
}

export async function requestSummary(shop: TestShop, query = '') {
  const headers = await signIn(shop)
  return shop.app.inject({ url: `${apiRoutes.analyticsSummary}${query}`, headers })
}

export async function getSummary(shop: TestShop, query = ''): Promise<AnalyticsSummary> {
  const answer = await requestSummary(shop, query)
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.json()
}

/** Saves the shop's time zone, as its owner does. */
export async function saveTimeZone(shop: TestShop, timeZone: string | null) {
  const headers = await signIn(shop)
  const settings = await shop.app.inject({ url: apiRoutes.settings, headers })
  const { version, values } = settings.json<ShopSettings>()
  const url = pathOf(apiRoutes.settingsSection, { section: 'shop' })
  const payload = { version, values: { ...values.shop, timeZone } }
  return shop.app.inject({ method: 'PUT', url, headers, payload })
}

const signedIn = new WeakMap<TestShop, Promise<{ cookie: string }>>()

/** Signs in once per shop, since password hashing is slow. */
function signIn(shop: TestShop): Promise<{ cookie: string }> {
  const session = signedIn.get(shop) ?? shop.signIn()
  signedIn.set(shop, session)
  return session
}

/** A geolocation database in MaxMind's format that has the same record for every address. */
export function createGeoDatabase(record: object): Buffer {
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
    database_type: 'Test',
    ip_version: 4,
    node_count: 1,
    record_size: 24,
  }
  // The only node: for either bit the record begins 16 bytes after the tree.
  const toData = [0, 0, metadata.node_count + 16]
  const tree = Buffer.from([...toData, ...toData])
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([tree, Buffer.alloc(16), encode(record), marker, encode(metadata)])
}

const [stringType, integerType, mapType] = [2, 6, 7]

function encode(value: unknown): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([encodeHead(stringType, text.length), text])
  }
  if (typeof value === 'number')
    return Buffer.concat([encodeHead(integerType, 1), Buffer.of(value)])
  const entries = Object.entries(value as object)
  return Buffer.concat([encodeHead(mapType, entries.length), ...entries.flat().map(encode)])
}

/** Three bits for the type and five for the size; longer strings have one more byte. */
function encodeHead(type: number, size: number): Buffer {
  return size < 29 ? Buffer.of((type << 5) | size) : Buffer.of((type << 5) | 29, size - 29)
}
