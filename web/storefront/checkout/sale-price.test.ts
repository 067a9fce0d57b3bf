import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createRefusal,
  createTestSale,
  flushPromises,
  proxyError,
} from '#web/storefront/testing/test-sale.ts'

const second = 1_000

test('another country gives the same card form a new checkout, once the choice stands', async () => {
  const { sale, log, openForm, advance, price } = createTestSale()
  await openForm()
  price.key = 'France'
  void sale.changePrice()
  price.key = 'Italy'
  void sale.changePrice()
  await advance(399)
  assert.deepEqual(log, [])
  await advance(second)
  assert.deepEqual(log, ['renew c2'])
})

test('a choice that is taken back replaces nothing', async () => {
  const { sale, log, openForm, advance, price } = createTestSale()
  await openForm()
  price.key = 'France'
  void sale.changePrice()
  price.key = 'Germany'
  void sale.changePrice()
  await advance(5 * second)
  assert.deepEqual(log, [])
})

test('Pay now right after another country waits for the checkout of that country', async () => {
  const { sale, log, openForm, advance, price } = createTestSale()
  await openForm()
  price.key = 'France'
  void sale.changePrice()
  void sale.pay()
  await flushPromises()
  assert.deepEqual(log, ['renew c2'], 'the widget loads it first')
  await advance(5 * second)
  assert.deepEqual(log, ['renew c2', 'details c2', 'submit'])
})

test('no card is submitted while the checkout has another price than the page', async () => {
  const { sale, log, openForm, advance, price, reject, state } = createTestSale()
  await openForm()
  const allow = reject('openCheckout', proxyError)
  price.key = 'France'
  void sale.changePrice()
  await advance(second)
  await sale.pay()
  assert.deepEqual(log, ['toast Payment submission failed: Please try again or refresh the page.'])
  assert.equal(state(), 'ready')
  allow()
  log.length = 0
  void sale.pay()
  await advance(5 * second)
  assert.deepEqual(log, ['renew c2', 'details c2', 'submit'])
})

test('a country that is chosen while the form is opened replaces its checkout', async () => {
  const { deps, sale, log, advance, price } = createTestSale()
  const openCheckout = deps.api.openCheckout.bind(deps.api)
  deps.api.openCheckout = async () => {
    const opened = await openCheckout()
    price.key = 'France'
    return opened
  }
  void sale.open()
  await flushPromises()
  deps.api.openCheckout = openCheckout
  await advance(5 * second)
  assert.deepEqual(log, ['mount c1', 'renew c2'])
})

test('without a country that the price depends on there is no card form, until one is chosen', async () => {
  const { sale, log, advance, price, reject, state } = createTestSale()
  Object.assign(price, { key: '', isKnown: false })
  const allow = reject(
    'openCheckout',
    createRefusal('country-needed', { visitorCountry: 'France' }),
  )
  await sale.open()
  assert.deepEqual(log, ['country France'])
  assert.equal(state(), 'no-price')
  await sale.pay()
  assert.equal(state(), 'no-price')
  allow()
  Object.assign(price, { key: 'France', isKnown: true })
  void sale.changePrice()
  await advance(second)
  assert.deepEqual(log, ['country France', 'mount c1'])
  assert.equal(state(), 'ready')
})

test('a country that is chosen before the server has asked for it opens the form', async () => {
  const { deps, sale, log, advance, price, state } = createTestSale()
  Object.assign(price, { key: '', isKnown: false })
  const openCheckout = deps.api.openCheckout.bind(deps.api)
  deps.api.openCheckout = async () => {
    Object.assign(price, { key: 'Germany', isKnown: true })
    deps.api.openCheckout = openCheckout
    throw createRefusal('country-needed')
  }
  void sale.open()
  await advance(second)
  assert.deepEqual(log, ['mount c1'])
  assert.equal(state(), 'ready')
})

test('a page of a shop that has just begun to charge delivery is loaded again', async () => {
  const { sale, log, reject } = createTestSale()
  reject('openCheckout', createRefusal('country-needed'))
  await sale.open()
  assert.deepEqual(log, ['reload'])
})

for (const code of ['code-used-up', 'code-unknown', 'not-delivered'] as const) {
  test(`the page is loaded again when its price is not given any more: ${code}`, async () => {
    const { sale, log, openForm, reject, state } = createTestSale()
    await openForm()
    reject('saveDetails', createRefusal(code))
    await sale.pay()
    assert.deepEqual(log, ['reload'])
    assert.equal(state(), 'ready')
  })
}

test('details that were typed for another delivery than the checkout get the right checkout', async () => {
  const { deps, sale, log, openForm, advance } = createTestSale()
  await openForm()
  const saveDetails = deps.api.saveDetails.bind(deps.api)
  deps.api.saveDetails = async () => {
    deps.api.saveDetails = saveDetails
    throw createRefusal('terms-changed')
  }
  void sale.pay()
  await advance(5 * second)
  assert.deepEqual(log, ['renew c2', 'details c2', 'submit'])
})

test('nothing is replaced while a card may be charged', async () => {
  const { sale, log, submitCard, advance, price } = createTestSale()
  await submitCard()
  price.key = 'France'
  void sale.changePrice()
  await advance(2 * second)
  assert.deepEqual(log, [])
})
