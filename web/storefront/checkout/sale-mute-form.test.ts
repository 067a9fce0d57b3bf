import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRefusal, createTestSale, flushPromises } from '#web/storefront/testing/test-sale.ts'

const noNetwork = new TypeError('Failed to fetch')
const widgetError =
  'toast Payment widget error: Failed to load payment form. Please refresh the page.'

/* SumUp's card form said nothing for two seconds, so it counts as ready. */

for (const name of ['error', 'fail'])
  test(`a card form that counts as ready and reports "${name}" is opened anew, and nothing failed`, async () => {
    const { log, openMuteForm, emit, advance, state } = createTestSale()
    await openMuteForm()
    await emit(name, {})
    assert.equal(state(), 'load-failed')
    await advance(5_000)
    assert.deepEqual(log, ['unmount', widgetError, 'mount c2'])
    assert.equal(state(), 'ready')
  })

for (const answer of ['saved', 'refused'] as const)
  test(`a card form that fails while details are saved is opened anew when they are ${answer}, and sends no card`, async () => {
    const { deps, sale, log, openMuteForm, emit, advance, state } = createTestSale()
    await openMuteForm()
    const answered = Promise.withResolvers<void>()
    const saved: boolean[] = []
    deps.api.saveDetails = async (_id, _details, { isCardUnsent }) => {
      await answered.promise
      saved.push(isCardUnsent)
    }
    void sale.pay()
    await flushPromises()
    await emit('error', {})
    assert.equal(state(), 'saving')
    if (answer === 'saved') answered.resolve()
    else answered.reject(createRefusal('too-many-requests'))
    await advance(5_000)
    assert.deepEqual(log.slice(-3), ['unmount', widgetError, 'mount c2'])
    assert.ok(!log.includes('submit'))
    assert.equal(state(), 'ready')
    await sale.pay()
    assert.deepEqual(saved, answer === 'saved' ? [false, true] : [])
  })

test('a card form that was mute until Pay now and then fails is not given back', async () => {
  const { sale, log, openMuteForm, emit, advance, state } = createTestSale()
  await openMuteForm()
  void sale.pay()
  await flushPromises()
  await emit('error', {})
  await advance(10_000)
  const failed = 'toast Payment failed: Please check your card details and try again.'
  const lines = ['details c1', 'submit', failed, 'unmount', widgetError, 'mount c2']
  assert.deepEqual(log, lines)
  assert.equal(state(), 'ready')
})

test('a card form that never says a word, also after Pay now, is not given back', async () => {
  const { sale, log, openMuteForm, advance, state } = createTestSale()
  await openMuteForm()
  void sale.pay()
  await advance(45_000)
  assert.deepEqual(log.slice(-3), ['unmount', widgetError, 'mount c2'])
  assert.equal(state(), 'ready')
})

for (const name of ['loaded', 'invalid'])
  test(`a card form that counted as ready and reported "${name}" stays when it reports an error`, async () => {
    const { log, openMuteForm, emit, advance, state } = createTestSale()
    await openMuteForm()
    await emit(name)
    await emit('error', { message: 'Card expired' })
    await advance(5_000)
    assert.deepEqual(log, ['toast Payment failed: Card expired'])
    assert.equal(state(), 'ready')
  })

test('a card form that fails while details are saved, but then has loaded, sends the card', async () => {
  const { deps, sale, log, openMuteForm, emit } = createTestSale()
  await openMuteForm()
  const saved = Promise.withResolvers<void>()
  deps.api.saveDetails = () => saved.promise
  void sale.pay()
  await flushPromises()
  await emit('error', {})
  await emit('loaded')
  saved.resolve()
  await flushPromises()
  assert.deepEqual(log, ['submit'])
})

test('a card form that fails late of a checkout that was paid elsewhere leads to the order', async () => {
  const { log, openMuteForm, emit, setStatus } = createTestSale()
  await openMuteForm()
  setStatus({ state: 'paid', orderId: 'o7' })
  await emit('error', {})
  assert.deepEqual(log, ['unmount', 'thank-you o7'])
})

test('card forms that fail late again and again are said once, and opened ever more rarely', async () => {
  const { log, openMuteForm, emit, advance, state } = createTestSale()
  await openMuteForm()
  for (const waitMs of [1_500, 2_250, 3_375]) {
    await emit('error', {})
    await advance(waitMs - 1)
    assert.equal(state(), 'load-failed')
    await advance(1)
    assert.equal(state(), 'ready')
  }
  const again = ['unmount', 'mount c3', 'unmount', 'mount c4']
  assert.deepEqual(log, ['unmount', widgetError, 'mount c2', ...again])
})

test('a card form that has said a word ends the row of failures: the next one is said', async () => {
  const { log, openMuteForm, emit, advance, setStatus, reject } = createTestSale()
  await openMuteForm()
  await emit('error', {})
  await advance(1_500)
  await emit('loaded')
  log.length = 0
  reject('openCheckout', noNetwork)
  setStatus({ state: 'closed' })
  await emit('error', {})
  await advance(5_000)
  assert.deepEqual(log, ['unmount', widgetError])
})

test('a mute card form that cannot be submitted is opened anew', async () => {
  const { deps, sale, log, openMuteForm, advance } = createTestSale()
  await openMuteForm()
  deps.widget.submit = () => {
    throw new Error('no form')
  }
  await sale.pay()
  await advance(5_000)
  assert.deepEqual(log.slice(-3), ['unmount', widgetError, 'mount c2'])
})

test('a pressed Pay now whose card form failed, as one did before, is not dropped without a word', async () => {
  const { deps, sale, log, openMuteForm, emit, advance } = createTestSale()
  await openMuteForm()
  await emit('error', {})
  await advance(1_500)
  const saved = Promise.withResolvers<void>()
  deps.api.saveDetails = () => saved.promise
  void sale.pay()
  await flushPromises()
  log.length = 0
  await emit('error', {})
  saved.resolve()
  await flushPromises()
  assert.deepEqual(log, ['unmount', widgetError])
})
