import { randomUUID } from 'node:crypto'
import { Agent, request, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { refusals } from '#contract/refusals.ts'
import { inviteFragment } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import { objectUrl } from '#contract/pictures.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { openSaleShop, type SaleShop } from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { createRandom, type Random } from '#tools/random.ts'
import { createFaults, type Findings } from './findings.ts'

/*
 * Random requests over real sockets, half of them valid but for one field. None may end in an error of the server, and
 * every refusal has a text and a code and tells nothing about how the shop is made.
 */

const concurrency = 8
/** What the shop reads of a JSON body. Beyond it the connection may be closed while the body is still sent. */
const maxBodyBytes = 64 * 1024

type Target = { method: string; url: string; isAdmin: boolean }
type Prepared = {
  method: string
  path: string
  headers: OutgoingHttpHeaders
  body: Buffer | undefined
}
type Answer = { status: number; type: string; body: string }

export async function attackWithRandomRequests(count: number, seed: number): Promise<Findings> {
  const shop = await openSaleShop({ web: await readWebFiles() })
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = shop.app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  after(() => agent.destroy())
  const known = await prepareShop(shop)
  const targets: Target[] = [...shop.app.accessOfRoutes]
    .flatMap(([route, access]) => {
      const [names = '', url = ''] = route.split(' ')
      return names.split(',').map((method) => ({ method, url, isAdmin: access === 'admin' }))
    })
    .filter(({ method }) => method !== 'HEAD')
  const random = createRandom(seed)
  const faults = createFaults(
    'answers of 500 and above',
    'refusals without text and code',
    'answers that show a stack, SQL or a path',
    'requests without an answer',
  )
  const statuses = new Map<number, number>()
  let admin = await shop.signIn()
  let begun = 0
  let cut = 0

  async function attack(): Promise<void> {
    while (begun < count) {
      begun += 1
      // Some requests end sessions.
      if (begun % 25 === 0) admin = await shop.signIn()
      const target = random.pick(targets)
      if (!target) throw new Error('there are no routes')
      const prepared = createRequest(random, target, known, admin.cookie)
      const answer = await send(agent, port, prepared).catch((error: unknown) => String(error))
      const name = `${prepared.method} ${prepared.path.slice(0, 150)} ${prepared.body?.toString().slice(0, 150) ?? ''}`
      if (typeof answer === 'string') {
        if ((prepared.body?.length ?? 0) > maxBodyBytes) cut += 1
        else faults['requests without an answer'].push(`${name}: ${answer}`)
        continue
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const isHead = prepared.method === 'HEAD'
      judge(answer, `${name}: ${answer.status} ${answer.body.slice(0, 200)}`, target, isHead)
    }
  }

  function judge(answer: Answer, name: string, target: Target, isHead: boolean): void {
    const isOfShop = !target.url.startsWith('/sandbox/')
    const { message, code } = readJson(answer)
    const isRefusal = typeof code === 'string' && code in refusals && code !== 'unexpected'
    // An answer to HEAD has no code: there only the one status that a route always gives is known to be decided.
    const isDecided = isHead ? answer.status === 501 : isRefusal
    if (answer.status >= 500 && !isDecided) faults['answers of 500 and above'].push(name)
    const isApi = target.url.startsWith('/api/')
    if (isOfShop && !isHead && answer.status >= 400 && (isApi || answer.type.includes('json')))
      if (typeof message !== 'string' || message === '' || typeof code !== 'string')
        faults['refusals without text and code'].push(name)
    if (answer.status >= 400 && leak.test(answer.body))
      faults['answers that show a stack, SQL or a path'].push(name)
  }

  await Promise.all(Array.from({ length: concurrency }, attack))
  const alive = await shop.app.inject({ url: apiRoutes.healthReady })
  if (alive.statusCode !== 200) faults['requests without an answer'].push('the shop is not ready')
  const share = (from: number) =>
    [...statuses].reduce(
      (sum, [status, times]) => sum + (Math.floor(status / 100) === from ? times : 0),
      0,
    )
  return {
    figures: [
      `${begun} random requests (seed ${seed}) to ${targets.length} routes: ${share(2)} done, ${share(3)} redirected, ${share(4)} refused, ${share(5)} not available by decision, ${cut} cut off while too large`,
      `statuses: ${[...statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([status, times]) => `${status} × ${times}`)
        .join(', ')}`,
    ],
    faults,
  }
}

/** A frame of a stack, a file of ours, an error of PostgreSQL, or a piece of a statement. */
const leak =
  /\bat .{0,200}:\d+:\d+|node_modules|\.ts\b:?\d*|syntax error|violates|relation "|column "|\bselect .{1,80} from\b|\binsert into\b|drizzle|ECONNREFUSED/i

function readJson({ type, body }: Answer): { message?: unknown; code?: unknown } {
  if (!type.includes('json') || body === '') return {}
  const value: unknown = JSON.parse(body)
  return typeof value === 'object' && value !== null ? value : {}
}

function send(agent: Agent, port: number, { body, ...options }: Prepared): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = request({ agent, port, host: '127.0.0.1', ...options }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        type: response.headers['content-type'] ?? '',
        body: decode(Buffer.concat(chunks), response.headers['content-encoding']),
      }),
    )
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
  zstd: zstdDecompressSync,
}

