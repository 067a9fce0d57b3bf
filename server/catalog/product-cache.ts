import { isDeepStrictEqual } from 'node:util'
import type { Client, Pool } from 'pg'
import { openClient, type Db } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { findProduct, listOnSale, productChangedChannel, type ProductRow } from './products.ts'

export type ProductCache = {
  /** A product on sale, as it is or was at most some seconds ago. */
  find: (id: string) => Promise<ProductRow | undefined>
  /** For changes made by this node, which need not wait for the notification. */
  outdate: (id: string) => void
  close: () => Promise<void>
}

type Entry = {
  reading: Promise<ProductRow | undefined>
  isUsed: boolean
  /** It may have changed, and is read again for who asks for it. */
  isOutdated: boolean
}

const maxEntries = 10_000
const reconnectMs = 1_000
/** Beyond these, products are read again when they are asked for. */
const maxRefreshed = 500

/**
 * Caches products. Nodes tell each other of changes by NOTIFY, which usually takes milliseconds. What NOTIFY does not
 * reach (a pooler loses LISTEN, a connection may be dead without anybody knowing) is read again every two seconds.
 */
export function openProductCache(
  { db, pool, isPooled = false }: { db: Db; pool: Pool; isPooled?: boolean },
  log: Log,
  /** How often what is in use is read again, in one statement. */
  refreshMs = 2_000,
): ProductCache {
  /** Products that could not be read again for this long are not served from the cache. */
  const maxAgeMs = 2 * refreshMs
  // Promises, not rows: a read that began before a change is outdated with it and cannot be cached after it.
  const entries = new Map<string, Entry>()
  let freshAt = -Infinity
  let refreshTimer: NodeJS.Timeout | undefined
  let refreshing: Promise<void> | undefined
  let isClosed = false

  function find(requestedId: string): Promise<ProductRow | undefined> {
    // Ids are case-insensitive; each product has one entry.
    const id = requestedId.toLowerCase()
    // Also after the whole process was stopped for a while.
    if (performance.now() - freshAt > maxAgeMs) {
      outdateAll()
      if (!isClosed) startRefreshing()
    }
    const cached = entries.get(id)
    if (cached && !cached.isOutdated) {
      cached.isUsed = true
      return cached.reading
    }
    if (isClosed) return findProduct(db, id)
    if (entries.size >= maxEntries) entries.clear()
    const entry: Entry = { reading: readAgain(id, cached), isUsed: true, isOutdated: false }
    entries.set(id, entry)
    const remove = () => void (entries.get(id) === entry && entries.delete(id))
    // Failed reads and missing products are not cached: anyone can ask for ids that do not exist.
    entry.reading.then((product) => product ?? remove(), remove)
    return entry.reading
  }

  /** The same object while nothing has changed: what was made of it, such as a page, stays good. */
  async function readAgain(id: string, earlier?: Entry): Promise<ProductRow | undefined> {
    const product = await findProduct(db, id)
    const known = await earlier?.reading.catch(() => undefined)
    return isDeepStrictEqual(product, known) ? known : product
  }

  function outdate(id: string): void {
    const entry = entries.get(id.toLowerCase())
    if (entry) entry.isOutdated = true
  }

  function outdateAll(): void {
    for (const entry of entries.values()) entry.isOutdated = true
  }

  /** Goes on for as long as somebody asks for products. */
  function startRefreshing(): void {
    freshAt = performance.now()
    clearTimeout(refreshTimer)
    refreshTimer = setTimeout(() => {
      refreshing = refresh()
    }, refreshMs).unref()
  }

  async function refresh(): Promise<void> {
    const startedAt = performance.now()
    for (const [id, { isUsed, isOutdated }] of entries)
      if (!isUsed || isOutdated) entries.delete(id)
    for (const id of [...entries.keys()].slice(maxRefreshed)) entries.delete(id)
    const before = [...entries]
    if (before.length === 0) {
      freshAt = -Infinity
      return
    }
    try {
      const products = await listOnSale(
        db,
        before.map(([id]) => id),
      )
      for (const [id, entry] of before) {
        const known = await entry.reading
        // It changed meanwhile: what was read may be older than that.
        if (entries.get(id) !== entry || entry.isOutdated) continue
        const product = products.get(id)
        if (!product) {
          entries.delete(id)
          continue
        }
        if (!isDeepStrictEqual(product, known)) entry.reading = Promise.resolve(product)
        entry.isUsed = false
      }
    } catch (error) {
      log.debug({ err: error }, 'Products could not be read again')
      outdateAll()
    }
    if (isClosed) return
    startRefreshing()
    freshAt = startedAt
  }

  const listening = isPooled
    ? undefined
    : listenForChanges(pool, log, {
        onChange: outdate,
        onLoss: outdateAll,
      })
  return {
    find,
    outdate,
    async close() {
      isClosed = true
      clearTimeout(refreshTimer)
      entries.clear()
      await Promise.all([refreshing, listening?.stop()])
    },
  }
}

/** Hears from all nodes which product changed. The connection is opened again when it is lost. */
function listenForChanges(
  pool: Pool,
  log: Log,
  { onChange, onLoss }: { onChange: (id: string) => void; onLoss: () => void },
): { stop: () => Promise<void> } {
  let listener: Client | undefined
  let reconnectTimer: NodeJS.Timeout | undefined
  let isStopped = false

  async function listen(): Promise<void> {
    const client = openClient(pool)
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve)
    })
    client.on('notification', ({ payload = '' }) => onChange(payload))
    try {
      await client.connect()
      await client.query(`listen ${productChangedChannel}`)
      onLoss()
      if (!isStopped) {
        listener = client
        await ended
      }
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, 'Cannot listen for product changes')
    }
    listener = undefined
    onLoss()
    await client.end().catch(() => {})
    if (isStopped) return
    reconnectTimer = setTimeout(startListening, reconnectMs).unref()
  }

  let listening: Promise<void>
  function startListening(): void {
    listening = listen()
  }
  startListening()
  return {
    async stop() {
      isStopped = true
      clearTimeout(reconnectTimer)
      await listener?.end().catch(() => {})
      await listening
    },
  }
}
