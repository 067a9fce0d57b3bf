import type { OrderSort } from '#contract/orders.ts'
import { inBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import {
  findWeekEdge,
  hasWords,
  isAfter,
  isByAmount,
  isDescending,
  isFiltered,
  isInWeeks,
  isListed,
  isUpTo,
  listOrder,
  micros,
  needsOrders,
  reversed,
  sortAmount,
  toTime,
  type Cursor,
  type OrderSearch,
} from './search-conditions.ts'
import { findSample, indexConditions, type Sample, type SampledOrder } from './search-words.ts'

/*
 * Finds orders by words and filters, equally fast for rare and frequent words (DECISIONS.md, "Search does not rely on the
 * planner"): frequent words are found by scanning the first orders of the list, rare ones by an index, and a sample of
 * all orders tells which is which.
 */

export type SearchTuning = {
  /** Orders to scan in the first step, and in each further step. */
  firstScan: number
  nextScan: number
  /** Fetching one order named by an index costs as much as scanning this many. */
  lookupCost: number
  /** Above this many expected matches, only the newest part of the list is looked up. */
  manyMatches: number
  /** Above this many actual matches a lookup is given up: the sample was misleading. */
  maxLookup: number
  /** The same for lists by amount, whose scans cost more: each text has to be found by its order's id. */
  maxLookupByAmount: number
  /** Orders to scan by amount for those of a status or product, and if these are too few but frequent enough. */
  firstScanByAmount: number
  nextScanByAmount: number
}

/** Measured with a million orders; `npm run bench -- orders --big` repeats the measurement. */
const defaultTuning: SearchTuning = {
  firstScan: 400,
  nextScan: 10_000,
  lookupCost: 20,
  manyMatches: 2_000,
  maxLookup: 20_000,
  maxLookupByAmount: 100_000,
  firstScanByAmount: 2_000,
  nextScanByAmount: 40_000,
}

/**
 * All matches in batches of up to `size`; stop iterating when you have enough. No transaction stays open between
 * batches, so a slow reader blocks nobody.
 */
export async function* searchOrders(
  db: Db,
  search: OrderSearch,
  from: Cursor | undefined,
  size: number,
  given: Partial<SearchTuning> = {},
): AsyncGenerator<Cursor[]> {
  const tuning = { ...defaultTuning, ...given }
  if (search.words.length === 0) {
    for (let after = from; ;) {
      const matches: Cursor[] = await scanByAmount(db, search, after, size, tuning)
      if (matches.length === 0) return yield* scanToEnd(db, search, after, size)
      yield matches
      after = matches.at(-1)
    }
  }
  const words = await foldCase(db, search.words)
  const folded = { ...search, words }

  let after = from
  for (let limit = tuning.firstScan; ; limit = tuning.nextScan) {
    const { matches, reached } = await scan(db, folded, after, size, limit)
    yield matches
    if (!reached) return
    after = reached
    if (matches.length === size) continue

    const sample = await findSample(db, search.includesTest)
    const { total } = sample
    const { share, first, isNear, near } = readSample(sample, folded, after, size)
    const hasMany = share * total > tuning.manyMatches
    const density = matches.length / limit
    // Whether scanning on to a full batch costs less than fetching all that an index would name.
    const isScanCheaper =
      density > 0 && (size - matches.length) / density < density * total * tuning.lookupCost
    if (isScanCheaper || (hasMany && isNear)) continue

    // Many matches, but none among the first (a product no longer sold): look up only down to the first match in the
    // sample; from there on they are frequent. Of others, those that probably fill a batch come first.
    const conditions = indexConditions(words, sample)
    const ends =
      hasMany && first
        ? [findWeekEdge(first, after, search.sort), first]
        : [near, await findLast(db, search)]
    const max = isByAmount(search.sort) ? tuning.maxLookupByAmount : tuning.maxLookup
    for (const [index, upTo] of ends.entries()) {
      const isLast = index === ends.length - 1
      if (!upTo && !isLast) continue
      // Where matches are frequent, more of them are found by scanning on.
      const wanted = hasMany || !isLast ? size : undefined
      const found: Cursor[] | undefined =
        conditions && (await lookUp(db, folded, { after, upTo, wanted }, conditions, max))
      if (!found) return yield* scanToEnd(db, folded, after, size, tuning.nextScan)
      for (let start = 0; start < found.length; start += size)
        yield found.slice(start, start + size)
      if (isLast && !hasMany) return
      const isFull: boolean = found.length === wanted
      after = isFull ? found.at(-1) : upTo
      if (isFull && hasMany) break
    }
  }
}

/** With words in steps of `limit`: otherwise PostgreSQL reads and sorts all orders for each batch. */
async function* scanToEnd(
  db: Db,
  search: OrderSearch,
  from: Cursor | undefined,
  size: number,
  limit?: number,
): AsyncGenerator<Cursor[]> {
  for (let after = from; ;) {
    const { matches, reached } = await scan(db, search, after, size, limit)
    yield matches
    if (!reached) return
    after = reached
  }
}

/** Upper and lower case as in `search_text`: beyond ASCII, PostgreSQL's rules differ from JavaScript's. */
async function foldCase(db: Db, words: string[]): Promise<string[]> {
  const text = words.join(' ')
  if (/^[ -~]*$/.test(text)) return text.toLowerCase().split(' ')
  const { rows } = await db.execute<{ folded: string }>(sql`select order_fold(${text}) as folded`)
  return (rows[0]?.folded ?? text).split(' ')
}

/** Scans up to `limit` orders for up to `size` matches. `reached` is undefined when no orders are left. */
async function scan(
  db: Db,
  search: OrderSearch,
  after: Cursor | undefined,
  size: number,
  limit?: number,
): Promise<{ matches: Cursor[]; reached: Cursor | undefined }> {
  const { words, sort } = search
  // Numbered in list order: otherwise PostgreSQL sorts the whole step before the first match.
  const isLast =
    limit === undefined
      ? sql`false`
      : sql`row_number() over (order by ${listOrder(sort)}) = ${limit}`
  const source =
    words.length > 0 && !needsOrders(search)
      ? sql`select order_id as id, created_at, null::numeric as amount, search_text from order_search
          where ${isAfter(after, sort, sql`order_id`)} and ${isListed(search)}
          order by ${listOrder(sort, sql`order_id`)}`
      : // One subquery per order: with a join PostgreSQL reads all search texts first, which takes seconds.
        sql`select id, created_at, amount,
            (select search_text from order_search where order_id = orders.id) as search_text
          from orders
          where ${isAfter(after, sort, sql`id`)} and ${isListed(search)} and ${isFiltered(search)}
          order by ${listOrder(sort)}`
  const { rows } = await db.execute<Cursor & { isMatch: boolean; isLast: boolean }>(sql`
    select id, ${micros} as micros, ${sortAmount(sort)} as "sortAmount", is_match as "isMatch", is_last as "isLast" from (
      select id, created_at, amount, ${hasWords(words)} as is_match, ${isLast} as is_last from (
        ${source} ${limit === undefined ? sql`` : sql`limit ${limit}`}
      ) as source
    ) as scanned
    where is_match or is_last order by ${listOrder(sort)} limit ${size}`)
  const last = rows.at(-1)
  const hasMore = rows.length === size || last?.isLast
  return { matches: rows.filter((row) => row.isMatch), reached: hasMore ? last : undefined }
}

/** From this version on PostgreSQL passes over other days within an amount. */
const skippingVersion = 180_000

/**
 * The next orders of a status or product by amount, `size` or none at all: none also where these are rare. No index has
 * both, and to sort them PostgreSQL reads all of that status; but most statuses have orders of a few days only, and among
 * those of the same amount and days many have it.
 */
async function scanByAmount(
  db: Db,
  search: OrderSearch,
  after: Cursor | undefined,
  size: number,
  { firstScanByAmount, nextScanByAmount }: SearchTuning,
): Promise<Cursor[]> {
  const { status, productId, sort } = search
  if (!isByAmount(sort) || (status === undefined && productId === undefined)) return []
  const findEnd = (end: OrderSort) => sql`(select ${micros} from orders
    where ${isListed(search)} and ${isFiltered(search)} order by ${listOrder(end)} limit 1)`
  const { rows: facts } = await db.execute<{
    version: number
    oldest: string | null
    newest: string | null
  }>(sql`select current_setting('server_version_num')::int as version,
    ${findEnd('oldest')} as oldest, ${findEnd('newest')} as newest`)
  const { version = 0, oldest, newest } = facts[0] ?? {}
  if (version < skippingVersion || !oldest || !newest) return []
  // Filtered after the limit, so that it is read in order.
  const scanSome = (limit: number) =>
    db.execute<Cursor>(sql`
      select id, ${micros} as micros, ${sortAmount(sort)} as "sortAmount" from (
        select id, created_at, amount, status, product_id from orders
        where ${isAfter(after, sort, sql`id`)} and ${isListed(search)}
          and created_at between ${toTime(oldest)} and ${toTime(newest)}
        order by ${listOrder(sort)} limit ${limit}
      ) as scanned
      where ${isFiltered(search)} order by ${listOrder(sort)} limit ${size}`)
  const { rows } = await scanSome(firstScanByAmount)
  if (rows.length === size) return rows
  if ((rows.length * nextScanByAmount) / firstScanByAmount < size) return []
  const { rows: more } = await scanSome(nextScanByAmount)
  return more.length === size ? more : []
}

/** What the sample tells about the orders that a search has not reached yet. */
function readSample(
  { orders, total }: Sample,
  search: OrderSearch,
  after: Cursor | undefined,
  size: number,
): {
  share: number
  first: Cursor | undefined
  isNear: boolean
  near: Cursor | undefined
} {
  const { sort } = search
  const compare = isByAmount(sort) ? compareAmounts : compareAges
  const from = after && {
    id: after.id,
    micros: Number(after.micros),
    amount: Number(after.sortAmount),
  }
  const ahead = orders.filter((order) => {
    const isLater = from === undefined || compare(order, from) > 0 !== isDescending(sort)
    return isLater && order.id !== from?.id
  })
  // The sample is sorted by age.
  if (isByAmount(sort)) ahead.sort(compare)
  if (isDescending(sort)) ahead.reverse()
  const matches = ahead.filter((order) => isMatch(order, search))
  const [first] = matches
  const share = matches.length / Math.max(1, orders.length)
  const toCursor = ({ id, micros, amount }: Position): Cursor => {
    return { id, micros: String(micros), sortAmount: isByAmount(sort) ? amount.toFixed(2) : null }
  }
  // As if matches were spread evenly. The index knows weeks, so it names fewer only within an amount.
  const near = ahead[Math.ceil((4 * size * ahead.length) / (share * total))]
  const isWithinAmount = near !== undefined && (!isByAmount(sort) || near.amount === from?.amount)
  return {
    share,
    first: first && toCursor(first),
    isNear: first !== undefined && ahead.indexOf(first) < matches.length,
    near: isWithinAmount ? toCursor(near) : undefined,
  }
}

type Position = Pick<SampledOrder, 'id' | 'micros' | 'amount'>

function compareAmounts(a: Position, b: Position): number {
  return a.amount - b.amount || compareAges(a, b)
}

function compareAges(a: Position, b: Position): number {
  return a.micros - b.micros || (a.id < b.id ? -1 : Number(a.id > b.id))
}

const dayMicros = 86_400_000_000

/** Days count as those of UTC, which is close enough for a guess. */
function isMatch(order: SampledOrder, { words, status, productId, days }: OrderSearch): boolean {
  const { micros, text } = order
  return (
    words.every((word) => text.includes(word)) &&
    (status === undefined || order.status === status) &&
    (productId === undefined || order.productId === productId) &&
    (!days?.from || micros >= Date.parse(days.from) * 1000) &&
    (!days?.to || micros < Date.parse(days.to) * 1000 + dayMicros)
  )
}

/**
 * Matches in a part of the list by index, in list order: all, or the first that are wanted. Undefined if more than `max`
 * orders there have the words, whatever their status: the index knows nothing but texts, and each order it names has to
 * be fetched.
 */
async function lookUp(
  db: Db,
  search: OrderSearch,
  part: { after: Cursor | undefined; upTo: Cursor | undefined; wanted: number | undefined },
  conditions: SQL,
  max: number,
): Promise<Cursor[] | undefined> {
  const { words, sort } = search
  const { after, upTo, wanted } = part
  const isInPart = (id: SQL) =>
    sql`${isAfter(after, sort, id)} and ${upTo ? isUpTo(upTo, sort, id) : sql`true`}`
  const isInTimes = isByAmount(sort)
    ? isInWeeks(after, upTo, sort)
    : sql`${isInPart(sql`order_id`)} and ${isInWeeks(after, upTo, sort)}`
  const fitting = needsOrders(search)
    ? sql`select id, created_at, amount from orders
        where id = any (array(select found_id from found, counted where total <= ${max}))
          and ${isFiltered(search)} and ${isInPart(sql`id`)}`
    : sql`select found_id as id, found_at as created_at, null::numeric as amount
        from found, counted where total <= ${max}`
  const { rows } = await db.execute<Omit<Cursor, 'id'> & { total: number; id: string | null }>(sql`
    with found as materialized (
      select order_id as found_id, created_at as found_at from order_search
      where ${isInTimes} and ${isListed(search)} and ${conditions} and ${hasWords(words)}
      limit ${max + 1}
    ), counted as materialized (select count(*)::int as total from found)
    select total, id, ${micros} as micros, ${sortAmount(sort)} as "sortAmount"
    from counted left join (
      ${fitting} order by ${listOrder(sort)} ${wanted === undefined ? sql`` : sql`limit ${wanted}`}
    ) as fitting on true
    order by ${listOrder(sort)}`)
  if (rows.some(({ total }) => total > max)) return undefined
  return rows.flatMap(({ id, micros, sortAmount }) =>
    id === null ? [] : { id, micros, sortAmount },
  )
}

/** There is no match beyond the last order that fits the filters. */
async function findLast(db: Db, search: OrderSearch): Promise<Cursor | undefined> {
  const { status, productId, days, sort } = search
  if (status === undefined && productId === undefined && !days) return undefined
  const { rows } = await db.execute<Cursor>(
    sql`select id, ${micros} as micros, ${sortAmount(sort)} as "sortAmount" from orders
      where ${isListed(search)} and ${isFiltered(search)} order by ${listOrder(reversed[sort])} limit 1`,
  )
  return rows[0]
}

/**
 * Sorts new entries into the indexes of the search. Searches read what waits for it one by one, so it must stay short.
 * Returns how many pages of the waiting list were emptied.
 */
export async function flushOrderSearch(db: Db): Promise<number> {
  // Not by their names: a newer node may be replacing them.
  const { rows } = await db.execute<{ pages: number }>(sql`
    select coalesce(sum(gin_clean_pending_list(indexrelid)), 0)::int as pages
    from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
    where indrelid = 'order_search'::regclass and amname = 'gin' and indisvalid`)
  return rows[0]?.pages ?? 0
}

/** Some at a time, so that no sale waits long: each row has some two hundred entries in the indexes. */
const completeBatchSize = 200

/** Adds to the texts of orders what was not searched yet when they were made. */
export function completeOrderSearch(db: Db): Promise<number> {
  return inBatches(async (limit) => {
    const { rowCount } = await db.execute(sql`
      update order_search set is_complete = true, has_address = true, search_text = order_search_text(
        id, customer_email, customer_name, product ->> 'name', customer_phone, shipping_address, amount)
      from orders where id = order_id and order_id = any (array(
        select order_id from order_search where not is_complete limit ${limit} for update skip locked))`)
    return rowCount ?? 0
  }, completeBatchSize)
}
