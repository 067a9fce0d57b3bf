import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  minuteMs,
  noCard,
  createTestSale,
  proxyError,
  createRefusal,
  flushPromises,
} from '#web/storefront/testing/test-sale.ts'

const submissionFailed = 'toast Payment submission failed: Please try again or refresh the page.'
const widgetError =
  'toast Payment widget error: Failed to load payment form. Please refresh the page.'

test('a page opens one checkout and mounts the card form on it', async () => {
  const { sale, log, state } = createTestSale()
  await sale.open()
  assert.deepEqual(log, ['mount c1'])
  assert.equal(state(), 'ready')
})

test('no card is submitted before the server has the delivery address', async () => {
  const { sale, log, openForm, state } = createTestSale()
  await openForm()
  void sale.pay()
  await flushPromises()
  assert.deepEqual(log, ['details c1', 'submit'])
  assert.equal(state(), 'submitted')
})

test('a double click pays once', async () => {
  const { sale, log, openForm } = createTestSale()
  await openForm()
  void sale.pay()
  void sale.pay()
  await flushPromises()
  void sale.pay()
  await flushPromises()
  assert.deepEqual(log, ['details c1', 'submit'])
})

test('Pay now does nothing while the card form is not there', async () => {
  const { sale, log } = createTestSale()
  await sale.pay()
  assert.deepEqual(log, [])
})

for (const fault of [
  createRefusal('unexpected'),
  createRefusal('payments-away'),
  createRefusal('too-many-requests'),
  proxyError,
]) {
  test(`no card is submitted when details cannot be saved: ${fault.message}`, async () => {
    const { sale, log, openForm, state, findSubmitted, reject } = createTestSale()
    await openForm()
    reject('saveDetails', fault)
    await sale.pay()
    assert.deepEqual(log, [submissionFailed])
    assert.equal(state(), 'ready')
    assert.equal(findSubmitted(), undefined)
  })
}

test('a field that the server rejects is shown with its message', async () => {
  const { deps, sale, log, openForm } = createTestSale()
  await openForm()
  deps.api.saveDetails = () =>
    Promise.reject(createRefusal('bad-request', { message: 'Enter a valid email address' }))
  await sale.pay()
  assert.deepEqual(log, ['toast Please complete all required fields: Enter a valid email address'])
})

for (const code of ['checkout-expired', 'payment-missing'] as const) {
  test(`a checkout that accepts no details (${code}) is renewed in place, once`, async () => {
    const { deps, sale, log, openForm, advance } = createTestSale()
    await openForm()
    deps.api.saveDetails = async (id) => {
      if (id === 'c1') throw createRefusal(code)
      log.push(`details ${id}`)
    }
    void sale.pay()
    await advance(2000)
    assert.deepEqual(log, ['renew c2', 'details c2', 'submit'])
  })
}

test('a renewed checkout that accepts no details is a failed submission', async () => {
  const { sale, log, openForm, advance, state, reject } = createTestSale()
  await openForm()
  reject('saveDetails', createRefusal('checkout-expired'))
  void sale.pay()
  await advance(2000)
  assert.deepEqual(log, ['renew c2', submissionFailed])
  assert.equal(state(), 'ready')
})

test('a checkout that another tab has paid leads to its order, never to a second payment', async () => {
  const { sale, log, openForm, reject } = createTestSale()
  await openForm()
  reject('saveDetails', createRefusal('already-paid', { orderId: 'o7' }))
  await sale.pay()
  assert.deepEqual(log, ['thank-you o7'])
})

test('Pay now on a sale that another tab paid after its form had expired leads to the order', async () => {
  const { sale, log, openForm, reject } = createTestSale()
  await openForm()
  reject('saveDetails', createRefusal('checkout-expired'))
  reject('openCheckout', createRefusal('already-paid', { orderId: 'o7' }))
  await sale.pay()
  assert.deepEqual(log, ['thank-you o7'])
})

test('Pay now submits no second card while a card of another tab is under way', async () => {
  const { sale, log, openForm, advance, state, reject, setStatus } = createTestSale()
  await openForm()
  reject('saveDetails', createRefusal('card-under-way', { checkoutId: 'c1' }))
  setStatus({ state: 'waiting', reason: 'unclear' })
  void sale.pay()
  await advance(3000)
  assert.equal(state(), 'confirming')
  assert.deepEqual(log, ['unmount'])
  setStatus({ state: 'paid', orderId: 'o8' })
  await advance(5000)
  assert.deepEqual(log, ['unmount', 'thank-you o8'])
})

