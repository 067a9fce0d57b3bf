import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localTimeZone } from '#contract/time-zones.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { getSummary, saveTimeZone } from '#server/testing/visitors.ts'
import { sql } from './drizzle.ts'
import { getZoneName, selectDays } from './time-zones.ts'

const shop = await openTestShop()
const { db } = shop

const { rows: listed } = await db.execute<{ name: string }>(
  sql`select name from pg_timezone_names where name !~ '^(posix/|Factory)'`,
)

test('PostgreSQL and browsers agree on the time in every zone', async () => {
  assert.ok(listed.length > 400)
  const zones = []
  for (const { name } of listed) zones.push(name.includes('/') ? name : await getZoneName(db, name))
  const moments = ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']
  const { rows } = await db.execute<{ there: string }>(
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

test('in every zone a day begins with its first moment, also where midnight is skipped or comes twice', async () => {
  const year = { from: '2026-01-01', to: '2026-12-31' }
  const offset = (name: string, month: string) =>
    new Date(`2026-${month}-15T12:00:00Z`).toLocaleTimeString('sv-SE', { timeZone: name })
  const changing = listed.filter(({ name }) => offset(name, '01') !== offset(name, '07'))
  assert.ok(changing.length > 100)
  for (const { name } of changing) {
    const { rows } = await db.execute(sql`
      select day from (${selectDays(year, name)}) as days
      where (starts at time zone ${name})::date <> day
        or ((starts - interval '1 microsecond') at time zone ${name})::date <> day - 1
        or (ends at time zone ${name})::date <> day + 1`)
    assert.deepEqual(rows, [], name)
  }
})

test('a time zone that only browsers know is refused, and one that nobody knows', async () => {
  for (const zone of ['BST', 'SystemV/EST5', 'Mars/Olympus', '+05:30', 'UTC; drop table orders']) {
    const answer = await saveTimeZone(shop, zone)
    assert.equal(answer.statusCode, 400, zone)
    assert.match(answer.json().message, /time zone/)
  }
  assert.equal((await saveTimeZone(shop, null)).statusCode, 200)
  assert.equal((await getSummary(shop)).tz, await getZoneName(db, localTimeZone()))
})
