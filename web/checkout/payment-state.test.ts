import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPaying, panelOf, type Payment, type PaymentEvent, step } from './payment-state.ts'
import { checkout } from './test-world.ts'

const open = checkout('c1')
const states: Payment[] = [
  { is: 'loading' },
  { is: 'broken', why: undefined },
  { is: 'ready', checkout: open },
  { is: 'saving', checkout: open },
  { is: 'submitted', checkout: open, isHeard: true },
  { is: 'waiting', checkoutId: 'c1', checkout: open },
  { is: 'away', checkoutId: 'c1' },
  { is: 'refused', checkoutId: 'c1' },
  { is: 'lost-sight', checkoutId: 'c1' },
  { is: 'too-many-cards' },
  { is: 'review' },
  { is: 'paid', orderId: 'o1' },
]
const events: PaymentEvent[] = [
  { type: 'opened', checkout: open },
  { type: 'renewed', checkout: checkout('c2') },
  { type: 'broke' },
  { type: 'retried' },
  { type: 'resumed', checkoutId: 'c1' },
  { type: 'pay' },
  { type: 'submit' },
  { type: 'sent' },
  { type: 'asked' },
  { type: 'unlocked' },
  { type: 'late' },
  { type: 'reopened' },
  { type: 'refused' },
  { type: 'lost-sight' },
  { type: 'too-many-cards' },
  { type: 'review' },
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
  for (const state of states.filter(
    ({ is }) => is === 'submitted' || is === 'waiting' || is === 'away',
  )) {
    for (const event of events.filter(({ type }) => !outcomes.includes(type))) {
      const { is } = step(state, event)
      assert.ok(is !== 'ready' && is !== 'loading', `${state.is} became ${is} by ${event.type}`)
    }
  }
})

test('once too many cards were declined, nothing brings a card form back', () => {
  for (const event of events) {
    const { is } = step({ is: 'too-many-cards' }, event)
    assert.ok(is !== 'ready' && is !== 'loading', `${event.type} led to ${is}`)
  }
})

test('a checkout is never exchanged while its card is out', () => {
  for (const is of ['submitted', 'waiting', 'away'] as const) {
    const state = states.find((one) => one.is === is)
    assert.ok(state)
    assert.equal(step(state, { type: 'renewed', checkout: checkout('c2') }), state)
  }
})

test('leaving is asked about only while a card is on its way', () => {
  const asked = states.filter(isPaying).map(({ is }) => is)
  assert.deepEqual(asked, ['saving', 'submitted', 'waiting'])
})

test('the form gives way to a panel where no card may follow', () => {
  const shown = states.map(panelOf).filter(Boolean)
  assert.deepEqual(shown, ['away', 'refused', 'lost-sight', 'too-many-cards', 'review'])
  assert.equal(panelOf({ is: 'waiting', checkoutId: 'c1', checkout: undefined }), 'confirming')
})