test('a card of another tab that never reached SumUp frees the form here, without a failure message', async () => {
  const { sale, log, openForm, advance, state, reject } = createTestSale()
  await openForm()
  reject('saveDetails', createRefusal('card-under-way', { checkoutId: 'c1' }))
  void sale.pay()
  await advance(14_000)
  assert.equal(state(), 'confirming')
  await advance(10_000)
  assert.equal(state(), 'ready')
  assert.deepEqual(log, ['unmount', 'mount c2'])
})

test('Pay now on a sale in review removes the card form', async () => {
  const { sale, log, openForm, state, reject } = createTestSale()
  await openForm()
  reject('saveDetails', createRefusal('payment-in-review', { reason: 'mismatch' }))
  await sale.pay()
  assert.equal(state(), 'review')
  assert.deepEqual(log, ['unmount'])
})

test('a widget that cannot submit unlocks the form', async () => {
  const { deps, sale, log, openForm, state, findSubmitted } = createTestSale()
  await openForm()
  deps.widget.submit = () => {
    throw new Error('load-failed')
  }
  await sale.pay()
  assert.deepEqual(log, ['details c1', submissionFailed])
  assert.equal(state(), 'ready')
  assert.equal(findSubmitted(), undefined)
})

test('a widget that is silent for half a minute unlocks the form', async () => {
  const { sale, log, openForm, advance, state } = createTestSale()
  await openForm()
  void sale.pay()
  await advance(29_000)
  assert.equal(state(), 'submitted')
  await advance(1000)
  assert.deepEqual(log, ['details c1', 'submit', submissionFailed])
  assert.equal(state(), 'ready')
})

test('a silent widget unlocks the form only after the server has answered twice', async () => {
  const { sale, openForm, advance, state, setStatus, reject } = createTestSale()
  await openForm()
  reject('getStatus', new TypeError('Failed to fetch'))
  void sale.pay()
  await advance(2 * minuteMs)
  setStatus(noCard)
  await advance(10_000)
  assert.equal(state(), 'submitted')
  await advance(10_000)
  assert.equal(state(), 'ready')
})

for (const status of [
  { state: 'waiting', reason: 'unreachable' },
  { state: 'waiting', reason: 'unclear' },
] as const) {
  test(`a silent widget whose card is ${status.reason} does not unlock the form`, async () => {
    const { sale, log, openForm, advance, state, setStatus } = createTestSale()
    await openForm()
    setStatus(status)
    void sale.pay()
    await advance(40_000)
    assert.equal(state(), 'confirming')
    await advance(10 * minuteMs)
    assert.equal(state(), 'delayed')
    assert.ok(!log.some((line) => line.startsWith('toast') || line.startsWith('mount')))
  })
}

test('a widget that goes silent after sending the card is replaced by a new form if SumUp has no payment', async () => {
  const { log, submitCard, advance, state } = createTestSale()
  await submitCard()
  await advance(29_000)
  assert.equal(state(), 'submitted')
  await advance(10_000)
  assert.deepEqual(log, [
    'unmount',
    'toast Payment failed: Please check your card details and try again.',
    'mount c2',
  ])
  assert.equal(state(), 'ready')
})

test('a card that was charged behind a silent widget leads to its order', async () => {
  const { sale, log, openForm, advance, setStatus } = createTestSale()
  await openForm()
  void sale.pay()
  await advance(25_000)
  setStatus({ state: 'paid', orderId: 'o1' })
  await advance(5000)
  assert.deepEqual(log, ['details c1', 'submit', 'thank-you o1'])
})

test('silence during an earlier card does not count for the next one', async () => {
  const { sale, openForm, advance, emit, state } = createTestSale()
  await openForm()
  void sale.pay()
  await flushPromises()
  await emit('invalid')
  await advance(29_000)
  void sale.pay()
  await advance(20_000)
  assert.equal(state(), 'submitted')
})

test('invalid card fields unlock the form without a failure message', async () => {
  const { log, submitCard, emit, state, findSubmitted } = createTestSale()
  await submitCard()
  await emit('invalid', { errors: [] })
  assert.deepEqual(log, [])
  assert.equal(state(), 'ready')
  assert.equal(findSubmitted(), undefined)
})

test('a card form that does not load shows an error and can be tried again', async () => {
  const { deps, sale, log, state } = createTestSale()
  let isBlocked = true
  deps.widget.load = async () => {
    if (isBlocked) throw new Error('blocked')
  }
  await sale.open()
  assert.deepEqual(log, [widgetError])
  assert.equal(state(), 'load-failed')
  isBlocked = false
  await sale.tryAgain()
  assert.equal(state(), 'ready')
})

test('a card form that rejects its checkout triggers a status request: the sale may be paid', async () => {
  const { deps, sale, log, setStatus } = createTestSale()
  deps.widget.mount = () => Promise.reject(new Error('rejected'))
  setStatus({ state: 'paid', orderId: 'o1' })
  await sale.open()
  assert.deepEqual(log, ['thank-you o1'])
})

