import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressToCount } from './client-address.ts'

test('limits count one IPv4 address, however it is written', () => {
  assert.equal(addressToCount('203.0.113.7'), '203.0.113.7')
  assert.equal(addressToCount('::ffff:203.0.113.7'), '203.0.113.7')
})

test('limits count a whole IPv6 household as one', () => {
  const household = addressToCount('2001:db8:1:2:aaaa::1')
  assert.equal(household, '2001:db8:1:2')
  assert.equal(addressToCount('2001:0db8:0001:0002:bbbb:1:2:3'), household)
  assert.notEqual(addressToCount('2001:db8:1:3::1'), household)
  assert.equal(addressToCount('::1'), '0:0:0:0')
})
