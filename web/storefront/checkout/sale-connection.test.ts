import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createRefusal,
  createTestSale,
  flushPromises,
  minuteMs,
} from '#web/storefront/testing/test-sale.ts'

const noNetwork = new TypeError('Failed to fetch')
const widgetError =
  'toast Payment widget error: Failed to load payment form. Please refresh the page.'
const noPayment =
  'toast Payment failed: The connection was lost, and no payment with your card has arrived. Please try again.'

test('details without an answer are sent again, and then the card, once', async () => {
  const { sale, log, openForm, advance, state, reject } = createTestSale()
  await openForm()
  const restore = reject('saveDetails', noNetwork)
  void sale.pay()
  await advance(20_000)
  assert.equal(state(), 'saving')
  restore()
  await advance(3_000)
  assert.deepEqual(log, ['details c1', 'submit'])
  assert.equal(state(), 'submitted')
})

test('details that are sent again name the same press of Pay now, the next press another', async () => {
  const { deps, sale, openForm, advance, emit } = createTestSale()
  await openForm()
  const presses: string[] = []
  deps.api.saveDetails = async (_id, _details, { pressId }) => {
    presses.push(pressId)
    if (presses.length === 1) throw noNetwork
  }
  void sale.pay()
  await advance(3_000)
  await emit('invalid')
  await sale.pay()
  const [first, again, next] = presses
  assert.equal(again, first)
  assert.notEqual(next, first)
  assert.equal(presses.length, 3)
})

test('a network that the browser has again is used at once', async () => {
  const { sale, log, openForm, advance, reject } = createTestSale()
  await openForm()
  const restore = reject('saveDetails', noNetwork)
  void sale.pay()
  await advance(1_000)
  restore()
  sale.refresh()
  sale.refresh()
  await flushPromises()
  assert.deepEqual(log, ['details c1', 'submit'])
})

test('no card is sent long after Pay now: the form is unlocked instead', async () => {
  const { sale, log, openForm, advance, state, findSubmitted, reject } = createTestSale()
  await openForm()
  const restore = reject('saveDetails', noNetwork)
  void sale.pay()
  await advance(2 * minuteMs + 3_000)
  assert.deepEqual(log, ['toast Payment submission failed: Please try again or refresh the page.'])
  assert.equal(state(), 'ready')
  assert.equal(findSubmitted(), undefined)
  restore()
  sale.refresh()
  await advance(minuteMs)
  assert.equal(log.length, 1)
})

test('a device that slept after Pay now sends no card when it wakes up', async () => {
  const { deps, sale, log, openForm, state, reject } = createTestSale()
  await openForm()
  const restore = reject('saveDetails', noNetwork)
  void sale.pay()
  await flushPromises()
  deps.nowMs = () => 60 * minuteMs
  restore()
  sale.refresh()
  await flushPromises()
  assert.equal(log.includes('submit'), false)
  assert.equal(state(), 'ready')
})

test('a refusal of details that were sent again is final', async () => {
  const { sale, log, openForm, advance, reject } = createTestSale()
  await openForm()
  reject('saveDetails', noNetwork)
  void sale.pay()
  await advance(1_000)
  reject('saveDetails', createRefusal('already-paid', { orderId: 'o7' }))
  await advance(3_000)
  assert.deepEqual(log, ['thank-you o7'])
})

test('an expired checkout is renewed for Pay now as soon as there is a network', async () => {
  const { deps, sale, log, openForm, advance, reject } = createTestSale()
  await openForm()
  deps.api.saveDetails = async (id) => {
    if (id === 'c1') throw createRefusal('checkout-expired')
    log.push(`details ${id}`)
  }
  const restore = reject('openCheckout', noNetwork)
  void sale.pay()
  await advance(10_000)
  assert.deepEqual(log, [])
  restore()
  await advance(5_000)
  assert.deepEqual(log, ['renew c2', 'details c2', 'submit'])
})

test('a card form that found no network is said once, and opens by itself', async () => {
  const { sale, log, advance, state, reject } = createTestSale()
  const restore = reject('openCheckout', noNetwork)
  await sale.open()
  await advance(5 * minuteMs)
  assert.deepEqual(log, [widgetError])
  assert.equal(state(), 'load-failed')
  restore()
  await advance(minuteMs)
  assert.deepEqual(log, [widgetError, 'mount c1'])
  assert.equal(state(), 'ready')
})

test('Try again and a network that is back open one card form together', async () => {
  const { sale, log, advance, reject } = createTestSale()
  const restore = reject('openCheckout', noNetwork)
  await sale.open()
  await sale.tryAgain()
  restore()
  sale.refresh()
  void sale.tryAgain()
  await advance(5 * minuteMs)
  assert.deepEqual(log, [widgetError, widgetError, 'mount c1'])
})

test('a refused card form is not asked for again by itself', async () => {
  const { deps, sale, advance, reject } = createTestSale()
  reject('openCheckout', createRefusal('too-many-checkouts'))
  await sale.open()
  let calls = 0
  deps.api.openCheckout = () => Promise.reject(new Error(`call ${++calls}`))
  await advance(10 * minuteMs)
  assert.equal(calls, 0)
})