/** An answer to HEAD names an encoding and has no bytes. */
function decode(bytes: Buffer, encoding = ''): string {
  const plain = bytes.length > 0 ? decoders[encoding]?.(bytes) : undefined
  return (plain ?? bytes).toString()
}

type Known = { ids: Record<string, string[]>; buyer: string; bodies: Record<string, object> }

/** Something of everything, so that valid requests reach the code behind the checks. */
async function prepareShop(shop: SaleShop): Promise<Known> {
  const headers = await shop.signIn()
  const call = async (method: 'POST', url: string, payload: object) =>
    (await shop.app.inject({ method, url, headers, payload })).json()
  const buyer = createBuyer(shop)
  const paid = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, paid)
  const order: { id: string } = (await buyer.order(paid)).json()
  const open = await buyer.open(shop.mug)
  const [cookie] = open.cookies
  const { checkoutId } = open.json()
  const upload: { objectPath: string } = await call('POST', apiRoutes.upload, { kind: 'image' })
  const multipart: { key: string; uploadId: string } = await call('POST', apiRoutes.multipart, {})
  const invite: { id: string; link: string } = await call('POST', apiRoutes.invites, {
    email: 'new@example.com',
  })
  const product = {
    name: 'Mug',
    price: '49.00',
    currency: 'EUR',
    description: 'A mug',
    headerName: 'Mugs',
    imageUrl: objectUrl(upload.objectPath),
    headerLogoUrl: 'https://example.com/logo.png',
    quantityPricingEnabled: true,
    quantityTiers: [{ quantity: 2, price: '45.00' }],
  }
  const details = { ...delivery, billingAddress: delivery.shippingAddress, formId: 'a' }
  const { password, username } = testAdmin
  return {
    buyer: `${cookie?.name}=${cookie?.value}`,
    ids: {
      id: [shop.mug, order.id, invite.id],
      checkoutId: [checkoutId, paid],
      key: [upload.objectPath, multipart.key],
      uploadId: [multipart.uploadId],
      partNumber: ['1'],
      kind: ['card-form'],
    },
    bodies: {
      [`POST ${apiRoutes.adminLogin}`]: { username, password, code: '123456' },
      [`PUT ${apiRoutes.ownPassword}`]: { currentPassword: password, newPassword: 'short' },
      [`POST ${apiRoutes.secondFactor}`]: { password },
      [`POST ${apiRoutes.secondFactorConfirm}`]: { code: '123456' },
      [`POST ${apiRoutes.secondFactorOff}`]: { password, code: '123456' },
      [`POST ${apiRoutes.invites}`]: { email: 'other@example.com' },
      [`POST ${apiRoutes.acceptInvite}`]: {
        token: invite.link.split(inviteFragment)[1] ?? '',
        username: 'new',
        password: 'short',
      },
      [`POST ${apiRoutes.products}`]: product,
      [`PUT ${apiRoutes.product}`]: product,
      [`POST ${apiRoutes.upload}`]: { kind: 'logo' },
      [`POST ${apiRoutes.multipart}`]: { metadata: { kind: 'image' } },
      [`POST ${apiRoutes.multipartComplete}`]: { parts: [{ PartNumber: 1, ETag: '"abc"' }] },
      [`POST ${apiRoutes.createCheckout}`]: {
        productId: shop.mug,
        amount: '49.00',
        currency: 'EUR',
      },
      [`PUT ${apiRoutes.checkoutDetails}`]: details,
      [`POST ${apiRoutes.orders}`]: { ...details, sumupCheckoutId: checkoutId, quantity: 1 },
      [`PATCH ${apiRoutes.orderStatus}`]: { status: 'shipped' },
      [`POST ${apiRoutes.paymentWebhook}`]: {
        event_type: 'CHECKOUT_STATUS_CHANGED',
        id: checkoutId,
      },
      [`POST ${apiRoutes.reviewOrder}`]: { productId: shop.mug, details: delivery },
      [`POST ${apiRoutes.reviewDismiss}`]: { note: 'a note' },
      [`POST ${apiRoutes.track}`]: {
        eventType: 'thank_you_view',
        productId: shop.mug,
        orderId: order.id,
      },
      [`POST ${apiRoutes.customerExport}`]: { email: delivery.customerEmail },
      [`POST ${apiRoutes.customerErase}`]: { email: 'nobody@example.com' },
    },
  }
}

