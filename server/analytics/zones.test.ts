import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { analyticsEvents, analyticsZones } from '#server/db/analytics-schema.ts'
import { openDatabase, type Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { addMug, createBuyer } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { writeEvents, type TrackedEvent } from './events.ts'
import { readSummary } from './summary.ts'
import { askSummary, differences, summary, view } from './test-visitor.ts'
import { findZone } from './zone-names.ts'
import { ensureZone, forgetFigures, pastLock } from './zones.ts'

const shop = await openTestShop()
const productId = await addMug(shop)
const second = openDatabase(shop.shop.pool.options, () => {})
after(() => second.close())

beforeEach(async () => {
  await shop.db.execute(sql`truncate analytics_events, analytics_zones, analytics_days`)
})

/** Somebody waits for a lock, and everybody else had the time to. */
async function untilWaiting(): Promise<void> {
  const waiting = sql`select from pg_locks join pg_database on oid = database
    where datname = current_database() and not granted`
  for (const giveUpAt = Date.now() + 5_000; Date.now() < giveUpAt; await pause(10)) {
    if ((await second.db.execute(waiting)).rows.length > 0) return pause(300)
  }
  throw new Error('nobody waits')
}

test('those who wait for new zones leave buyers their connections', async (story) => {
  const zones = ['Asia/Tokyo', 'Asia/Seoul', 'Asia/Dubai', 'Asia/Kabul', 'Asia/Manila']
  await summary(shop)
  const { promise: counted, resolve: end } = Promise.withResolvers<void>()
  story.after(() => end())
  const otherNode = second.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${pastLock})`)
    await counted
  })
  const asking = Array.from({ length: 40 }, (_none, place) =>
    askSummary(shop, `?tz=${zones[place % zones.length]}`),
  )
  await untilWaiting()
  assert.equal((await createBuyer(shop).open(productId)).statusCode, 200)
  const { totalCount, idleCount } = shop.shop.pool
  assert.ok(totalCount - idleCount <= 2, `${totalCount - idleCount} connections are taken`)
  end()
  await otherNode
  for (const answer of await Promise.all(asking)) assert.equal(answer.statusCode, 200)
})

test('a zone that many ask for is counted once, so that a count that fails fails once', async () => {
  let counts = 0
  const db: Db = Object.create(shop.db)
  db.transaction = (work, options) => {
    counts += 1
    return shop.db.transaction(work, options)
  }
  await Promise.all(Array.from({ length: 20 }, () => ensureZone(db, 'Asia/Tokyo')))
  assert.equal(counts, 1)
})

test('a zone that cannot be counted now is counted when it is next asked for', async () => {
  await shop.db.execute(sql`alter table analytics_zones rename to away`)
  await assert.rejects(readSummary(shop.db, { tz: 'Asia/Tokyo' }, 'EUR'))
  await shop.db.execute(sql`alter table away rename to analytics_zones`)
  assert.equal((await summary(shop, '?tz=Asia/Tokyo')).tz, 'Asia/Tokyo')
})

/** The figures are forgotten so many times, each time right before they are read. */
function forgetful(times: number): Db {
  let left = times
  const db: Db = Object.create(shop.db)
  db.transaction = async (work, options) => {
    if (options?.accessMode === 'read only' && left > 0) {
      left -= 1
      await forgetFigures(shop.db)
    }
    return shop.db.transaction(work, options)
  }
  return db
}

test('a summary that is read while its zone is rebuilt is whole, or is not', async () => {
  await view(shop, productId)
  const { views } = await readSummary(forgetful(1), { tz: 'UTC' }, 'EUR')
  assert.equal(views, 1)
  await assert.rejects(readSummary(forgetful(100), { tz: 'UTC' }, 'EUR'), { status: 503 })
})

test('a zone that is counted while a past is written, counts that past', async () => {
  await view(shop, productId)
  let adding = Promise.resolve()
  await second.db.transaction(async (tx) => {
    const createdAt = new Date('2026-01-01T12:00:00Z')
    await tx.insert(analyticsEvents).values({ eventType: 'checkout_view', productId, createdAt })
    await forgetFigures(tx)
    adding = ensureZone(shop.db, 'UTC')
    await untilWaiting()
  })
  await adding
  assert.deepEqual(await differences(shop), [])
})

const told = (visitor: string): TrackedEvent => ({
  eventType: 'checkout_view',
  productId,
  orderId: null,
  visitor,
  counts: true,
  facts: {},
})

test('a zone waits for what is being written, and counts it', async () => {
  let adding = Promise.resolve()
  await second.db.transaction(async (tx) => {
    await writeEvents(tx, [told('somebody')], 'firstWriter')
    adding = ensureZone(shop.db, 'UTC')
    await untilWaiting()
  })
  await adding
  assert.equal((await summary(shop)).views, 1)
  assert.deepEqual(await differences(shop), [])
})

test('what waits for a zone knows of it then, planned or not', async () => {
  for (const visitor of ['first', 'second', 'third']) {
    await shop.db.execute(sql`truncate analytics_events, analytics_zones, analytics_days`)
    let telling = Promise.resolve()
    await second.db.transaction(async (tx) => {
      await tx.execute(sql`lock table analytics_days in share row exclusive mode`)
      telling = shop.shop.tracking.track(told(visitor))
      await untilWaiting()
      await tx.execute(sql`insert into analytics_zones (zone) values ('UTC')`)
    })
    await telling
    assert.equal((await summary(shop)).views, 1, visitor)
    assert.deepEqual(await differences(shop), [])
  }
})

test('a zone that cannot have the figures for itself is asked for again, and nobody waits for it', async () => {
  await view(shop, productId)
  await second.db.transaction(async (tx) => {
    // As a vacuum does.
    await tx.execute(sql`lock table analytics_days in share update exclusive mode`)
    assert.equal((await askSummary(shop, '?tz=Asia/Tokyo')).statusCode, 503)
    assert.equal(await view(shop, productId), 204)
  })
  assert.equal((await summary(shop, '?tz=Asia/Tokyo')).views, 2)
  assert.deepEqual(await differences(shop), [])
})

test('clocks go as browsers know them, by every name', async () => {
  const { rows: listed } = await shop.db.execute<{ name: string }>(
    sql`select name from pg_timezone_names where name !~ '^(posix/|Factory)'`,
  )
  assert.ok(listed.length > 400)
  for (const { name } of listed) {
    const zone = name.includes('/') ? name : await findZone(shop.db, name)
    const moments = ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']
    const { rows } = await shop.db.execute<{ there: string }>(
      sql`select to_char(moment at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS') as there
        from unnest(${sql.param(moments)}::timestamptz[]) as moment`,
    )
    assert.deepEqual(
      rows.map(({ there }) => there),
      moments.map((moment) => new Date(moment).toLocaleString('sv-SE', { timeZone: name })),
      `${name} as ${zone}`,
    )
  }
})

test('CET has summer time, and is a place', async () => {
  const createdAt = new Date('2026-06-30T22:30:00Z')
  await shop.db.insert(analyticsEvents).values({ eventType: 'checkout_view', productId, createdAt })
  const { views, tz } = await summary(shop, '?from=2026-07-01&to=2026-07-01&tz=CET')
  assert.deepEqual([views, tz], [1, 'Europe/Brussels'])
})

test('a zone is kept once, however it is written', async () => {
  for (const tz of ['utc', 'UTC', 'Zulu', 'europe/berlin', 'EUROPE/Berlin', 'Europe/Berlin'])
    await summary(shop, `?tz=${tz}`)
  const kept = await shop.db.select().from(analyticsZones)
  assert.deepEqual(kept.map(({ zone }) => zone).toSorted(), ['Europe/Berlin', 'UTC'])
})

test('a zone that only browsers know is refused', async () => {
  for (const tz of ['BST', 'SystemV/EST5']) {
    assert.ok(new Intl.DateTimeFormat('en', { timeZone: tz }))
    const answer = await askSummary(shop, `?tz=${tz}`)
    assert.equal(answer.statusCode, 400)
    assert.match(answer.json().message, /no such time zone/)
  }
})
