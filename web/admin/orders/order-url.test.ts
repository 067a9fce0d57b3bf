import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localTimeZone } from '#contract/time-zones.ts'
import { formatQuery } from '#web/api.ts'
import { formatOrderUrl, parseOrderUrl, searchValues } from './order-url.ts'

test('search, status and the open order are in the URL', () => {
  const url = {
    q: 'anna & co',
    status: 'shipped',
    productId: '9f1c2d3e-0000-4000-8000-000000000000',
    from: '2026-11-01',
    to: '2026-11-15',
    isWithdrawn: true,
    sort: 'highest',
    showsTests: true,
    panel: { kind: 'order', id: 'abc' },
  } as const
  assert.equal(
    formatOrderUrl(url),
    `?q=anna+%26+co&status=shipped&product=${url.productId}&from=2026-11-01&to=2026-11-15&withdrawn=true&sort=highest&tests=true&order=abc`,
  )
  assert.deepEqual(parseOrderUrl(formatOrderUrl(url)), url)
})

test('a plain URL asks for everything', () => {
  assert.equal(formatOrderUrl({ q: ' ', status: undefined }), '')
  assert.deepEqual(parseOrderUrl(''), {
    q: '',
    status: undefined,
    productId: undefined,
    from: undefined,
    to: undefined,
    isWithdrawn: false,
    sort: 'newest',
    showsTests: false,
    panel: undefined,
  })
})

test('days are sent with the time zone they are in', () => {
  assert.equal(searchValues(parseOrderUrl('?from=2026-11-01')).tz, localTimeZone())
  assert.equal(searchValues(parseOrderUrl('?q=mug')).tz, undefined)
})

test('everything that opens over the list has a URL, one at a time, and an order wins', () => {
  for (const [panel, query] of [
    [{ kind: 'order', id: 'abc' }, '?q=mug&order=abc'],
    [{ kind: 'tracking', id: 'abc' }, '?q=mug&tracking=abc'],
    [{ kind: 'customer', id: 'abc' }, '?q=mug&customer=abc'],
    [{ kind: 'slips', ids: ['abc', 'def'] }, '?q=mug&slips=abc%2Cdef'],
    [{ kind: 'pick-list', ids: ['abc'] }, '?q=mug&pick-list=abc'],
    [{ kind: 'many-tracking' }, '?q=mug&tracking=many'],
    [{ kind: 'bulk-changes' }, '?q=mug&history=bulk'],
    [{ kind: 'archive' }, '?q=mug&review=archive'],
  ] as const) {
    assert.equal(formatOrderUrl({ q: 'mug', panel }), query)
    assert.deepEqual(parseOrderUrl(query).panel, panel)
    assert.deepEqual(parseOrderUrl(`${query}&order=def`).panel?.kind, 'order')
  }
  assert.equal(parseOrderUrl('?review=other').panel, undefined)
})

test('a status, sort, product or day that does not exist is ignored', () => {
  const nonsense = parseOrderUrl('?status=lost&sort=best&product=mug&from=2026-02-30&to=x')
  assert.deepEqual(nonsense, parseOrderUrl(''))
})

test('a query leaves out what is empty', () => {
  assert.equal(formatQuery({ limit: '100', q: 'mug', status: undefined }), '?limit=100&q=mug')
  assert.equal(formatQuery({ q: '', status: 'pending' }), '?status=pending')
})
