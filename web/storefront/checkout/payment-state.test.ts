import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isPaying,
  type Payment,
  type PaymentEvent,
  step,
  type WithoutForm,
} from './payment-state.ts'
import { checkout } from '#web/storefront/testing/test-world.ts'

const open = checkout('c1')
const withoutForm: WithoutForm[] = [
  { is: 'confirming', checkoutId: 'c1' },
  { is: 'delayed' },
  { is: 'at-bank', checkoutId: 'c1' },
  { is: 'starting-over' },
  { is: 'refused', checkoutId: 'c1' },
  { is: 'lost-sight' },
  { is: 'too-many-cards' },
  { is: 'review', reason: 'mismatch' },
]
const states: Payment[] = [
  { is: 'loading' },
  { is: 'broken', why: undefined },
  { is: 'ready', checkout: open },
  { is: 'saving', checkout: open },
  { is: 'submitted', checkout: open, heard: 'sent' },
  { is: 'asking', checkout: open },
  ...withoutForm,
  { is: 'paid', orderId: 'o1' },
]
const events: PaymentEvent[] = [
  { type: 'opened', checkout: open },
  { type: 'renewed', checkout: checkout('c2') },
  { type: 'broke', why: undefined },
  { type: 'reopened' },
  { type: 'pay' },
  { type: 'submit' },
  { type: 'heard', word: 'challenge' },
  { type: 'asked' },
  { type: 'unlocked' },
  ...withoutForm.map((as) => ({ type: 'form-closed', as }) as const),
  { type: 'paid', orderId: 'o2' },
]

test('only a form that is ready can be paid on', () => {
  for (const state of states) {
    const moved = step(state, { type: 'pay' }) !== state
    assert.equal(moved, state.is === 'ready', state.is)
  }
})

test('only saved details let the card leave', () => {
  for (const state of states) {
    const moved = step(state, { type: 'submit' }) !== state
    assert.equal(moved, state.is === 'saving', state.is)
  }
})

test('paid is the end, whatever happens', () => {
  const paid: Payment = { is: 'paid', orderId: 'o1' }
  for (const event of events) assert.equal(step(paid, event), paid, event.type)
})

test('while a card may be charged, no event but its outcome brings a card form back', () => {
  const outcomes = ['unlocked', 'reopened']
  const underWay = ['submitted', 'asking', 'confirming', 'delayed', 'at-bank', 'starting-over']
  for (const state of states.filter(({ is }) => underWay.includes(is))) {
    for (const event of events.filter(({ type }) => !outcomes.includes(type))) {
      const { is } = step(state, event)
      assert.ok(is !== 'ready' && is !== 'loading', `${state.is} became ${is} by ${event.type}`)
    }
  }
})

test('no new form comes while the widget on the page works on a card', () => {
  for (const is of ['saving', 'submitted', 'ready'] as const) {
    const state = states.find((one) => one.is === is)
    assert.ok(state)
    assert.equal(step(state, { type: 'reopened' }), state)
  }
})

for (const closed of ['too-many-cards', 'review'] as const) {
  test(`once it is said that no card may follow (${closed}), no event brings a card form back`, () => {
    const state = states.find(({ is }) => is === closed)
    assert.ok(state)
    for (const event of events) {
      const { is } = step(state, event)
      const next = step(step(state, event), { type: 'reopened' }).is
      assert.notEqual(next, 'loading', event.type)
      assert.ok(is !== 'ready' && is !== 'loading', `${event.type} led to ${is}`)
    }
  })
}

test('a checkout is never exchanged while its card is out', () => {
  for (const state of states.filter(({ is }) => is !== 'ready' && is !== 'saving'))
    assert.equal(step(state, { type: 'renewed', checkout: checkout('c2') }), state)
})

test('a challenge stays one, whatever the widget says besides', () => {
  const asked: Payment = { is: 'submitted', checkout: open, heard: 'challenge' }
  assert.equal(step(asked, { type: 'heard', word: 'sent' }), asked)
})

test('leaving is asked about only while a card is on its way', () => {
  const asked = states.filter(isPaying).map(({ is }) => is)
  assert.deepEqual(asked, ['saving', 'submitted', 'asking', 'confirming'])
})
