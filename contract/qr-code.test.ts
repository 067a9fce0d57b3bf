import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'uqr'
import { createQrCode } from './qr-code.ts'

const link = 'https://shop.example.com/checkout/0b5c2f4e-1d7a-4c39-9f0e-6a1b2c3d4e5f'

test('the path covers exactly the dark modules of the code', () => {
  const { size, path } = createQrCode(link)
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(width))
  assert.deepEqual(drawn, encode(link, { ecc: 'M', border: 4 }).data)
})

test('four modules around the code stay white, or scanners miss it', () => {
  const { size, path } = createQrCode(link)
  const bars = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map((bar) => bar.slice(1).map(Number))
  assert.equal(Math.min(...bars.map(([x = 0]) => x)), 4)
  assert.equal(Math.max(...bars.map(([x = 0, , width = 0]) => x + width)), size - 4)
})
