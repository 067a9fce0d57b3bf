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

for (const fault of [
  refusal('unexpected'),
  refusal('payments-away'),
  refusal('too-many-requests'),
  proxyFault,
  new TypeError('Failed to fetch'),
]) {
  test(`details the server could not keep leave the card where it is: ${fault.message}`, async () => {
    const { sale, diary, opened, is, remembered, refuse } = openTestWorld()
    await opened()
    refuse('keepDetails', fault)
    await sale.pay()
    assert.deepEqual(diary, [submissionFailed])
    assert.equal(is(), 'ready')
    assert.equal(remembered(), undefined)
  })
}

test('a field the server does not take is named in its own words', async () => {
  const { world, sale, diary, opened } = openTestWorld()
  await opened()
  world.calls.keepDetails = () =>
    Promise.reject(refusal('bad-request', { message: 'Enter a valid email address' }))
  await sale.pay()
  assert.deepEqual(diary, ['say Please complete all required fields: Enter a valid email address'])
})

for (const code of ['checkout-expired', 'payment-missing'] as const) {
  test(`a checkout that takes no more details (${code}) is renewed in place and paid on, once`, async () => {
    const { world, sale, diary, opened, pass } = openTestWorld()
    await opened()
    world.calls.keepDetails = async (id) => {
      if (id === 'c1') throw refusal(code)
      diary.push(`details ${id}`)
    }
    void sale.pay()
    await pass(2000)
    assert.deepEqual(diary, ['renew c2', 'details c2', 'submit'])
  })
}

test('a checkout that takes no details even when renewed is a failed submission', async () => {
  const { sale, diary, opened, pass, is, refuse } = openTestWorld()
  await opened()
  refuse('keepDetails', refusal('checkout-expired'))
  void sale.pay()
  await pass(2000)
  assert.deepEqual(diary, ['renew c2', submissionFailed])
  assert.equal(is(), 'ready')
})

test('a checkout that another tab has paid leads to its order, never to a second payment', async () => {
  const { sale, diary, opened, refuse } = openTestWorld()
  await opened()
  refuse('keepDetails', refusal('already-paid', { orderId: 'o7' }))
  await sale.pay()
  assert.deepEqual(diary, ['thank o7'])
})

test('Pay now on a sale that another tab paid after its form had expired leads to the order', async () => {
  const { sale, diary, opened, refuse } = openTestWorld()
  await opened()
  refuse('keepDetails', refusal('checkout-expired'))
  refuse('openCheckout', refusal('already-paid', { orderId: 'o7' }))
  await sale.pay()
  assert.deepEqual(diary, ['thank o7'])
})

test('while the card of another tab is under way, Pay now sends no second one', async () => {
  const { sale, diary, opened, pass, is, refuse, stands } = openTestWorld()
  await opened()
  refuse('keepDetails', refusal('card-under-way', { checkoutId: 'c1' }))
  stands({ state: 'waiting', reason: 'unclear' })
  void sale.pay()
  await pass(3000)
  assert.equal(is(), 'confirming')
  assert.deepEqual(diary, ['unmount'])
  stands({ state: 'paid', orderId: 'o8' })
  await pass(5000)
  assert.deepEqual(diary, ['unmount', 'thank o8'])
})

test('a card of another tab that never reached SumUp leaves the form to this one, without a word of failure', async () => {
  const { sale, diary, opened, pass, is, refuse } = openTestWorld()
  await opened()
  refuse('keepDetails', refusal('card-under-way', { checkoutId: 'c1' }))
  void sale.pay()
  await pass(14_000)
  assert.equal(is(), 'confirming')
  await pass(10_000)
  assert.equal(is(), 'ready')
  assert.deepEqual(diary, ['unmount', 'mount c2'])
})

test('Pay now on a sale in review takes the card form away', async () => {
  const { sale, diary, opened, is, refuse } = openTestWorld()
  await opened()
  refuse('keepDetails', refusal('payment-in-review', { reason: 'mismatch' }))
  await sale.pay()
  assert.equal(is(), 'review')
  assert.deepEqual(diary, ['unmount'])
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
  const { sale, opened, pass, is, stands, refuse } = openTestWorld()
  await opened()
  refuse('getStatus', new TypeError('Failed to fetch'))
  void sale.pay()
  await pass(2 * minuteMs)
  stands(noCard)
  await pass(10_000)
  assert.equal(is(), 'submitted')
  await pass(10_000)
  assert.equal(is(), 'ready')
})

