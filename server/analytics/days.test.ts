import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { addDays } from '#contract/days.ts'
import { analyticsDays, analyticsEvents } from '#server/db/analytics-schema.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { keepShownProduct } from '#server/catalog/products.ts'
import { memoize } from '#server/memoize.ts'
import { addMug } from '#server/testing/buyer.ts'
import { addOrders, addPayment } from '#server/testing/orders.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { getSummary, saveTimeZone } from '#server/testing/visitors.ts'
import { deleteDays, deleteOldEvents, rollUpEvents } from './days.ts'

const shop = await openTestShop()
const { db } = shop
const productId = await addMug(shop)

beforeEach(async () => {
  await db.execute(sql`truncate analytics_events, checkouts, payments, orders cascade`)
  await deleteDays(db)
})

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Every 47 minutes around changes of clocks and in the last three days: some moments are on other days in other zones. */
const moments = [
  ...['2025-10-25', '2025-11-01', '2026-03-07', '2026-03-28'].map((day) => Date.parse(day)),
  Date.now() - 3 * dayMs,
].flatMap((from) =>
  Array.from({ length: 92 }, (_, index) => new Date(Math.floor(from + index * 47 * 60_000))),
)

/** What happens at each moment, by its number. */
const isNewVisitor = (index: number) => index % 3 === 0
const isStarted = (index: number) => index % 5 === 0
const isSold = (index: number) => index % 7 === 0
const isRefunded = (index: number) => index % 14 === 0
const isThanked = (index: number) => index % 21 === 0
const isMobile = (index: number) => index % 4 === 0

async function addHistory(): Promise<void> {
  const about = (index: number) => ({ productId, createdAt: moments[index] })
  const sold = moments.flatMap((createdAt, index) => (isSold(index) ? [{ createdAt }] : []))
  const added = await addOrders(db, sold)
  const orderOf = (index: number) => added[index / 7]?.id ?? ''
  await db.insert(analyticsEvents).values(
    moments.flatMap((_moment, index) => [
      {
        ...about(index),
        eventType: 'checkout_view',
        isNewVisitor: isNewVisitor(index),
        deviceType: isMobile(index) ? 'mobile' : 'desktop',
      },
      ...(isSold(index)
        ? [{ ...about(index), eventType: 'checkout_complete', orderId: orderOf(index) }]
        : []),
      ...(isThanked(index)
        ? [{ ...about(index), eventType: 'thank_you_view', orderId: orderOf(index) }]
        : []),
      // Of no order: listed, and counted nowhere.
      { ...about(index), eventType: 'thank_you_view', isCounted: false },
    ]),
  )
  for (const [index, order] of added.entries())
    await addPayment(
      db,
      order,
      isRefunded(index * 7) ? { refunded: '9.00', chargedBack: '1.50' } : {},
    )
  const [any] = added
  if (!any) throw new Error('nothing was sold')
  const shownVersion = await keepShownProduct(db, any.product)
  await db.insert(checkouts).values(
    moments.flatMap((startedAt, index) =>
      isStarted(index)
        ? [
            {
              productId,
              shownVersion,
              amount: '49.00',
              currency: 'EUR',
              buyerTokenHash: '0'.repeat(64),
              merchantCode: 'M',
              validUntil: startedAt,
              startedAt,
            },
          ]
        : [],
    ),
  )
}

/** On which day each moment is, without the database. */
const listDays = memoize(10, (timeZone) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone })
  return moments.map((moment) => format.format(moment))
})

function countByHand(timeZone: string, isInRange: (day: string) => boolean) {
  const days = listDays(timeZone)
  const count = (happened: (index: number) => boolean) =>
    days.filter((day, index) => isInRange(day) && happened(index)).length
  const ordered = count(isSold)
  return {
    views: count(() => true),
    visitors: count(isNewVisitor),
    started: count(isStarted),
    completed: ordered,
    thanked: count(isThanked),
    orders: ordered,
    grossRevenue: (49 * ordered).toFixed(2),
    revenue: (49 * ordered - 10.5 * count(isRefunded)).toFixed(2),
  }
}

async function assertCountedAsByHand(timeZone: string, when: string): Promise<void> {
  const all = await getSummary(shop)
  assert.partialDeepStrictEqual(
    all,
    countByHand(timeZone, () => true),
    `${timeZone} ${when}`,
  )
  const mobile = moments.filter((_, index) => isMobile(index)).length
  assert.equal(all.devices.find(({ device }) => device === 'mobile')?.views, mobile)
  for (const { day, ...figures } of all.days) {
    const { views, orders: sold, revenue } = countByHand(timeZone, (one) => one === day)
    assert.deepEqual(figures, { views, orders: sold, revenue }, `${day} in ${timeZone} ${when}`)
  }
  for (const [from, to] of [
    ['2025-10-26', '2025-10-27'],
    ['2026-03-08', '2026-03-29'],
    [addDays(all.today, -1), all.today],
  ] as const) {
    const range = await getSummary(shop, `?from=${from}&to=${to}`)
    const expected = countByHand(timeZone, (day) => day >= from && day <= to)
    assert.partialDeepStrictEqual(range, expected, `${from} to ${to} in ${timeZone} ${when}`)
  }
}

const readDays = () =>
  db
    .select()
    .from(analyticsDays)
    .orderBy(analyticsDays.day, analyticsDays.zone, analyticsDays.kind, analyticsDays.key)

