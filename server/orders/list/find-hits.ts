import type { OrderCounts } from '#contract/order-list.ts'
import type { Db } from '#server/db/database.ts'
import { indexConditions } from './index-conditions.ts'
import { countOrders } from './order-counts.ts'
import type { OrderSearch } from './order-search.ts'
import type { Place } from './place.ts'
import { foldWords, lookUp, walk, type Hit } from './walk.ts'

export type Pace = {
  /** How many orders are gone through at first, and at a time while that pays. */
  firstStretch: number
  nextStretch: number
  /** To fetch one order that an index names costs as much as going through so many. */
  lookUpCost: number
  /** More hits than this of an index are not sorted: going through the newest finds the first of them sooner. */
  mostLookedUp: number
}

/** Measured at a million orders; `npm run bench -- orders --big` shows what became of it. */
const usualPace = { firstStretch: 1_000, nextStretch: 10_000, lookUpCost: 20, mostLookedUp: 5_000 }

/**
 * All orders of a search, newest first, in batches of up to `size`; whoever has enough stops asking. No transaction is
 * open in between, so that a slow reader holds up nobody.
 *
 * Words that many orders have are found at once among the newest. Rare words, and words that nothing has, are found by
 * index. PostgreSQL's planner cannot tell the one from the other and errs by seconds, so it is not asked.
 */
export async function* findHits(
  db: Db,
  search: OrderSearch,
  from: Place | undefined,
  size: number,
  pace: Pace = usualPace,
): AsyncGenerator<Hit[]> {
  if (search.words === undefined) return yield* walkOn(db, search, from, size)
  const folded = { ...search, words: await foldWords(db, search.words) }

  let after = from
  for (let stretch = pace.firstStretch; ; stretch = pace.nextStretch) {
    const hits = await walk(db, folded, after, size, stretch)
    yield hits
    after = hits.at(-1) ?? after
    if (!(await paysToWalk(db, hits.length, size, stretch, pace))) break
  }

  const conditions = await indexConditions(db, folded.words)
  const found = conditions && (await lookUp(db, folded, after, conditions, pace.mostLookedUp + 1))
  if (!found || found.length > pace.mostLookedUp) return yield* walkOn(db, folded, after, size)
  for (let start = 0; start < found.length; start += size) yield found.slice(start, start + size)
}

/** Whether going on to a full batch costs less than fetching everything that an index would name. */
async function paysToWalk(
  db: Db,
  hits: number,
  size: number,
  stretch: number,
  { lookUpCost }: Pace,
): Promise<boolean> {
  if (hits === 0 || hits === size) return hits === size
  const share = hits / stretch
  const inAll = share * sumOf(await countOrders(db))
  return (size - hits) / share < inAll * lookUpCost
}

function sumOf(counts: OrderCounts): number {
  return Object.values(counts).reduce((sum, orders) => sum + orders, 0)
}

async function* walkOn(
  db: Db,
  search: OrderSearch,
  from: Place | undefined,
  size: number,
): AsyncGenerator<Hit[]> {
  for (let after = from; ;) {
    const hits = await walk(db, search, after, size)
    yield hits
    if (hits.length < size) return
    after = hits.at(-1)
  }
}