for (const status of [
  { state: 'waiting', reason: 'unreachable' },
  { state: 'waiting', reason: 'unclear' },
] as const) {
  test(`a silent widget whose card is ${status.reason} gives no form back`, async () => {
    const { sale, diary, opened, pass, is, stands } = openTestWorld()
    await opened()
    stands(status)
    void sale.pay()
    await pass(40_000)
    assert.equal(is(), 'confirming')
    await pass(10 * minuteMs)
    assert.equal(is(), 'delayed')
    assert.ok(!diary.some((line) => line.startsWith('say') || line.startsWith('mount')))
  })
}

test('a widget that sent the card and then fell silent makes way for a new form, if SumUp has no payment', async () => {
  const { diary, submitted, pass, is } = openTestWorld()
  await submitted()
  await pass(29_000)
  assert.equal(is(), 'submitted')
  await pass(10_000)
  assert.deepEqual(diary, [
    'unmount',
    'say Payment failed: Please check your card details and try again.',
    'mount c2',
  ])
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
  assert.deepEqual(diary, [widgetError])
  assert.equal(is(), 'broken')
  world.card.load = load
  await sale.tryAgain()
  assert.equal(is(), 'ready')
})

test('a card form that refuses its checkout is asked about: the sale may be paid', async () => {
  const { world, sale, diary, stands } = openTestWorld()
  world.card.mount = () => Promise.reject(new Error('refused'))
  stands({ state: 'paid', orderId: 'o1' })
  await sale.open()
  assert.deepEqual(diary, ['thank o1'])
})

test('an error of a card form that nobody has submitted is asked about as well', async () => {
  const { diary, opened, hear, stands, is } = openTestWorld()
  await opened()
  await hear('error', { message: 'Checkout is already processed' })
  assert.equal(is(), 'ready')
  stands({ state: 'paid', orderId: 'o1' })
  await hear('error', {})
  assert.deepEqual(diary, ['thank o1'])
})

for (const code of ['product-missing', 'price-changed', 'price-without-cents'] as const) {
  test(`a product that is not what the page shows (${code}) loads the page anew`, async () => {
    const { sale, diary, refuse } = openTestWorld()
    refuse('openCheckout', refusal(code))
    await sale.open()
    assert.deepEqual(diary, ['reload'])
  })
}

for (const code of ['payments-away', 'too-many-checkouts', 'too-many-requests'] as const) {
  test(`a form that cannot be opened (${code}) says so and can be tried again`, async () => {
    const { world, sale, diary, is, refuse } = openTestWorld()
    const { openCheckout } = world.calls
    refuse('openCheckout', refusal(code))
    await sale.open()
    assert.deepEqual(diary, [widgetError])
    assert.equal(is(), 'broken')
    world.calls.openCheckout = openCheckout
    await sale.tryAgain()
    assert.equal(is(), 'ready')
  })
}

test('a sale that is paid already leads to its order, never to a word of a broken form', async () => {
  const { sale, diary, refuse } = openTestWorld()
  refuse('openCheckout', refusal('already-paid', { orderId: 'o1' }))
  await sale.open()
  assert.deepEqual(diary, ['thank o1'])
})

test('a sale in review shows no form, also in another tab, and leads to its order once that is there', async () => {
  const { sale, diary, is, refuse, stands, pass } = openTestWorld()
  refuse('openCheckout', refusal('payment-in-review', { reason: 'unreadable', checkoutId: 'c9' }))
  stands({ state: 'review', reason: 'unreadable' })
  await sale.open()
  await pass(minuteMs)
  assert.equal(is(), 'review')
  assert.deepEqual(diary, [])
  stands({ state: 'closed' })
  await pass(minuteMs)
  assert.equal(is(), 'review')
  stands({ state: 'paid', orderId: 'o1' })
  await pass(minuteMs)
  assert.deepEqual(diary, ['thank o1'])
})

test('a card of another tab is followed, and its decline opens the form', async () => {
  const { world, sale, diary, is, stands, pass, refuse } = openTestWorld()
  const { openCheckout } = world.calls
  refuse('openCheckout', refusal('card-under-way', { checkoutId: 'c9' }))
  stands({ state: 'waiting', reason: 'unclear' })
  await sale.open()
  await pass(10_000)
  assert.equal(is(), 'confirming')
  world.calls.openCheckout = openCheckout
  stands({ state: 'declined' })
  await pass(5000)
  assert.equal(is(), 'ready')
  assert.ok(diary.includes('mount c1'))
})

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