test('figures equal a count by hand in every zone, rolled up or not, and a second roll-up adds nothing', async () => {
  await addHistory()
  for (const zone of [
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kathmandu',
    // Where clocks go back at midnight.
    'Atlantic/Azores',
    'Pacific/Kiritimati',
    'Europe/Berlin',
  ]) {
    await saveTimeZone(shop, zone)
    await assertCountedAsByHand(zone, 'before the roll-up')
    await rollUpEvents(db, zone)
    await assertCountedAsByHand(zone, 'after it')
    const rolledUp = await readDays()
    assert.ok(rolledUp.length > 0 && rolledUp.every((row) => row.zone === zone))
    await rollUpEvents(db, zone)
    assert.deepEqual(await readDays(), rolledUp)
    // Two at once, as by a node that did not know of the other.
    await deleteDays(db)
    await Promise.all([rollUpEvents(db, zone), rollUpEvents(db, zone)])
    assert.deepEqual(await readDays(), rolledUp)
  }
})

/** A database whose connection breaks at this statement. */
function breakAt(statement: number): Db {
  let executed = 0
  const broken: Db = Object.create(db)
  broken.execute = (query) => {
    executed += 1
    if (executed === statement) throw new Error('the connection broke')
    return db.execute(query)
  }
  return broken
}

test('a roll-up that is killed loses nothing, and the next one completes it', async () => {
  await addHistory()
  await saveTimeZone(shop, 'Europe/Berlin')
  await rollUpEvents(db, 'Europe/Berlin')
  const complete = await readDays()
  for (const statement of [1, 2, 3, 4, 9]) {
    // Its days are counted anew.
    await rollUpEvents(db, 'UTC')
    await assert.rejects(rollUpEvents(breakAt(statement), 'Europe/Berlin'), /connection broke/)
    await assertCountedAsByHand('Europe/Berlin', `killed at statement ${statement}`)
    await rollUpEvents(db, 'Europe/Berlin')
    assert.deepEqual(await readDays(), complete)
  }
})

const addView = (createdAt: Date, referrer?: string) =>
  db.insert(analyticsEvents).values({ eventType: 'checkout_view', productId, createdAt, referrer })

test('today and yesterday are counted from their events, so that late ones are there', async () => {
  await saveTimeZone(shop, 'UTC')
  const { today } = await getSummary(shop)
  const at = (ago: number) => new Date(`${addDays(today, -ago)}T00:00:00Z`)
  for (const ago of [1, 2, 3]) await addView(at(ago))
  await rollUpEvents(db, 'UTC')
  assert.deepEqual(
    new Set((await readDays()).map(({ day }) => day)),
    new Set([at(2), at(3)].map((day) => day.toISOString().slice(0, 10))),
  )
  await addView(new Date(at(0).getTime() - 1))
  await addView(at(0))
  const { days } = await getSummary(shop, '?last=4')
  assert.deepEqual(
    days.map(({ views }) => views),
    [1, 1, 2, 1],
  )
})

test('what was counted of deleted events stays when the time zone changes, and nothing counts twice', async () => {
  await addHistory()
  await saveTimeZone(shop, 'Europe/Berlin')
  const { views, visitors, started, completed, thanked } = await getSummary(shop)
  const expected = { views, visitors, started, completed, thanked }
  // Each time some more, in another zone.
  for (const [zone, days] of [
    ['Europe/Berlin', 300],
    ['Asia/Tokyo', 200],
    ['America/New_York', 3],
    ['Europe/Berlin', 3],
  ] as const) {
    await saveTimeZone(shop, zone)
    assert.partialDeepStrictEqual(await getSummary(shop), expected, zone)
    await rollUpEvents(db, zone)
    assert.partialDeepStrictEqual(await getSummary(shop), expected, `${zone}, rolled up`)
    await deleteOldEvents(db, days, zone)
    // One that a bounded run has left for the next.
    await db.execute(sql`insert into analytics_events (event_type, created_at)
      select 'checkout_view', done_until - interval '1 minute' from node_jobs where name = 'event-deletion'`)
    assert.partialDeepStrictEqual(await getSummary(shop), expected, `${zone}, deleted`)
  }
  const left = await db.$count(analyticsEvents, sql`created_at < now() - interval '5 days'`)
  assert.equal(left, 0)
})

test('no event is deleted before it is rolled up', async () => {
  await saveTimeZone(shop, 'UTC')
  await addView(new Date('2020-03-01T20:00:00Z'))
  assert.equal(await deleteOldEvents(db, 30, 'UTC'), 0)
  await rollUpEvents(db, 'UTC')
  assert.equal(await deleteOldEvents(db, 30, 'UTC'), 1)
  const { from, views } = await getSummary(shop)
  assert.deepEqual([from, views], ['2020-03-01', 1])
})

test('of the sites of a day the 300 with the most views are kept, the rest is Other', async () => {
  await saveTimeZone(shop, 'UTC')
  const createdAt = new Date('2026-05-01T12:00:00Z')
  const site = (number: number) => `https://site${number}.example`
  const referrers = Array.from({ length: 310 }, (_, number) => site(number))
  const busy = ['https://z.example', 'https://z.example', 'https://z.example', site(309), site(309)]
  await db.insert(analyticsEvents).values(
    [...referrers, ...busy].map((referrer) => ({
      eventType: 'checkout_view',
      productId,
      createdAt,
      referrer,
    })),
  )
  for (const isRolledUp of [false, true]) {
    if (isRolledUp) await rollUpEvents(db, 'UTC')
    const { views, referrers: top } = await getSummary(shop)
    assert.equal(views, 315)
    assert.deepEqual(top.slice(0, 4), [
      { referrer: 'Other', views: 11 },
      { referrer: 'https://site309.example', views: 3 },
      { referrer: 'https://z.example', views: 3 },
      { referrer: 'https://site0.example', views: 1 },
    ])
  }
  const kept = (await readDays()).filter(({ kind }) => kind === 'referrer')
  assert.equal(kept.length, 301)
})
