import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { addDays } from '#contract/days.ts'
import { analyticsEvents } from '#server/db/analytics-schema.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { buy, getSummary, requestSummary, saveTimeZone, view } from '#server/testing/visitors.ts'

const shop = await openTestShop()
const productId = await addMug(shop)

beforeEach(async () => {
  await shop.db.execute(sql`truncate analytics_events, analytics_days, checkouts, orders cascade`)
  await saveTimeZone(shop, 'UTC')
})

/** Inserts views at these times. */
async function insertViews(moments: string[]): Promise<void> {
  await shop.db.insert(analyticsEvents).values(
    moments.map((moment) => ({
      eventType: 'checkout_view',
      productId,
      createdAt: new Date(moment),
    })),
  )
}

/** The last millisecond of a day and the first of the next, around clock changes. */
const midnights: [zone: string, before: string, after: string, days: [string, string]][] = [
  [
    'Europe/Berlin',
    '2026-03-28T22:59:59.999Z',
    '2026-03-28T23:00:00Z',
    ['2026-03-28', '2026-03-29'],
  ],
  [
    'Europe/Berlin',
    '2026-03-29T21:59:59.999Z',
    '2026-03-29T22:00:00Z',
    ['2026-03-29', '2026-03-30'],
  ],
  [
    'Europe/Berlin',
    '2025-10-25T21:59:59.999Z',
    '2025-10-25T22:00:00Z',
    ['2025-10-25', '2025-10-26'],
  ],
  [
    'Europe/Berlin',
    '2025-10-26T22:59:59.999Z',
    '2025-10-26T23:00:00Z',
    ['2025-10-26', '2025-10-27'],
  ],
  [
    'America/New_York',
    '2026-03-08T04:59:59.999Z',
    '2026-03-08T05:00:00Z',
    ['2026-03-07', '2026-03-08'],
  ],
  [
    'America/New_York',
    '2026-03-09T03:59:59.999Z',
    '2026-03-09T04:00:00Z',
    ['2026-03-08', '2026-03-09'],
  ],
  [
    'America/New_York',
    '2025-11-03T04:59:59.999Z',
    '2025-11-03T05:00:00Z',
    ['2025-11-02', '2025-11-03'],
  ],
  [
    'Asia/Kathmandu',
    '2026-05-01T18:14:59.999Z',
    '2026-05-01T18:15:00Z',
    ['2026-05-01', '2026-05-02'],
  ],
  [
    'Pacific/Apia',
    '2026-01-31T10:59:59.999Z',
    '2026-01-31T11:00:00Z',
    ['2026-01-31', '2026-02-01'],
  ],
  ['UTC', '2026-06-30T23:59:59.999Z', '2026-07-01T00:00:00Z', ['2026-06-30', '2026-07-01']],
]

test('a day begins and ends at midnight in the shop’s time zone', async () => {
  const moments = midnights.flatMap(([, before, after]) => [before, after])
  await insertViews(moments)
  for (const [zone, before, after, days] of midnights) {
    await saveTimeZone(shop, zone)
    assert.deepEqual([dayInZone(before, zone), dayInZone(after, zone)], days)
    for (const day of days) {
      const { views } = await getSummary(shop, `?from=${day}&to=${day}`)
      const expected = moments.filter((moment) => dayInZone(moment, zone) === day)
      assert.equal(views, expected.length, `${day} in ${zone}`)
    }
  }
})

test('a day that was skipped in a zone has no views (Samoa, 2011)', async () => {
  await insertViews(['2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00Z'])
  await saveTimeZone(shop, 'Pacific/Apia')
  const { days } = await getSummary(shop, '?from=2011-12-29&to=2011-12-31')
  assert.deepEqual(
    days.map(({ views }) => views),
    [1, 0, 1],
  )
})

/** Calculated without the database. */
function dayInZone(moment: string, timeZone: string): string {
  return new Date(moment).toLocaleDateString('sv-SE', { timeZone })
}

