import type { AdminOrder } from '#contract/order-list.ts'
import type { Db } from '#server/db/database.ts'
import { findHits } from './find-hits.ts'
import { loadOrders } from './load-orders.ts'
import type { OrderSearch } from './order-search.ts'
import { writePlace, type Place } from './place.ts'
import type { Hit } from './walk.ts'

/** One page of a search, and the cursor of the next if there is one. */
export async function findPage(
  db: Db,
  { search, after, limit }: { search: OrderSearch; after: Place | undefined; limit: number },
): Promise<{ orders: AdminOrder[]; next: string | undefined }> {
  const hits: Hit[] = []
  // One more than is shown: whether there is a next page.
  for await (const more of findHits(db, search, after, limit + 1)) {
    hits.push(...more)
    if (hits.length > limit) break
  }
  const shown = hits.slice(0, limit)
  const last = shown.at(-1)
  return {
    orders: await loadOrders(
      db,
      shown.map(({ id }) => id),
    ),
    next: hits.length > limit && last ? writePlace(last) : undefined,
  }
}
