import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestWorld, proxyFault, refusal, settled } from '#web/storefront/testing/test-world.ts'

type TestPage = ReturnType<typeof openTestWorld>

/** The buyer's cookie is gone: the server knows of no payment of theirs. */
function clearCookies({ refuse }: TestPage) {
  refuse('getStatus', refusal('payment-missing'))
}

test('a payment that this browser may not see any more is said to be out of sight', async () => {
  const page = openTestWorld()
  page.world.memory.remember('c9')
  clearCookies(page)
  void page.sale.open()
  await page.pass(60_000)
  assert.equal(page.is(), 'lost-sight')
  assert.equal(page.remembered(), 'c9')
  assert.ok(!page.diary.some((line) => line.startsWith('say') || line.startsWith('mount')))
})

test('a page that had said that it takes longer notices it as well', async () => {
  const page = openTestWorld()
  await page.submitted()
  page.world.calls.placeOrder = async () => undefined
  await page.hear('success', {})
  await page.pass(70_000)
  assert.equal(page.is(), 'delayed')
  clearCookies(page)
  await page.pass(60_000)
  assert.equal(page.is(), 'lost-sight')
})

test('two answers that know nothing are not yet a reason to give up', async () => {
  const page = openTestWorld()
  page.world.memory.remember('c9')
  let looks = 0
  page.world.calls.getStatus = async () => {
    looks += 1
    if (looks % 3 !== 0) throw refusal('payment-missing')
    return { state: 'waiting', reason: 'unreachable' }
  }
  void page.sale.open()
  await page.pass(50_000)
  assert.ok(looks > 6)
  assert.equal(page.is(), 'confirming')
})

for (const fault of [
  refusal('unexpected'),
  refusal('too-many-requests'),
  proxyFault,
  new TypeError('Failed to fetch'),
]) {
  test(`no number of other troubles loses sight: ${fault.message}`, async () => {
    const page = openTestWorld()
    page.world.memory.remember('c9')
    page.refuse('getStatus', fault)
    void page.sale.open()
    await page.pass(300_000)
    assert.equal(page.is(), 'delayed')
  })
}

test('an order that is not known here is tried once more, and then said to be out of sight', async () => {
  const page = openTestWorld()
  await page.submitted()
  page.refuse('placeOrder', refusal('payment-missing'))
  await page.hear('success', {})
  assert.equal(page.is(), 'refused')
  page.diary.length = 0
  await page.sale.tryAgain()
  assert.equal(page.is(), 'lost-sight')
  assert.deepEqual(page.diary, [])
})

test('a card at the bank that the server does not know any more is out of sight', async () => {
  const page = openTestWorld()
  page.world.memory.remember('c9')
  page.stands({ state: 'at-bank' })
  void page.sale.open()
  await page.pass(1000)
  page.refuse('startOver', refusal('payment-missing'))
  await page.sale.tryAgain()
  assert.equal(page.is(), 'lost-sight')
})

test('whoever starts over gets a new card form, and the old payment is forgotten', async () => {
  const page = openTestWorld()
  page.world.memory.remember('c9')
  clearCookies(page)
  void page.sale.open()
  await page.pass(60_000)
  page.diary.length = 0
  await page.sale.tryAgain()
  await settled()
  assert.equal(page.is(), 'ready')
  assert.equal(page.remembered(), undefined)
  assert.ok(page.diary.includes('mount c1'))
})
