import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  minuteMs,
  noCard,
  openTestWorld,
  proxyFault,
  refusal,
  settled,
} from '#web/storefront/testing/test-world.ts'

const paymentFailed = 'say Payment failed: Please check your card details and try again.'

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
  const { diary, submitted, hear, is, remembered, refuse } = openTestWorld()
  await submitted()
  refuse('placeOrder', refusal('payment-declined'))
  await hear('success', { status: 'FAILED' })
  assert.deepEqual(diary, [paymentFailed])
  assert.equal(is(), 'ready')
  assert.equal(remembered(), undefined)
})

test('a decline that SumUp tells late is a failed payment when it comes', async () => {
  const { world, diary, submitted, hear, is, stands, pass } = openTestWorld()
  await submitted()
  world.calls.placeOrder = async () => undefined
  stands({ state: 'waiting', reason: 'unreachable' })
  await hear('success', { status: 'FAILED' })
  await pass(30_000)
  assert.deepEqual(diary, [])
  stands({ state: 'declined' })
  await pass(5000)
  assert.deepEqual(diary, [paymentFailed])
  assert.equal(is(), 'ready')
})

for (const [name, fault] of [
  ['202', undefined],
  ['a fault of ours', refusal('unexpected')],
  ['a crowd', refusal('too-many-requests')],
  ['a fault of a proxy', proxyFault],
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
    assert.equal(is(), 'asking')
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
  assert.equal(is(), 'delayed')
  assert.deepEqual(diary, ['unmount'])
  assert.equal(remembered(), 'c1')
  stands({ state: 'paid', orderId: 'o3' })
  await pass(15_000)
  assert.deepEqual(diary, ['unmount', 'thank o3'])
})

test('a page that comes back into sight asks at once', async () => {
  const { world, sale, diary, submitted, hear, stands, pass } = openTestWorld()
  await submitted()
  world.calls.placeOrder = async () => undefined
  await hear('success', {})
  await pass(20 * minuteMs)
  stands({ state: 'paid', orderId: 'o3' })
  sale.wake()
  await pass(0)
  assert.ok(diary.includes('thank o3'))
})

