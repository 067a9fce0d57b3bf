import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdminOrder, OrderStatus } from '#contract/orders.ts'
import { applyChangedStatuses, sumCounts, revertChange, updateCounts } from './changed-statuses.ts'
import { createOrder } from './testing/orders.ts'

const counts = { pending: 2, processing: 1, shipped: 0, completed: 5 }
const changes = [
  { id: 'a', from: 'pending', to: 'shipped' },
  { id: 'b', from: 'processing', to: 'shipped' },
  { id: 'c', from: 'shipped', to: 'shipped' },
] as const

test('counters follow the orders', () => {
  const updated = updateCounts(counts, changes)
  assert.deepEqual(updated, { pending: 1, processing: 0, shipped: 2, completed: 5 })
  assert.deepEqual(updateCounts(updated, changes.map(revertChange)), counts)
})

test('counters never fall below zero', () => {
  const back = updateCounts(counts, [{ id: 'x', from: 'shipped', to: 'pending' }])
  assert.deepEqual(back, { pending: 3, processing: 1, shipped: 0, completed: 5 })
})

test('undo restores the status that each order had', () => {
  assert.deepEqual(
    changes.map(revertChange).map(({ id, to }) => [id, to]),
    [
      ['a', 'pending'],
      ['b', 'processing'],
      ['c', 'shipped'],
    ],
  )
})

test('a filter counts its own orders, no filter counts all', () => {
  assert.equal(sumCounts(counts, 'completed'), 5)
  assert.equal(sumCounts(counts, undefined), 8)
})

const pages = [
  { orders: [createOrder('a'), createOrder('b')], nextCursor: 'more', requestedAt: 100 },
  { orders: [createOrder('c')], nextCursor: undefined, requestedAt: 300 },
]
const changeOf = (id: string, status: OrderStatus, changedAt: number) =>
  new Map([[id, { status, changedAt }]])
const idsOf = (orders: AdminOrder[]) => orders.map(({ id }) => id)

test('a changed order leaves the filtered list, and returns to its position when that is undone', () => {
  const shipped = changeOf('b', 'shipped', 200)
  assert.deepEqual(idsOf(applyChangedStatuses(pages, shipped, 'pending')), ['a', 'c'])
  const unfiltered = applyChangedStatuses(pages, shipped, undefined)
  assert.deepEqual(idsOf(unfiltered), ['a', 'b', 'c'])
  assert.equal(unfiltered[1]?.status, 'shipped')
  const undone = changeOf('b', 'pending', 250)
  assert.deepEqual(idsOf(applyChangedStatuses(pages, undone, 'pending')), ['a', 'b', 'c'])
})

test('a page that was requested after a change is newer than the change', () => {
  const orders = applyChangedStatuses(pages, changeOf('c', 'shipped', 200), undefined)
  assert.equal(orders[2]?.status, 'pending')
})

test('an unchanged order stays the same object, so that it is not rendered again', () => {
  const orders = applyChangedStatuses(pages, changeOf('a', 'shipped', 200), undefined)
  assert.equal(orders[0]?.status, 'shipped')
  assert.equal(orders[1], pages[0]?.orders[1])
})
