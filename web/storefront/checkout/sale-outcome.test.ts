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

const paymentFailed = 'toast Payment failed: Please check your card details and try again.'

test('success becomes an order and leads to it', async () => {
  const { log, submitCard, emit } = createTestSale()
  await submitCard()
  await emit('success', { status: 'PAID', transaction_id: 't1' })
  assert.deepEqual(log, ['order c1', 'thank-you o1'])
})

test('a success reported twice is one order', async () => {
  const { log, submitCard, emit } = createTestSale()
  await submitCard()
  await emit('success', {})
  await emit('success', {})
  assert.deepEqual(log, ['order c1', 'thank-you o1'])
})

test('a declined card keeps the form and the checkout', async () => {
  const { log, submitCard, emit, state, findSubmitted, reject } = createTestSale()
  await submitCard()
  reject('placeOrder', createRefusal('payment-declined'))
  await emit('success', { status: 'FAILED' })
  assert.deepEqual(log, [paymentFailed])
  assert.equal(state(), 'ready')
  assert.equal(findSubmitted(), undefined)
})

test('a late decline is shown as a failed payment when it arrives', async () => {
  const { deps, log, submitCard, emit, state, setStatus, advance } = createTestSale()
  await submitCard()
  deps.api.placeOrder = async () => undefined
  setStatus({ state: 'waiting', reason: 'unreachable' })
  await emit('success', { status: 'FAILED' })
  await advance(30_000)
  assert.deepEqual(log, [])
  setStatus({ state: 'declined' })
  await advance(5000)
  assert.deepEqual(log, [paymentFailed])
  assert.equal(state(), 'ready')
})

for (const [name, fault] of [
  ['202', undefined],
  ['an error of the server', createRefusal('unexpected')],
  ['a rate limit', createRefusal('too-many-requests')],
  ['an error of a proxy', proxyError],
  ['a lost connection', new TypeError('Failed to fetch')],
] as const) {
  test(`after ${name} the page polls until the order exists`, async () => {
    const { deps, log, submitCard, emit, state, setStatus, advance } = createTestSale()
    await submitCard()
    deps.api.placeOrder = async () => {
      if (fault) throw fault
      return undefined
    }
    await emit('success', {})
    await advance(20_000)
    assert.equal(state(), 'checking')
    assert.deepEqual(log, [])
    setStatus({ state: 'paid', orderId: 'o2' })
    await advance(5000)
    assert.deepEqual(log, ['thank-you o2'])
  })
}

test('after a minute the page says that it takes longer, not that it failed, and keeps polling', async () => {
  const { deps, log, submitCard, emit, state, setStatus, advance, findSubmitted } = createTestSale()
  await submitCard()
  deps.api.placeOrder = async () => undefined
  await emit('success', {})
  await advance(70_000)
  assert.equal(state(), 'delayed')
  assert.deepEqual(log, ['unmount'])
  assert.equal(findSubmitted(), 'c1')
  setStatus({ state: 'paid', orderId: 'o3' })
  await advance(15_000)
  assert.deepEqual(log, ['unmount', 'thank-you o3'])
})

test('a page that becomes visible again polls at once', async () => {
  const { deps, sale, log, submitCard, emit, setStatus, advance } = createTestSale()
  await submitCard()
  deps.api.placeOrder = async () => undefined
  await emit('success', {})
  await advance(20 * minuteMs)
  setStatus({ state: 'paid', orderId: 'o3' })
  sale.refresh()
  await advance(0)
  assert.ok(log.includes('thank-you o3'))
})

test('a final refusal shows that the order failed, and trying again sends the order, not the card', async () => {
  const { log, sale, submitCard, emit, state, reject } = createTestSale()
  await submitCard()
  const allow = reject('placeOrder', createRefusal('bad-request'))
  await emit('success', {})
  assert.deepEqual(log, [
    'unmount',
    'toast Order failed: Failed to create order. Please try again.',
  ])
  assert.equal(state(), 'order-refused')
  allow()
  log.length = 0
  await sale.tryAgain()
  assert.deepEqual(log, ['order c1', 'thank-you o1'])
})

test('an order that already exists leads to its thank-you page', async () => {
  const { log, submitCard, emit, reject } = createTestSale()
  await submitCard()
  reject('placeOrder', createRefusal('already-paid', { orderId: 'o4' }))
  await emit('success', {})
  assert.deepEqual(log, ['thank-you o4'])
})

