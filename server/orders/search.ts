import type { OrderSort, OrderStatus } from '#contract/orders.ts'
import { inBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { orderWeeks, secondsPerWeek } from '#server/db/order-schema.ts'
import { findSample, indexConditions, type Sample, type SampledOrder } from './search-words.ts'

/*
 * Finds orders by words and filters, equally fast for rare and frequent words (DECISIONS.md, "Search does not rely on the
 * planner"): frequent words are found by scanning the first orders of the list, rare ones by an index, and a sample of
 * all orders tells which is which.
 */

export type OrderSearch = {
  /** Each is in some field of an order. */
  words: string[]
  status?: OrderStatus | undefined
  productId?: string | undefined
  /** Both days count in; either may be missing. `tz` is a time zone that PostgreSQL knows. */
  days?: { from?: string | undefined; to?: string | undefined; tz: string } | undefined
  /** Whether test orders are among them. */
  includesTest: boolean
  sort: OrderSort
}

/** A position in the list: right after the order with this id, created at this microsecond. */
export type Cursor = {
  micros: string
  id: string
  /** The order's amount, only where the list is sorted by it. */
  sortAmount: string | null
}

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
}

/** Measured with a million orders; `npm run bench -- orders --big` repeats the measurement. */
const defaultTuning: SearchTuning = {
  firstScan: 400,
  nextScan: 10_000,
  lookupCost: 20,
  manyMatches: 2_000,
  maxLookup: 20_000,
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
  tuning: SearchTuning = defaultTuning,
): AsyncGenerator<Cursor[]> {
  if (search.words.length === 0) return yield* scanToEnd(db, search, from, size)
  const folded = { ...search, words: await foldCase(db, search.words) }

  let after = from
  for (let limit = tuning.firstScan; ; limit = tuning.nextScan) {
    const { matches, reached } = await scan(db, folded, after, size, limit)
    yield matches
    if (!reached) return
    after = reached
    if (matches.length === size) continue

    const sample = await findSample(db, search.includesTest)
    const { total } = sample
    const { share, first, isNear } = readSample(sample, folded, after)
    const hasMany = share * total > tuning.manyMatches
    const density = matches.length / limit
    // Whether scanning on to a full batch costs less than fetching all that an index would name.
    const isScanCheaper =
      density > 0 && (size - matches.length) / density < density * total * tuning.lookupCost
    if (isScanCheaper || (hasMany && isNear)) continue

    // Many matches, but none among the first (a product no longer sold): look up only down to the first match in the
    // sample; from there on they are frequent.
    const conditions = indexConditions(folded.words, sample)
    const upTo = hasMany ? first : await findLast(db, search)
    const found =
      conditions && (await lookUp(db, folded, { after, upTo }, conditions, tuning.maxLookup))
    if (!found) return yield* scanToEnd(db, folded, after, size, tuning.nextScan)
    for (let start = 0; start < found.length; start += size) yield found.slice(start, start + size)
    if (!hasMany) return
    after = upTo
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

/** What the sample tells about the orders that a search has not reached yet. */
function readSample(
  { orders }: Sample,
  search: OrderSearch,
  after: Cursor | undefined,
): { share: number; first: Cursor | undefined; isNear: boolean } {
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
  return {
    share: matches.length / Math.max(1, orders.length),
    first: first && {
      id: first.id,
      micros: String(first.micros),
      sortAmount: isByAmount(sort) ? first.amount.toFixed(2) : null,
    },
    isNear: first !== undefined && ahead.indexOf(first) < matches.length,
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
 * All matches in a part of the list by index, in list order. Undefined if more than `max` orders there have the words,
 * whatever their status: the index knows nothing but texts, and each order it names has to be fetched.
 */
async function lookUp(
  db: Db,
  search: OrderSearch,
  { after, upTo }: { after: Cursor | undefined; upTo: Cursor | undefined },
  conditions: SQL,
  max: number,
): Promise<Cursor[] | undefined> {
  const { words, sort } = search
  const isInPart = (id: SQL) => {
    const isUpTo = upTo ? sql`not ${isAfter(upTo, sort, id)}` : sql`true`
    return sql`${isAfter(after, sort, id)} and ${isUpTo}`
  }
  const fitting = needsOrders(search)
    ? sql`(select id, created_at, amount from found join orders on id = found_id
        where ${isFiltered(search)} and ${isInPart(sql`id`)})`
    : sql`(select found_id as id, found_at as created_at, null::numeric as amount from found)`
  const { rows } = await db.execute<Omit<Cursor, 'id'> & { total: number; id: string | null }>(sql`
    with found as materialized (
      select order_id as found_id, created_at as found_at from order_search
      where ${isByAmount(sort) ? sql`true` : sql`${isInPart(sql`order_id`)} and ${isInWeeks(after, upTo)}`}
        and ${isListed(search)} and ${conditions} and ${hasWords(words)}
      limit ${max + 1}
    ), counted as (select count(*)::int as total from found)
    select total, id, ${micros} as micros, ${sortAmount(sort)} as "sortAmount"
    from counted left join ${fitting} as fitting on total <= ${max}
    order by ${listOrder(sort)}`)
  if (rows.some(({ total }) => total > max)) return undefined
  return rows.flatMap(({ id, micros, sortAmount }) =>
    id === null ? [] : { id, micros, sortAmount },
  )
}

/** Beyond ten years an index compares all its entries of a word faster than those of so many weeks. */
const maxWeeks = 520

/** Indexes know the week of an order besides its words, so that they name none outside of a part of the list. */
function isInWeeks(after: Cursor | undefined, upTo: Cursor | undefined): SQL {
  if (!after || !upTo) return sql`true`
  const weekOf = ({ micros }: Cursor) => Math.floor(Number(micros) / 1e6 / secondsPerWeek)
  const [first, last] = [weekOf(after), weekOf(upTo)].toSorted((a, b) => a - b)
  if (first === undefined || last === undefined || last - first >= maxWeeks) return sql`true`
  const weeks = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return sql`${orderWeeks} && ${sql.param(weeks)}::int[]`
}

/** There is no match beyond the last order that fits the filters. */
async function findLast(db: Db, search: OrderSearch): Promise<Cursor | undefined> {
  if (!needsOrders(search) && !search.days) return undefined
  const { sort } = search
  const { rows } = await db.execute<Cursor>(
    sql`select id, ${micros} as micros, ${sortAmount(sort)} as "sortAmount" from orders
      where ${isListed(search)} and ${isFiltered(search)} order by ${listOrder(reversed[sort])} limit 1`,
  )
  return rows[0]
}

const micros = sql`(extract(epoch from created_at) * 1000000)::bigint::text`

const reversed = {
  newest: 'oldest',
  oldest: 'newest',
  highest: 'lowest',
  lowest: 'highest',
} as const satisfies Record<OrderSort, OrderSort>

export function isByAmount(sort: OrderSort): boolean {
  return sort === 'highest' || sort === 'lowest'
}

function isDescending(sort: OrderSort): boolean {
  return sort === 'newest' || sort === 'highest'
}

/** Not called amount: `order by amount` would then sort these texts. */
function sortAmount(sort: OrderSort): SQL {
  return isByAmount(sort) ? sql`amount::text` : sql`null`
}

function listOrder(sort: OrderSort, id = sql`id`): SQL {
  const direction = isDescending(sort) ? sql`desc` : sql`asc`
  const byAge = sql`created_at ${direction}, ${id} ${direction}`
  return isByAmount(sort) ? sql`amount ${direction}, ${byAge}` : byAge
}

function isAfter(cursor: Cursor | undefined, sort: OrderSort, id: SQL): SQL {
  if (!cursor) return sql`true`
  const at = sql`timestamptz 'epoch' + ${cursor.micros}::float8 * interval '1 microsecond'`
  const comparison = isDescending(sort) ? sql`<` : sql`>`
  return isByAmount(sort)
    ? sql`(amount, created_at, ${id}) ${comparison} (${cursor.sortAmount}::numeric, ${at}, ${cursor.id}::uuid)`
    : sql`(created_at, ${id}) ${comparison} (${at}, ${cursor.id}::uuid)`
}

function hasWords(words: string[]): SQL {
  if (words.length === 0) return sql`true`
  return sql.join(
    words.map((word) => sql`strpos(search_text, ${word}) > 0`),
    sql` and `,
  )
}

/** Whether order_search alone cannot tell which orders are listed, or where. */
function needsOrders({ status, productId, sort }: OrderSearch): boolean {
  return status !== undefined || productId !== undefined || isByAmount(sort)
}

/** Of a row of orders. */
function isFiltered({ status, productId }: OrderSearch): SQL {
  const hasStatus = status === undefined ? sql`true` : sql`status = ${status}`
  const hasProduct = productId === undefined ? sql`true` : sql`product_id = ${productId}`
  return sql`${hasStatus} and ${hasProduct}`
}

/** Of a row of orders or order_search. */
function isListed(search: OrderSearch): SQL {
  return sql`${search.includesTest ? sql`true` : sql`not is_test`} and ${isInDays(search)}`
}

function isInDays({ days }: OrderSearch): SQL {
  const { from, to, tz } = days ?? { tz: 'UTC' }
  const isFrom = from ? sql`created_at >= ${from}::timestamp at time zone ${tz}::text` : sql`true`
  const isTo = to
    ? sql`created_at < (${to}::timestamp + interval '1 day') at time zone ${tz}::text`
    : sql`true`
  return sql`${isFrom} and ${isTo}`
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

/** Adds city, postcode and phone to the texts of orders that were made before those were searched. */
export function completeOrderSearch(db: Db): Promise<number> {
  return inBatches(async (limit) => {
    const { rowCount } = await db.execute(sql`
      update order_search set has_address = true, search_text = order_search_text(
        id, customer_email, customer_name, product ->> 'name', customer_phone, shipping_address)
      from orders where id = order_id and order_id = any (array(
        select order_id from order_search where not has_address limit ${limit} for update skip locked))`)
    return rowCount ?? 0
  }, completeBatchSize)
}
