import { isShortNumber, type OrderSort, type OrderStatus } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'

/*
 * Finds orders by words and filters. Without words, a list is read from an index in its order. With words, the next orders
 * of the list are looked through: frequent words fill a page there. If they do not, an index names all orders with these
 * words, and those are sorted.
 */

export type OrderSearch = {
  /** Each is in some field of an order. */
  words: string[]
  status?: OrderStatus | undefined
  productId?: string | undefined
  /** Both days count in; either may be missing. `tz` is a time zone that PostgreSQL knows. */
  days?: { from?: string | undefined; to?: string | undefined; tz: string } | undefined
  /** Only orders that their buyers have withdrawn from. */
  isWithdrawn?: boolean
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

/** Orders that are looked through for each that is wanted: words that every tenth order has fill a page. */
const ordersPerMatch = 10

/**
 * All matches in batches of up to `size`; stop iterating when you have enough. No transaction stays open between
 * batches, so a slow reader blocks nobody.
 */
export async function* searchOrders(
  db: Db,
  search: OrderSearch,
  from: Cursor | undefined,
  size: number,
): AsyncGenerator<Cursor[]> {
  const folded = await foldCase(db, search)
  for (let after = from; ;) {
    const matches: Cursor[] = await findNext(db, folded, after, size)
    yield matches
    if (matches.length < size) return
    after = matches.at(-1)
  }
}

async function findNext(
  db: Db,
  search: OrderSearch,
  after: Cursor | undefined,
  size: number,
): Promise<Cursor[]> {
  const { words, sort } = search
  const isNext = sql`${isAfter(after, sort)} and ${isFiltered(search)}`
  const read = async (source: SQL, steps = sql``) => {
    const { rows } = await db.execute<Cursor>(sql`${steps}
      select id, ${micros} as micros, ${isByAmount(sort) ? sql`amount::text` : sql`null`} as "sortAmount"
      from ${source} order by ${listOrder(sort)} limit ${size}`)
    return rows
  }
  if (words.length === 0) return read(sql`orders where ${isNext}`)
  const near = await read(sql`(
      -- One subquery per order: for a join PostgreSQL may read all texts first.
      select id, created_at, amount, (select search_text from order_search where order_id = id) as search_text
      from orders where ${isNext} order by ${listOrder(sort)} limit ${size * ordersPerMatch}
    ) as looked_through where ${hasWords(words)}`)
  if (near.length === size) return near
  // Materialized: otherwise PostgreSQL may read the list to its end for words that only old orders have.
  const found = sql`with found as materialized (${selectWithWords(words)})`
  const source = needsOrders(search)
    ? sql`orders join (select id from found) as ids using (id)`
    : sql`found`
  return read(sql`${source} where ${isNext}`, found)
}

/** The order of a search whose short number is what was searched for. */
export async function findNumbered(db: Db, search: OrderSearch): Promise<string | undefined> {
  const { words, ...filters } = search
  const [word = ''] = words
  if (words.length !== 1 || !isShortNumber(word)) return undefined
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from orders where number = ${Number(word)} and ${isFiltered(filters)}`,
  )
  return rows[0]?.id
}

/** How many orders a search finds, `max` at most. */
export async function countMatches(db: Db, search: OrderSearch, max: number): Promise<number> {
  const { words, ...filters } = await foldCase(db, search)
  const found = sql`(${selectWithWords(words)}) as found`
  const source = needsOrders({ ...filters, sort: 'newest' })
    ? sql`orders join (select id from ${found}) as ids using (id)`
    : found
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from (
      select from ${words.length > 0 ? source : sql`orders`} where ${isFiltered(filters)} limit ${max}) as matches`)
  return rows[0]?.count ?? 0
}

/** Upper and lower case as in `search_text`: beyond ASCII, PostgreSQL's rules differ from JavaScript's. */
async function foldCase(db: Db, search: OrderSearch): Promise<OrderSearch> {
  const text = search.words.join(' ')
  if (/^[ -~]*$/.test(text)) {
    return { ...search, words: search.words.map((word) => word.toLowerCase()) }
  }
  const { rows } = await db.execute<{ folded: string }>(sql`select order_fold(${text}) as folded`)
  return { ...search, words: (rows[0]?.folded ?? text).split(' ') }
}

