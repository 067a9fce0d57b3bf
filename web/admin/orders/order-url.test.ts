import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatOrderUrl, formatQuery, parseOrderUrl } from './order-url.ts'

test('search, status and the open order are in the URL', () => {
  const url = {
    q: 'anna & co',
    status: 'shipped',
    showsTests: true,
    openId: 'abc',
    isArchiveOpen: false,
  } as const
  assert.equal(formatOrderUrl(url), '?q=anna+%26+co&status=shipped&tests=true&order=abc')
  assert.deepEqual(parseOrderUrl(formatOrderUrl(url)), url)
})

test('a plain URL asks for everything', () => {
  assert.equal(formatOrderUrl({ q: ' ', status: undefined }), '')
  assert.deepEqual(parseOrderUrl(''), {
    q: '',
    status: undefined,
    showsTests: false,
    openId: undefined,
    isArchiveOpen: false,
  })
})

test('the payment archive has a URL, and an open order wins over it', () => {
  assert.equal(formatOrderUrl({ q: 'mug', isArchiveOpen: true }), '?q=mug&review=archive')
  assert.equal(parseOrderUrl('?review=archive').isArchiveOpen, true)
  assert.equal(parseOrderUrl('?review=archive&order=abc').isArchiveOpen, false)
  assert.equal(parseOrderUrl('?review=other').isArchiveOpen, false)
})

test('a status that does not exist is ignored', () => {
  assert.equal(parseOrderUrl('?status=lost').status, undefined)
})

test('a query leaves out what is empty', () => {
  assert.equal(formatQuery({ limit: '100', q: 'mug', status: undefined }), '?limit=100&q=mug')
  assert.equal(formatQuery({ q: '', status: 'pending' }), '?status=pending')
})
