import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  minuteMs,
  noCard,
  createTestSale,
  proxyError,
  createRefusal,
  flushPromises,
  type TestSale,
} from '#web/storefront/testing/test-sale.ts'

/** A page that was reloaded while the card is at the bank. */
async function openAtBank(): Promise<TestSale> {
  const page = createTestSale()
  page.deps.submittedCheckout.save('c9')
  page.setStatus({ state: 'at-bank' })
  void page.sale.open()
  await page.advance(0)
  assert.equal(page.state(), 'at-bank')
  page.log.length = 0
  return page
}

const findNote = ({ sale }: TestSale) => {
  const payment = sale.getPayment()
  return payment.state === 'at-bank' ? payment.note : undefined
}

test('a page reloaded while the card is at the bank says so at once', async () => {
  const page = await openAtBank()
  await page.advance(30 * minuteMs)
  assert.equal(page.state(), 'at-bank')
  assert.deepEqual(page.log, [])
})

test('another tab shows no card form while the card is at the bank', async () => {
  const { sale, log, state, reject, setStatus, advance } = createTestSale()
  reject('openCheckout', createRefusal('card-at-bank', { checkoutId: 'c9' }))
  setStatus({ state: 'at-bank' })
  await sale.open()
  assert.equal(state(), 'at-bank')
  assert.deepEqual(log, [])
  setStatus({ state: 'paid', orderId: 'o1' })
  await advance(5000)
  assert.deepEqual(log, ['thank-you o1'])
})

for (const type of ['fail', 'error']) {
  test(`a widget event ${type} while the card is at the bank is not a failed payment`, async () => {
    const { log, submitCard, emit, state, setStatus, advance } = createTestSale()
    await submitCard()
    await emit('auth-screen')
    setStatus({ state: 'at-bank' })
    await emit(type, { message: 'Session timed out' })
    await advance(0)
    assert.equal(state(), 'at-bank')
    await advance(5 * minuteMs)
    assert.deepEqual(log, ['unmount'])
    setStatus({ state: 'paid', orderId: 'o1' })
    await advance(15_000)
    assert.deepEqual(log, ['unmount', 'thank-you o1'])
  })
}

test('a challenge on the screen is not replaced', async () => {
  const { log, submitCard, emit, state, setStatus, advance } = createTestSale()
  await submitCard()
  await emit('auth-screen')
  setStatus({ state: 'at-bank' })
  await advance(10 * minuteMs)
  assert.equal(state(), 'submitted')
  assert.deepEqual(log, [])
})

test('a widget that shows no challenge although the card is at the bank is replaced by the panel', async () => {
  const { log, submitCard, state, setStatus, advance } = createTestSale()
  await submitCard()
  setStatus({ state: 'at-bank' })
  await advance(29_000)
  assert.equal(state(), 'submitted')
  await advance(5000)
  assert.equal(state(), 'at-bank')
  assert.deepEqual(log, ['unmount'])
})

test('after a success the page waits a moment before it says that the card is at the bank', async () => {
  const { deps, submitCard, emit, state, setStatus, advance } = createTestSale()
  await submitCard()
  deps.api.placeOrder = async () => undefined
  setStatus({ state: 'at-bank' })
  await emit('success', { status: 'PENDING' })
  await advance(4000)
  assert.equal(state(), 'checking')
  await advance(5000)
  assert.equal(state(), 'at-bank')
})

test('a payment that the bank cancels after a success opens the card form again', async () => {
  const { deps, log, submitCard, emit, state, setStatus, advance } = createTestSale()
  await submitCard()
  deps.api.placeOrder = async () => undefined
  setStatus({ state: 'at-bank' })
  await emit('success', { status: 'PENDING' })
  await advance(minuteMs)
  setStatus(noCard)
  await advance(minuteMs)
  assert.equal(state(), 'ready')
  assert.ok(log.includes('mount c2'))
})

