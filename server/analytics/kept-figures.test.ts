import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { localTimeZone } from '#contract/time-zones.ts'
import { analyticsEvents, analyticsZones } from '#server/db/analytics-schema.ts'
import type { Db } from '#server/db/database.ts'
import { maxNodeShards } from '#server/db/nodes.ts'
import { openSecondPool } from '#server/testing/test-database.ts'
import { sql } from '#server/db/drizzle.ts'
import { addMug, createBuyer } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { writeEvents, type TrackedEvent } from './events.ts'
import { writerShard } from './figures.ts'
import { readSummary } from './summary.ts'
import { getZoneName } from '#server/db/time-zones.ts'
import {
  findDifferences,
  getSummary,
  requestSummary,
  saveTimeZone,
  view,
} from '#server/testing/visitors.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { deleteFigures, historyLock, keepFigures } from './kept-figures.ts'

const shop = await openTestShop()
const productId = await addMug(shop)
const second = openSecondPool(shop.shop.pool)
after(() => second.close())

beforeEach(async () => {
  await saveTimeZone(shop, 'UTC')
  await shop.db.execute(sql`truncate analytics_events, analytics_zones, analytics_days`)
})

/** Resolves when a query waits for a lock. */
async function untilLockIsWaitedFor(): Promise<void> {
  const waiting = sql`select from pg_locks join pg_database on oid = database
    where datname = current_database() and not granted`
  await waitFor(
    'a query waits for a lock',
    async () => (await second.db.execute(waiting)).rows.length > 0,
  )
}

const shown = { timeZone: 'UTC', currency: 'EUR', includesTest: true }

