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

type TestPage = ReturnType<typeof openTestWorld>

/** A page that was reloaded while the bank had the card. */
async function openAtBank(): Promise<TestPage> {
  const page = openTestWorld()
  page.world.memory.remember('c9')
  page.stands({ state: 'at-bank' })
  void page.sale.open()
  await page.pass(0)
  assert.equal(page.is(), 'at-bank')
  page.diary.length = 0
  return page
}

const noteOf = ({ sale }: TestPage) => {
  const payment = sale.payment()
  return payment.is === 'at-bank' ? payment.note : undefined
}

test('a page that is reloaded while the bank asks says so at the first look', async () => {
  const page = await openAtBank()
  await page.pass(30 * minuteMs)
  assert.equal(page.is(), 'at-bank')
  assert.deepEqual(page.diary, [])
})

test('another tab, while the bank asks, shows no card form', async () => {
  const { sale, diary, is, refuse, stands, pass } = openTestWorld()
  refuse('openCheckout', refusal('card-at-bank', { checkoutId: 'c9' }))
  stands({ state: 'at-bank' })
  await sale.open()
  assert.equal(is(), 'at-bank')
  assert.deepEqual(diary, [])
  stands({ state: 'paid', orderId: 'o1' })
  await pass(5000)
  assert.deepEqual(diary, ['thank o1'])
})

for (const type of ['fail', 'error']) {
  test(`a widget that reports ${type} while the bank has the card is no failed payment`, async () => {
    const { diary, submitted, hear, is, stands, pass } = openTestWorld()
    await submitted()
    await hear('auth-screen')
    stands({ state: 'at-bank' })
    await hear(type, { message: 'Session timed out' })
    await pass(0)
    assert.equal(is(), 'at-bank')
    await pass(5 * minuteMs)
    assert.deepEqual(diary, ['unmount'])
    stands({ state: 'paid', orderId: 'o1' })
    await pass(15_000)
    assert.deepEqual(diary, ['unmount', 'thank o1'])
  })
}

test('a challenge on the screen stays there', async () => {
  const { diary, submitted, hear, is, stands, pass } = openTestWorld()
  await submitted()
  await hear('auth-screen')
  stands({ state: 'at-bank' })
  await pass(10 * minuteMs)
  assert.equal(is(), 'submitted')
  assert.deepEqual(diary, [])
})

test('a widget that shows no challenge although the bank has the card makes way', async () => {
  const { diary, submitted, is, stands, pass } = openTestWorld()
  await submitted()
  stands({ state: 'at-bank' })
  await pass(29_000)
  assert.equal(is(), 'submitted')
  await pass(5000)
  assert.equal(is(), 'at-bank')
  assert.deepEqual(diary, ['unmount'])
})

test('after a success the bank may be a moment behind, and then the page says so', async () => {
  const { world, submitted, hear, is, stands, pass } = openTestWorld()
  await submitted()
  world.calls.placeOrder = async () => undefined
  stands({ state: 'at-bank' })
  await hear('success', { status: 'PENDING' })
  await pass(4000)
  assert.equal(is(), 'asking')
  await pass(5000)
  assert.equal(is(), 'at-bank')
})

test('a payment that the bank gives up after a success opens the card form again', async () => {
  const { world, diary, submitted, hear, is, stands, pass } = openTestWorld()
  await submitted()
  world.calls.placeOrder = async () => undefined
  stands({ state: 'at-bank' })
  await hear('success', { status: 'PENDING' })
  await pass(minuteMs)
  stands(noCard)
  await pass(minuteMs)
  assert.equal(is(), 'ready')
  assert.ok(diary.includes('mount c2'))
})

test('a page that said that it takes longer says when the card is at the bank', async () => {
  const { world, submitted, hear, is, stands, pass } = openTestWorld()
  await submitted()
  world.calls.placeOrder = async () => undefined
  await hear('success', {})
  await pass(2 * minuteMs)
  assert.equal(is(), 'delayed')
  stands({ state: 'at-bank' })
  await pass(minuteMs)
  assert.equal(is(), 'at-bank')
})

for (const reason of ['unclear', 'unreachable'] as const) {
  test(`while SumUp is ${reason} the page goes on saying that the card is at the bank`, async () => {
    const page = await openAtBank()
    page.stands({ state: 'waiting', reason })
    await page.pass(5 * minuteMs)
    assert.equal(page.is(), 'at-bank')
    assert.deepEqual(page.diary, [])
  })
}

for (const status of [{ state: 'declined' } as const, noCard]) {
  test(`the bank says no (${status.state}): the card form opens again`, async () => {
    const page = await openAtBank()
    page.stands(status)
    await page.pass(minuteMs)
    assert.equal(page.is(), 'ready')
    assert.deepEqual(page.diary, [
      'say Payment failed: Please check your card details and try again.',
      'mount c1',
    ])
    assert.equal(page.remembered(), undefined)
  })
}

test('whoever did not finish at the bank gets a new card form, and no word of a failure', async () => {
  const page = await openAtBank()
  await page.sale.tryAgain()
  assert.deepEqual(page.diary, ['start over c9', 'mount c1'])
  assert.equal(page.is(), 'ready')
  assert.equal(page.remembered(), undefined)
})

test('pressed twice, started over once', async () => {
  const page = await openAtBank()
  void page.sale.tryAgain()
  void page.sale.tryAgain()
  await settled()
  assert.deepEqual(page.diary, ['start over c9', 'mount c1'])
})

test('what the server says of the old sale meanwhile is not heard', async () => {
  const page = await openAtBank()
  const { promise, resolve } = Promise.withResolvers<void>()
  page.world.calls.startOver = () => promise
  void page.sale.tryAgain()
  page.stands({ state: 'closed' })
  await page.pass(minuteMs)
  assert.equal(page.is(), 'starting-over')
  resolve()
  await settled()
  assert.deepEqual(page.diary, ['mount c1'])
})

test('a card that the bank does not give up stays there, and the page says why', async () => {
  const page = await openAtBank()
  page.refuse('startOver', refusal('card-at-bank', { checkoutId: 'c9' }))
  await page.sale.tryAgain()
  assert.equal(page.is(), 'at-bank')
  assert.match(noteOf(page) ?? '', /bank still has this payment/)
  assert.deepEqual(page.diary, [])
  page.stands({ state: 'paid', orderId: 'o1' })
  await page.pass(5000)
  assert.deepEqual(page.diary, ['thank o1'])
})

for (const fault of [refusal('payments-away'), proxyFault, new TypeError('Failed to fetch')]) {
  test(`starting over without an answer leaves the card where it is: ${fault.message}`, async () => {
    const page = await openAtBank()
    page.refuse('startOver', fault)
    await page.sale.tryAgain()
    assert.equal(page.is(), 'at-bank')
    assert.match(noteOf(page) ?? '', /try again in a moment/)
    await page.pass(minuteMs)
    assert.equal(page.is(), 'at-bank')
  })
}

test('starting over a sale that was paid meanwhile leads to its order', async () => {
  const page = await openAtBank()
  page.refuse('startOver', refusal('already-paid', { orderId: 'o1' }))
  await page.sale.tryAgain()
  assert.deepEqual(page.diary, ['thank o1'])
})

test('starting over a sale that is in review leads to no card form', async () => {
  const page = await openAtBank()
  page.refuse('startOver', refusal('payment-in-review', { reason: 'contradiction' }))
  page.stands({ state: 'review', reason: 'contradiction' })
  await page.sale.tryAgain()
  await page.pass(minuteMs)
  assert.equal(page.is(), 'review')
})
