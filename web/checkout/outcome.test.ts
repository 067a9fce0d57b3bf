import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestWorld, refusal, settled } from './test-world.ts'

const cardText = 'Please check your card details and try again.'

test('success becomes an order and leads to it', async () => {
  const { diary, submitted, hear } = openTestWorld()
  await submitted()
  await hear('success', { status: 'PAID', transaction_id: 't1' })
  assert.deepEqual(diary, ['order c1', 'thank o1'])
})

test('a success told twice is one order', async () => {
  const { diary, submitted, hear } = openTestWorld()
  await submitted()
  await hear('success', {})
  await hear('success', {})
  assert.deepEqual(diary, ['order c1', 'thank o1'])
})

test('a declined card keeps the form and the checkout', async () => {
  const { world, diary, submitted, hear, is, remembered } = openTestWorld()
  await submitted()
  world.calls.placeOrder = () => Promise.reject(refusal(402, cardText))
  await hear('success', { status: 'FAILED' })
  assert.deepEqual(diary, [`say Payment failed: ${cardText}`])
  assert.equal(is(), 'ready')
  assert.equal(remembered(), undefined)
})

for (const [name, fault] of [
  ['202', undefined],
  ['500', refusal(500)],
  ['429', refusal(429)],
  ['a lost connection', new TypeError('Failed to fetch')],
] as const) {
  test(`after ${name} the page asks until the order is there`, async () => {
    const { world, diary, submitted, hear, is, stands, pass } = openTestWorld()
    await submitted()
    world.calls.placeOrder = async () => {
      if (fault) throw fault
      return undefined
    }
    await hear('success', {})
    await pass(20_000)
    assert.equal(is(), 'waiting')
    assert.deepEqual(diary, [])
    stands({ state: 'paid', orderId: 'o2' })
    await pass(5000)
    assert.deepEqual(diary, ['thank o2'])
  })
}

test('after a minute the page says that it takes longer, never that it failed, and goes on asking', async () => {
  const { world, diary, submitted, hear, is, stands, pass, remembered } = openTestWorld()
  await submitted()
  world.calls.placeOrder = async () => undefined
  await hear('success', {})
  await pass(70_000)
  assert.equal(is(), 'away')
  assert.deepEqual(diary, ['unmount'])
  assert.equal(remembered(), 'c1')
  stands({ state: 'paid', orderId: 'o3' })
  await pass(15_000)
  assert.deepEqual(diary, ['unmount', 'thank o3'])
})

test('a definite refusal says that the order failed, and trying again sends the order, not the card', async () => {
  const { world, diary, sale, submitted, hear, is } = openTestWorld()
  await submitted()
  const { placeOrder } = world.calls
  world.calls.placeOrder = () => Promise.reject(refusal(404))
  await hear('success', {})
  assert.deepEqual(diary, [
    'say Order failed: Failed to create order. Please try again.',
    'unmount',
  ])
  assert.equal(is(), 'refused')
  world.calls.placeOrder = placeOrder
  diary.length = 0
  await sale.tryAgain()
  assert.deepEqual(diary, ['order c1', 'thank o1'])
})

test('a payment in review is told calmly, and no card form comes back', async () => {
  const { world, submitted, hear, is } = openTestWorld()
  await submitted()
  world.calls.placeOrder = () => Promise.reject(refusal(409))
  await hear('success', {})
  assert.equal(is(), 'review')
})

test('an error of the widget is believed only after a look at the server', async () => {
  const { diary, submitted, hear, stands } = openTestWorld()
  await submitted()
  stands({ state: 'paid', orderId: 'o4' })
  await hear('error', { message: 'Something broke', error_code: 'INTERNAL' })
  assert.deepEqual(diary, ['thank o4'])
})

test('an error that SumUp answered with is a failed payment in its words', async () => {
  const { diary, submitted, hear, is } = openTestWorld()
  await submitted()
  await hear('error', { message: 'Card expired', error_code: 'INVALID' })
  assert.deepEqual(diary, ['say Payment failed: Card expired'])
  assert.equal(is(), 'ready')
})

test('an answer that was lost on its way says nothing of the outcome, so the page waits', async () => {
  const { diary, submitted, hear, is, stands, pass } = openTestWorld()
  await submitted()
  await hear('error', { message: 'Failed to fetch', error_code: 'NETWORK_ERROR' })
  await pass(10_000)
  assert.equal(is(), 'waiting')
  assert.deepEqual(diary, [])
  stands({ state: 'paid', orderId: 'o5' })
  await pass(5000)
  assert.deepEqual(diary, ['thank o5'])
})

