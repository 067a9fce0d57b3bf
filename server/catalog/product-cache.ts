import type { Db } from '#server/db/database.ts'
import { createLru } from '#server/memoize.ts'
import { findProduct, type ProductRow } from './products.ts'

export type ProductCache = {
  /** A product on sale, as it is or was less than a second ago. */
  find: (id: string) => Promise<ProductRow | undefined>
  /** A change by this node counts at once: the product is read again for the next who asks. */
  outdate: (id: string) => void
}

const maxAgeMs = 1_000
/** Anybody can ask for products that do not exist. */
const maxProducts = 1_000

/** Reads a product at most once a second, however many ask for it: so late a change by another node is seen. */
export function openProductCache(db: Db, now = () => performance.now()): ProductCache {
  // Reads, not rows: who asks while a product is read waits for the same answer, and a read that began before a change
  // is forgotten with it.
  const reads = createLru<string, { at: number; product: Promise<ProductRow | undefined> }>(
    maxProducts,
  )

  return {
    find(requestedId) {
      // Ids are case-insensitive; each product has one entry.
      const id = requestedId.toLowerCase()
      const known = reads.get(id)
      if (known && now() - known.at < maxAgeMs) return known.product
      const read = { at: now(), product: findProduct(db, id) }
      reads.set(id, read)
      // The next who asks may find the database back.
      read.product.catch(() => reads.get(id) === read && reads.delete(id))
      return read.product
    },
    outdate: (id) => reads.delete(id.toLowerCase()),
  }
}
