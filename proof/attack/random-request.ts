import { randomUUID } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import type { Random } from '#tools/random.ts'

/** Random requests: half of the bodies are valid but for one field. */

/** A route of the shop. */
export type Target = { method: string; url: string; isAdmin: boolean }
export type Prepared = {
  method: string
  path: string
  headers: OutgoingHttpHeaders
  body: Buffer | undefined
}

/** What exists in the shop: ids by the name of their parameter, a buyer's cookie, a valid body for each route that reads one. */
export type Known = { ids: Record<string, string[]>; buyer: string; bodies: Record<string, object> }

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

export function createRequest(
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
