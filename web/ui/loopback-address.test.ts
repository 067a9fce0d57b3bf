import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopback } from './loopback-address.ts'

test('an address that leads every device to itself is known', () => {
  for (const origin of [
    'http://localhost:3000',
    'http://shop.localhost',
    'http://127.0.0.1:3000',
    'http://127.8.8.8',
    'http://[::1]:3000',
    'http://0.0.0.0:3000',
  ]) {
    assert.equal(isLoopback(`${origin}/checkout/1`), true, origin)
  }
  for (const origin of [
    'https://shop.example.com',
    'http://192.168.1.4:3000',
    'https://localhost.example.com',
    'https://127.example.com',
  ]) {
    assert.equal(isLoopback(`${origin}/checkout/1`), false, origin)
  }
})
