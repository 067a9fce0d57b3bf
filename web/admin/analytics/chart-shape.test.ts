import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bar } from './bars.ts'
import { shapeChart } from './chart-shape.ts'

const bar = (cents: number, beforeCents?: number): Bar => {
  const days = { from: '2026-11-15', to: '2026-11-15' }
  const before = beforeCents === undefined ? undefined : { ...days, cents: beforeCents }
  return { ...days, cents, orders: 1, views: 1, before }
}

test('the picture has room for the larger of now and before', () => {
  const { ticks, yOf, top, floor } = shapeChart([bar(1000, 10_000), bar(2000, 0)], 446, 288)
  assert.deepEqual(ticks, [0, 5000, 10_000])
  assert.equal(yOf(10_000), top)
  assert.equal(yOf(0), floor)
})

test('a pointer finds the bar below it, and the nearest beyond the edges', () => {
  const { placeAt, middleOf } = shapeChart([bar(1), bar(2), bar(3), bar(4)], 446, 288)
  assert.deepEqual([-5, 46, middleOf(1), middleOf(3), 900].map(placeAt), [0, 0, 1, 3, 3])
})

test('a single day stands in the middle', () => {
  const { middleOf, stepPx, left } = shapeChart([bar(1)], 946, 288)
  assert.equal(middleOf(0), left + 450)
  assert.equal(stepPx, 150)
})

test('a day without money has no bar, and a shop without money has a picture all the same', () => {
  const shape = shapeChart([bar(0), bar(0)], 446, 288)
  assert.equal(shape.barPath(0, 0), '')
  assert.deepEqual(shape.ticks, [0])
  assert.equal(shape.yOf(0), shape.floor)
})
