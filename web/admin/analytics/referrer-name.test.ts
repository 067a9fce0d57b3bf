import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referrerName } from './referrer-name.ts'

test('sites are called by the name people know', () => {
  assert.equal(referrerName('https://www.google.com'), 'google.com')
  assert.equal(referrerName('http://localhost:8080'), 'localhost:8080')
  assert.equal(referrerName('Direct'), 'Direct')
})
