import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minuteMs, openTestWorld, refusal, settled } from './test-world.ts'

const submissionFailed = 'say Payment submission failed: Please try again or refresh the page.'
const widgetError =
  'say Payment widget error: Failed to load payment form. Please refresh the page.'

test('a page opens one checkout and mounts the card form on it', async () => {
  const { sale, diary, is } = openTestWorld()
  await sale.open()
  assert.deepEqual(diary, ['mount c1'])
  assert.equal(is(), 'ready')
})

test('no card leaves before the server knows where to deliver to', async () => {
  const { sale, diary, opened, is } = openTestWorld()
  await opened()
  void sale.pay()
  await settled()
  assert.deepEqual(diary, ['details c1', 'submit'])
  assert.equal(is(), 'submitted')
})

test('a double click pays once', async () => {
  const { sale, diary, opened } = openTestWorld()
  await opened()
  void sale.pay()
  void sale.pay()
  await settled()
  void sale.pay()
  await settled()
  assert.deepEqual(diary, ['details c1', 'submit'])
})

test('Pay now does nothing while the card form is not there', async () => {
  const { sale, diary } = openTestWorld()
  await sale.pay()
  assert.deepEqual(diary, [])
})

for (const status of [500, 503, 429]) {
  test(`details the server could not keep (${status}) leave the card where it is`, async () => {
    const { world, sale, diary, opened, is, remembered } = openTestWorld()
    await opened()
    world.calls.keepDetails = () => Promise.reject(refusal(status))
    await sale.pay()
    assert.deepEqual(diary, [submissionFailed])
    assert.equal(is(), 'ready')
    assert.equal(remembered(), undefined)
  })
}

test('a lost connection before the card leaves is only a failed submission', async () => {
  const { world, sale, diary, opened, is } = openTestWorld()
  await opened()
  world.calls.keepDetails = () => Promise.reject(new TypeError('Failed to fetch'))
  await sale.pay()
  assert.deepEqual(diary, [submissionFailed])
  assert.equal(is(), 'ready')
})

test('a field the server does not take is named in its own words', async () => {
  const { world, sale, diary, opened } = openTestWorld()
  await opened()
  world.calls.keepDetails = () => Promise.reject(refusal(400, 'Enter a valid email address'))
  await sale.pay()
  assert.deepEqual(diary, ['say Please complete all required fields: Enter a valid email address'])
})

test('a checkout that expired unseen is renewed in place and paid on, once', async () => {
  const { world, sale, diary, opened, pass, stands } = openTestWorld()
  await opened()
  stands({ state: 'expired' })
  world.calls.keepDetails = async (id) => {
    if (id === 'c1') throw refusal(410)
    diary.push(`details ${id}`)
  }
  void sale.pay()
  await pass(2000)
  assert.deepEqual(diary, ['renew c2', 'details c2', 'submit'])
})

test('a checkout that another tab has paid leads to its order, never to a second payment', async () => {
  const { world, sale, diary, opened, stands } = openTestWorld()
  await opened()
  stands({ state: 'paid', orderId: 'o7' })
  world.calls.keepDetails = () => Promise.reject(refusal(410))
  await sale.pay()
  assert.deepEqual(diary, ['thank o7'])
})

test('a widget that cannot submit gives the form back', async () => {
  const { world, sale, diary, opened, is, remembered } = openTestWorld()
  await opened()
  world.card.submit = () => {
    throw new Error('broken')
  }
  await sale.pay()
  assert.deepEqual(diary, ['details c1', submissionFailed])
  assert.equal(is(), 'ready')
  assert.equal(remembered(), undefined)
})

test('a widget that stays silent for half a minute gives the form back', async () => {
  const { sale, diary, opened, pass, is } = openTestWorld()
  await opened()
  void sale.pay()
  await pass(29_000)
  assert.equal(is(), 'submitted')
  await pass(1000)
  assert.deepEqual(diary, ['details c1', 'submit', submissionFailed])
  assert.equal(is(), 'ready')
})

test('a silent widget is not believed before the server has answered twice', async () => {
  const { world, sale, opened, pass, is, stands } = openTestWorld()
  await opened()
  world.calls.lookAt = () => Promise.reject(new TypeError('Failed to fetch'))
  void sale.pay()
  await pass(2 * minuteMs)
  stands({ state: 'waiting' })
  await pass(10_000)
  assert.equal(is(), 'submitted')
  await pass(10_000)
  assert.equal(is(), 'ready')
})

test('a card that was charged behind a silent widget leads to its order', async () => {
  const { sale, diary, opened, pass, stands } = openTestWorld()
  await opened()
  void sale.pay()
  await pass(25_000)
  stands({ state: 'paid', orderId: 'o1' })
  await pass(5000)
  assert.deepEqual(diary, ['details c1', 'submit', 'thank o1'])
})

test('silence of an earlier card is not held against the next one', async () => {
  const { sale, opened, pass, hear, is } = openTestWorld()
  await opened()
  void sale.pay()
  await settled()
  await hear('invalid')
  await pass(29_000)
  void sale.pay()
  await pass(20_000)
  assert.equal(is(), 'submitted')
})

test('wrong card fields unlock the form and say nothing of a failure', async () => {
  const { diary, submitted, hear, is, remembered } = openTestWorld()
  await submitted()
  await hear('invalid', { errors: [] })
  assert.deepEqual(diary, [])
  assert.equal(is(), 'ready')
  assert.equal(remembered(), undefined)
})

test('a card form that does not load says so and can be tried again', async () => {
  const { world, sale, diary, is } = openTestWorld()
  const { load } = world.card
  world.card.load = () => Promise.reject(new Error('blocked'))
  await sale.open()
  assert.deepEqual(diary, ['unmount', widgetError])
  assert.equal(is(), 'broken')
  world.card.load = load
  await sale.tryAgain()
  assert.equal(is(), 'ready')
})

for (const status of [404, 409]) {
  test(`a product that is not what the page shows (${status}) loads the page anew`, async () => {
    const { world, sale, diary } = openTestWorld()
    world.calls.openCheckout = () => Promise.reject(refusal(status))
    await sale.open()
    assert.deepEqual(diary, ['reload'])
  })
}

test('a checkout is renewed in place before it expires', async () => {
  const { diary, opened, pass, is } = openTestWorld()
  await opened()
  await pass(25 * minuteMs)
  assert.deepEqual(diary, [])
  await pass(2 * minuteMs)
  assert.deepEqual(diary, ['renew c2'])
  assert.equal(is(), 'ready')
})

test('Pay now right after a renewal waits for the card form to have read it', async () => {
  const { sale, diary, opened, pass } = openTestWorld()
  await opened()
  await pass(26 * minuteMs)
  assert.deepEqual(diary, ['renew c2'])
  void sale.pay()
  await pass(1400)
  assert.deepEqual(diary, ['renew c2'])
  await pass(100)
  assert.deepEqual(diary, ['renew c2', 'details c2', 'submit'])
})

test('a renewal leaves a card that is being charged alone', async () => {
  const { diary, submitted, pass, hear } = openTestWorld()
  await submitted()
  await hear('auth-screen')
  await pass(40 * minuteMs)
  assert.ok(!diary.some((line) => line.startsWith('renew')))
})
