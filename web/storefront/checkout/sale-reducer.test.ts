import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckoutStatus } from '#contract/checkouts.ts'
import { createCheckout, createRefusal, noCard } from '#web/storefront/testing/test-sale.ts'
import { isPaying, type PanelState, type Payment } from './payment.ts'
import { reduceSale } from './sale-reducer.ts'
import { newSale, type SaleEvent, type SaleState } from './sale-state.ts'

const checkoutId = 'c1'
const checkout = createCheckout(checkoutId)
const fresh = {
  checkout: createCheckout('c2'),
  validForMs: 1_800_000,
  visitorCountry: null,
  priceKey: '',
}

const panels: PanelState[] = [
  { state: 'confirming', checkoutId },
  { state: 'delayed', checkoutId },
  { state: 'at-bank', checkoutId },
  { state: 'starting-over' },
  { state: 'order-refused', checkoutId },
  { state: 'not-found' },
  { state: 'too-many-cards' },
  { state: 'review', reason: 'mismatch' },
  { state: 'not-sold', why: 'product-missing', hasUnknownCard: false },
]
const payments: Payment[] = [
  { state: 'loading' },
  { state: 'load-failed', reason: undefined },
  { state: 'no-price' },
  { state: 'ready', checkout },
  { state: 'saving', checkout },
  { state: 'saving', checkout, isOther: true },
  { state: 'choosing', checkout },
  { state: 'submitted', checkout, progress: 'sent', isOther: true },
  { state: 'checking', checkout, isOther: true },
  { state: 'submitted', checkout, progress: 'none' },
  { state: 'submitted', checkout, progress: 'challenge' },
  { state: 'checking', checkout },
  ...panels,
  { state: 'paid', orderId: 'o1' },
]

/** Every payment, with each way in which the server may be asked about it. */
const sales: SaleState[] = payments.flatMap((payment) =>
  [undefined, { checkoutId }, { checkoutId, follow: {} }].map((polling) =>
    deepFreeze({ ...newSale, payment, polling, isCardUnsent: true, unknownCards: ['c0'] }),
  ),
)

const statuses: CheckoutStatus[] = [
  { state: 'open' },
  noCard,
  { state: 'at-bank' },
  { state: 'declined' },
  { state: 'closed' },
  { state: 'too-many-cards' },
  { state: 'review', reason: 'no-details' },
  { state: 'paid', orderId: 'o2' },
]
const declined = createRefusal('payment-declined')
const refusals = [
  createRefusal('already-paid', { orderId: 'o2' }),
  createRefusal('card-under-way', { checkoutId }),
  createRefusal('card-at-bank', { checkoutId }),
  createRefusal('payment-in-review', { reason: 'mismatch', checkoutId }),
  createRefusal('too-many-cards'),
  createRefusal('checkout-expired'),
  createRefusal('payment-missing'),
  declined,
  createRefusal('product-missing'),
  createRefusal('price-changed'),
  createRefusal('terms-changed'),
  createRefusal('code-used-up'),
  createRefusal('unexpected'),
  new TypeError('Failed to fetch'),
]
const attempt = { checkoutId, report: { status: 'PAID' } }
const [waitedMs, atMs] = [90_000, 90_000]

const polls: SaleEvent[] = [...statuses, undefined].flatMap((status) =>
  [0, 20_000].map((unchangedMs) => ({
    type: 'polled',
    atMs,
    result: {
      status,
      unchangedMs,
      waitedMs,
      answers: 3,
      isUnanswered: false,
      isNotFound: status === undefined,
    },
  })),
)
const reports: SaleEvent[] = ['sent', 'auth-screen', 'invalid', 'success', 'error', 'other'].map(
  (name) => ({ type: 'widget-reported', name, body: { message: 'No' }, atMs }),
)
const events: SaleEvent[] = deepFreeze([
  { type: 'page-opened', submittedId: undefined },
  { type: 'page-opened', submittedId: checkoutId },
  { type: 'page-opened', submittedId: undefined, returnedId: checkoutId },
  { type: 'checkout-opened', fresh, toast: undefined },
  { type: 'form-mounted', checkout: fresh.checkout, form: 'loaded' },
  { type: 'form-mounted', checkout: fresh.checkout, form: 'assumed' },
  ...[...statuses, undefined].map((status): SaleEvent => {
    return { type: 'form-failed', error: new Error('no'), rejected: { checkoutId, status } }
  }),
  { type: 'form-failed', error: createRefusal('country-needed'), lacksCountry: true },
  { type: 'reopening-due' },
  { type: 'price-changed' },
  { type: 'renewed', checkout: fresh.checkout },
  { type: 'renewal-refused' },
  { type: 'pay-pressed' },
  { type: 'pay-pressed', isOther: true },
  { type: 'methods-loaded', methods: ['paypal'] },
  { type: 'back-pressed' },
  { type: 'others-failed' },
  { type: 'page-restored' },
  { type: 'details-saved', checkoutId, atMs },
  { type: 'submission-failed' },
  ...reports,
  { type: 'order-answered', attempt, orderId: 'o2' },
  { type: 'order-answered', attempt, orderId: undefined },
  ...refusals.flatMap((error): SaleEvent[] => [
    { type: 'form-failed', error },
    { type: 'details-refused', error, checkoutId, isRenewed: false },
    { type: 'details-refused', error, checkoutId, isRenewed: true },
    { type: 'order-refused', attempt, error },
    { type: 'start-over-refused', checkoutId, error },
  ]),
  ...polls,
  { type: 'try-again-pressed' },
  { type: 'bank-page-lost' },
  { type: 'started-over' },
])

