import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZone, localTimeZone } from './time-zones.ts'

test('names of time zones are known from other texts, and from offsets', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'america/new_york', 'Etc/GMT+5', 'CET'])
    assert.equal(isTimeZone(name), true, name)
  for (const name of ['', '+05:30', 'Mars/Olympus', 'Europe/Berlin ', 'x'.repeat(100)])
    assert.equal(isTimeZone(name), false, name)
})

test('a machine without a time zone is in UTC', (context) => {
  const unknown = { timeZone: 'Etc/Unknown' } as Intl.ResolvedDateTimeFormatOptions
  context.mock.method(Intl.DateTimeFormat.prototype, 'resolvedOptions', () => unknown)
  assert.equal(localTimeZone(), 'UTC')
})
