import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestWorld, refusal, settled } from './test-world.ts'

type TestPage = ReturnType<typeof openTestWorld>

/** The buyer's cookie is gone: the server knows of no payment of theirs. */
function clearCookies({ world }: TestPage) {
  world.calls.lookAt = () => Promise.reject(refusal(404))
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
  assert.equal(page.is(), 'away')
  clearCookies(page)
  await page.pass(60_000)
  assert.equal(page.is(), 'lost-sight')
})

test('two answers that know nothing are not yet a reason to give up', async () => {
  const page = openTestWorld()
  page.world.memory.remember('c9')
  let looks = 0
  page.world.calls.lookAt = async () => {
    looks += 1
    if (looks % 3 !== 0) throw refusal(404)
    return { state: 'waiting' }
  }
  void page.sale.open()
  await page.pass(50_000)
  assert.ok(looks > 6)
  assert.equal(page.is(), 'waiting')
})

for (const fault of [refusal(500), refusal(429), new TypeError('Failed to fetch')]) {
  test(`no number of other troubles loses sight: ${fault.message}`, async () => {
    const page = openTestWorld()
    page.world.memory.remember('c9')
    page.world.calls.lookAt = () => Promise.reject(fault)
    void page.sale.open()
    await page.pass(300_000)
    assert.equal(page.is(), 'away')
  })
}

test('an order that is not known here is tried once more, and then said to be out of sight', async () => {
  const page = openTestWorld()
  await page.submitted()
  page.world.calls.placeOrder = () => Promise.reject(refusal(404))
  await page.hear('success', {})
  assert.equal(page.is(), 'refused')
  page.diary.length = 0
  await page.sale.tryAgain()
  assert.equal(page.is(), 'lost-sight')
  assert.deepEqual(page.diary, ['unmount'])
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