/** Every event in every state. Nothing is changed in place: the states are frozen. */
function forEachStep(
  check: (step: { sale: SaleState; event: SaleEvent; next: SaleState }) => void,
) {
  for (const sale of sales)
    for (const event of events) check({ sale, event, next: reduceSale(sale, event) })
}

const describe = (sale: SaleState, event: SaleEvent) =>
  `${JSON.stringify(sale.payment)} ${JSON.stringify(event)}`
const effectsOf = ({ effects }: SaleState) => effects.map(({ type }) => type)

test('the same event in the same state leads to the same', () => {
  forEachStep(({ sale, event, next }) => assert.deepEqual(reduceSale(sale, event), next))
})

test('a paid sale stays so, and nothing more is done', () => {
  forEachStep(({ sale, event, next }) => {
    if (sale.payment.state === 'paid') assert.deepEqual(next, sale, describe(sale, event))
  })
})

test('only a ready form can be paid with', () => {
  for (const sale of sales) {
    const next = reduceSale(sale, { type: 'pay-pressed' })
    const isReady = sale.payment.state === 'ready'
    assert.equal(next.payment.state, isReady ? 'saving' : sale.payment.state)
    assert.deepEqual(effectsOf(next), isReady ? ['save-details'] : [])
    const other = reduceSale(sale, { type: 'pay-pressed', isOther: true })
    assert.deepEqual([other.payment.state, other.effects], [next.payment.state, next.effects])
  }
})

test('nothing can be paid before its details were just saved, and it is remembered and asked about first', () => {
  forEachStep(({ sale, event, next }) => {
    const { payment } = sale
    const isSaved = payment.state === 'saving' && event.type === 'details-saved'
    const isOther = payment.state === 'saving' && payment.isOther === true
    const effects = effectsOf(next)
    assert.equal(effects.includes('submit-card'), isSaved && !isOther, describe(sale, event))
    assert.equal(effects.includes('mount-others'), isSaved && isOther, describe(sale, event))
    if (!isSaved) return
    assert.deepEqual(effects, isOther ? ['mount-others'] : ['submit-card'])
    const polling = { checkoutId }
    assert.deepEqual([next.polling, next.submittedId], [polling, checkoutId])
  })
})

test('the other ways to pay make room for the card form only before anything was sent', () => {
  for (const type of ['back-pressed', 'others-failed'] as const)
    for (const sale of sales) {
      const next = reduceSale(sale, { type })
      const isUnsent = sale.payment.state === 'choosing'
      assert.equal(next.payment.state, isUnsent ? 'loading' : sale.payment.state)
      assert.deepEqual(effectsOf(next), isUnsent ? ['remove-form', 'open-form'] : [])
    }
})

/** What shows that no card is being charged any more, or may let the server say so. */
function isOutcome(event: SaleEvent): boolean {
  if (event.type === 'widget-reported') return event.name === 'invalid'
  if (event.type === 'polled') {
    const { status } = event.result
    return status?.state === 'declined' || status?.state === 'open' || status === noCard
  }
  return [
    'checkout-opened',
    'submission-failed',
    'renewal-refused',
    'details-refused',
    'order-refused',
  ].includes(event.type)
}