const queries: Record<string, string> = {
  limit: '5',
  cursor: 'MTIz',
  q: 'anna',
  status: 'shipped',
  tests: 'true',
  archive: 'true',
  from: '2026-01-01',
  to: '2026-02-01',
  tz: 'Europe/Berlin',
  key: 'abc',
  size: 'thumb',
  before: '10',
  action: 'sign-in',
  expires: '99999999999',
  signature: 'abc',
  'metadata[kind]': 'logo',
}

/** JSON texts, since some of them have no value in JavaScript. */
const hostileJson: (() => string)[] = [
  ...[
    String.raw`"\u0000"`,
    String.raw`"a\ud800b"`,
    String.raw`"\udfff"`,
    '"not-a-uuid"',
    '"00000000-0000-0000-0000-000000000000"',
    '"1e3"',
    '"-1"',
    '"٣"',
    '"12.345"',
    '"0x10"',
    '"NaN"',
    '""',
    '" "',
    String.raw`"\r\nset-cookie: a=b"`,
    '"%00"',
    '"../../etc/passwd"',
    `"' or 1=1; drop table orders; --"`,
    '"javascript:alert(1)"',
    '"\u202E\u2066evil"',
    '1e308',
    '1e999',
    '-1',
    '0',
    '-0',
    '0.1',
    '9007199254740993',
    '999999999999999999999999999999',
    'null',
    'true',
    '[]',
    '{}',
    '[["a"]]',
    '["a","b"]',
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '{"toString":"a","length":-1}',
    '{"a":1,"a":2}',
  ].map((text) => () => text),
  () => '['.repeat(10_000) + ']'.repeat(10_000),
  () => '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000),
  () => '['.repeat(15) + ']'.repeat(15),
  () => `"${'x'.repeat(60_000)}"`,
  () => `"${'x'.repeat(1_000_000)}"`,
  () => `"${'🙂'.repeat(10_000)}"`,
  () => `[${'0,'.repeat(20_000)}0]`,
]

const hostileBytes: Buffer[] = [
  Buffer.from([0xff, 0xfe, 0x22]),
  Buffer.from('{"name":"\xc3\x28"}', 'latin1'),
  Buffer.from('{"name":"a"', 'utf8'),
  Buffer.from('\uFEFF{}'),
  Buffer.from('{}{}'),
  Buffer.from('name=a&price=1'),
  Buffer.from('--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--'),
  Buffer.alloc(1_000, 0),
  Buffer.from('\u0000'),
]

const hostileParts = [
  '%00',
  '%2e%2e%2f',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..%5c',
  '%ff%fe',
  '%',
  '%zz',
  '%ed%a0%80',
  '__proto__',
  'constructor',
  '1e3',
  '-1',
  '%D9%A3',
  'null',
  '0',
  ' '.replace(' ', '%20'),
  'a'.repeat(999),
  'a'.repeat(8_000),
  '%F0%9F%99%82',
  "'%20or%201=1--",
  '{}',
  '*',
  '%0d%0aset-cookie:%20a=b',
  '99999999999999999999',
]

const otherMethods = [
  'HEAD',
  'TRACE',
  'OPTIONS',
  'PATCH',
  'DELETE',
  'PROPFIND',
  'FOO',
  'PUT',
  'LOCK',
]
const contentTypes = [
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json;',
  'application/xml',
  '/',
  'image/png',
]

