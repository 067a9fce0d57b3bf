import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createCheckout,
  createRefusal,
  createTestSale,
  flushPromises,
  minuteMs,
} from '#web/storefront/testing/test-sale.ts'
import { findPanel } from './messages.ts'

/** What the server and the buyer are told about the cards that a page has sent, or not. */

async function pressPay({ sale }: ReturnType<typeof createTestSale>): Promise<void> {
  void sale.pay()
  await flushPromises()
}

test('the server learns that the card form refused the card before, once', async () => {
  const page = createTestSale()
  await page.openForm()
  await pressPay(page)
  await page.emit('invalid')
  await pressPay(page)
  await page.emit('sent')
  await page.emit('error', {})
  await page.advance(minuteMs)
  assert.equal(page.state(), 'ready')
  await pressPay(page)
  const details = page.log.filter((line) => line.startsWith('details'))
  assert.deepEqual(details, ['details c1', 'details c1, no card before', 'details c1'])
})

test('a card that was sent before the form refused it counts as sent', async () => {
  const page = createTestSale()
  await page.submitCard()
  await page.emit('invalid')
  await pressPay(page)
  assert.deepEqual(page.log, ['details c1', 'submit'])
})

test('details that could not be saved keep what is known about the card before', async () => {
  const page = createTestSale()
  await page.openForm()
  await pressPay(page)
  await page.emit('invalid')
  const allow = page.reject('saveDetails', createRefusal('unexpected'))
  await pressPay(page)
  allow()
  page.log.length = 0
  await pressPay(page)
  assert.deepEqual(page.log, ['details c1, no card before', 'submit'])
})

test('a card that is submitted inside the widget counts as sent from then on', async () => {
  const page = createTestSale()
  await page.openForm()
  await pressPay(page)
  await page.emit('invalid')
  page.log.length = 0
  await page.emit('sent')
  await page.emit('error', {})
  await page.advance(minuteMs)
  await pressPay(page)
  const details = page.log.filter((line) => line.startsWith('details'))
  assert.deepEqual(details, ['details c1, no card before', 'details c1'])
})

/** A card that SumUp does not show, and then a form with another checkout. */
async function openSecondForm() {
  const page = createTestSale()
  await page.submitCard()
  await page.emit('error', {})
  await page.advance(2000)
  assert.deepEqual(page.log, [
    'toast Payment failed: Please check your card details and try again.',
  ])
  const allow = page.reject('saveDetails', createRefusal('checkout-expired'))
  page.deps.api.openCheckout = async () => {
    allow()
    return {
      checkout: createCheckout('c2'),
      validForMs: 30 * minuteMs,
      visitorCountry: null,
      priceKey: page.price.key,
    }
  }
  void page.sale.pay()
  await page.advance(2000)
  page.log.length = 0
  return page
}

test('a closed checkout says nothing of charges while an earlier card of the page is unknown', async () => {
  const page = await openSecondForm()
  await page.emit('auth-screen')
  page.setStatus({ state: 'closed' })
  await page.advance(10_000)
  assert.deepEqual(page.log, [
    'toast Payment failed: The payment form had expired. Please try again.',
    'mount c2',
  ])
})

test('a checkout that is closed after an unknown card of its own was not charged', async () => {
  const page = createTestSale()
  await page.submitCard()
  await page.emit('error', {})
  await page.advance(2000)
  await pressPay(page)
  await page.emit('auth-screen')
  page.setStatus({ state: 'closed' })
  page.log.length = 0
  await page.advance(10_000)
  assert.match(page.log[0] ?? '', /nothing was charged/)
})

test('Pay now for a deleted product says that it is no longer sold, and sends no card', async () => {
  const page = createTestSale()
  await page.openForm()
  page.reject('saveDetails', createRefusal('product-missing'))
  await page.sale.pay()
  assert.deepEqual(page.log, ['unmount'])
  assert.deepEqual(page.sale.getPayment(), {
    state: 'not-sold',
    why: 'product-missing',
    hasUnknownCard: false,
  })
  assert.match(findPanel(page.sale.getPayment())?.paragraphs.join(' ') ?? '', /nothing was charged/)
})

test('Pay now after the last piece says that it is sold out, and sends no card', async () => {
  const page = createTestSale()
  await page.openForm()
  page.reject('saveDetails', createRefusal('sold-out'))
  await page.sale.pay()
  assert.deepEqual(page.log, ['unmount'])
  const panel = findPanel(page.sale.getPayment())
  assert.equal(panel?.title, 'Sold out')
  assert.match(panel?.paragraphs.join(' ') ?? '', /by others right now\. .*nothing was charged/)
})

test('a deleted product says nothing of charges while an earlier card is unknown', async () => {
  const page = createTestSale()
  await page.submitCard()
  await page.emit('error', {})
  await page.advance(2000)
  page.reject('saveDetails', createRefusal('product-missing'))
  await page.sale.pay()
  assert.deepEqual(page.sale.getPayment(), {
    state: 'not-sold',
    why: 'product-missing',
    hasUnknownCard: true,
  })
})
