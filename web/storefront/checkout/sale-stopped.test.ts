import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '#web/api.ts'
import {
  createRefusal,
  createTestSale,
  flushPromises,
  proxyError,
  type TestSale,
} from '#web/storefront/testing/test-sale.ts'

/** Without the buyer's cookie the server finds no payment. */
function clearCookies({ reject }: TestSale) {
  reject('getStatus', createRefusal('payment-missing'))
}

test('a payment that the server does not show to this browser is not found', async () => {
  const page = createTestSale()
  page.deps.submittedCheckout.save('c9')
  clearCookies(page)
  void page.sale.open()
  await page.advance(60_000)
  assert.equal(page.state(), 'not-found')
  assert.equal(page.findSubmitted(), 'c9')
  assert.ok(!page.log.some((line) => line.startsWith('toast') || line.startsWith('mount')))
})

test('a page with the delay panel also finds out that the payment is unknown', async () => {
  const page = createTestSale()
  await page.submitCard()
  page.deps.api.placeOrder = async () => undefined
  await page.emit('success', {})
  await page.advance(70_000)
  assert.equal(page.state(), 'delayed')
  clearCookies(page)
  await page.advance(60_000)
  assert.equal(page.state(), 'not-found')
})

test('fewer than three not-found answers in a row are not enough', async () => {
  const page = createTestSale()
  page.deps.submittedCheckout.save('c9')
  let requests = 0
  page.deps.api.getStatus = async () => {
    requests += 1
    if (requests % 3 !== 0) throw createRefusal('payment-missing')
    return { state: 'waiting', reason: 'unreachable' }
  }
  void page.sale.open()
  await page.advance(50_000)
  assert.ok(requests > 6)
  assert.equal(page.state(), 'confirming')
})

for (const fault of [
  createRefusal('unexpected'),
  createRefusal('too-many-requests'),
  proxyError,
  new ApiError(404, 'Not Found', '<html>No backend</html>'),
  new TypeError('Failed to fetch'),
]) {
  test(`other errors never make a payment not found: ${fault.message}`, async () => {
    const page = createTestSale()
    page.deps.submittedCheckout.save('c9')
    page.reject('getStatus', fault)
    void page.sale.open()
    await page.advance(300_000)
    assert.equal(page.state(), 'delayed')
  })
}

test('an order of a browser whose cookies were deleted at the bank is not found, at once', async () => {
  const page = createTestSale()
  await page.submitCard()
  page.reject('placeOrder', createRefusal('payment-missing'))
  await page.emit('success', {})
  assert.equal(page.state(), 'not-found')
  assert.deepEqual(page.log, ['unmount'])
})

test('a card at the bank that the server no longer knows is not found', async () => {
  const page = createTestSale()
  page.deps.submittedCheckout.save('c9')
  page.setStatus({ state: 'at-bank' })
  void page.sale.open()
  await page.advance(1000)
  page.reject('startOver', createRefusal('payment-missing'))
  await page.sale.tryAgain()
  assert.equal(page.state(), 'not-found')
})

test('starting over opens a new card form and deletes the old payment', async () => {
  const page = createTestSale()
  page.deps.submittedCheckout.save('c9')
  clearCookies(page)
  void page.sale.open()
  await page.advance(60_000)
  page.log.length = 0
  await page.sale.tryAgain()
  await flushPromises()
  assert.equal(page.state(), 'ready')
  assert.equal(page.findSubmitted(), undefined)
  assert.ok(page.log.includes('mount c1'))
})

const tooManyCards = createRefusal('too-many-cards')

/** The form is gone without a failure message; the next load starts a new sale. */
function assertPaused({ log, state, findSubmitted }: TestSale, hadForm = true) {
  assert.equal(state(), 'too-many-cards')
  assert.deepEqual(log, hadForm ? ['unmount'] : [])
  assert.equal(findSubmitted(), undefined)
}

test('an order that is refused for too many cards closes the card form at once', async () => {
  const page = createTestSale()
  await page.submitCard()
  page.reject('placeOrder', tooManyCards)
  await page.emit('success', { status: 'FAILED' })
  assertPaused(page)
})

test('polling finds that too many cards were declined, and no card form opens again', async () => {
  const page = createTestSale()
  await page.submitCard()
  page.deps.api.placeOrder = async () => undefined
  await page.emit('success', {})
  page.setStatus({ state: 'too-many-cards' })
  await page.advance(60_000)
  assertPaused(page)
})

test('an error of the widget may be the card that exceeds the limit', async () => {
  const page = createTestSale()
  await page.submitCard()
  page.setStatus({ state: 'too-many-cards' })
  await page.emit('error', { message: 'Card declined', error_code: 'DECLINED' })
  await page.advance(0)
  assertPaused(page)
})

test('too many cards are noticed while a challenge is open', async () => {
  const page = createTestSale()
  await page.submitCard()
  await page.emit('auth-screen')
  page.setStatus({ state: 'too-many-cards' })
  await page.advance(10_000)
  assertPaused(page)
})

test('a reloaded page shows too many cards as well', async () => {
  const page = createTestSale()
  page.deps.submittedCheckout.save('c9')
  page.setStatus({ state: 'too-many-cards' })
  void page.sale.open()
  await page.advance(100)
  assertPaused(page, false)
})

test('a page opened while card payment is paused shows no card form', async () => {
  const page = createTestSale()
  page.reject('openCheckout', tooManyCards)
  await page.sale.open()
  assertPaused(page, false)
})

test('Pay now on a checkout that another tab used up sends no card', async () => {
  const page = createTestSale()
  await page.openForm()
  page.reject('saveDetails', tooManyCards)
  await page.sale.pay()
  assertPaused(page)
})

test('Pay now on an expired checkout shows the pause as well', async () => {
  const page = createTestSale()
  await page.openForm()
  page.reject('saveDetails', createRefusal('checkout-expired'))
  page.reject('openCheckout', tooManyCards)
  await page.sale.pay()
  assertPaused(page)
})

test('any other rate limit is temporary, before the form and after the card', async () => {
  const rateLimit = createRefusal('too-many-requests')
  const opening = createTestSale()
  opening.reject('openCheckout', rateLimit)
  await opening.sale.open()
  assert.equal(opening.state(), 'load-failed')

  const paying = createTestSale()
  await paying.submitCard()
  paying.reject('placeOrder', rateLimit)
  await paying.emit('success', {})
  await flushPromises()
  assert.equal(paying.state(), 'checking')
})

test('a value that others were faster to buy leaves the form and the card as they are', async () => {
  const page = createTestSale()
  void page.sale.open()
  await flushPromises()
  page.reject('saveDetails', createRefusal('value-sold-out'))
  await page.sale.pay()
  assert.equal(page.state(), 'ready')
  assert.ok(page.log.includes('sold out'))
  assert.ok(!page.log.includes('submit') && !page.log.includes('unmount'))
})

for (const code of ['choice-gone', 'choice-missing'] as const)
  test(`a page whose choice has changed is loaded again: ${code}`, async () => {
    const page = createTestSale()
    void page.sale.open()
    await flushPromises()
    page.reject('saveDetails', createRefusal(code))
    await page.sale.pay()
    assert.ok(page.log.some((line) => line.startsWith('reload')))
    assert.ok(!page.log.includes('submit'))
  })
