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
    sort: 'highest',
    showsTests: true,
    openId: 'abc',
    isArchiveOpen: false,
    isHistoryOpen: false,
    trackedId: undefined,
  } as const
  assert.equal(
    formatOrderUrl(url),
    `?q=anna+%26+co&status=shipped&product=${url.productId}&from=2026-11-01&to=2026-11-15&sort=highest&tests=true&order=abc`,
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
    sort: 'newest',
    showsTests: false,
    openId: undefined,
    isArchiveOpen: false,
    isHistoryOpen: false,
    trackedId: undefined,
  })
})

test('days are sent with the time zone they are in', () => {
  assert.equal(searchValues(parseOrderUrl('?from=2026-11-01')).tz, localTimeZone())
  assert.equal(searchValues(parseOrderUrl('?q=mug')).tz, undefined)
})

test('the history of bulk changes has a URL', () => {
  assert.equal(formatOrderUrl({ isHistoryOpen: true }), '?history=bulk')
  assert.equal(parseOrderUrl('?history=bulk').isHistoryOpen, true)
})

test('the tracking of an order has a URL', () => {
  assert.equal(formatOrderUrl({ q: 'mug', trackedId: 'abc' }), '?q=mug&tracking=abc')
  assert.equal(parseOrderUrl('?tracking=abc').trackedId, 'abc')
  assert.equal(parseOrderUrl('?tracking=abc&order=def').trackedId, undefined)
})

test('the payment archive has a URL, and an open order wins over it', () => {
  assert.equal(formatOrderUrl({ q: 'mug', isArchiveOpen: true }), '?q=mug&review=archive')
  assert.equal(parseOrderUrl('?review=archive').isArchiveOpen, true)
  assert.equal(parseOrderUrl('?review=archive&order=abc').isArchiveOpen, false)
  assert.equal(parseOrderUrl('?review=other').isArchiveOpen, false)
})

test('a status, sort, product or day that does not exist is ignored', () => {
  const nonsense = parseOrderUrl('?status=lost&sort=best&product=mug&from=2026-02-30&to=x')
  assert.deepEqual(nonsense, parseOrderUrl(''))
})

test('a query leaves out what is empty', () => {
  assert.equal(formatQuery({ limit: '100', q: 'mug', status: undefined }), '?limit=100&q=mug')
  assert.equal(formatQuery({ q: '', status: 'pending' }), '?status=pending')
})
