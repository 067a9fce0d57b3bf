import { Agent, maxHeaderSize, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { refusals, type RefusalCode } from '#contract/refusals.ts'
import { apiRoutes, inviteFragment } from '#contract/paths.ts'
import { settingsSections } from '#contract/shop-settings.ts'
import { documentedCalls } from '#server/calls.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import { openSaleShop, type SaleShop } from '#server/testing/sale.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { createRandom } from '#tools/random.ts'
import { createFaults, type Findings } from './findings.ts'
import { createRequest, type Known, type Prepared, type Target } from './random-request.ts'

/*
 * Random requests over real sockets, half of them valid but for one field. None may end in an error of the server, and
 * every refusal has a text and a code and tells nothing about how the shop is made.
 */

const concurrency = 8
/** What the shop reads of a JSON body. Beyond it the connection may be closed while the body is still sent. */
const maxBodyBytes = 64 * 1024

/** Refusals that nobody decided: an error, or a database that was too slow for the request. */
const failures = new Set<string>(['unexpected', 'unavailable'] satisfies RefusalCode[])

type Answer = { status: number; type: string; body: string }

export async function attackWithRandomRequests(count: number, seed: number): Promise<Findings> {
  // An account that is tried out is asked of nobody outside.
  const environment = { SUMUP_API_URL: 'http://127.0.0.1:1' }
  const shop = await openSaleShop({ web: await readWebFiles(), environment })
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
        // What is too long is refused before its method is known, so that even an answer to HEAD has a body.
        const headBytes = prepared.path.length + JSON.stringify(prepared.headers).length
        const isUnreadable = prepared.method === 'HEAD' && headBytes > maxHeaderSize
        if ((prepared.body?.length ?? 0) > maxBodyBytes || isUnreadable) cut += 1
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
    const isRefusal = typeof code === 'string' && code in refusals && !failures.has(code)
    // An answer to HEAD has no code: there only the one status that a route always gives is known to be decided.
    const isDecided = isHead ? answer.status === 501 : isRefusal
    if (answer.status >= 500 && !isDecided) faults['answers of 500 and above'].push(name)
    // The form shows people what is wrong.
    const isForm = target.url === apiRoutes.withdrawalForm && answer.type.includes('html')
    const isApi = target.url.startsWith('/api/') && !isForm
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

/** Something of everything, and the examples of all calls about that, so that valid requests reach the code behind the checks. */
async function prepareShop(shop: SaleShop): Promise<Known> {
  const headers = await shop.signIn()
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    (await shop.app.inject({ method, url, headers, ...(payload && { payload }) })).json()
  const buyer = createBuyer(shop)
  const paid = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, paid)
  const order: { id: string } = (await buyer.order(paid)).json()
  const open = await buyer.open(shop.mug)
  const { checkoutId } = open.json()
  const upload: { objectPath: string } = await call('POST', apiRoutes.upload, { kind: 'image' })
  const multipart: { key: string; uploadId: string } = await call('POST', apiRoutes.multipart, {})
  const { password, username } = testAdmin
  const email = 'new@example.com'
  const invite: { id: string; link: string } = await call('POST', apiRoutes.invites, {
    email,
    password,
  })
  const { values }: { values: Record<string, object> } = await call('GET', apiRoutes.settings)
  /** Real values for fields whose examples only show a form. */
  const real: Record<string, unknown> = {
    password,
    currentPassword: password,
    username,
    productId: shop.mug,
    orderId: order.id,
    sumupCheckoutId: checkoutId,
    orderNumber: order.id,
    token: invite.link.split(inviteFragment)[1],
    // Neither changes the password nor asks anybody outside.
    newPassword: 'short',
    url: 'http://127.0.0.1:1',
    // A section reads its own fields only.
    values: Object.assign({}, ...Object.values(values)),
  }
  const withReal = (example: object) =>
    Object.fromEntries(Object.entries(example).map(([name, value]) => [name, real[name] ?? value]))
  return {
    buyer: buyer.cookie(),
    ids: {
      id: [shop.mug, order.id, invite.id],
      checkoutId: [checkoutId, paid],
      key: [upload.objectPath, multipart.key],
      uploadId: [multipart.uploadId],
      partNumber: ['1'],
      kind: ['card-form'],
      section: [...settingsSections],
    },
    bodies: Object.fromEntries(
      documentedCalls.flatMap(({ route, example }) =>
        typeof example === 'object' && example !== null ? [[route, withReal(example)]] : [],
      ),
    ),
  }
}
