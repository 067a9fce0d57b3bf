import { Client, type Pool } from 'pg'
import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import { maybeProduct, productChanged, type ProductRow } from './products.ts'

export type ProductCache = {
  /** A product on sale, read from the database at most once between two changes. */
  read: (id: string) => Promise<ProductRow | undefined>
  /** What this node changed itself it need not wait to be told. */
  forget: (id: string) => void
  close: () => Promise<void>
}

const mostKept = 10_000
const listenAgainMs = 1_000

/** Product reads without the database. While changes cannot be heard of, nothing is kept. */
export function openProductCache(db: Db, pool: Pool, log: Log): ProductCache {
  // Promises, not rows: a read that began before a change was told goes to whoever waits for it, and stays out.
  const kept = new Map<string, Promise<ProductRow | undefined>>()
  let listener: Client | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false

  async function listen(): Promise<void> {
    const client = new Client({ ...pool.options, keepAlive: true })
    const lost = new Promise<void>((resolve) => {
      client.once('end', resolve)
    })
    // Its end is all that matters; without a listener an error would end the process.
    client.on('error', () => {})
    client.on('notification', ({ payload = '' }) => kept.delete(payload.toLowerCase()))
    try {
      await client.connect()
      await client.query(`listen ${productChanged}`)
      if (!closed) {
        listener = client
        await lost
      }
    } catch (error) {
      if (!closed) log.warn({ err: error }, 'Changes of products cannot be heard of')
    }
    listener = undefined
    kept.clear()
    await client.end().catch(() => {})
    if (closed) return
    retry = setTimeout(begin, listenAgainMs)
    retry.unref()
  }

  let listening: Promise<void>
  function begin(): void {
    listening = listen()
  }

  function read(asked: string): Promise<ProductRow | undefined> {
    // However a visitor writes it: one product is kept once, and forgotten once.
    const id = asked.toLowerCase()
    if (!listener) return maybeProduct(db, id)
    const known = kept.get(id)
    if (known) return known
    if (kept.size >= mostKept) kept.clear()
    const reading = maybeProduct(db, id)
    kept.set(id, reading)
    const drop = () => void (kept.get(id) === reading && kept.delete(id))
    // Neither a failed read nor "no such product" is worth keeping: anyone can ask for ids that do not exist.
    reading.then((product) => product ?? drop(), drop)
    return reading
  }

  begin()
  return {
    read,
    forget: (id) => void kept.delete(id.toLowerCase()),
    async close() {
      closed = true
      clearTimeout(retry)
      await listener?.end().catch(() => {})
      await listening
    },
  }
}
