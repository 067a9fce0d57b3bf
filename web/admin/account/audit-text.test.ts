import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditActions, type AuditEntry } from '#contract/audit.ts'
import { describeEntry } from './audit-text.ts'

const at = '2026-11-16T09:00:00.000Z'

function describe(entry: Partial<AuditEntry>): string {
  const { who, what } = describeEntry({
    id: '1',
    at,
    adminId: null,
    adminName: 'owner',
    action: 'sign-in',
    subject: null,
    detail: null,
    address: '203.0.113.0',
    count: 1,
    lastAt: at,
    ...entry,
  })
  return `${who} ${what}`
}

test('the log tells what happened in plain sentences', () => {
  const id = '3f1c2d4e-0000-4000-8000-000000000000'
  assert.equal(
    describe({ action: 'order-status', subject: id, detail: { from: 'pending', to: 'shipped' } }),
    'owner set the order 3f1c2d4e… from pending to shipped',
  )
  const toShipped = { detail: { to: 'shipped' }, subject: id }
  assert.equal(
    describe({ action: 'bulk-change', ...toShipped, count: 12 }),
    'owner set 12 orders to shipped',
  )
  assert.equal(
    describe({ action: 'bulk-change-undone', ...toShipped }),
    'owner undid the change of 1 order to shipped',
  )
  const detail = { price: { from: '10.00', to: '12.00' }, changed: ['imageUrl'] }
  assert.equal(
    describe({ action: 'product-changed', subject: id, detail }),
    'owner changed a product: price from 10.00 to 12.00, picture (3f1c2d4e…)',
  )
  assert.equal(
    describe({ action: 'review-refunded', detail: { amount: '49.00', currency: 'EUR' } }),
    'owner refunded a payment of €49.00',
  )
  assert.equal(
    describe({
      action: 'sign-in-failed',
      adminName: null,
      detail: { name: 'owner', reason: 'password' },
      count: 12,
    }),
    'Somebody failed to log in as owner: wrong password, 12 times',
  )
})

test('what was done by a command on the server is not said to be somebody’s', () => {
  const entry = { action: 'admin-added', adminName: null, address: null } as const
  assert.equal(
    describe({ ...entry, detail: { username: 'mia' } }),
    'The server added mia as an admin',
  )
})

test('every action has a sentence, also with facts of another version or none', () => {
  for (const action of [...auditActions, 'unknown'] as const) {
    for (const detail of [null, {}, { isTooLong: true }, { price: 7, name: null, orders: 'x' }]) {
      const sentence = describe({ action, detail })
      assert.match(sentence, /^owner [a-z]/)
      assert.doesNotMatch(sentence, /undefined|null|\[object/)
    }
  }
})
