import { randomBytes, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { defaultMethods } from '#contract/payment-methods.ts'
import { apiRoutes, publicPages } from '#contract/paths.ts'
import { createSession } from '#server/admin/sessions.ts'
import { credentials, sessions, users } from '#server/db/admin-schema.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import type { Access } from '#server/http/access.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { changeConfig } from '#server/testing/prices.ts'
import { openSaleShop, type SaleShop } from '#server/testing/sale.ts'
import { openTestShop, testBrowser, type TestShop } from '#server/testing/test-shop.ts'
import { createFaults, type Findings } from './findings.ts'

/*
 * Every route and every method, asked by every kind of caller. What must happen follows from the access that the route
 * declares, by the rules below, which are written anew here and use nothing of server/http/access.ts but its type.
 */

const mainHost = 'shop.example.com'
const payHost = 'pay.example.com'
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
type Method = (typeof methods)[number]

type Caller = {
  name: string
  headers: (shop: TestShop) => Promise<Record<string, string>> | Record<string, string>
  /** A signed-in admin on the right address, asking from our own pages. */
  isAdmin?: true
  isForeign?: true
  isOnPayHost?: true
}

const callers: Caller[] = [
  { name: 'nobody', headers: () => ({}) },
  { name: 'an admin', headers: (shop) => shop.signIn(), isAdmin: true },
  {
    name: 'an admin, from an own page',
    headers: async (shop) => ({ ...(await shop.signIn()), 'sec-fetch-site': 'same-origin' }),
    isAdmin: true,
  },
  { name: 'a disabled admin', headers: (shop) => signInAsDisabled(shop) },
  { name: 'an expired session', headers: (shop) => signInExpired(shop) },
  { name: 'a forged session', headers: () => session(randomBytes(32).toString('base64url')) },
  { name: 'a session under the plain name', headers: (shop) => signInWithPlainCookie(shop) },
  { name: 'an injected session', headers: () => session(`' or 1=1 --`) },
  {
    name: 'a forged buyer',
    headers: () => ({ cookie: `__Host-till_buyer=${'a'.repeat(22)}.${'b'.repeat(22)}` }),
  },
  {
    name: 'a page of another site, by Origin',
    headers: async (shop) => ({ ...(await shop.signIn()), origin: 'https://evil.example' }),
    isForeign: true,
  },
  {
    name: 'a page of another site, by Sec-Fetch-Site',
    headers: async (shop) => ({ ...(await shop.signIn()), 'sec-fetch-site': 'cross-site' }),
    isForeign: true,
  },
  {
    name: 'a sandboxed frame',
    headers: async (shop) => ({ ...(await shop.signIn()), origin: 'null' }),
    isForeign: true,
  },
  {
    name: 'an admin on the custom domain, by Host',
    headers: async (shop) => ({ ...(await shop.signIn()), host: payHost }),
    isOnPayHost: true,
  },
  {
    name: 'an admin on the custom domain, by X-Forwarded-Host',
    headers: async (shop) => ({ ...(await shop.signIn()), 'x-forwarded-host': payHost }),
    isOnPayHost: true,
  },
  {
    name: 'nobody on the custom domain, written otherwise',
    headers: () => ({ host: `${payHost.toUpperCase()}.:443` }),
    isOnPayHost: true,
  },
]

const session = (token: string) => ({ cookie: `__Host-till_session=${token}` })

/** Public reads that answer by the buyer's cookie, and are closed to other sites for that reason. */
const cookieBound = new Set<string>([apiRoutes.checkout])

/** Which refusal must come, or `allowed`: any answer of the route itself. */
function expectedAnswer(access: Access, url: string, method: Method, caller: Caller): string[] {
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  if (caller.isForeign) {
    if (!isRead || access === 'admin') return ['foreign-origin']
    if (url === apiRoutes.selfCheck) return ['call-missing']
    return cookieBound.has(url) ? ['foreign-origin'] : ['allowed']
  }
  // Only for who has the secret; to all others it is no call.
  if (url === apiRoutes.selfCheck) return ['call-missing']
  if (access === 'public') return ['allowed']
  if (caller.isOnPayHost) return ['call-missing']
  return access === 'admin' && !caller.isAdmin ? ['unauthorized'] : ['allowed']
}

/** `keep` chooses a part of the cells, for the short form. */
export async function attackAccess(
  keep: (cell: number) => boolean = () => true,
): Promise<Findings> {
  const web = await readWebFiles()
  const [asset = ''] = await readdir(web.assetsFolder)
  const shop = await openTestShop({
    web,
    environment: { PUBLIC_URL: `https://${mainHost}`, CUSTOM_DOMAIN: payHost },
  })
  // Without it, its address is like one that does not exist.
  changeConfig(shop, { methods: { ...defaultMethods, applePayFile: '7B22' } })
  const faults = createFaults(
    'cells of the matrix with the wrong answer',
    'answers of 500 and above',
  )
  const routes = [...shop.app.accessOfRoutes].flatMap(([route, access]) => {
    const [names = '', url = ''] = route.split(' ')
    return names.split(',').map((method) => ({ method, url, access }))
  })
  const urls = [...new Set(routes.map(({ url }) => url))]
  let cells = 0
  let asked = 0
  let open = 0
  for (const url of urls) {
    const path = url.replaceAll(/:\w+/g, () => randomUUID()).replace('*', asset)
    for (const method of methods) {
      const declared = routes.find((route) => route.method === method && route.url === url)
      if (!declared && isTakenByAnother(routes, method, path)) continue
      for (const caller of callers) {
        cells += 1
        if (!keep(cells)) continue
        asked += 1
        // From many addresses, so that limits do not answer instead of the guard.
        const from = `198.18.${cells >> 8}.${cells & 255}`
        const headers = { host: mainHost, 'x-forwarded-for': from, ...(await caller.headers(shop)) }
        const answer = await shop.app.inject({ method, url: path, headers })
        const outcome = readOutcome(answer)
        const isAmbiguous = method === 'HEAD' && answer.statusCode === 404
        // What is not declared does not exist, or is refused before anybody looks.
        const expected = declared
          ? expectedAnswer(declared.access, url, method, caller)
          : ['call-missing', 'foreign-origin']
        if (outcome === 'allowed') open += 1
        const cell = `${method} ${url}, ${caller.name}`
        if (!expected.includes(outcome) && !(isAmbiguous && expected.includes('allowed')))
          faults['cells of the matrix with the wrong answer'].push(
            `${cell}: ${outcome} (${answer.statusCode}) instead of ${expected.join(' or ')}`,
          )
        if (answer.statusCode >= 500 && answer.statusCode !== 501)
          faults['answers of 500 and above'].push(`${cell}: ${answer.statusCode}`)
      }
    }
  }
  return {
    figures: [
      `${urls.length} paths × ${methods.length} methods × ${callers.length} callers: ${asked} cells asked, ${open} of them open`,
    ],
    faults,
  }
}

/**
 * One buyer's checkout under way and paid order, asked for on every public route by that buyer, by another one who has bought
 * as well, and by people without a purchase. Whose an order is, routes do not declare: what tells is what they answer.
 */
export async function attackBuyers(): Promise<Findings> {
  const shop = await openSaleShop({ web: await readWebFiles() })
  const faults = createFaults(
    'checkouts that answered somebody else',
    'answers with the details of another buyer',
    'buyers who do not see what is theirs',
    'checkouts that somebody else changed',
  )
  const secrets = ['Olga Ownermann', 'olga@example.com', '+49 30 777', 'Eigenweg 7']
  const [customerName, customerEmail, customerPhone, address] = secrets
  const shippingAddress = { ...delivery.shippingAddress, address, phone: customerPhone }
  const details = { ...delivery, customerName, customerEmail, customerPhone, shippingAddress }
  const owner = await buyAndOpen(shop, details)
  const other = await buyAndOpen(shop, delivery)
  const read = () => shop.db.select().from(checkouts).orderBy(checkouts.id)
  const before = JSON.stringify(await read())
  let cells = 0
  let open = 0

  async function ask(name: string, cookie: string, isOwner: boolean): Promise<void> {
    for (const [route, access] of shop.app.accessOfRoutes) {
      const [methodNames = '', url = ''] = route.split(' ')
      if (access !== 'public' || url.startsWith('/sandbox/')) continue
      for (const method of methodNames.split(',') as Method[]) {
        for (const checkoutId of [owner.openId, owner.paidId]) {
          cells += 1
          const path = url.replace(':checkoutId', checkoutId).replace(/:\w+|\*/, owner.orderId)
          const payload = { ...delivery, formId: 'a', sumupCheckoutId: checkoutId, id: checkoutId }
          const answer = await shop.app.inject({
            method,
            url: path,
            headers: { cookie, 'x-forwarded-for': `198.18.${cells >> 8}.${cells & 255}` },
            ...(method === 'POST' || method === 'PUT' ? { payload } : {}),
          })
          const cell = `${method} ${url}, ${name}: ${answer.statusCode}`
          const isOfBuyer = url.includes(':checkoutId') || route === `POST ${apiRoutes.orders}`
          const isMissing = readCode(answer.body) === 'payment-missing' || answer.statusCode === 404
          const isShown = secrets.some((secret) => answer.body.includes(secret))
          if (!isMissing) open += 1
          if (isOfBuyer && !isOwner && !isMissing)
            faults['checkouts that answered somebody else'].push(cell)
          if (isShown && !isOwner) faults['answers with the details of another buyer'].push(cell)
          const isPersonal = url === apiRoutes.order || url === publicPages.thankYou
          const isHidden = isPersonal && method === 'GET' && !isShown
          if (isOwner && ((isOfBuyer && isMissing) || isHidden))
            faults['buyers who do not see what is theirs'].push(cell)
        }
      }
    }
  }

  await ask('another buyer', other.cookie, false)
  await ask('nobody', '', false)
  await ask('a forged buyer', `till_buyer=${'a'.repeat(22)}.${'b'.repeat(22)}`, false)
  if (JSON.stringify(await read()) !== before)
    faults['checkouts that somebody else changed'].push('rows of checkouts differ')
  await ask('the buyer', owner.cookie, true)
  return {
    figures: [`${cells} cells about a real checkout and order of a buyer, ${open} of them open`],
    faults,
  }
}

/** A buyer with a paid order, and another checkout under way. */
async function buyAndOpen(shop: SaleShop, details: object) {
  const buyer = createBuyer(shop)
  const begin = async () => {
    const answer = await buyer.open(shop.mug)
    const { checkoutId }: { checkoutId: string } = answer.json()
    await buyer.saveDetails(checkoutId, details)
    const [cookie] = answer.cookies
    return { checkoutId, cookie: `${cookie?.name}=${cookie?.value}` }
  }
  const { checkoutId: paidId } = await begin()
  await payByCard(shop.sandbox, paidId)
  const order: { id: string } = (await buyer.order(paidId)).json()
  const { checkoutId: openId, cookie } = await begin()
  return { paidId, orderId: order.id, openId, cookie }
}

function readCode(body: string): unknown {
  return body.startsWith('{') ? JSON.parse(body).code : undefined
}

/** Refusals that come before the route itself. */
const guardCodes = new Set(['unauthorized', 'foreign-origin', 'call-missing', 'too-many-requests'])

/** The code of the refusal that the guard or the router gave, or `allowed`. HEAD has no body: there 404 may be either. */
function readOutcome(answer: { statusCode: number; body: string; headers: object }): string {
  const { statusCode: status, body } = answer
  const code = readCode(body)
  if (typeof code === 'string') return guardCodes.has(code) ? code : 'allowed'
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'foreign-origin'
  // The page that there is no such page; pages about products and orders have texts of their own.
  const isMissing = status === 404 && (body === '' || body.includes('Page Not Found'))
  return isMissing ? 'call-missing' : 'allowed'
}

function isTakenByAnother(
  routes: { method: string; url: string }[],
  method: Method,
  path: string,
): boolean {
  return routes.some(({ method: other, url }) => {
    const pattern = url.replaceAll(/:\w+/g, '[^/]+').replace('*', '.*')
    return other === method && new RegExp(`^${pattern}$`).test(path)
  })
}

/** With its session still there, as on a node that has not heard of it. */
async function signInAsDisabled({ db }: TestShop): Promise<{ cookie: string }> {
  const email = `${randomUUID()}@example.com`
  const [user] = await db.insert(users).values({ email }).returning({ id: users.id })
  const userId = user?.id ?? ''
  await db
    .insert(credentials)
    .values({ userId, username: email, passwordHash: 'none', disabledAt: sql`now()` })
  return session(await createSession(db, userId, testBrowser))
}

async function signInExpired({ db, signIn }: TestShop): Promise<{ cookie: string }> {
  const before = new Set(
    (await db.select({ sid: sessions.sid }).from(sessions)).map(({ sid }) => sid),
  )
  const headers = await signIn()
  const made = await db.select({ sid: sessions.sid }).from(sessions)
  for (const { sid } of made.filter((row) => !before.has(row.sid)))
    await db
      .update(sessions)
      .set({ expire: sql`now()` })
      .where(eq(sessions.sid, sid))
  return headers
}

/** A sub-domain of another owner can set cookies for ours, but none whose name begins with __Host-. */
async function signInWithPlainCookie({ signIn }: TestShop): Promise<{ cookie: string }> {
  const { cookie } = await signIn()
  return { cookie: cookie.replace('__Host-', '') }
}
