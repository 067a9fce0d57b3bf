import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/refusals.ts'
import { rateLimits } from '#server/db/admin-schema.ts'
import { deleteInBatches } from '#server/db/batches.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { prepareQuery } from '#server/db/prepared.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface FastifyContextConfig {
    /** For each address, on a route that is counted separately. */
    maxPerMinute?: number
    /** The route whose counter this one shares, since both show the same. */
    countedWith?: string
    /**
     * Files have a limit of their own, and only those count that are missing or had to be made (`countFile`): browsers load
     * many at once and cache them.
     */
    isFile?: true
    /** Sent by the thousand, by admins: counted separately. For others it counts like any request. */
    isBulk?: true
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface FastifyRequest {
    isFileCounted: boolean
  }
}

/** Far above what a person clicks, far below what hurts. Payments and passwords have their own limits. */
export const maxRequestsPerMinute = 1_200
/** A bulk action sends one request per order, six at a time, thousands of them. */
const maxBulkRequestsPerMinute = 60_000

/** Counts every request of an address in this process, on known and unknown routes, before it costs anything. */
export function limitRequests(app: FastifyInstance, limits = createRequestLimits()): void {
  const bulkRequests = createRateLimiter(maxBulkRequestsPerMinute)
  app.decorateRequest('isFileCounted', false)
  app.addHook('onRequest', ({ limitKey, routeOptions: { url = '', config } }, _reply, done) => {
    const ownLimit = config.maxPerMinute ? (config.countedWith ?? url) : undefined
    if (config.isFile) limits.files.consume(limitKey)
    else limits.consume(limitKey, ownLimit)
    done()
  })
  app.addHook('onRoute', (route) => {
    const { maxPerMinute: ofRoute, isBulk, isFile } = route.config ?? {}
    const counted = route.config?.countedWith ?? route.url
    if (ofRoute) limits.add(counted, ofRoute)
    if (isFile) route.onSend = [releaseFile, ...[route.onSend ?? []].flat()]
    if (!isBulk) return
    // After the access guard, so that the admin is known.
    route.preParsing = async (request) => {
      if (!request.admin) return
      limits.release(request.limitKey)
      bulkRequests.consume(request.admin.id)
    }
  })

  function releaseFile(
    { limitKey, isFileCounted }: FastifyRequest,
    { statusCode }: FastifyReply,
    _payload: unknown,
    done: () => void,
  ): void {
    if (statusCode < 400 && !isFileCounted) limits.files.release(limitKey)
    done()
  }
}

/** A file that had to be made counts like a missing one. */
export function countFile(request: FastifyRequest): void {
  request.isFileCounted = true
}

/** One limit for each route that is counted separately, and one for all others together. */
export function createRequestLimits(maxPerMinute = maxRequestsPerMinute) {
  const others = createRateLimiter(maxPerMinute)
  const ofRoute = new Map<string, RateLimiter>()
  return {
    add(route: string, maxOfRoute: number): void {
      if (!ofRoute.has(route)) ofRoute.set(route, createRateLimiter(maxOfRoute))
    },
    /** Throws above the limit: of this route, or of all that are not counted separately. */
    consume: (limitKey: string, route?: string) =>
      (route === undefined ? others : (ofRoute.get(route) ?? others)).consume(limitKey),
    /** Takes back what was counted with the others. */
    release: others.release,
    files: createRateLimiter(maxPerMinute),
  }
}

const windowMs = 60_000
/** With more keys than this at once it is an attack: then the oldest is forgotten, never all of them. */
const maxKeys = 50_000

type RateLimiter = ReturnType<typeof createRateLimiter>

/** At most so many a minute for each key, for testers a hundred times as many, counted in this process. */
export function createRateLimiter(maxPerMinute: number) {
  const windows = new Map<string, { used: number; endsAt: number }>()

  function consume(key: string): void {
    const now = performance.now()
    let window = windows.get(key)
    if (!window || window.endsAt <= now) {
      // Windows are equally long, so the first in the map is the one that ends first.
      windows.delete(key)
      const [oldest] = windows.size >= maxKeys ? windows.keys() : []
      if (oldest !== undefined) windows.delete(oldest)
      window = { used: 0, endsAt: now + windowMs }
      windows.set(key, window)
    }
    window.used += 1
    if (window.used > maxPerMinute * wideningOf(key)) {
      throw new Refusal('too-many-requests', { retryAfter: (window.endsAt - now) / 1000 })
    }
  }

  function release(key: string): void {
    const window = windows.get(key)
    if (window) window.used -= 1
  }

  return { consume, release }
}

