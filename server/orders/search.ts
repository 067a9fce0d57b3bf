import { isShortNumber, type OrderSort, type OrderStatus } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'

/*
 * Finds orders by words and filters. Without words, a list is read from an index in its order. With words, the next orders
 * of the list are looked through: frequent words fill a page there. If they do not, an index of trigrams finds all orders
 * with these words, and those are sorted.
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
  const order = listOrder(sort)
  const read = async (source: SQL, found = sql``) => {
    // Formatted after the limit: for all orders that are found it would take a third of the time.
    const { rows } = await db.execute<Cursor>(sql`${found}
      select id, ${micros} as micros, ${isByAmount(sort) ? sql`amount::text` : sql`null`} as "sortAmount"
      from (select id, created_at, amount from ${source} order by ${order} limit ${size}) as page
      order by ${order}`)
    return rows
  }
  // The list is read until a page is full, to its end for letters that nobody has.
  if (words.every(isShort)) return read(sql`orders where ${isNext} and ${hasWords(words)}`)
  const near = await read(sql`(
      select id, created_at, amount, search_text from orders
      where ${isNext} order by ${order} limit ${size * ordersPerMatch}
    ) as looked_through where ${hasWords(words)}`)
  if (near.length === size) return near
  // Materialized: otherwise PostgreSQL may read the list to its end for words that only old orders have.
  const found = sql`with found as materialized (
    select id, created_at, amount from orders where ${hasWords(words)} and ${isNext})`
  return read(sql`found`, found)
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
  const folded = await foldCase(db, search)
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from (
      select from orders where ${hasWords(folded.words)} and ${isFiltered(folded)} limit ${max}) as matches`)
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

/** Words of one or two letters have no trigrams. */
function isShort(word: string): boolean {
  return Array.from(word).length < 3
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
