import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestWorld, refusal, settled } from '#web/storefront/testing/test-world.ts'

const tooManyCards = refusal('too-many-cards')

type TestPage = ReturnType<typeof openTestWorld>

/** The form has left for good and no word was said of a failure; the next load begins a new sale. */
function assertPaused({ diary, is, remembered }: TestPage, hadForm = true) {
  assert.equal(is(), 'too-many-cards')
  assert.deepEqual(diary, hadForm ? ['unmount'] : [])
  assert.equal(remembered(), undefined)
}

test('an order that is refused for too many cards closes the card form at once', async () => {
  const page = openTestWorld()
  await page.submitted()
  page.refuse('placeOrder', tooManyCards)
  await page.hear('success', { status: 'FAILED' })
  assertPaused(page)
})

test('a page that waits hears of too many cards, and opens no card form again', async () => {
  const page = openTestWorld()
  await page.submitted()
  page.world.calls.placeOrder = async () => undefined
  await page.hear('success', {})
  page.stands({ state: 'too-many-cards' })
  await page.pass(60_000)
  assertPaused(page)
})

test('an error of the widget may be the card that was one too many', async () => {
  const page = openTestWorld()
  await page.submitted()
  page.stands({ state: 'too-many-cards' })
  await page.hear('error', { message: 'Card declined', error_code: 'DECLINED' })
  await page.pass(0)
  assertPaused(page)
})

test('too many cards are noticed beside a widget that still waits for the bank', async () => {
  const page = openTestWorld()
  await page.submitted()
  await page.hear('auth-screen')
  page.stands({ state: 'too-many-cards' })
  await page.pass(10_000)
  assertPaused(page)
})

test('a page that was reloaded meanwhile says it too', async () => {
  const page = openTestWorld()
  page.world.memory.remember('c9')
  page.stands({ state: 'too-many-cards' })
  void page.sale.open()
  await page.pass(100)
  assertPaused(page, false)
})

test('a page that is opened while no cards are taken shows no card form', async () => {
  const page = openTestWorld()
  page.refuse('openCheckout', tooManyCards)
  await page.sale.open()
  assertPaused(page, false)
})

test('Pay now on a checkout that another tab used up sends no card', async () => {
  const page = openTestWorld()
  await page.opened()
  page.refuse('keepDetails', tooManyCards)
  await page.sale.pay()
  assertPaused(page)
})

test('Pay now on an expired checkout meets the pause as well', async () => {
  const page = openTestWorld()
  await page.opened()
  page.refuse('keepDetails', refusal('checkout-expired'))
  page.refuse('openCheckout', tooManyCards)
  await page.sale.pay()
  assertPaused(page)
})

test('any other crowd is waited out, before the form and after the card', async () => {
  const crowd = refusal('too-many-requests')
  const opening = openTestWorld()
  opening.refuse('openCheckout', crowd)
  await opening.sale.open()
  assert.equal(opening.is(), 'broken')

  const paying = openTestWorld()
  await paying.submitted()
  paying.refuse('placeOrder', crowd)
  await paying.hear('success', {})
  await settled()
  assert.equal(paying.is(), 'asking')
})