/** A limit that holds across nodes: at most `max` in `seconds`. */
export type Limit = { name: string; max: number; seconds: number }

/** For who tries the shop out, in test mode at this machine, in place of the name of an address. */
export const testerKey = hash('sha256', 'this machine, in test mode')

/** Far above what somebody who tests clicks, or a program that tests sends, and what the buyers of a shop do together. */
const testerWidening = 100

/** How many times as much an address may do, by its `limitKey` or the name that `hashAddress` gave it. */
export function wideningOf(addressKey: string | null): number {
  return addressKey === testerKey ? testerWidening : 1
}

/** The limit of an address, by the same name; as wide as a tester's where everybody is counted as this one. */
export function limitOf(
  addressKey: string | null,
  limit: Limit,
  { isShared = false }: { isShared?: boolean } = {},
): Limit {
  const widening = isShared ? testerWidening : wideningOf(addressKey)
  return { ...limit, max: limit.max * widening }
}

type Usage = { used: number; secondsLeft: number }

/** A use of a limit. The key says by whom: an address, an account, a browser. */
export type Counted = { limit: Limit; key: string }

/** Counts one use, also above the limit. In no transaction: until its end all others of this key would wait. */
export async function consumeLimit(
  db: Db,
  limit: Limit,
  key: string,
): Promise<Usage & { isAllowed: boolean }> {
  const [usage] = await consumeLimits(db, [{ limit, key }])
  if (!usage) throw new Error('counting a use returned no row')
  return usage
}

/** Counts one use of each, in one statement. */
export async function consumeLimits(
  db: Db,
  all: Counted[],
): Promise<(Usage & { isAllowed: boolean })[]> {
  const keys = all.map(formatLimitKey)
  const rows = await countUses(db, { keys, seconds: all.map(({ limit }) => limit.seconds) })
  return all.map(({ limit }, index) => {
    const row = rows.find(({ key }) => key === keys[index])
    if (!row) throw new Error('counting a use returned no row')
    const { used, secondsLeft } = row
    return { used, secondsLeft, isAllowed: used <= limit.max }
  })
}

const secondsLeft = sql<number>`extract(epoch from ${rateLimits.resetsAt} - now())::float8`

const countUses = prepareQuery('count_uses', (db) => {
  const { key, count, resetsAt } = rateLimits
  const { placeholder } = sql
  const isOver = sql`${resetsAt} <= now()`
  return (
    db
      .insert(rateLimits)
      // In the order of the keys, so that two of these cannot wait for each other.
      .select(
        sql`select key, 1, now() + make_interval(secs => seconds)
          from unnest(${placeholder('keys')}::text[], ${placeholder('seconds')}::float8[])
            as wanted (key, seconds) order by key`,
      )
      .onConflictDoUpdate({
        target: key,
        set: {
          count: sql`case when ${isOver} then 1 else ${count} + 1 end`,
          resetsAt: sql`case when ${isOver} then excluded.resets_at else ${resetsAt} end`,
        },
      })
      .returning({ key, used: count, secondsLeft })
  )
})

/** The usage in the current window. */
export async function readLimit(db: Db, limit: Limit, key: string): Promise<Usage> {
  const [row] = await usageByKey(db, { key: formatLimitKey({ limit, key }) })
  return row && row.secondsLeft > 0 ? row : { used: 0, secondsLeft: 0 }
}

const usageByKey = prepareQuery('usage_by_key', (db) =>
  db
    .select({ used: rateLimits.count, secondsLeft })
    .from(rateLimits)
    .where(eq(rateLimits.key, sql.placeholder('key'))),
)

/** Takes one use back. */
export async function releaseLimit(db: Db, limit: Limit, key: string): Promise<void> {
  await db
    .update(rateLimits)
    .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
    .where(eq(rateLimits.key, formatLimitKey({ limit, key })))
}

/** Takes all uses back. */
export async function resetLimit(db: Db, limit: Limit, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, formatLimitKey({ limit, key })))
}

export function deleteExpiredLimits(db: Db): Promise<number> {
  return deleteInBatches(db, sql`rate_limits`, sql`resets_at < now()`)
}

/** A key may be long, or a name. Addresses are hashed with the shop's secret before (createAddressHash). */
function formatLimitKey({ limit, key }: Counted): string {
  return hash('sha256', `${limit.name}\n${key}`)
}