for (const [name, body] of [
  ['says nothing', {}],
  ['lost its connection', { message: 'Failed to fetch', error_code: 'NETWORK_ERROR' }],
] as const) {
  test(`an error that ${name}, and no payment at SumUp: within 15 seconds the same form takes another card`, async () => {
    const { diary, submitted, hear, is, stands, pass, remembered } = openTestWorld()
    await submitted()
    stands({ state: 'waiting', hasTransaction: false })
    await hear('error', body)
    await pass(5000)
    assert.equal(is(), 'waiting', 'SumUp may only be late')
    await pass(10_000)
    assert.deepEqual(diary, [`say Payment failed: ${cardText}`])
    assert.equal(is(), 'ready')
    assert.equal(remembered(), undefined)
  })
}

test('an error that says nothing, and a payment at SumUp that is under way: the page waits for it', async () => {
  const { diary, submitted, hear, is, stands, pass } = openTestWorld()
  await submitted()
  stands({ state: 'waiting', hasTransaction: true })
  await hear('error', {})
  await pass(30_000)
  assert.equal(is(), 'waiting')
  stands({ state: 'paid', orderId: 'o7' })
  await pass(5000)
  assert.deepEqual(diary, ['thank o7'])
})

test('a success of the widget is never called a failure, however long SumUp has no payment', async () => {
  const { world, diary, submitted, hear, stands, pass } = openTestWorld()
  await submitted()
  world.calls.placeOrder = async () => undefined
  stands({ state: 'waiting', hasTransaction: false })
  await hear('success', {})
  await pass(50_000)
  assert.deepEqual(diary, [])
})

test('a page that was reloaded after a card that never reached SumUp opens a card form again', async () => {
  const { world, sale, diary, is, stands, pass } = openTestWorld()
  world.memory.remember('c9')
  stands({ state: 'waiting', hasTransaction: false })
  void sale.open()
  await pass(15_000)
  assert.equal(is(), 'ready')
  assert.deepEqual(diary, [`say Payment failed: ${cardText}`, 'mount c1'])
})

test('a checkout that was paid elsewhere leads to its order, however late SumUp says so', async () => {
  const { diary, submitted, hear, stands, pass } = openTestWorld()
  await submitted()
  await hear('error', {
    message: 'Checkout is already processed',
    error_code: 'CHECKOUT_PROCESSED',
  })
  await pass(3000)
  stands({ state: 'paid', orderId: 'o6' })
  await pass(5000)
  assert.deepEqual(diary, ['thank o6'])
})

test('a cancelled challenge gives the form back', async () => {
  const { diary, submitted, hear, is } = openTestWorld()
  await submitted()
  await hear('auth-screen')
  await hear('fail')
  assert.deepEqual(diary, [`say Payment failed: ${cardText}`])
  assert.equal(is(), 'ready')
})

test('a payment that went through beside a silent widget is found', async () => {
  const { diary, submitted, hear, stands, pass } = openTestWorld()
  await submitted()
  await hear('auth-screen')
  stands({ state: 'paid', orderId: 'o8' })
  await pass(20_000)
  assert.deepEqual(diary, ['thank o8'])
})

test('a challenge that is left open until the checkout expires opens a new card form', async () => {
  const { diary, submitted, hear, stands, pass, is } = openTestWorld()
  await submitted()
  await hear('auth-screen')
  stands({ state: 'declined' })
  await pass(60_000)
  assert.equal(is(), 'submitted')
  stands({ state: 'expired' })
  await pass(10_000)
  assert.equal(is(), 'ready')
  assert.ok(diary.includes('mount c2'))
})

test('a page that is reloaded while paying waits for the outcome instead of opening a card form', async () => {
  const { world, sale, diary, is, stands, pass } = openTestWorld()
  world.memory.remember('c9')
  void sale.open()
  await pass(3000)
  assert.equal(is(), 'waiting')
  assert.deepEqual(diary, [])
  stands({ state: 'paid', orderId: 'o9' })
  await pass(5000)
  assert.deepEqual(diary, ['thank o9'])
})

for (const state of ['declined', 'expired'] as const) {
  test(`a reloaded page whose payment is ${state} opens a card form again`, async () => {
    const { world, sale, diary, is, stands, pass, remembered } = openTestWorld()
    world.memory.remember('c9')
    stands({ state })
    void sale.open()
    await pass(100)
    assert.equal(is(), 'ready')
    assert.equal(remembered(), undefined)
    assert.ok(diary.some((line) => line.startsWith('say Payment failed')))
    assert.ok(diary.includes('mount c1'))
  })
}

test('a card submitted from within the widget brings its details along at once', async () => {
  const { diary, opened, hear, is, remembered } = openTestWorld()
  await opened()
  await hear('sent', {})
  await settled()
  assert.deepEqual(diary, ['details c1'])
  assert.equal(is(), 'submitted')
  assert.equal(remembered(), 'c1')
})