test('revenue counts on the day of the order, a started payment on its own day', async () => {
  await buy(shop, productId)
  const moment = new Date('2026-03-31T22:30:00Z')
  const shortlyBefore = new Date('2026-03-31T21:30:00Z')
  await shop.db.update(orders).set({ createdAt: moment })
  await shop.db.update(analyticsEvents).set({ createdAt: moment })
  await shop.db.update(checkouts).set({ startedAt: shortlyBefore })
  await saveTimeZone(shop, 'Europe/Berlin')
  const inBerlin = await getSummary(shop, '?from=2026-04-01&to=2026-04-01')
  assert.partialDeepStrictEqual(inBerlin, { revenue: '49.00', orders: 1, completed: 1, started: 0 })
  assert.partialDeepStrictEqual(inBerlin.before, { revenue: '0.00', started: 1, orders: 0 })
  await saveTimeZone(shop, 'UTC')
  const inUtc = await getSummary(shop, '?from=2026-03-31&to=2026-03-31')
  assert.partialDeepStrictEqual(inUtc, { revenue: '49.00', orders: 1, started: 1 })
})

test('new events count for today, whatever day that is in the shop', async () => {
  for (const zone of ['Pacific/Kiritimati', 'Asia/Kathmandu', 'America/New_York', 'Pacific/Niue']) {
    await saveTimeZone(shop, zone)
    await getSummary(shop)
    const before = await getSummary(shop, '?last=1')
    await view(shop, productId)
    const { from, to, today, views, tz } = await getSummary(shop, '?last=1')
    assert.deepEqual([from, to, today, tz], [today, today, today, zone])
    assert.equal(today, dayInZone(new Date().toISOString(), zone))
    assert.equal(views, before.views + 1, zone)
  }
})

test('the last days end today, and are compared with as many before', async () => {
  const { from, to, today, days, before } = await getSummary(shop, '?last=30')
  assert.deepEqual([from, to], [addDays(today, -29), today])
  assert.equal(days.length, 30)
  assert.partialDeepStrictEqual(before, { from: addDays(today, -59), to: addDays(today, -30) })
})

test('a range has all its days and is compared with as many days before it', async () => {
  await insertViews(['2026-02-27T12:00:00Z', '2026-03-01T12:00:00Z', '2026-03-01T13:00:00Z'])
  const { days, before, views } = await getSummary(shop, '?from=2026-02-28&to=2026-03-02')
  assert.equal(views, 2)
  assert.deepEqual(
    days.map((day) => [day.day, day.views]),
    [
      ['2026-02-28', 0],
      ['2026-03-01', 2],
      ['2026-03-02', 0],
    ],
  )
  assert.partialDeepStrictEqual(before, { from: '2026-02-25', to: '2026-02-27', views: 1 })
  assert.equal(before?.days.length, 3)
})

test('all time begins on the first day and has no period before', async () => {
  await insertViews(['2026-11-10T12:00:00Z'])
  const { from, to, today, days, before } = await getSummary(shop)
  assert.deepEqual([from, to, before], ['2026-11-10', today, null])
  assert.equal(days.at(-1)?.day, today)
})

test('a shop without events has empty figures', async () => {
  const { from, to, today, days, conversion, averageOrder, devices } = await getSummary(shop)
  assert.deepEqual([from, to], [today, today])
  assert.deepEqual(days, [{ day: today, revenue: '0.00', orders: 0, views: 0 }])
  assert.deepEqual([conversion, averageOrder, devices], [0, '0.00', []])
})

test('invalid ranges are refused', async () => {
  for (const query of [
    '?last=0',
    '?last=-1',
    '?last=3661',
    '?last=week',
    '?last=',
    '?last=7&last=7',
    '?from=2026-02-30',
    '?from=yesterday',
    '?from=1999-12-31',
    '?from=2026-03-02&to=2026-03-01',
    '?from=2000-01-01&to=2099-01-01',
    '?from=2099-01-01',
    '?to=2099-12-31',
    '?from=2011-01-01',
  ]) {
    const answer = await requestSummary(shop, query)
    assert.equal(answer.statusCode, 400, `${query} ${answer.body}`)
  }
})

test('an invalid open range is refused with a message that says why', async () => {
  const words = async (query: string) => (await requestSummary(shop, query)).json().message
  const { today } = await getSummary(shop)
  assert.equal(await words('?from=2099-01-01'), `The first day comes after the last, ${today}.`)
  assert.equal(await words('?to=2099-12-31'), 'Please ask for ten years at most.')
})

test('all time may be longer than ten years', async () => {
  await insertViews(['2011-12-30T12:00:00Z'])
  const { from, days, views } = await getSummary(shop)
  assert.deepEqual([from, views], ['2011-12-30', 1])
  assert.ok(days.length > 3_660)
  const long = await getSummary(shop, '?to=2005-01-01')
  assert.deepEqual([long.from, long.to, long.views], ['2005-01-01', '2005-01-01', 0])
})