test('an error of a card form that was not submitted triggers one as well', async () => {
  const { log, openForm, emit, setStatus, advance } = createTestSale()
  await openForm()
  setStatus({ state: 'paid', orderId: 'o1' })
  await emit('error', {})
  await advance(0)
  assert.deepEqual(log, ['thank-you o1'])
})

test('an error of a card form that was not submitted is shown, and the form stays usable meanwhile', async () => {
  const { log, openForm, emit, state, advance } = createTestSale()
  await openForm()
  await emit('error', { message: 'Card expired' })
  await advance(1000)
  assert.equal(state(), 'ready')
  assert.deepEqual(log, [])
  await advance(500)
  assert.equal(state(), 'ready')
  assert.deepEqual(log, ['toast Payment failed: Card expired'])
})

for (const code of [
  'product-missing',
  'product-paused',
  'sold-out',
  'price-changed',
  'page-outdated',
  'price-without-cents',
  'mode-changed',
] as const) {
  test(`an outdated page (${code}) reloads the page`, async () => {
    const { sale, log, reject } = createTestSale()
    reject('openCheckout', createRefusal(code))
    await sale.open()
    assert.deepEqual(log, ['reload'])
  })
}

test('a product that is paused before Pay now reloads the page, and no card is sent', async () => {
  const { sale, log, reject } = createTestSale()
  await sale.open()
  reject('saveDetails', createRefusal('product-paused'))
  await sale.pay()
  assert.equal(log.at(-1), 'reload')
  assert.equal(sale.getPayment().state, 'ready', 'the browser would ask before it reloads')
})

for (const code of ['payments-away', 'too-many-checkouts', 'too-many-requests'] as const) {
  test(`a checkout that cannot be opened (${code}) shows an error and can be tried again`, async () => {
    const { sale, log, state, reject } = createTestSale()
    const allow = reject('openCheckout', createRefusal(code))
    await sale.open()
    assert.deepEqual(log, [widgetError])
    assert.equal(state(), 'load-failed')
    allow()
    await sale.tryAgain()
    assert.equal(state(), 'ready')
  })
}

test('a sale that is already paid leads to its order, without an error message', async () => {
  const { sale, log, reject } = createTestSale()
  reject('openCheckout', createRefusal('already-paid', { orderId: 'o1' }))
  await sale.open()
  assert.deepEqual(log, ['thank-you o1'])
})

test('a sale in review shows no form in any tab, and leads to its order once that exists', async () => {
  const { sale, log, state, reject, setStatus, advance } = createTestSale()
  reject(
    'openCheckout',
    createRefusal('payment-in-review', { reason: 'unreadable', checkoutId: 'c9' }),
  )
  setStatus({ state: 'review', reason: 'unreadable' })
  await sale.open()
  await advance(minuteMs)
  assert.equal(state(), 'review')
  assert.deepEqual(log, [])
  setStatus({ state: 'paid', orderId: 'o1' })
  await advance(minuteMs)
  assert.deepEqual(log, ['thank-you o1'])
})

test('a card of another tab is followed, and its decline opens the form', async () => {
  const { sale, log, state, setStatus, advance, reject } = createTestSale()
  const allow = reject('openCheckout', createRefusal('card-under-way', { checkoutId: 'c9' }))
  setStatus({ state: 'waiting', reason: 'unclear' })
  await sale.open()
  await advance(10_000)
  assert.equal(state(), 'confirming')
  allow()
  setStatus({ state: 'declined' })
  await advance(5000)
  assert.equal(state(), 'ready')
  assert.ok(log.includes('mount c1'))
})

test('a checkout is renewed in place before it expires', async () => {
  const { log, openForm, advance, state } = createTestSale()
  await openForm()
  await advance(25 * minuteMs)
  assert.deepEqual(log, [])
  await advance(2 * minuteMs)
  assert.deepEqual(log, ['renew c2'])
  assert.equal(state(), 'ready')
})

test('Pay now right after a renewal waits until the card form has loaded it', async () => {
  const { sale, log, openForm, advance } = createTestSale()
  await openForm()
  await advance(26 * minuteMs)
  assert.deepEqual(log, ['renew c2'])
  void sale.pay()
  await advance(1400)
  assert.deepEqual(log, ['renew c2'])
  await advance(100)
  assert.deepEqual(log, ['renew c2', 'details c2', 'submit'])
})

test('a checkout is not renewed while its card is being charged', async () => {
  const { log, submitCard, advance, emit } = createTestSale()
  await submitCard()
  await emit('auth-screen')
  await advance(40 * minuteMs)
  assert.ok(!log.some((line) => line.startsWith('renew')))
})