test('requests that wait for a recount leave connections for buyers', async (story) => {
  await getSummary(shop)
  await saveTimeZone(shop, 'Asia/Tokyo')
  const { promise: counted, resolve: end } = Promise.withResolvers<void>()
  story.after(() => end())
  const otherNode = second.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${historyLock})`)
    await counted
  })
  const asking = Array.from({ length: 40 }, () => requestSummary(shop))
  await untilLockIsWaitedFor()
  // Time for the other requests to take connections, if they did.
  await pause(300)
  assert.equal((await createBuyer(shop).open(productId)).statusCode, 200)
  // Reading the session and the settings takes others for a moment.
  const { pool } = shop.shop
  await waitFor('few connections are taken', () => pool.totalCount - pool.idleCount <= 2)
  end()
  await otherNode
  for (const answer of await Promise.all(asking)) assert.equal(answer.statusCode, 200)
})

test('figures that many requests ask for are counted once', async () => {
  let counts = 0
  const db: Db = Object.create(shop.db)
  db.transaction = (work, options) => {
    counts += 1
    return shop.db.transaction(work, options)
  }
  await Promise.all(Array.from({ length: 20 }, () => keepFigures(db, 'Asia/Tokyo')))
  assert.equal(counts, 1)
})

test('figures that could not be counted are counted when they are next asked for', async () => {
  await shop.db.execute(sql`alter table analytics_zones rename to away`)
  await assert.rejects(readSummary(shop.db, {}, shown))
  await shop.db.execute(sql`alter table away rename to analytics_zones`)
  assert.equal((await readSummary(shop.db, {}, shown)).tz, 'UTC')
})

/** A database whose figures are deleted right before they are read, so many times. */
function deleteBeforeReads(times: number): Db {
  let left = times
  const db: Db = Object.create(shop.db)
  db.transaction = async (work, options) => {
    if (options?.accessMode === 'read only' && left > 0) {
      left -= 1
      await deleteFigures(shop.db)
    }
    return shop.db.transaction(work, options)
  }
  return db
}

test('a summary that is read while its figures are rebuilt is complete or refused', async () => {
  await view(shop, productId)
  const { views } = await readSummary(deleteBeforeReads(1), {}, shown)
  assert.equal(views, 1)
  await assert.rejects(readSummary(deleteBeforeReads(100), {}, shown), { status: 503 })
})

test('a count while past events are written has them', async () => {
  await view(shop, productId)
  let adding = Promise.resolve()
  await second.db.transaction(async (tx) => {
    const createdAt = new Date('2026-01-01T12:00:00Z')
    await tx.insert(analyticsEvents).values({ eventType: 'checkout_view', productId, createdAt })
    await deleteFigures(tx)
    adding = keepFigures(shop.db, 'UTC')
    await untilLockIsWaitedFor()
  })
  await adding
  assert.deepEqual(await findDifferences(shop), [])
})

const newView: TrackedEvent = {
  eventType: 'checkout_view',
  productId,
  orderId: null,
  isTest: false,
  isNewVisitor: true,
  isCounted: true,
  facts: {},
}

test('a count waits for events that are being written, and has them', async (story) => {
  // One connection, so that the prepared statement runs in its open transaction.
  const writer = openSecondPool(shop.shop.pool, { max: 1 })
  story.after(() => writer.close())
  await writer.db.execute(sql`begin`)
  await writeEvents(writer.db, [newView], 0)
  const adding = keepFigures(shop.db, 'UTC')
  await untilLockIsWaitedFor()
  await writer.db.execute(sql`commit`)
  await adding
  assert.equal((await getSummary(shop)).views, 1)
  assert.deepEqual(await findDifferences(shop), [])
})

test('events that wait for a count are added to it, prepared or not', async () => {
  for (const visitor of ['first', 'second', 'third']) {
    await shop.db.execute(sql`truncate analytics_events, analytics_zones, analytics_days`)
    let telling = Promise.resolve()
    await second.db.transaction(async (tx) => {
      await tx.execute(sql`lock table analytics_days in share row exclusive mode`)
      telling = shop.shop.tracking.track(newView)
      await untilLockIsWaitedFor()
      await tx.execute(sql`insert into analytics_zones (zone) values ('UTC')`)
    })
    await telling
    assert.equal((await getSummary(shop)).views, 1, visitor)
    assert.deepEqual(await findDifferences(shop), [])
  }
})

test('a count that cannot lock the figures is refused, and events do not wait for it', async () => {
  await view(shop, productId)
  await second.db.transaction(async (tx) => {
    // As a vacuum does.
    await tx.execute(sql`lock table analytics_days in share update exclusive mode`)
    assert.equal((await requestSummary(shop)).statusCode, 503)
    assert.equal(await view(shop, productId), 204)
  })
  assert.equal((await getSummary(shop)).views, 2)
  assert.deepEqual(await findDifferences(shop), [])
})

test('PostgreSQL and browsers agree on the time in every zone', async () => {
  const { rows: listed } = await shop.db.execute<{ name: string }>(
    sql`select name from pg_timezone_names where name !~ '^(posix/|Factory)'`,
  )
  assert.ok(listed.length > 400)
  const zones = []
  for (const { name } of listed)
    zones.push(name.includes('/') ? name : await getZoneName(shop.db, name))
  const moments = ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']
  const { rows } = await shop.db.execute<{ there: string }>(
    sql`select to_char(moment::timestamptz at time zone zone, 'YYYY-MM-DD HH24:MI:SS') as there
      from unnest(${sql.param(zones)}::text[]) with ordinality as zones (zone, number)
      cross join unnest(${sql.param(moments)}::text[]) as moment
      order by number, moment`,
  )
  const expected = listed.flatMap(({ name }) =>
    moments.map((moment) => new Date(moment).toLocaleString('sv-SE', { timeZone: name })),
  )
  assert.deepEqual(
    rows.map(({ there }) => there),
    expected,
  )
})

test('CET has summer time, and is shown as Europe/Brussels', async () => {
  const createdAt = new Date('2026-06-30T22:30:00Z')
  await shop.db.insert(analyticsEvents).values({ eventType: 'checkout_view', productId, createdAt })
  await saveTimeZone(shop, 'CET')
  const { views, tz } = await getSummary(shop, '?from=2026-07-01&to=2026-07-01')
  assert.deepEqual([views, tz], [1, 'Europe/Brussels'])
})

test('a change of the time zone counts all figures anew, however its name is written', async () => {
  const createdAt = new Date('2026-06-30T22:30:00Z')
  await shop.db.insert(analyticsEvents).values({ eventType: 'checkout_view', productId, createdAt })
  for (const [zone, name, day] of [
    ['utc', 'UTC', '2026-06-30'],
    ['europe/BERLIN', 'Europe/Berlin', '2026-07-01'],
    ['Zulu', 'UTC', '2026-06-30'],
  ] as const) {
    await saveTimeZone(shop, zone)
    const { tz, from } = await getSummary(shop)
    assert.deepEqual([tz, from], [name, day])
    const kept = await shop.db.select().from(analyticsZones)
    assert.deepEqual(
      kept.map((row) => row.zone),
      [name],
    )
    const { rows } = await shop.db.execute(sql`select distinct zone from analytics_days`)
    assert.deepEqual(rows, [{ zone: name }])
    assert.deepEqual(await findDifferences(shop), [])
  }
})

test('a time zone that only browsers know is refused, and one that nobody knows', async () => {
  for (const zone of ['BST', 'SystemV/EST5', 'Mars/Olympus', '+05:30', 'UTC; drop table orders']) {
    const answer = await saveTimeZone(shop, zone)
    assert.equal(answer.statusCode, 400, zone)
    assert.match(answer.json().message, /time zone/)
  }
  assert.equal((await saveTimeZone(shop, null)).statusCode, 200)
  assert.equal((await getSummary(shop)).tz, await getZoneName(shop.db, localTimeZone()))
})

test('nodes that count at the same moment do not wait for each other', async (story) => {
  await view(shop, productId)
  await getSummary(shop)
  const one = openSecondPool(shop.shop.pool, { max: 1 })
  story.after(() => one.close())
  await one.db.execute(sql`begin`)
  await writeEvents(one.db, [newView], writerShard(0, 0))
  // With the same rows it would wait for the end of the other transaction.
  for (const shard of [writerShard(0, 1), writerShard(1, 0), writerShard(1, 1)])
    await writeEvents(second.db, [newView], shard)
  await one.db.execute(sql`commit`)
  assert.equal((await getSummary(shop)).views, 5)
  assert.deepEqual(await findDifferences(shop), [])
})

test('every writer of every node has a shard of its own', () => {
  const nodes = Array.from({ length: maxNodeShards }, (_none, node) => node)
  const shards = nodes.flatMap((node) => [writerShard(node, 0), writerShard(node, 1)])
  assert.equal(new Set(shards).size, 2 * maxNodeShards)
  const ofSales = shards.filter((shard) => Number(shard) >= 2 && Number(shard) < 10)
  assert.deepEqual(ofSales, [])
})
