import type { OrderCounts, OrderStatus } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import { countOrders } from './status.ts'

/*
 * Finds orders by text and status, newest first, equally fast for rare and frequent words (DECISIONS.md, "A search does
 * not ask the planner"): frequent words are found by scanning the newest orders, rare ones by an index, and a sample of
 * all orders tells which is which.
 */

export type OrderSearch = {
  text: string | undefined
  status: OrderStatus | undefined
  /** Whether test orders are among them. */
  includesTest: boolean
}

/** A position in the list, newest first: right after the order with this id, created at this microsecond. */
export type Cursor = { micros: string; id: string }

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
  firstScan: 1_000,
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
  if (search.text === undefined) return yield* scanToEnd(db, search, from, size)
  const text = await foldCase(db, search.text)
  const folded = { ...search, text }

  let after = from
  for (let limit = tuning.firstScan; ; limit = tuning.nextScan) {
    const { matches, reached } = await scan(db, folded, after, size, limit)
    yield matches
    if (!reached) return
    after = reached
    if (matches.length === size) continue

    const [counts, sample] = await Promise.all([
      countOrders(db, search.includesTest),
      takeSample(db, folded, after),
    ])
    const total = sumCounts(counts)
    const { share, newest, isNear } = readSample(sample)
    const hasMany = share * total > tuning.manyMatches
    const density = matches.length / limit
    // Whether scanning on to a full batch costs less than fetching all that an index would name.
    const isScanCheaper =
      density > 0 && (size - matches.length) / density < density * total * tuning.lookupCost
    if (isScanCheaper || (hasMany && isNear)) continue

    // Many matches, but none among the newest (a product no longer sold): look up only down to the newest match in the
    // sample; from there on they are frequent.
    const conditions = indexConditions(text, sample)
    const upTo = hasMany ? newest : await findOldest(db, search)
    const found =
      conditions && (await lookUp(db, folded, { after, upTo }, conditions, tuning.maxLookup))
    if (!found) return yield* scanToEnd(db, folded, after, size, tuning.nextScan)
    for (let start = 0; start < found.length; start += size) yield found.slice(start, start + size)
    if (!hasMany) return
    after = upTo
  }
}

