import assert from 'node:assert/strict'
import { test } from 'node:test'

import { describeEvents } from './news-text.ts'

test('what is new is counted by kind, and an order that changed twice once', () => {
  assert.equal(describeEvents([]), '')
  assert.equal(describeEvents([{ kind: 'order', id: 'a' }]), '1 new order')
  const events = [
    { kind: 'order-changed', id: 'a' },
    { kind: 'order', id: 'b' },
    { kind: 'order', id: 'c' },
    { kind: 'order-changed', id: 'a' },
  ] as const
  assert.equal(describeEvents(events), '2 new orders, 1 order changed')
})
