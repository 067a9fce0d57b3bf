import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { startSandbox, type Sandbox, type SandboxOptions } from '#sandbox/sandbox.ts'

export const cards = {
  good: '4200000000000091',
  challenged: '4200000000000042',
  refused: '4012001037461114',
  foreign: '4242424242424242',
}

// oxlint-disable-next-line typescript/no-explicit-any -- the answers of an API under test
export type TestResponse = { status: number; type: string; headers: Headers; body: any }

export type TestSandbox = Sandbox & ReturnType<typeof createCalls>

/** A sandbox for one test file, and the calls of a merchant's server. */
export async function openSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox({ webhookDelaysMs: [0, 0, 0, 0], ...options })
  after(() => sandbox.close())
  return { ...sandbox, ...createCalls(sandbox) }
}

export function createCalls({
  url,
  apiKey,
  merchantCode,
}: Pick<Sandbox, 'url' | 'apiKey' | 'merchantCode'>) {
  async function call(
    method: string,
    path: string,
    body?: unknown,
    { key = apiKey, signal }: { key?: string | undefined; signal?: AbortSignal } = {},
  ): Promise<TestResponse> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      ...(signal ? { signal } : {}),
    })
    const text = await response.text()
    const type = response.headers.get('content-type')?.split(';')[0] ?? ''
    return {
      status: response.status,
      type,
      headers: response.headers,
      body: type.endsWith('json') ? JSON.parse(text) : text,
    }
  }
  const checkoutFields = (fields: Record<string, unknown> = {}) => ({
    checkout_reference: randomUUID(),
    amount: 10.1,
    currency: 'EUR',
    merchant_code: merchantCode,
    ...fields,
  })
  const card = (number: string, fields: Record<string, unknown> = {}) => ({
    payment_type: 'card',
    card: {
      number,
      name: 'Ada Lovelace',
      expiry_month: '12',
      expiry_year: '2035',
      cvv: '123',
      ...fields,
    },
  })
  return {
    call,
    checkoutFields,
    card,
    create: async (fields?: Record<string, unknown>) =>
      (await call('POST', '/v0.1/checkouts', checkoutFields(fields))).body,
    /** Like the widget, without a key. */
    pay: (id: string, number = cards.good) =>
      call('PUT', `/v0.2/checkouts/${id}`, card(number), { key: '' }),
    payWith: (id: string, method: string, fields: Record<string, unknown> = {}) =>
      call('PUT', `/v0.2/checkouts/${id}`, { payment_type: method, ...fields }, { key: '' }),
    read: async (id: string) => (await call('GET', `/v0.1/checkouts/${id}`)).body,
  }
}

/** A webhook receiver that collects what arrives. */
export async function openReceiver() {
  const statuses: number[] = []
  const arrived: { event_type: string; id: string }[] = []
  const waiting: (() => void)[] = []
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that follows a redirect comes with GET.
    if (request.method !== 'POST') return void response.writeHead(204).end()
    arrived.push(JSON.parse(Buffer.concat(await request.toArray()).toString()))
    response.writeHead(statuses.shift() ?? 204, { location: '/elsewhere' }).end()
    for (const resolve of waiting.splice(0)) resolve()
  }
  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrived,
    /** The statuses of the next answers; 204 afterwards. */
    answerWith: (...next: number[]) => statuses.push(...next),
    async waitFor(count: number): Promise<typeof arrived> {
      while (arrived.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
      return arrived
    },
  }
}