function createRequest(
  random: Random,
  target: Target,
  known: Known,
  adminCookie: string,
): Prepared {
  const hostilePart = () => random.pick(hostileParts) ?? ''
  const path = target.url
    .replaceAll(/:(\w+)/g, (_whole, name: string) =>
      random.chance(0.3)
        ? hostilePart()
        : (random.pick([...(known.ids[name] ?? []), randomUUID()]) ?? ''),
    )
    .replace('*', () => (random.chance(0.5) ? hostilePart() : 'v0.1/checkouts'))
  const method = random.chance(0.1) ? (random.pick(otherMethods) ?? 'GET') : target.method
  const valid = known.bodies[`${target.method} ${target.url}`]
  const hasBody = valid ? random.chance(0.97) : random.chance(0.2)
  const body = hasBody && method !== 'TRACE' ? createBody(random, valid) : undefined
  const cookies = target.isAdmin
    ? [...Array.from({ length: 15 }, () => adminCookie), 'till_session=forged', '']
    : [
        known.buyer,
        known.buyer,
        adminCookie,
        `${known.buyer}; ${adminCookie}`,
        'till_buyer=%00; __proto__=1; a',
        '',
      ]
  return {
    method,
    path: path + createQuery(random, target),
    body,
    headers: {
      cookie: random.pick(cookies),
      // From everywhere, so that limits do not end the attack. The shop trusts a proxy on this machine.
      'x-forwarded-for': `198.${random.integer(18, 19)}.${random.integer(0, 255)}.${random.integer(1, 254)}`,
      ...(random.chance(0.05) && {
        'user-agent': random.pick(['', '\u00ff\u00fe', '<script>', 'x'.repeat(5_000)]),
      }),
      ...(random.chance(0.05) && {
        'x-visitor-from': random.pick([
          'javascript:alert(1)',
          'https://a.example/%00',
          '//',
          '\u00ff',
        ]),
      }),
      ...(random.chance(0.05) && {
        'accept-encoding': random.pick(['br;q=x', '*', 'gzip, gzip', '']),
      }),
      ...(random.chance(0.05) && { 'if-none-match': random.pick(['*', '"', 'W/"x", "y"']) }),
      ...(random.chance(0.05) && {
        range: random.pick(['bytes=-1', 'bytes=9-1', 'bytes=0-,1-,2-', 'x']),
      }),
      ...(random.chance(0.03) && {
        'sec-fetch-site': random.pick(['same-origin', 'cross-site', 'x']),
      }),
      ...(body && {
        'content-type': random.chance(0.9) ? 'application/json' : random.pick(contentTypes),
        'content-length': body.length,
      }),
    },
  }
}

function createQuery(random: Random, { method, url }: Target): string {
  if (random.chance(method === 'GET' && url.startsWith('/api/') ? 0.4 : 0.8)) return ''
  const parts = random
    .shuffle(Object.entries(queries))
    .slice(0, random.integer(1, 5))
    .map(([name, value]) => {
      const text = random.chance(0.4)
        ? (random.pick(hostileParts) ?? '')
        : encodeURIComponent(value)
      return random.chance(0.1) ? `${name}[]=${text}&${name}=${text}` : `${name}=${text}`
    })
  return `?${parts.join('&')}`
}

/** Half of the bodies are valid but for one field. */
function createBody(random: Random, valid: object | undefined): Buffer {
  const hostile = () => random.pick(hostileJson)?.() ?? 'null'
  if (!valid || random.chance(0.2)) return Buffer.from(hostile())
  if (random.chance(0.1)) return random.pick(hostileBytes) ?? Buffer.alloc(0)
  if (random.chance(0.1)) return Buffer.from(JSON.stringify(valid))
  const field = random.pick(listFields(valid))
  if (!field || random.chance(0.1)) {
    const key = random.pick([
      '"__proto__"',
      '"constructor"',
      '"extra"',
      String.raw`"\u0000"`,
      '"id"',
    ])
    return Buffer.from(JSON.stringify(valid).replace(/\}$/, `,${key}:${hostile()}}`))
  }
  // A marker, because not every hostile text is a value that JSON.stringify could write.
  const marker = 'field-to-replace'
  return Buffer.from(
    JSON.stringify(replaceField(valid, field, marker)).replace(`"${marker}"`, () => hostile()),
  )
}

function listFields(value: unknown, path: string[] = []): string[][] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, item]) => listFields(item, [...path, key]))
      : []
  return path.length > 0 ? [path, ...inner] : inner
}

function replaceField(value: unknown, [key, ...rest]: string[], replacement: string): unknown {
  if (key === undefined) return replacement
  if (Array.isArray(value))
    return value.map((item, at) =>
      String(at) === key ? replaceField(item, rest, replacement) : item,
    )
  const fields = value as Record<string, unknown>
  return { ...fields, [key]: replaceField(fields[key], rest, replacement) }
}