/** Orders with these words, with what order_search knows of them. */
function selectWithWords(words: string[]): SQL {
  return sql`select order_id as id, created_at, is_test from order_search where ${findWords(words)}`
}

/** The same as hasWords, by whichever index knows the words. */
function findWords(words: string[]): SQL {
  const pairs = words.filter((word) => isShort(word) && !isInMostIds(word))
  if (pairs.length === 0 || !words.every(isShort)) return hasWords(words)
  const others = words.filter((word) => !pairs.includes(word))
  return sql`order_pairs(search_text) @> ${sql.param(pairs)}::text[] and ${hasWords(others)}`
}

/** Words of one or two letters cannot be found by trigrams. */
function isShort(word: string): boolean {
  return Array.from(word).length < 3
}

/** Ids are not among the pairs: two digits of one are in every ninth, so that looking through finds them. */
function isInMostIds(word: string): boolean {
  return /^[0-9a-f-]+$/.test(word)
}

function hasWords(words: string[]): SQL {
  const conditions = words.map((word) => {
    const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`
    return sql`search_text like ${pattern}`
  })
  return sql.join([sql`true`, ...conditions], sql` and `)
}

const micros = sql`(extract(epoch from created_at) * 1000000)::bigint::text`

export function isByAmount(sort: OrderSort): boolean {
  return sort === 'highest' || sort === 'lowest'
}

function isDescending(sort: OrderSort): boolean {
  return sort === 'newest' || sort === 'highest'
}

function listOrder(sort: OrderSort): SQL {
  const direction = isDescending(sort) ? sql`desc` : sql`asc`
  const byAge = sql`created_at ${direction}, id ${direction}`
  return isByAmount(sort) ? sql`amount ${direction}, ${byAge}` : byAge
}

function isAfter(cursor: Cursor | undefined, sort: OrderSort): SQL {
  if (!cursor) return sql`true`
  const { micros, id, sortAmount } = cursor
  const isBeyond = isDescending(sort) ? sql`<` : sql`>`
  const at = sql`timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond'`
  return sortAmount === null
    ? sql`(created_at, id) ${isBeyond} (${at}, ${id}::uuid)`
    : sql`(amount, created_at, id) ${isBeyond} (${sortAmount}::numeric, ${at}, ${id}::uuid)`
}

/** Whether order_search alone cannot tell which orders are listed, or where. */
function needsOrders(search: Omit<OrderSearch, 'words'>): boolean {
  const { status, productId, isWithdrawn, sort } = search
  return status !== undefined || productId !== undefined || isWithdrawn === true || isByAmount(sort)
}

function isFiltered(search: Omit<OrderSearch, 'words'>): SQL {
  const { status, productId, isWithdrawn, includesTest, days } = search
  const { from, to, tz } = days ?? { tz: 'UTC' }
  const conditions = [
    status !== undefined && sql`status = ${status}`,
    productId !== undefined && sql`product_id = ${productId}`,
    // As an array: there are few, and PostgreSQL looks their orders up.
    isWithdrawn && sql`id = any(array(select order_id from withdrawals where not is_repeat))`,
    !includesTest && sql`not is_test`,
    from && sql`created_at >= ${from}::timestamp at time zone ${tz}::text`,
    to && sql`created_at < (${to}::timestamp + interval '1 day') at time zone ${tz}::text`,
  ]
  return sql.join([sql`true`, ...conditions.filter((one) => typeof one === 'object')], sql` and `)
}

/**
 * Sorts new entries into the indexes of the search. Searches read what waits for it one by one, so it must stay short.
 * Returns how many pages of the waiting list were emptied.
 */
export async function flushOrderSearch(db: Db): Promise<number> {
  // Not by their names: a later migration may replace them while this node runs.
  const { rows } = await db.execute<{ pages: number }>(sql`
    select coalesce(sum(gin_clean_pending_list(indexrelid)), 0)::int as pages
    from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
    where indrelid = 'order_search'::regclass and amname = 'gin' and indisvalid`)
  return rows[0]?.pages ?? 0
}
