import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressToCount } from './client-address.ts'

test('limits count one IPv4 address, however it is written', () => {
  assert.equal(addressToCount('203.0.113.7'), '203.0.113.7')
  for (const written of [
    '::ffff:203.0.113.7',
    '::ffff:cb00:7107',
    '::FFFF:CB00:7107',
    '0:0:0:0:0:ffff:cb00:7107',
    '0000:0000:0000:0000:0000:ffff:203.0.113.7',
    '[::ffff:cb00:7107]:443',
    '203.0.113.7:443',
  ])
    assert.equal(addressToCount(written), '203.0.113.7', written)
  assert.equal(addressToCount('::ffff:0:1'), '0.0.0.1')
})

test('limits count a whole IPv6 household as one', () => {
  const household = addressToCount('2001:db8:1:2:aaaa::1')
  assert.equal(household, '2001:db8:1:2')
  assert.equal(addressToCount('2001:0db8:0001:0002:bbbb:1:2:3'), household)
  assert.notEqual(addressToCount('2001:db8:1:3::1'), household)
  assert.equal(addressToCount('[2001:db8:1:2::1%eth0]:443'), household)
  assert.equal(addressToCount('::1'), '0:0:0:0')
})
