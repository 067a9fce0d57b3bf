import type { OrderStatus } from '#contract/orders.ts'
import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'

/*
 * Which words are rare, and how an index is asked for them. A sample of all orders tells, which is up to a minute old: it
 * decides how to search, never what is found.
 */

export type SampledOrder = {
  id: string
  micros: number
  amount: number
  status: OrderStatus
  productId: string
  text: string
}

/** Of orders of any age, oldest first. */
export type Sample = { orders: SampledOrder[]; total: number }

/** With a million orders this locates the first match to within a thousand. */
const sampleSize = 1_000
const keptMs = 60_000

const taken = new WeakMap<Db, Map<boolean, Promise<Sample>>>()

export function findSample(db: Db, includesTest: boolean): Promise<Sample> {
  const samples = taken.get(db) ?? new Map<boolean, Promise<Sample>>()
  taken.set(db, samples)
  const known = samples.get(includesTest)
  if (known) return known
  const sample = takeSample(db, includesTest)
  samples.set(includesTest, sample)
  const forget = () => void samples.delete(includesTest)
  sample.catch(forget)
  // Even if nobody searches again: it contains names and addresses, also those that are erased meanwhile.
  setTimeout(forget, keptMs).unref()
  return sample
}

/** Ids are random, so the first ones are a fair sample of all orders. */
async function takeSample(db: Db, includesTest: boolean): Promise<Sample> {
  const isListed = includesTest ? sql`true` : sql`not is_test`
  const { rows } = await db.execute<SampledOrder & { total: number }>(sql`
    select id, (extract(epoch from sampled.created_at) * 1000000)::float8 as micros, amount::float8, status,
      product_id as "productId", search_text as text,
      (select coalesce(sum(orders), 0)::int from order_counts where ${isListed}) as total
    from (
      select order_id, created_at, search_text from order_search where ${isListed} order by order_id limit ${sampleSize}
    ) as sampled
    -- One by one: for a join PostgreSQL may read all orders.
    cross join lateral (select id, amount, status, product_id from orders where id = order_id offset 0) as sold
    order by sampled.created_at, id`)
  return { orders: rows, total: rows[0]?.total ?? 0 }
}

/**
 * Conditions for the words that an index can answer; undefined for words so short that many ids contain them. The rarest
 * parts in the sample instead of whole words: for a long e-mail address PostgreSQL would compare every trigram, also
 * those of '.com' that nearly every order has.
 */
export function indexConditions(words: string[], sample: Sample): SQL | undefined {
  const trigrams = words.map((word) => partsOf(word, 3).filter(isInTrigramIndex))
  if (trigrams.some((parts) => parts.length > 0)) {
    const likes = findRarest(trigrams, sample).map(
      (part) => sql`search_text like ${`%${part.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
    )
    return sql.join(likes, sql` and `)
  }
  // One or two hexadecimal digits are in at least every ninth id, so a scan finds enough of them.
  const rare = words.filter((word) => !/^(?!--)[0-9a-f-]{1,2}$/.test(word))
  if (rare.length === 0) return undefined
  const pairs = rare.map((word) => partsOf(word, Math.min(2, Array.from(word).length)))
  return sql`order_pairs(search_text) @> ${sql.param(findRarest(pairs, sample))}::text[]`
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

/** More parts than this do not narrow a search further, they only take longer to compare. */
const maxParts = 4

/** Orders that tell parts of words apart: less than the whole sample, since each part is looked for in each. */
const comparedSize = 250

/**
 * The rarest part of each word, then further ones, as far as each narrows what the ones before it leave: parts of the same
 * word are mostly in the same orders.
 */
function findRarest(partsOfWords: string[][], sample: Sample): string[] {
  const step = Math.ceil(sample.orders.length / comparedSize)
  const orders = sample.orders.filter((_order, index) => index % step === 0)
  const having = (part: string, from: SampledOrder[]) =>
    from.filter(({ text }) => text.includes(part))
  const byRarity = partsOfWords
    .flatMap((parts) =>
      parts
        .map((part) => ({ part, count: having(part, orders).length }))
        .toSorted((a, b) => a.count - b.count)
        .map((counted, rank) => ({ ...counted, rank })),
    )
    .toSorted((a, b) => Math.min(a.rank, 1) - Math.min(b.rank, 1) || a.count - b.count)
  const chosen: string[] = []
  let left = orders
  for (const part of [...new Set(byRarity.map((counted) => counted.part))].slice(0, maxParts)) {
    const fewer = having(part, left)
    // An empty rest of the sample says nothing about further parts.
    if (chosen.length === 0 || left.length === 0 || fewer.length < left.length) chosen.push(part)
    left = fewer
  }
  return chosen
}
