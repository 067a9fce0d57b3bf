import type { Pool, PoolClient } from 'pg'
import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import { maybeProduct, productChanged, type ProductRow } from './products.ts'

export type ProductCache = {
  /** A product on sale, read from the database at most once between two changes. */
  read: (id: string) => Promise<ProductRow | undefined>
  /** What this node changed itself it need not wait to be told. */
  forget: (id: string) => void
  close: () => void
}

const mostKept = 10_000
const listenAgainMs = 1_000

/** Product reads without the database. While changes cannot be heard of, nothing is kept. */
export function openProductCache(db: Db, pool: Pool, log: Log): ProductCache {
  // Promises, not rows: a read that began before a change was told goes to whoever waits for it, and stays out.
  const kept = new Map<string, Promise<ProductRow | undefined>>()
  let listener: PoolClient | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false

  async function listen(): Promise<void> {
    try {
      const client = await pool.connect()
      client.on('error', (error) => lose(client, error))
      client.on('notification', ({ payload = '' }) => kept.delete(payload))
      await client.query(`listen ${productChanged}`)
      if (closed) client.release(true)
      else listener = client
    } catch (error) {
      log.warn({ err: error }, 'Changes of products cannot be heard of')
      listenLater()
    }
  }

  function lose(client: PoolClient, error: Error): void {
    log.warn({ err: error }, 'Changes of products cannot be heard of')
    kept.clear()
    listener = undefined
    client.release(true)
    listenLater()
  }

  function listenLater(): void {
    if (closed) return
    retry = setTimeout(() => void listen(), listenAgainMs)
    retry.unref()
  }

  function read(id: string): Promise<ProductRow | undefined> {
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

  void listen()
  return {
    read,
    forget: (id) => void kept.delete(id),
    close() {
      closed = true
      clearTimeout(retry)
      listener?.release(true)
    },
  }
}