test('a definite refusal says that the order failed, and trying again sends the order, not the card', async () => {
  const { world, diary, sale, submitted, hear, is, refuse } = openTestWorld()
  await submitted()
  const { placeOrder } = world.calls
  refuse('placeOrder', refusal('payment-missing'))
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

test('an order that is there already is the one to be thanked for', async () => {
  const { diary, submitted, hear, refuse } = openTestWorld()
  await submitted()
  refuse('placeOrder', refusal('already-paid', { orderId: 'o4' }))
  await hear('success', {})
  assert.deepEqual(diary, ['thank o4'])
})

test('a payment in review is told calmly, and no card form comes back', async () => {
  const { submitted, hear, is, refuse, pass, stands } = openTestWorld()
  await submitted()
  refuse('placeOrder', refusal('payment-in-review', { reason: 'mismatch' }))
  stands({ state: 'declined' })
  await hear('success', {})
  await pass(minuteMs)
  assert.equal(is(), 'review')
})

const troubles = [
  ['error', {}],
  ['error', undefined],
  ['error', { message: 'Failed to fetch', error_code: 'NETWORK_ERROR' }],
  ['error', { message: 'Die Zahlung ist fehlgeschlagen' }],
  ['error', { error_code: 'CHECKOUT_PROCESSED', message: 'Checkout is already processed' }],
  ['error', { status: 500, title: 'Internal Server Error' }],
  ['fail', undefined],
] as const

for (const [type, body] of troubles) {
  const name = `${type} ${JSON.stringify(body)}`

  test(`whatever the widget says (${name}), a payment that went through is an order`, async () => {
    const { diary, submitted, hear, stands, pass } = openTestWorld()
    await submitted()
    stands({ state: 'paid', orderId: 'o4' })
    await hear(type, body)
    await pass(0)
    assert.deepEqual(diary, ['thank o4'])
  })

  test(`whatever the widget says (${name}), SumUp without any payment gives the same form back in 5 to 15 s`, async () => {
    const { diary, submitted, hear, is, pass, remembered } = openTestWorld()
    await submitted()
    await hear(type, body)
    await pass(4900)
    assert.equal(is(), 'asking')
    assert.deepEqual(diary, [])
    await pass(10_000)
    assert.equal(is(), 'ready')
    assert.equal(diary.length, 1)
    assert.match(diary[0] ?? '', /^say Payment failed: ./)
    assert.equal(remembered(), undefined)
  })

  for (const reason of ['unreachable', 'unclear'] as const) {
    test(`whatever the widget says (${name}), nothing has failed while SumUp is ${reason}`, async () => {
      const { diary, submitted, hear, is, stands, pass } = openTestWorld()
      await submitted()
      stands({ state: 'waiting', reason })
      await hear(type, body)
      await pass(30_000)
      assert.equal(is(), 'asking')
      await pass(5 * minuteMs)
      assert.equal(is(), 'delayed')
      assert.deepEqual(diary, ['unmount'])
    })
  }
}

test('a failed payment is told in SumUp’s words where it has some, and in ours where not', async () => {
  for (const [body, words] of [
    [{ message: 'Card expired', error_code: 'INVALID' }, 'say Payment failed: Card expired'],
    [[{ message: 'Card expired', error_code: 'INVALID' }], 'say Payment failed: Card expired'],
    [{ status: 400, detail: 'Card expired' }, 'say Payment failed: Card expired'],
    [{ message: ' ' }, paymentFailed],
    [{}, paymentFailed],
  ] as const) {
    const { diary, submitted, hear, stands, pass } = openTestWorld()
    await submitted()
    stands({ state: 'declined' })
    await hear('error', body)
    await pass(0)
    assert.deepEqual(diary, [words])
  }
})

test('a payment that shows up while the page makes sure is not called failed', async () => {
  const { diary, submitted, hear, is, stands, pass } = openTestWorld()
  await submitted()
  await hear('error', {})
  await pass(4000)
  stands({ state: 'waiting', reason: 'unclear' })
  await pass(3000)
  stands(noCard)
  await pass(4000)
  assert.equal(is(), 'asking')
  stands({ state: 'paid', orderId: 'o5' })
  await pass(5000)
  assert.deepEqual(diary, ['thank o5'])
})

test('a server that does not answer is not taken for one that knows of no payment', async () => {
  const { diary, submitted, hear, is, pass, refuse } = openTestWorld()
  await submitted()
  refuse('getStatus', new TypeError('Failed to fetch'))
  await hear('error', {})
  await pass(30_000)
  assert.equal(is(), 'asking')
  assert.deepEqual(diary, [])
})

test('a payment that went through beside a silent widget is found', async () => {
  const { diary, submitted, hear, stands, pass } = openTestWorld()
  await submitted()
  await hear('auth-screen')
  stands({ state: 'paid', orderId: 'o8' })
  await pass(20_000)
  assert.deepEqual(diary, ['thank o8'])
})

test('a challenge that is left open until the checkout is closed opens a new card form', async () => {
  const { diary, submitted, hear, stands, pass, is } = openTestWorld()
  await submitted()
  await hear('auth-screen')
  stands({ state: 'declined' })
  await pass(60_000)
  assert.equal(is(), 'submitted')
  stands({ state: 'closed' })
  await pass(10_000)
  assert.equal(is(), 'ready')
  assert.deepEqual(diary, [
    'say Payment failed: The payment form had expired and nothing was charged. Please try again.',
    'mount c2',
  ])
})

test('a page that is reloaded while paying waits for the outcome instead of opening a card form', async () => {
  const { world, sale, diary, is, stands, pass } = openTestWorld()
  world.memory.remember('c9')
  void sale.open()
  await pass(3000)
  assert.equal(is(), 'confirming')
  assert.deepEqual(diary, [])
  stands({ state: 'paid', orderId: 'o9' })
  await pass(5000)
  assert.deepEqual(diary, ['thank o9'])
})

for (const state of ['declined', 'closed'] as const) {
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

test('a reloaded page whose card never reached SumUp opens a card form again', async () => {
  const { world, sale, diary, is, pass } = openTestWorld()
  world.memory.remember('c9')
  void sale.open()
  await pass(14_000)
  assert.equal(is(), 'confirming')
  await pass(10_000)
  assert.equal(is(), 'ready')
  assert.deepEqual(diary, [paymentFailed, 'mount c1'])
})

test('a form that the server does not give yet is asked for again, and nothing is said to have failed', async () => {
  const { world, sale, diary, is, pass, refuse } = openTestWorld()
  world.memory.remember('c9')
  refuse('openCheckout', refusal('card-under-way', { checkoutId: 'c9' }))
  void sale.open()
  await pass(5 * minuteMs)
  assert.equal(is(), 'confirming')
  assert.ok(!diary.some((line) => line.startsWith('say')))
})

test('a card that overtook its details gets them, and becomes an order', async () => {
  const { diary, submitted, hear, stands, pass, is } = openTestWorld()
  await submitted()
  stands({ state: 'review', reason: 'no-details' })
  await hear('error', {})
  await pass(0)
  assert.equal(is(), 'review')
  assert.deepEqual(diary, ['unmount', 'details c1'])
  stands({ state: 'paid', orderId: 'o1' })
  await pass(5000)
  assert.deepEqual(diary, ['unmount', 'details c1', 'thank o1'])
})

test('a card submitted from within the widget brings its details along at once', async () => {
  const { diary, opened, hear, is, remembered } = openTestWorld()
  await opened()
  await hear('sent', {})
  await settled()
  assert.deepEqual(diary, ['details c1'])
  assert.equal(is(), 'submitted')
  assert.equal(remembered(), 'c1')
})
