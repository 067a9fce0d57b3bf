import { Client, type Pool } from 'pg'
import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import { findProduct, productChangedChannel, type ProductRow } from './products.ts'

export type ProductCache = {
  /** A product on sale, read from the database at most once between two changes. */
  find: (id: string) => Promise<ProductRow | undefined>
  /** For changes made by this node, which need not wait for the notification. */
  delete: (id: string) => void
  close: () => Promise<void>
}

const maxEntries = 10_000
const reconnectMs = 1_000

/** Caches products until a node announces a change. Nothing is cached while the listening connection is down. */
export function openProductCache(db: Db, pool: Pool, log: Log): ProductCache {
  // Promises, not rows: a read that began before a change is removed with it and cannot be cached after it.
  const entries = new Map<string, Promise<ProductRow | undefined>>()
  let listener: Client | undefined
  let reconnectTimer: NodeJS.Timeout | undefined
  let isClosed = false

  async function listen(): Promise<void> {
    // pg hides the password from a spread.
    const { password } = pool.options
    const client = new Client({ ...pool.options, password, keepAlive: true })
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve)
    })
    // Without a handler an error would end the process; 'end' follows it.
    client.on('error', () => {})
    client.on('notification', ({ payload = '' }) => entries.delete(payload.toLowerCase()))
    try {
      await client.connect()
      await client.query(`listen ${productChangedChannel}`)
      if (!isClosed) {
        listener = client
        await ended
      }
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, 'Cannot listen for product changes')
    }
    listener = undefined
    entries.clear()
    await client.end().catch(() => {})
    if (isClosed) return
    reconnectTimer = setTimeout(startListening, reconnectMs)
    reconnectTimer.unref()
  }

  let listening: Promise<void>
  function startListening(): void {
    listening = listen()
  }

  function find(requestedId: string): Promise<ProductRow | undefined> {
    // Ids are case-insensitive; each product has one entry.
    const id = requestedId.toLowerCase()
    if (!listener) return findProduct(db, id)
    const cached = entries.get(id)
    if (cached) return cached
    if (entries.size >= maxEntries) entries.clear()
    const reading = findProduct(db, id)
    entries.set(id, reading)
    const remove = () => void (entries.get(id) === reading && entries.delete(id))
    // Failed reads and missing products are not cached: anyone can ask for ids that do not exist.
    reading.then((product) => product ?? remove(), remove)
    return reading
  }

  startListening()
  return {
    find,
    delete: (id) => void entries.delete(id.toLowerCase()),
    async close() {
      isClosed = true
      clearTimeout(reconnectTimer)
      await listener?.end().catch(() => {})
      await listening
    },
  }
}