function sumCounts(counts: OrderCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** With a text in steps of `limit`: otherwise PostgreSQL reads and sorts all orders for each batch. */
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
async function foldCase(db: Db, text: string): Promise<string> {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase()
  const { rows } = await db.execute<{ folded: string }>(sql`select order_fold(${text}) as folded`)
  return rows[0]?.folded ?? text
}

/** Scans up to `limit` orders for up to `size` matches. `reached` is undefined when no orders are left. */
async function scan(
  db: Db,
  { text, status, includesTest }: OrderSearch,
  after: Cursor | undefined,
  size: number,
  limit?: number,
): Promise<{ matches: Cursor[]; reached: Cursor | undefined }> {
  const isMatch = text === undefined ? sql`true` : sql`strpos(search_text, ${text}) > 0`
  // Numbered in list order: otherwise PostgreSQL sorts the whole step before the first match.
  const isLast =
    limit === undefined
      ? sql`false`
      : sql`row_number() over (order by created_at desc, id desc) = ${limit}`
  const source =
    text !== undefined && status === undefined
      ? sql`select order_id as id, created_at, search_text from order_search
          where ${isAfter(after, sql`order_id`)} and ${isListed(includesTest)}`
      : // One subquery per order: with a join PostgreSQL reads all search texts first, which takes seconds.
        sql`select id, created_at,
            (select search_text from order_search where order_id = orders.id) as search_text
          from orders
          where ${isAfter(after, sql`id`)} and ${isListed(includesTest)}
            and ${status === undefined ? sql`true` : sql`status = ${status}`}`
  const { rows } = await db.execute<Cursor & { isMatch: boolean; isLast: boolean }>(sql`
    select id, ${micros} as micros, is_match as "isMatch", is_last as "isLast" from (
      select id, created_at, ${isMatch} as is_match, ${isLast} as is_last from (
        ${source} order by created_at desc, id desc ${limit === undefined ? sql`` : sql`limit ${limit}`}
      ) as source
    ) as scanned
    where is_match or is_last order by created_at desc, id desc limit ${size}`)
  const last = rows.at(-1)
  const hasMore = rows.length === size || last?.isLast
  return { matches: rows.filter((row) => row.isMatch), reached: hasMore ? last : undefined }
}

/** Orders of any age, newest first. `isAhead` tells whether the search has not reached them yet. */
type Sample = (Cursor & { text: string; isMatch: boolean; isAhead: boolean })[]

/** With a million orders this locates the newest match to within a few thousand. */
const sampleSize = 300

/** Ids are random, so the first ones are a fair sample of all orders. */
async function takeSample(
  db: Db,
  { text = '', status, includesTest }: OrderSearch,
  after: Cursor | undefined,
): Promise<Sample> {
  const { rows } = await db.execute<Sample[number]>(sql`
    select id, ${micros} as micros, search_text as text, ${isAfter(after, sql`id`)} as "isAhead",
      strpos(search_text, ${text}) > 0 and ${hasStatus(status, sql`sampled.id`)} as "isMatch"
    from (
      select order_id as id, created_at, search_text from order_search where ${isListed(includesTest)}
      order by order_id limit ${sampleSize}
    ) as sampled
    order by created_at desc, id desc`)
  return rows
}

function readSample(sample: Sample) {
  const ahead = sample.filter(({ isAhead }) => isAhead)
  const matches = ahead.filter(({ isMatch }) => isMatch)
  const [newest] = matches
  const isNear = newest !== undefined && ahead.indexOf(newest) < matches.length
  return { share: matches.length / sample.length, newest, isNear }
}

/** More parts than this do not narrow a search further, they only take longer to compare. */
const maxParts = 4

/**
 * Conditions for the text that an index can answer; undefined for a text so short that many ids contain it. The rarest
 * parts in the sample instead of the whole text: for a long e-mail address PostgreSQL would compare every trigram, also
 * those of '.com' that nearly every order has.
 */
function indexConditions(text: string, sample: Sample): SQL | undefined {
  const trigrams = partsOf(text, 3).filter(isInTrigramIndex)
  if (trigrams.length > 0) {
    const likes = findRarest(trigrams, sample).map(
      (part) => sql`search_text like ${`%${part.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
    )
    return sql.join(likes, sql` and `)
  }
  // One or two hexadecimal digits are in at least every ninth id, so a scan finds enough of them.
  if (/^(?!--)[0-9a-f-]{1,2}$/.test(text)) return undefined
  const pairs = findRarest(partsOf(text, Math.min(2, Array.from(text).length)), sample)
  return sql`order_pairs(search_text) @> ${sql.param(pairs)}::text[]`
}

function partsOf(text: string, size: number): string[] {
  const letters = Array.from(text)
  const parts = letters.map((_letter, start) => letters.slice(start, start + size).join(''))
  return [...new Set(parts.slice(0, letters.length - size + 1))]
}

/**
 * pg_trgm indexes words only: three letters of one, two at its end, or one at its beginning. Which characters beyond
 * ASCII count as letters depends on the database, so none is relied on.
 */
function isInTrigramIndex(part: string): boolean {
  return /^[a-z0-9]{2}[ -~]|[ -/:-@[-`{-~][a-z0-9]/.test(part)
}

/** The rarest parts, as far as each narrows what the ones before it leave. */
function findRarest(parts: string[], sample: Sample): string[] {
  const count = (part: string) => sample.filter(({ text }) => text.includes(part)).length
  const byRarity = parts
    .map((part) => ({ part, count: count(part) }))
    .toSorted((a, b) => a.count - b.count)
  const chosen: string[] = []
  let left = sample
  for (const { part } of byRarity.slice(0, maxParts)) {
    const fewer = left.filter(({ text }) => text.includes(part))
    // An empty rest of the sample says nothing about further parts.
    if (chosen.length === 0 || left.length === 0 || fewer.length < left.length) chosen.push(part)
    left = fewer
  }
  return chosen
}

/**
 * All matches in a part of the list by index, newest first. Undefined if more than `max` orders there have the text in
 * any status: the index knows no status, and each order it names has to be fetched.
 */
async function lookUp(
  db: Db,
  { text = '', status, includesTest }: OrderSearch,
  { after, upTo }: { after: Cursor | undefined; upTo: Cursor | undefined },
  conditions: SQL,
  max: number,
): Promise<Cursor[] | undefined> {
  const isUpTo = upTo ? sql`(created_at, order_id) >= ${cursorValues(upTo)}` : sql`true`
  const { rows } = await db.execute<{ total: number; id: string | null; micros: string }>(sql`
    with found as materialized (
      select order_id as id, created_at from order_search
      where ${isAfter(after, sql`order_id`)} and ${isUpTo} and ${isListed(includesTest)}
        and ${conditions} and strpos(search_text, ${text}) > 0
      limit ${max + 1}
    ), counted as (select count(*)::int as total from found)
    select total, id, ${micros} as micros
    from counted left join found on total <= ${max} and ${hasStatus(status, sql`found.id`)}
    order by created_at desc, id desc`)
  if (rows.some(({ total }) => total > max)) return undefined
  return rows.flatMap(({ id, micros }) => (id === null ? [] : { id, micros }))
}

/** There is no match in a status beyond its oldest order. */
async function findOldest(
  db: Db,
  { status, includesTest }: OrderSearch,
): Promise<Cursor | undefined> {
  if (status === undefined) return undefined
  const { rows } = await db.execute<Cursor>(
    sql`select id, ${micros} as micros from orders
      where status = ${status} and ${isListed(includesTest)} order by created_at, id limit 1`,
  )
  return rows[0]
}

const micros = sql`(extract(epoch from created_at) * 1000000)::bigint::text`

function cursorValues({ micros, id }: Cursor): SQL {
  return sql`(timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond', ${id}::uuid)`
}

function isAfter(cursor: Cursor | undefined, id: SQL): SQL {
  return cursor ? sql`(created_at, ${id}) < ${cursorValues(cursor)}` : sql`true`
}

/** Of a row of orders or order_search. */
function isListed(includesTest: boolean): SQL {
  return includesTest ? sql`true` : sql`not is_test`
}

function hasStatus(status: OrderStatus | undefined, id: SQL): SQL {
  if (status === undefined) return sql`true`
  return sql`(select status from orders where orders.id = ${id}) = ${status}`
}