test('the panel about a delay is replaced when the card turns out to be at the bank', async () => {
  const { deps, submitCard, emit, state, setStatus, advance } = createTestSale()
  await submitCard()
  deps.api.placeOrder = async () => undefined
  await emit('success', {})
  await advance(2 * minuteMs)
  assert.equal(state(), 'delayed')
  setStatus({ state: 'at-bank' })
  await advance(minuteMs)
  assert.equal(state(), 'at-bank')
})

for (const reason of ['unclear', 'unreachable'] as const) {
  test(`while SumUp is ${reason} the page still says that the card is at the bank`, async () => {
    const page = await openAtBank()
    page.setStatus({ state: 'waiting', reason })
    await page.advance(5 * minuteMs)
    assert.equal(page.state(), 'at-bank')
    assert.deepEqual(page.log, [])
  })
}

for (const status of [{ state: 'declined' } as const, noCard]) {
  test(`when the bank declines (${status.state}) the card form opens again`, async () => {
    const page = await openAtBank()
    page.setStatus(status)
    await page.advance(minuteMs)
    assert.equal(page.state(), 'ready')
    assert.deepEqual(page.log, [
      'toast Payment failed: Please check your card details and try again.',
      'mount c1',
    ])
    assert.equal(page.findSubmitted(), undefined)
  })
}

test('starting over at the bank opens a new card form without a failure message', async () => {
  const page = await openAtBank()
  await page.sale.tryAgain()
  assert.deepEqual(page.log, ['start over c9', 'mount c1'])
  assert.equal(page.state(), 'ready')
  assert.equal(page.findSubmitted(), undefined)
})

test('pressing the button twice starts over once', async () => {
  const page = await openAtBank()
  void page.sale.tryAgain()
  void page.sale.tryAgain()
  await flushPromises()
  assert.deepEqual(page.log, ['start over c9', 'mount c1'])
})

test('the status of the old sale is ignored while starting over', async () => {
  const page = await openAtBank()
  const { promise, resolve } = Promise.withResolvers<void>()
  page.deps.api.startOver = () => promise
  void page.sale.tryAgain()
  page.setStatus({ state: 'closed' })
  await page.advance(minuteMs)
  assert.equal(page.state(), 'starting-over')
  resolve()
  await flushPromises()
  assert.deepEqual(page.log, ['mount c1'])
})

test('a card that the bank does not release stays there, and the page says why', async () => {
  const page = await openAtBank()
  page.reject('startOver', createRefusal('card-at-bank', { checkoutId: 'c9' }))
  await page.sale.tryAgain()
  assert.equal(page.state(), 'at-bank')
  assert.match(findNote(page) ?? '', /bank still has this payment/)
  assert.deepEqual(page.log, [])
  page.setStatus({ state: 'paid', orderId: 'o1' })
  await page.advance(5000)
  assert.deepEqual(page.log, ['thank-you o1'])
})

for (const fault of [
  createRefusal('payments-away'),
  proxyError,
  new TypeError('Failed to fetch'),
]) {
  test(`starting over fails and the card stays at the bank: ${fault.message}`, async () => {
    const page = await openAtBank()
    page.reject('startOver', fault)
    await page.sale.tryAgain()
    assert.equal(page.state(), 'at-bank')
    assert.match(findNote(page) ?? '', /try again in a moment/)
    await page.advance(minuteMs)
    assert.equal(page.state(), 'at-bank')
  })
}

test('starting over a sale that has been paid leads to its order', async () => {
  const page = await openAtBank()
  page.reject('startOver', createRefusal('already-paid', { orderId: 'o1' }))
  await page.sale.tryAgain()
  assert.deepEqual(page.log, ['thank-you o1'])
})

test('starting over a sale in review opens no card form', async () => {
  const page = await openAtBank()
  page.reject('startOver', createRefusal('payment-in-review', { reason: 'contradiction' }))
  page.setStatus({ state: 'review', reason: 'contradiction' })
  await page.sale.tryAgain()
  await page.advance(minuteMs)
  assert.equal(page.state(), 'review')
})