const lostAnswer = { message: 'Failed to fetch', error_code: 'NETWORK_ERROR' }

const widgetErrors = [
  ['error', {}],
  ['error', undefined],
  ['error', lostAnswer],
  ['error', { message: 'Die Zahlung ist fehlgeschlagen' }],
  ['error', { error_code: 'CHECKOUT_PROCESSED', message: 'Checkout is already processed' }],
  ['error', { status: 500, title: 'Internal Server Error' }],
  ['fail', undefined],
] as const

for (const [type, body] of widgetErrors) {
  const name = `${type} ${JSON.stringify(body)}`

  test(`after widget event ${name}, a payment that succeeded becomes an order`, async () => {
    const { log, submitCard, emit, setStatus, advance } = createTestSale()
    await submitCard()
    setStatus({ state: 'paid', orderId: 'o4' })
    await emit(type, body)
    await advance(0)
    assert.deepEqual(log, ['thank-you o4'])
  })

  // A card whose answer was lost may have reached SumUp, which may show it late.
  const seconds = body === lostAnswer ? 20.5 : 1.5
  test(`after widget event ${name} without a payment at SumUp, the same form is unlocked after ${seconds} s`, async () => {
    const { log, submitCard, emit, state, advance, findSubmitted } = createTestSale()
    await submitCard()
    await emit(type, body)
    await advance(seconds * 1000 - 100)
    assert.equal(state(), 'checking')
    assert.deepEqual(log, [])
    await advance(100)
    assert.equal(state(), 'ready')
    assert.equal(log.length, 1)
    assert.match(log[0] ?? '', /^toast Payment failed: ./)
    assert.equal(findSubmitted(), undefined)
  })

  for (const reason of ['unreachable', 'unclear'] as const) {
    test(`after widget event ${name}, no failure is shown while SumUp is ${reason}`, async () => {
      const { log, submitCard, emit, state, setStatus, advance } = createTestSale()
      await submitCard()
      setStatus({ state: 'waiting', reason })
      await emit(type, body)
      await advance(30_000)
      assert.equal(state(), 'checking')
      await advance(5 * minuteMs)
      assert.equal(state(), 'delayed')
      assert.deepEqual(log, ['unmount'])
    })
  }
}

test('after an error SumUp is asked at once, after 0.7 s and after 1.5 s, however long each answer takes', async () => {
  const { deps, log, submitCard, emit, advance } = createTestSale()
  await submitCard()
  const askedMs: number[] = []
  const startedMs = deps.nowMs()
  deps.api.getStatus = async () => {
    askedMs.push(deps.nowMs() - startedMs)
    await deps.delay(600)
    return noCard
  }
  await emit('error', {})
  await advance(2500)
  assert.deepEqual(askedMs, [0, 700, 1500])
  assert.deepEqual(log, [paymentFailed])
})

test('after an error three answers are enough, also where a timer of 0 ms takes a few', async () => {
  const { deps, log, submitCard, emit, advance } = createTestSale()
  await submitCard()
  const { delay } = deps
  deps.delay = (ms) => delay(Math.max(ms, 4))
  await emit('error', {})
  await advance(1600)
  assert.deepEqual(log, [paymentFailed])
})

test('a widget that reports an error while it is being submitted fails like any other', async () => {
  const { deps, sale, log, openForm, state, advance, emit } = createTestSale()
  await openForm()
  deps.widget.submit = () => void emit('error', {})
  void sale.pay()
  await advance(1500)
  assert.deepEqual(log, ['details c1', paymentFailed])
  assert.equal(state(), 'ready')
})

test('a failed payment shows SumUp’s message, or ours if there is none', async () => {
  for (const [body, words] of [
    [{ message: 'Card expired', error_code: 'INVALID' }, 'toast Payment failed: Card expired'],
    [[{ message: 'Card expired', error_code: 'INVALID' }], 'toast Payment failed: Card expired'],
    [{ status: 400, detail: 'Card expired' }, 'toast Payment failed: Card expired'],
    [{ message: ' ' }, paymentFailed],
    [{}, paymentFailed],
  ] as const) {
    const { log, submitCard, emit, setStatus, advance } = createTestSale()
    await submitCard()
    setStatus({ state: 'declined' })
    await emit('error', body)
    await advance(0)
    assert.deepEqual(log, [words])
  }
})

