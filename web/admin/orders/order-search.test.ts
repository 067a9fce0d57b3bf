import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddress, searchParameters, writeAddress } from './order-search.ts'

test('search, status and the open order travel in the address', () => {
  const address = {
    q: 'anna & co',
    status: 'shipped',
    openId: 'abc',
    isArchiveOpen: false,
  } as const
  assert.equal(writeAddress(address), '?q=anna+%26+co&status=shipped&order=abc')
  assert.deepEqual(readAddress(writeAddress(address)), address)
})

test('a plain address asks for everything', () => {
  assert.equal(writeAddress({ q: ' ', status: undefined }), '')
  assert.deepEqual(readAddress(''), {
    q: '',
    status: undefined,
    openId: undefined,
    isArchiveOpen: false,
  })
})

test('the archive of payments has an address, and gives way to an order', () => {
  assert.equal(writeAddress({ q: 'mug', isArchiveOpen: true }), '?q=mug&review=archive')
  assert.equal(readAddress('?review=archive').isArchiveOpen, true)
  assert.equal(readAddress('?review=archive&order=abc').isArchiveOpen, false)
  assert.equal(readAddress('?review=other').isArchiveOpen, false)
})

test('a status that does not exist is not asked for', () => {
  assert.equal(readAddress('?status=lost').status, undefined)
})

test('a call says which page of which search', () => {
  const search = { q: 'mug', status: undefined }
  assert.equal(searchParameters(search, { limit: '100' }), '?limit=100&q=mug')
  assert.equal(searchParameters({ q: '', status: 'pending' }), '?status=pending')
})
