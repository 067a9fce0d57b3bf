import { apiRoutes } from '#contract/paths.ts'
import type { AnalyticsSummary } from '#contract/analytics.ts'
import { payByCard, createBuyer } from '#server/testing/buyer.ts'
import type { TestShop } from '#server/testing/test-shop.ts'
import { compareWithRecount } from './recount.ts'

export const agents = {
  desktop:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  mobile:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  tablet:
    'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
  bot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
}

export const someone = { ip: '203.0.113.7', userAgent: agents.desktop }

export type Visiting = Partial<typeof someone> & {
  cookie?: string
  referer?: string
  'sec-purpose'?: string
}

let visitors = 0

/** Somebody who was not here before. */
export function newcomer(): { ip: string } {
  visitors += 1
  return { ip: `198.51.${Math.floor(visitors / 250)}.${visitors % 250}` }
}

/** The cookie of a browser that was here before, one for each number. */
export function cookieOf(browser: number): { cookie: string } {
  return { cookie: `till_buyer=${String(browser).padStart(22, '0')}` }
}

/** A page tells what happened on it. */
export function track({ app }: TestShop, payload: object, visitor: Visiting = {}) {
  const { ip, userAgent, ...more } = { ...someone, ...visitor }
  const headers = { 'user-agent': userAgent, ...more }
  return app.inject({ method: 'POST', url: apiRoutes.track, payload, headers, remoteAddress: ip })
}

export async function view(shop: TestShop, productId: string, visitor: Visiting = newcomer()) {
  return (await track(shop, { eventType: 'checkout_view', productId }, visitor)).statusCode
}

/** Somebody buys without any page telling of it, and is left with the order's number. */
export async function buy(shop: TestShop, productId: string, buyer = createBuyer(shop)) {
  const checkoutId = await buyer.arrive(productId)
  await payByCard(shop.sandbox, checkoutId)
  const orderId: string = (await buyer.order(checkoutId)).json().id
  return { buyer, orderId }
}

export async function askSummary(shop: TestShop, query = '') {
  const headers = await signIn(shop)
  return shop.app.inject({ url: `${apiRoutes.analyticsSummary}${query}`, headers })
}

export async function summary(shop: TestShop, query = ''): Promise<AnalyticsSummary> {
  const answer = await askSummary(shop, query)
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.json()
}

const signedIn = new WeakMap<TestShop, Promise<{ cookie: string }>>()

/** Once: signing in is slow, on purpose. */
function signIn(shop: TestShop): Promise<{ cookie: string }> {
  const session = signedIn.get(shop) ?? shop.signIn()
  signedIn.set(shop, session)
  return session
}

/** What of the kept figures a recount does not find; there must have been something to compare. */
export async function differences({ db }: Pick<TestShop, 'db'>): Promise<object[]> {
  const { rows, differences: found } = await compareWithRecount(db)
  return rows > 0 ? found : [{ rows }]
}
