import type { OrderCounts } from '#contract/order-list.ts'
import type { Db } from '#server/db/database.ts'
import { indexConditions } from './index-conditions.ts'
import { lookUp, maybeOldest } from './look-up.ts'
import { countOrders } from './order-counts.ts'
import type { OrderSearch } from './order-search.ts'
import type { Place } from './place.ts'
import { readSample, takeSample } from './sample.ts'
import { foldWords, walk, type Hit } from './walk.ts'

export type Pace = {
  /** How many orders are gone through at first, and at a time while that pays. */
  firstStretch: number
  nextStretch: number
  /** To fetch one order that an index names costs as much as going through so many. */
  lookUpCost: number
  /** More hits than this are not looked up all at once, but the newest of them first. */
  many: number
  /** More than this are not looked up at all: a sample that erred that much is no guide. */
  mostLookedUp: number
}

/** Measured at a million orders; `npm run bench -- orders --big` shows what became of it. */
const usualPace = {
  firstStretch: 1_000,
  nextStretch: 10_000,
  lookUpCost: 20,
  many: 2_000,
  mostLookedUp: 20_000,
}

/**
 * All orders of a search, newest first, in batches of up to `size`; whoever has enough stops asking. No transaction is
 * open in between, so that a slow reader holds up nobody.
 *
 * Words that many orders have are found at once among the newest. Rare words, and words that nothing has, are found by
 * index. PostgreSQL's planner cannot tell the one from the other and errs by seconds, so it is not asked.
 *
 * What many orders have, but none of the newest (a product that is sold no more), is looked up from the newest down to
 * a hit that a sample knows, and from there it is common.
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
    const { hits, reached } = await walk(db, folded, after, size, stretch)
    yield hits
    if (!reached) return
    after = reached
    if (hits.length === size) continue

    const [counts, sample] = await Promise.all([countOrders(db), takeSample(db, folded, after)])
    const inAll = sumOf(counts)
    const { share, newest, isNear } = readSample(sample)
    const isMany = share * inAll > pace.many
    if (paysToWalk(hits.length, size, stretch, inAll, pace) || (isMany && isNear)) continue

    const conditions = indexConditions(folded.words, sample)
    const upTo = isMany ? newest : await maybeOldest(db, folded.status)
    const found =
      conditions && (await lookUp(db, folded, { after, upTo }, conditions, pace.mostLookedUp))
    if (!found) return yield* walkOn(db, folded, after, size, pace.nextStretch)
    yield* inBatches(found, size)
    if (!isMany) return
    after = upTo
  }
}

function* inBatches(hits: Hit[], size: number): Generator<Hit[]> {
  for (let start = 0; start < hits.length; start += size) yield hits.slice(start, start + size)
}

/** Whether going on to a full batch costs less than fetching everything that an index would name. */
function paysToWalk(
  hits: number,
  size: number,
  stretch: number,
  inAll: number,
  { lookUpCost }: Pace,
): boolean {
  if (hits === 0) return false
  const share = hits / stretch
  return (size - hits) / share < share * inAll * lookUpCost
}

function sumOf(counts: OrderCounts): number {
  return Object.values(counts).reduce((sum, orders) => sum + orders, 0)
}

/** To the end. For words in stretches, or PostgreSQL would read and sort all orders for each batch. */
async function* walkOn(
  db: Db,
  search: OrderSearch,
  from: Place | undefined,
  size: number,
  stretch?: number,
): AsyncGenerator<Hit[]> {
  for (let after = from; ;) {
    const { hits, reached } = await walk(db, search, after, size, stretch)
    yield hits
    if (!reached) return
    after = reached
  }
}
