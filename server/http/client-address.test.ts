import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { addressToCount, createAddressHash, plainAddress } from './client-address.ts'

const counted = (written: string) => addressToCount(plainAddress(written))

test('limits count one IPv4 address, however it is written', () => {
  assert.equal(counted('203.0.113.7'), '203.0.113.7')
  for (const written of [
    '::ffff:203.0.113.7',
    '::ffff:cb00:7107',
    '::FFFF:CB00:7107',
    '0:0:0:0:0:ffff:cb00:7107',
    '0000:0000:0000:0000:0000:ffff:203.0.113.7',
    '[::ffff:cb00:7107]:443',
    '203.0.113.7:443',
  ])
    assert.equal(counted(written), '203.0.113.7', written)
  assert.equal(counted('::ffff:0:1'), '0.0.0.1')
})

test('limits count an IPv6 /64 network as one address', () => {
  const network = counted('2001:db8:1:2:aaaa::1')
  assert.equal(network, '2001:db8:1:2')
  assert.equal(counted('2001:0db8:0001:0002:bbbb:1:2:3'), network)
  assert.notEqual(counted('2001:db8:1:3::1'), network)
  assert.equal(counted('[2001:db8:1:2::1%eth0]:443'), network)
  assert.equal(counted('::1'), '0:0:0:0')
})

test('a stored address cannot be found by trying all of them, nor joined across days or shops', () => {
  let nowMs = Date.parse('2026-11-16T10:00:00Z')
  const hashAddress = createAddressHash('a secret of the shop', () => nowMs)
  const name = hashAddress('203.0.113.7')
  assert.match(name, /^[0-9a-f]{64}$/)
  assert.notEqual(name, createHash('sha256').update('203.0.113.7').digest('hex'))
  assert.notEqual(name, createAddressHash('another', () => nowMs)('203.0.113.7'))
  nowMs += 13 * 3_600_000
  assert.equal(hashAddress('203.0.113.7'), name, 'limits hold for the day')
  nowMs += 3_600_000
  assert.notEqual(hashAddress('203.0.113.7'), name)
  assert.notEqual(hashAddress('fd00:0:0:1#1'), hashAddress('fd00:0:0:1#2'), 'shares of a proxy')
})
