import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownOrders } from './order-pages.ts'
import { createOrder } from './testing/orders.ts'

const pages = [
  { orders: [createOrder('a'), createOrder('b')], next: 'more', askedAt: 100 },
  { orders: [createOrder('c')], next: undefined, askedAt: 300 },
]
const idsOf = (orders: { id: string }[]) => orders.map(({ id }) => id)

test('an order that no longer fits leaves the list, and comes back to its place when that is undone', () => {
  const shipped = new Map([['b', { status: 'shipped' as const, at: 200 }]])
  assert.deepEqual(idsOf(shownOrders(pages, shipped, 'pending')), ['a', 'c'])
  assert.deepEqual(idsOf(shownOrders(pages, shipped, undefined)), ['a', 'b', 'c'])
  assert.equal(shownOrders(pages, shipped, undefined)[1]?.status, 'shipped')
  const undone = new Map([['b', { status: 'pending' as const, at: 250 }]])
  assert.deepEqual(idsOf(shownOrders(pages, undone, 'pending')), ['a', 'b', 'c'])
})

test('what was asked for after a change is newer than the change', () => {
  const changed = new Map([['c', { status: 'shipped' as const, at: 200 }]])
  assert.equal(shownOrders(pages, changed, undefined)[2]?.status, 'pending')
})

test('what did not change stays the same object, so that it is not drawn again', () => {
  const changed = new Map([['a', { status: 'shipped' as const, at: 200 }]])
  assert.equal(shownOrders(pages, changed, undefined)[1], pages[0]?.orders[1])
})