test('a payment that appears while the page is checking is not shown as failed', async () => {
  const { log, submitCard, emit, state, setStatus, advance } = createTestSale()
  await submitCard()
  await emit('error', {})
  await advance(1000)
  setStatus({ state: 'waiting', reason: 'unclear' })
  await advance(1000)
  setStatus(noCard)
  await advance(2000)
  assert.equal(state(), 'checking')
  setStatus({ state: 'paid', orderId: 'o5' })
  await advance(5000)
  assert.deepEqual(log, ['thank-you o5'])
})

test('a server that does not answer is not taken as having no payment', async () => {
  const { log, submitCard, emit, state, advance, reject } = createTestSale()
  await submitCard()
  reject('getStatus', new TypeError('Failed to fetch'))
  await emit('error', {})
  await advance(30_000)
  assert.equal(state(), 'checking')
  assert.deepEqual(log, [])
})

test('a payment that succeeds behind a silent challenge is found', async () => {
  const { log, submitCard, emit, setStatus, advance } = createTestSale()
  await submitCard()
  await emit('auth-screen')
  setStatus({ state: 'paid', orderId: 'o8' })
  await advance(20_000)
  assert.deepEqual(log, ['thank-you o8'])
})

test('a challenge left open until the checkout is closed opens a new card form', async () => {
  const { log, submitCard, emit, setStatus, advance, state } = createTestSale()
  await submitCard()
  await emit('auth-screen')
  setStatus({ state: 'declined' })
  await advance(60_000)
  assert.equal(state(), 'submitted')
  setStatus({ state: 'closed' })
  await advance(10_000)
  assert.equal(state(), 'ready')
  assert.deepEqual(log, [
    'toast Payment failed: The payment form had expired and nothing was charged. Please try again.',
    'mount c2',
  ])
})

test('a page reloaded while paying waits for the outcome instead of opening a card form', async () => {
  const { deps, sale, log, state, setStatus, advance } = createTestSale()
  deps.submittedCheckout.save('c9')
  void sale.open()
  await advance(3000)
  assert.equal(state(), 'confirming')
  assert.deepEqual(log, [])
  setStatus({ state: 'paid', orderId: 'o9' })
  await advance(5000)
  assert.deepEqual(log, ['thank-you o9'])
})

for (const outcome of ['declined', 'closed'] as const) {
  test(`a reloaded page whose payment is ${outcome} opens a card form again`, async () => {
    const { deps, sale, log, state, setStatus, advance, findSubmitted } = createTestSale()
    deps.submittedCheckout.save('c9')
    setStatus({ state: outcome })
    void sale.open()
    await advance(100)
    assert.equal(state(), 'ready')
    assert.equal(findSubmitted(), undefined)
    assert.ok(log.some((line) => line.startsWith('toast Payment failed')))
    assert.ok(log.includes('mount c1'))
  })
}

test('a reloaded page whose card never reached SumUp opens a card form again', async () => {
  const { deps, sale, log, state, advance } = createTestSale()
  deps.submittedCheckout.save('c9')
  void sale.open()
  await advance(14_000)
  assert.equal(state(), 'confirming')
  await advance(10_000)
  assert.equal(state(), 'ready')
  assert.deepEqual(log, [paymentFailed, 'mount c1'])
})

test('a card form that the server refuses for now is requested again, without a failure message', async () => {
  const { deps, sale, log, state, advance, reject } = createTestSale()
  deps.submittedCheckout.save('c9')
  reject('openCheckout', createRefusal('card-under-way', { checkoutId: 'c9' }))
  void sale.open()
  await advance(5 * minuteMs)
  assert.equal(state(), 'confirming')
  assert.ok(!log.some((line) => line.startsWith('toast')))
})

test('a card that was faster than its details gets them and becomes an order', async () => {
  const { log, submitCard, emit, setStatus, advance, state } = createTestSale()
  await submitCard()
  setStatus({ state: 'review', reason: 'no-details' })
  await emit('error', {})
  await advance(0)
  assert.equal(state(), 'review')
  assert.deepEqual(log, ['unmount', 'details c1'])
  setStatus({ state: 'paid', orderId: 'o1' })
  await advance(5000)
  assert.deepEqual(log, ['unmount', 'details c1', 'thank-you o1'])
})

test('a card submitted inside the widget saves its details at once', async () => {
  const { log, openForm, emit, state, findSubmitted } = createTestSale()
  await openForm()
  await emit('sent', {})
  await flushPromises()
  assert.deepEqual(log, ['details c1'])
  assert.equal(state(), 'submitted')
  assert.equal(findSubmitted(), 'c1')
})
