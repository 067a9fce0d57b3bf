import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import { Client, type ClientConfig } from 'pg'
import { patienceMs } from './wait-for.ts'

/**
 * A pooler like PgBouncer 1.18 in transaction mode: it refuses settings of sessions, and after each transaction the next one
 * may run on another connection, so that LISTEN and prepared statements are lost.
 */
export async function startPooler(connection: ClientConfig, size = 3) {
  const clients = new Set<Socket>()
  const idle: ServerLink[] = []
  const waiting: ((link: ServerLink) => void)[] = []

  function release(link: ServerLink): void {
    const next = waiting.shift()
    if (next) next(link)
    else idle.push(link)
  }

  async function addLink(): Promise<void> {
    const link = await openServerLink(connection)
    release(link)
    link.socket.once('close', () => {
      link.onLoss()
      const index = idle.indexOf(link)
      if (index >= 0) idle.splice(index, 1)
      if (server.listening) addLink().catch(() => {})
    })
  }

  const server = createServer((socket) => {
    clients.add(socket)
    socket.once('close', () => clients.delete(socket))
    serveClient(socket, {
      // The one that was used longest ago, so that a client seldom meets the same one twice.
      acquire: (onLink) => {
        const link = idle.shift()
        if (link) onLink(link)
        else waiting.push(onLink)
      },
      release,
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  for (let count = 0; count < size; count += 1) await addLink()
  const address = server.address()
  after(async () => {
    server.close()
    for (const client of clients) client.destroy()
    for (const { socket } of idle) socket.destroy()
  })
  const port = typeof address === 'object' && address ? address.port : 0
  const { user = 'till', database = 'till' } = connection
  const patient = { connectionTimeoutMillis: patienceMs }
  return { host: '127.0.0.1', port, user, database, password: 'any', ssl: false, ...patient }
}

type ServerLink = { socket: Socket; onFrame: (frame: Buffer) => void; onLoss: () => void }

/** Signed in by pg; from then on the bytes are ours. */
async function openServerLink(connection: ClientConfig): Promise<ServerLink> {
  const client = new Client(connection)
  await client.connect()
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.removeAllListeners()
  stream.on('error', () => {})
  const link: ServerLink = { socket: stream, onFrame: () => {}, onLoss: () => {} }
  readFrames(stream, 1, (frame) => link.onFrame(frame))
  return link
}

type Links = {
  acquire: (onLink: (link: ServerLink) => void) => void
  release: (link: ServerLink) => void
}

const knownSettings = new Set(['user', 'database', 'application_name', 'client_encoding'])

function serveClient(socket: Socket, { acquire, release }: Links): void {
  let link: ServerLink | undefined
  let isWaiting = false
  /** Requests that the server has not answered to the end. */
  let running = 0
  const queued: Buffer[] = []
  socket.on('error', () => {})
  socket.once('close', () => link?.socket.destroy())

  function forward(): void {
    if (!link && !isWaiting && queued.length > 0) {
      isWaiting = true
      acquire((found) => {
        isWaiting = false
        found.onFrame = onAnswer
        found.onLoss = () => socket.destroy()
        link = found
        forward()
      })
    }
    if (link) for (const frame of queued.splice(0)) link.socket.write(frame)
  }

  function onAnswer(frame: Buffer): void {
    socket.write(frame)
    if (frame[0] !== 'Z'.charCodeAt(0)) return
    running -= 1
    const isInTransaction = frame[5] !== 'I'.charCodeAt(0)
    if (running > 0 || isInTransaction || !link) return
    const done = link
    link = undefined
    done.onFrame = () => {}
    done.onLoss = () => {}
    release(done)
  }

  const onRequest = (frame: Buffer) => {
    const type = String.fromCharCode(frame[0] ?? 0)
    if (type === 'X') return void socket.end()
    if (type === 'Q' || type === 'S') running += 1
    queued.push(frame)
    forward()
  }

  readFrames(socket, 0, (frame, become) => {
    const refused = readSettings(frame).find((name) => !knownSettings.has(name))
    if (refused) return void socket.end(formatRefusal(`unsupported startup parameter: ${refused}`))
    become(1, onRequest)
    const key = Buffer.alloc(8)
    key.writeInt32BE(1 + Math.floor(Math.random() * 1_000), 0)
    socket.write(
      Buffer.concat([
        formatFrame('R', Buffer.alloc(4)),
        formatFrame('K', key),
        formatFrame('Z', Buffer.from('I')),
      ]),
    )
  })
}

type OnFrame = (frame: Buffer, become: (typeBytes: number, next: OnFrame) => void) => void

/** Frames have a length after their type; the first of a client has no type. */
function readFrames(socket: Socket, firstTypeBytes: number, first: OnFrame): void {
  let [typeBytes, onFrame] = [firstTypeBytes, first]
  let rest = Buffer.alloc(0)
  const become = (bytes: number, next: OnFrame) => void ([typeBytes, onFrame] = [bytes, next])
  socket.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= typeBytes + 4) {
      const length = typeBytes + rest.readInt32BE(typeBytes)
      if (rest.length < length) return
      const frame = rest.subarray(0, length)
      rest = rest.subarray(length)
      onFrame(frame, become)
    }
  })
  socket.resume()
}

function readSettings(startup: Buffer): string[] {
  const texts = startup.subarray(8).toString('utf8').split('\0')
  return texts.filter((text, index) => index % 2 === 0 && text !== '')
}

function formatFrame(type: string, payload: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + payload.length)
  return Buffer.concat([Buffer.from(type), length, payload])
}

function formatRefusal(text: string): Buffer {
  return formatFrame('E', Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`))
}
