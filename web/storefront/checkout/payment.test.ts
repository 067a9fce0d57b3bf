import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCheckout } from '#web/storefront/testing/test-sale.ts'
import {
  isPaying,
  type PanelState,
  type Payment,
  type PaymentEvent,
  reducePayment,
} from './payment.ts'

const checkout = createCheckout('c1')
const panelStates: PanelState[] = [
  { state: 'confirming', checkoutId: 'c1' },
  { state: 'delayed', checkoutId: 'c1' },
  { state: 'at-bank', checkoutId: 'c1' },
  { state: 'starting-over' },
  { state: 'order-refused', checkoutId: 'c1' },
  { state: 'not-found' },
  { state: 'too-many-cards' },
  { state: 'review', reason: 'mismatch' },
  { state: 'not-sold', hasUnknownCard: false },
]
const payments: Payment[] = [
  { state: 'loading' },
  { state: 'load-failed', reason: undefined },
  { state: 'ready', checkout },
  { state: 'saving', checkout },
  { state: 'submitted', checkout, progress: 'sent' },
  { state: 'checking', checkout },
  ...panelStates,
  { state: 'paid', orderId: 'o1' },
]
const events: PaymentEvent[] = [
  { type: 'opened', checkout },
  { type: 'renewed', checkout: createCheckout('c2') },
  { type: 'load-failed', reason: undefined },
  { type: 'reopened' },
  { type: 'pay-pressed' },
  { type: 'submitted' },
  { type: 'widget-progressed', progress: 'challenge' },
  { type: 'check-started' },
  { type: 'unlocked' },
  ...panelStates.map((by) => ({ type: 'form-replaced', by }) as const),
  { type: 'review-ended', checkoutId: 'c1' },
  { type: 'paid', orderId: 'o2' },
]

test('only a ready form can be paid with', () => {
  for (const payment of payments) {
    const isChanged = reducePayment(payment, { type: 'pay-pressed' }) !== payment
    assert.equal(isChanged, payment.state === 'ready', payment.state)
  }
})

test('a card is submitted only after the details were saved', () => {
  for (const payment of payments) {
    const isChanged = reducePayment(payment, { type: 'submitted' }) !== payment
    assert.equal(isChanged, payment.state === 'saving', payment.state)
  }
})

test('no event changes a paid payment', () => {
  const paid: Payment = { state: 'paid', orderId: 'o1' }
  for (const event of events) assert.equal(reducePayment(paid, event), paid, event.type)
})

test('while a card may be charged, only its outcome brings a card form back', () => {
  const outcomes = ['unlocked', 'reopened']
  const underWay = ['submitted', 'checking', 'confirming', 'delayed', 'at-bank', 'starting-over']
  const charging = payments.filter(({ state }) => underWay.includes(state))
  assert.equal(charging.length, underWay.length)
  for (const payment of charging) {
    for (const event of events.filter(({ type }) => !outcomes.includes(type))) {
      const { state } = reducePayment(payment, event)
      assert.ok(
        state !== 'ready' && state !== 'loading',
        `${payment.state} became ${state} by ${event.type}`,
      )
    }
  }
})

test('no new form is opened while the widget on the page processes a card', () => {
  for (const state of ['saving', 'submitted', 'ready'] as const) {
    const payment = payments.find((one) => one.state === state)
    assert.ok(payment)
    assert.equal(reducePayment(payment, { type: 'reopened' }), payment)
  }
})

for (const final of ['too-many-cards', 'review', 'not-sold'] as const) {
  test(`after ${final} no event but the end of a review brings a card form back`, () => {
    const payment = payments.find(({ state }) => state === final)
    assert.ok(payment)
    for (const event of events) {
      if (event.type === 'review-ended' && final === 'review') continue
      const changed = reducePayment(payment, event)
      assert.ok(!['ready', 'loading'].includes(changed.state), `${event.type}: ${changed.state}`)
      assert.notEqual(reducePayment(changed, { type: 'reopened' }).state, 'loading', event.type)
    }
  })
}

test('a review that ends makes way for the outcome, and nothing else ends', () => {
  for (const payment of payments) {
    const changed = reducePayment(payment, { type: 'review-ended', checkoutId: 'c1' })
    if (payment.state === 'review') assert.equal(changed.state, 'confirming')
    else assert.equal(changed, payment)
  }
})

test('a checkout is never replaced while its card is submitted', () => {
  for (const payment of payments.filter(({ state }) => state !== 'ready' && state !== 'saving'))
    assert.equal(
      reducePayment(payment, { type: 'renewed', checkout: createCheckout('c2') }),
      payment,
    )
})

test('a challenge stays on the screen, whatever else the widget reports', () => {
  const challenge: Payment = { state: 'submitted', checkout, progress: 'challenge' }
  assert.equal(reducePayment(challenge, { type: 'widget-progressed', progress: 'sent' }), challenge)
})

test('leaving the page asks first only while a card is under way', () => {
  const states = payments.filter(isPaying).map(({ state }) => state)
  assert.deepEqual(states, ['saving', 'submitted', 'checking', 'confirming'])
})