test('a script that is blocked for good costs the shop one call', async () => {
  const { deps, sale, advance } = createTestSale()
  let calls = 0
  deps.api.openCheckout = () => Promise.reject(new Error(`call ${++calls}`))
  deps.widget.load = () => Promise.reject(new Error('blocked'))
  await sale.open()
  await advance(10 * minuteMs)
  assert.equal(calls, 1)
})

test('a card that a lost network swallowed: the page says so only when SumUp has no payment', async () => {
  const { log, submitCard, emit, advance, state, reject } = createTestSale()
  await submitCard()
  const restore = reject('getStatus', noNetwork)
  await emit('error', { message: 'Failed to fetch' })
  await advance(30_000)
  assert.equal(state(), 'checking')
  assert.deepEqual(log, [])
  restore()
  await advance(10_000)
  assert.equal(state(), 'checking', 'SumUp may show it late')
  await advance(20_000)
  assert.deepEqual(log, [noPayment])
  assert.equal(state(), 'ready')
})

for (const lost of ['Failed to fetch', 'NetworkError when attempting to fetch', 'Load failed'])
  test(`a network that is back at once: the buyer does not read "${lost}"`, async () => {
    const { log, submitCard, emit, advance } = createTestSale()
    await submitCard()
    await emit('error', { message: lost })
    await advance(20_500)
    assert.deepEqual(log, [noPayment])
  })

test('a card that is declined after its answer was lost is no fault of the network', async () => {
  const { log, submitCard, emit, setStatus, advance } = createTestSale()
  await submitCard()
  await emit('error', { message: 'Failed to fetch' })
  setStatus({ state: 'declined' })
  await advance(5_000)
  assert.deepEqual(log, ['toast Payment failed: Please check your card details and try again.'])
})

test('a network that was lost and back beside the card form is not blamed for a refused card', async () => {
  const { log, submitCard, emit, advance, reject } = createTestSale()
  await submitCard()
  const restore = reject('getStatus', noNetwork)
  await advance(10_000)
  restore()
  await advance(10_000)
  await emit('error', { message: 'Card expired' })
  await advance(10_000)
  assert.deepEqual(log, ['toast Payment failed: Card expired'])
})

test('of the next card, the lost network is not said again', async () => {
  const { sale, log, submitCard, emit, advance, reject } = createTestSale()
  await submitCard()
  const restore = reject('getStatus', noNetwork)
  await emit('error', {})
  await advance(5_000)
  restore()
  await advance(30_000)
  void sale.pay()
  await flushPromises()
  await emit('error', { message: 'Card expired' })
  await advance(5_000)
  assert.equal(log.at(-1), 'toast Payment failed: Card expired')
})

test('a lost network is not blamed for what SumUp itself says afterwards', async () => {
  const { log, submitCard, emit, advance, reject } = createTestSale()
  await submitCard()
  const restore = reject('getStatus', noNetwork)
  await advance(10_000)
  restore()
  await emit('error', { message: 'Card expired' })
  await advance(1_500)
  assert.deepEqual(log, ['toast Payment failed: Card expired'])
})

test('what is asked about an error of the untouched form does not answer for the card that is sent meanwhile', async () => {
  const { deps, sale, log, emit, state, advance } = createTestSale()
  await sale.open()
  await emit('error', { message: 'Failed to fetch' })
  await advance(20_000)
  const saved = Promise.withResolvers<void>()
  deps.api.saveDetails = () => saved.promise
  void sale.pay()
  await advance(1_000)
  assert.equal(state(), 'saving')
  saved.resolve()
  await flushPromises()
  assert.equal(state(), 'submitted')
  assert.equal(log.at(-1), 'submit')
})

test('a server that cannot ask SumUp is no lost network', async () => {
  const { log, submitCard, emit, advance, reject } = createTestSale()
  await submitCard()
  const restore = reject('getStatus', createRefusal('payments-away'))
  await emit('error', { message: 'Card expired' })
  await advance(5_000)
  restore()
  await advance(10_000)
  assert.deepEqual(log, ['toast Payment failed: Card expired'])
})

test('after hours without a network, the server is asked within seconds of its return', async () => {
  const { log, submitCard, emit, advance, setStatus, reject } = createTestSale()
  await submitCard()
  const restore = reject('getStatus', noNetwork)
  await emit('error', {})
  await advance(180 * minuteMs)
  restore()
  setStatus({ state: 'paid', orderId: 'o1' })
  await advance(5_000)
  assert.equal(log.at(-1), 'thank-you o1')
})

test('a bank’s page that no longer works can be left: the page waits for the bank', async () => {
  const { sale, log, submitCard, emit, advance, state, setStatus } = createTestSale()
  await submitCard()
  setStatus({ state: 'at-bank' })
  await emit('auth-screen')
  await sale.bankPageLost()
  assert.equal(state(), 'at-bank')
  assert.deepEqual(log, ['unmount'])
  setStatus({ state: 'paid', orderId: 'o1' })
  await advance(10_000)
  assert.equal(log.at(-1), 'thank-you o1')
})