test('while a card may be charged, only its outcome brings a card form back', () => {
  const underWay = ['submitted', 'checking', 'confirming', 'delayed', 'at-bank', 'starting-over']
  forEachStep(({ sale, event, next }) => {
    if (!underWay.includes(sale.payment.state) || isOutcome(event)) return
    const { state } = next.payment
    assert.ok(state !== 'ready' && state !== 'loading', `${describe(sale, event)} became ${state}`)
  })
})

test('no card form is mounted while the widget on the page may be processing a card', () => {
  forEachStep(({ sale, event, next }) => {
    if (!['ready', 'saving', 'choosing', 'submitted'].includes(sale.payment.state)) return
    assert.ok(!effectsOf(next).includes('mount-form'), describe(sale, event))
  })
})

test('one card form is requested at a time', () => {
  for (const sale of sales)
    for (const event of events) {
      const next = reduceSale({ ...sale, isOpening: true }, event)
      assert.ok(!effectsOf(next).includes('open-form'), describe(sale, event))
    }
})

test('after too many cards, a review or a deleted product, nothing brings a card form back', () => {
  forEachStep(({ sale, event, next }) => {
    const { state } = sale.payment
    if (state !== 'too-many-cards' && state !== 'review' && state !== 'not-sold') return
    assert.ok(!['ready', 'loading'].includes(next.payment.state), describe(sale, event))
    assert.ok(!effectsOf(next).includes('mount-form'), describe(sale, event))
  })
})

test('only the shop ends a review that a page shows: by an order, or by a status that lasts', () => {
  forEachStep(({ sale, event, next }) => {
    if (sale.payment.state !== 'review' || next.payment.state !== 'confirming') return
    assert.ok(event.type === 'polled' && event.result.unchangedMs > 0, describe(sale, event))
  })
})

test('a checkout is never replaced while its card is submitted', () => {
  for (const sale of sales) {
    const { payment } = reduceSale(sale, { type: 'renewed', checkout: fresh.checkout })
    const isReplaced = sale.payment.state === 'ready' || sale.payment.state === 'saving'
    if (!isReplaced) assert.deepEqual(payment, sale.payment)
    else assert.deepEqual(payment, { ...sale.payment, checkout: fresh.checkout })
  }
})

test('a failed card form is given back in no state, and given up once', () => {
  for (const sale of sales)
    for (const event of events) {
      const next = reduceSale({ ...sale, form: 'failed' }, event)
      const isGivenUp = effectsOf(next).includes('give-up-form')
      if (next.payment.state === 'ready')
        assert.notEqual(next.form, 'failed', describe(sale, event))
      if (isGivenUp) assert.deepEqual([next.payment.state, next.polling], ['loading', undefined])
    }
})

test('a challenge stays on the screen, whatever else the widget reports as progress', () => {
  const payment: Payment = { state: 'submitted', checkout, progress: 'challenge' }
  const next = reduceSale(
    { ...newSale, payment },
    { type: 'widget-reported', name: 'sent', body: undefined, atMs },
  )
  assert.deepEqual(next.payment, payment)
})

test('Payment failed is said only of a card that SumUp declined or does not have, or whose checkout is closed', () => {
  forEachStep(({ sale, event, next }) => {
    const isSaid = next.effects.some(
      (effect) =>
        (effect.type === 'toast' || effect.type === 'open-form') &&
        effect.toast?.title === 'Payment failed',
    )
    if (!isSaid) return
    const isKnown =
      event.type === 'polled'
        ? isOutcome(event) || event.result.status?.state === 'closed'
        : event.type === 'order-refused' && event.error === declined
    assert.ok(isKnown, describe(sale, event))
  })
})

test('who leaves for the thank-you page is paid, and nothing is polled then', () => {
  forEachStep(({ sale, event, next }) => {
    const isLeaving = effectsOf(next).includes('go-to-thank-you')
    const isNewlyPaid = next.payment.state === 'paid' && sale.payment.state !== 'paid'
    assert.equal(isLeaving, isNewlyPaid, describe(sale, event))
    if (isLeaving) assert.equal(next.polling, undefined)
  })
})

test('leaving the page asks first only while a card is under way', () => {
  const states = payments.filter(isPaying).map(({ state }) => state)
  assert.deepEqual([...new Set(states)], ['saving', 'submitted', 'checking', 'confirming'])
})

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !(value instanceof Error)) {
    for (const part of Object.values(value)) deepFreeze(part)
    Object.freeze(value)
  }
  return value
}
