import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, isDay } from '#contract/days.ts'
import { firstDay, mondayOf, ownTimeZone, todayIn } from './calendar.ts'

test('today is the day on the owner’s calendar', () => {
  const moment = new Date('2026-11-15T10:30:00Z')
  assert.equal(todayIn('Europe/Berlin', moment), '2026-11-15')
  assert.equal(todayIn('Pacific/Kiritimati', moment), '2026-11-16')
  assert.equal(todayIn('Pacific/Niue', moment), '2026-11-14')
})

test('a day begins at midnight on either side of a change of the clock', () => {
  for (const [moment, day] of [
    ['2026-03-28T22:59:59Z', '2026-03-28'],
    ['2026-03-28T23:00:00Z', '2026-03-29'],
    ['2026-03-29T21:59:59Z', '2026-03-29'],
    ['2026-03-29T22:00:00Z', '2026-03-30'],
    ['2026-10-25T22:59:59Z', '2026-10-25'],
    ['2026-10-25T23:00:00Z', '2026-10-26'],
  ] as const) {
    assert.equal(todayIn('Europe/Berlin', new Date(moment)), day, moment)
  }
})

test('no day is before the first', () => {
  assert.equal(isDay(firstDay), true)
  assert.equal(isDay(addDays(firstDay, -1)), false)
})

test('a week begins on Monday', () => {
  assert.equal(mondayOf('2026-11-15'), '2026-11-09')
  assert.equal(mondayOf('2026-11-09'), '2026-11-09')
})

test('a browser that does not know where it is counts in UTC', (context) => {
  const nowhere = { timeZone: 'Etc/Unknown' } as Intl.ResolvedDateTimeFormatOptions
  context.mock.method(Intl.DateTimeFormat.prototype, 'resolvedOptions', () => nowhere)
  assert.equal(ownTimeZone(), 'UTC')
})
