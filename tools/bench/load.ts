import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { freePort } from '#server/testing/running-shop.ts'

/*
 * Requests over plain sockets that stay open: the driver shares the machine with what it measures, so it does as little
 * as possible.
 */

export type Load = { perSecond: number; statuses: Record<string, number> }

/** Sends as many requests as a server answers. Only answers within the given time count, not connecting and not the last ones. */
export async function loadServer(
  port: number,
  browsers: number,
  seconds: number,
  nextRequest: () => string,
): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: browsers }, () => open(port)))
  const statuses: Record<string, number> = {}
  const endsAt = performance.now() + seconds * 1000
  let answers = 0
  await Promise.all(
    sockets.map((socket) => {
      readAnswers(socket, ({ status }) => {
        statuses[status] = (statuses[status] ?? 0) + 1
        const isInTime = performance.now() < endsAt
        if (isInTime) answers += 1
        if (isInTime && status.startsWith('2')) socket.write(nextRequest())
        else socket.destroy()
      })
      socket.write(nextRequest())
      return once(socket, 'close')
    }),
  )
  return { perSecond: answers / seconds, statuses }
}

export type Answer = {
  /** Three digits. */
  status: string
  /** The status line and the headers. */
  head: string
  /** Reads the body; if it came in chunks, with their lengths in between. */
  readBody: () => string
}

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

function readAnswers(socket: Socket, onAnswer: (answer: Answer) => void): void {
  let head = ''
  let missing = 0
  let parts: Buffer[] = []
  socket.on('data', (bytes: Buffer) => {
    if (missing === 0) {
      const headLength = bytes.indexOf(headEnd) + headEnd.length
      if (headLength < headEnd.length) throw new Error('The head of an answer came in pieces')
      head = bytes.toString('latin1', 0, headLength)
      parts = [bytes.subarray(headLength)]
      const length = /content-length: (\d+)/.exec(head)?.[1]
      const isChunked = length === undefined && head.includes('transfer-encoding: chunked')
      missing = isChunked ? Infinity : headLength + Number(length ?? 0)
    } else {
      parts.push(bytes)
    }
    missing -= bytes.length
    if (missing === Infinity && bytes.subarray(-lastChunk.length).equals(lastChunk)) missing = 0
    if (missing > 0) return
    const body = parts
    onAnswer({
      status: head.slice(9, 12),
      head,
      readBody: () => Buffer.concat(body).toString(),
    })
  })
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket
}

export type Client = {
  /** Rejects if the answer is no success. */
  send: (request: string) => Promise<Answer>
  close: () => void
}

/** Sends requests over as many kept connections as are needed at a time. */
export function openClient(port: number): Client {
  const idle: Connection[] = []
  const all = new Set<Connection>()

  async function connectAnother(): Promise<Connection> {
    const socket = await open(port)
    const connection: Connection = { socket }
    all.add(connection)
    readAnswers(socket, (answer) => {
      const { pending } = connection
      delete connection.pending
      idle.push(connection)
      pending?.resolve(answer)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      all.delete(connection)
      const index = idle.indexOf(connection)
      if (index >= 0) idle.splice(index, 1)
      connection.pending?.reject(new Error('The connection was closed before the answer'))
    })
    return connection
  }

  return {
    async send(request) {
      const connection = idle.pop() ?? (await connectAnother())
      const pending = Promise.withResolvers<Answer>()
      connection.pending = pending
      connection.socket.write(request)
      const answer = await pending.promise
      if (answer.status.startsWith('2')) return answer
      const [asked = ''] = request.split(' HTTP/1.1', 1)
      throw new Error(`${asked}: ${answer.status} ${answer.readBody().slice(0, 200)}`)
    },
    close() {
      for (const { socket } of all) socket.destroy()
    },
  }
}

type Connection = { socket: Socket; pending?: PromiseWithResolvers<Answer> }

/** With so many visitors, none exceeds the rate limit. */
const visitors = 20_000

function addressOf(visitor: number): string {
  return `${11 + (visitor % 180)}.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`
}

type RequestParts = { method?: string; headers?: Record<string, string>; body?: object | undefined }

/** One request as a proxy passes it on: with a body as JSON, from an address of the visitor's own. */
export function formatRequest(
  path: string,
  visitor: number,
  { method = 'GET', headers = {}, body }: RequestParts = {},
): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `x-forwarded-for: ${addressOf(visitor)}`,
    `user-agent: ${getUserAgent(visitor)}`,
  ]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined)
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(text)}`)
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}

/** What browsers say about the pages that they can show. */
export const readHeaders = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.9',
  'accept-encoding': 'gzip, deflate, br',
}

/** Requests of visitors who were never here, as browsers send them. */
export function createReadRequests(path: string): () => string {
  const requests = Array.from({ length: visitors }, (_, visitor) =>
    formatRequest(path, visitor, { headers: readHeaders }),
  )
  let visitor = 0
  return () => {
    visitor = (visitor + 1) % visitors
    return requests[visitor] ?? ''
  }
}

export type BareAnswer = { headers: Record<string, string>; body: string }

/** A process with nothing but Fastify. It answers reads with these bytes. */
export async function startBareRoute(answer: BareAnswer = { headers: {}, body: '' }) {
  const port = await freePort()
  const child = fork(join(import.meta.dirname, 'bare-route.ts'))
  child.send({ port, ...answer })
  await once(child, 'message')
  return { port, pid: child.pid ?? 0, stop: () => child.disconnect() }
}

/** Two hundred different browser versions. */
function getUserAgent(visitor: number): string {
  const version = 100 + (visitor % 100)
  return visitor % 2
    ? `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`
    : `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version}.0 Mobile/15E148 Safari/604.1`
}
