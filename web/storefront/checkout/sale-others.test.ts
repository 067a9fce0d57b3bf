import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { ApiError } from '#web/api.ts'
import { speakEnglish, speakOfMethods } from '#web/storefront/testing/english.ts'
import { findPanel } from './messages.ts'
import { createRefusal, createTestSale, minuteMs } from '#web/storefront/testing/test-sale.ts'

beforeEach(speakOfMethods)
after(speakEnglish)

test('what SumUp has beside the card is known with the card form', async () => {
  const page = createTestSale()
  page.setMethods(['paypal', 'ideal'])
  await page.openForm()
  assert.deepEqual(page.sale.getOtherMethods(), ['paypal', 'ideal'])
})

test('the other ways are shown once details are saved, and the sale is remembered before', async () => {
  const page = createTestSale()
  await page.openForm()
  await page.sale.payOtherwise()
  assert.deepEqual(page.log, ['details c1', 'mount c1, others'])
  assert.equal(page.state(), 'choosing')
  assert.equal(page.findSubmitted(), 'c1')
})

test('details that are refused leave the card form as it is', async () => {
  const page = createTestSale()
  await page.openForm()
  page.reject('saveDetails', createRefusal('unexpected'))
  await page.sale.payOtherwise()
  assert.equal(page.state(), 'ready')
  assert.equal(page.findSubmitted(), undefined)
  assert.match(page.log[0] ?? '', /^toast Payment submission failed/)
})

test('while they are shown neither the card nor another way is submitted', async () => {
  const page = createTestSale()
  await page.openOthers()
  await page.sale.pay()
  await page.sale.payOtherwise()
  assert.deepEqual(page.log, [])
  assert.equal(page.state(), 'choosing')
})

test('a wallet that pays leads to the order', async () => {
  const page = createTestSale()
  await page.openOthers()
  await page.emit('sent', {})
  assert.equal(page.state(), 'submitted')
  await page.emit('success', { status: 'PAID' })
  assert.deepEqual(page.log, ['order c1', 'thank-you o1'])
})

test('a declined wallet brings the card form back, on the checkout that the server names', async () => {
  const page = createTestSale()
  await page.openOthers()
  await page.emit('sent', {})
  page.reject('placeOrder', createRefusal('payment-declined'))
  await page.emit('success', { status: 'FAILED', message: 'Declined.' })
  await page.advance(0)
  assert.deepEqual(page.log, ['toast Payment failed: Declined.', 'mount c2'])
  assert.equal(page.state(), 'ready')
  assert.equal(page.findSubmitted(), undefined)
})

test('a closed wallet is asked about before the card form comes back', async () => {
  const page = createTestSale()
  await page.openOthers()
  await page.emit('fail')
  assert.equal(page.state(), 'checking')
  assert.deepEqual(page.log, [])
  await page.advance(2_000)
  assert.match(page.log[0] ?? '', /^toast Please look again: No payment has arrived/)
  assert.equal(page.log.at(-1), 'mount c2')
})

test('a connection that was lost while nothing was paid is not blamed later', async () => {
  const page = createTestSale()
  await page.openOthers()
  const restore = page.reject('getStatus', new TypeError('Failed to fetch'))
  await page.advance(10_000)
  restore()
  await page.advance(10_000)
  await page.emit('fail')
  await page.advance(2_000)
  assert.doesNotMatch(page.log.join(), /connection/i)
})

test('details that another tab has replaced are not paid for here', async () => {
  const page = createTestSale()
  await page.openOthers()
  page.reject('getStatus', createRefusal('details-replaced'))
  await page.advance(10_000)
  assert.deepEqual(page.log.slice(0, 2), [
    'unmount',
    'toast Please look again: Contact or delivery were changed in another tab. Please look at them once more.',
  ])
  assert.equal(page.state(), 'ready')
})

for (const progress of ['sent', 'auth-screen'])
  test(`once a payment is under way (${progress}) it is followed, whatever another tab saves`, async () => {
    const page = createTestSale()
    await page.openOthers()
    await page.emit(progress)
    page.deps.api.getStatus = async (_id, options) => {
      if (options?.isOwn) throw createRefusal('details-replaced')
      return { state: 'paid', orderId: 'o1' }
    }
    await page.advance(10_000)
    assert.equal(page.log.at(-1), 'thank-you o1')
  })

test('who has lost the way to follow a payment is offered none, as one may be under way', async () => {
  const page = createTestSale()
  await page.openOthers()
  page.reject('getStatus', createRefusal('payment-missing'))
  await page.advance(minuteMs)
  assert.equal(page.state(), 'not-found')
  assert.deepEqual(page.log, ['unmount'])
  await page.sale.tryAgain()
  assert.deepEqual(page.log, ['unmount', 'mount c2'])
})

test('a payment that the widget reports as failed may be under way all the same', async () => {
  const page = createTestSale()
  await page.openOthers()
  page.setStatus({ state: 'at-bank' })
  await page.emit('error', {})
  await page.advance(2_000)
  assert.equal(page.state(), 'at-bank')
  assert.deepEqual(page.log, ['unmount'])
})

test('back to card takes the buttons away at once and asks the server first', async () => {
  const page = createTestSale()
  await page.openOthers()
  await page.sale.goBackToCard()
  assert.deepEqual(page.log, ['unmount', 'mount c2'])
  assert.equal(page.state(), 'ready')
  assert.equal(page.findSubmitted(), undefined)
})

test('back to card while a payment is under way elsewhere shows no form', async () => {
  const page = createTestSale()
  await page.openOthers()
  page.reject('openCheckout', createRefusal('card-at-bank', { checkoutId: 'c1' }))
  await page.sale.goBackToCard()
  assert.equal(page.state(), 'at-bank')
  assert.deepEqual(page.log, ['unmount'])
})

for (const [code, title] of [
  ['product-missing', 'This product is no longer sold'],
  ['product-paused', 'Not for sale right now'],
  ['sold-out', 'Sold out'],
] as const)
  test(`back to card, and there is none any more: ${title}, and nothing is said of charges`, async () => {
    const page = createTestSale()
    await page.openOthers()
    page.reject('openCheckout', createRefusal(code))
    page.deps.reloadPage = () => false
    await page.sale.goBackToCard()
    assert.deepEqual(page.log, ['unmount'])
    const panel = findPanel(page.sale.getPayment())
    assert.equal(panel?.title, title)
    assert.doesNotMatch(panel?.paragraphs.join(' ') ?? '', /nothing was charged/)
  })

test('once something was sent there is no way back to the card form', async () => {
  const page = createTestSale()
  await page.openOthers()
  await page.emit('sent', {})
  await page.sale.goBackToCard()
  assert.equal(page.state(), 'submitted')
  assert.deepEqual(page.log, [])
})

test('what SumUp is unclear about takes the buttons away', async () => {
  const page = createTestSale()
  await page.openOthers()
  page.setStatus({ state: 'waiting', reason: 'unclear' })
  await page.advance(10_000)
  assert.equal(page.state(), 'confirming')
  assert.deepEqual(page.log, ['unmount'])
  await page.sale.goBackToCard()
  assert.equal(page.state(), 'confirming')
})

/** As a QR code in the widget waits to be paid. */
async function openQrCode({ isSent = false } = {}) {
  const page = createTestSale()
  await page.openOthers()
  if (isSent) await page.emit('sent', {})
  page.setStatus({ state: 'at-bank' })
  await page.advance(10_000)
  return page
}

test('a code that the widget shows without a word stays until it is paid, however long that takes', async () => {
  for (const isSent of [false, true]) {
    const page = await openQrCode({ isSent })
    await page.sale.goBackToCard()
    await page.advance(10 * 60_000)
    assert.equal(page.state(), 'submitted')
    assert.deepEqual(page.log, [])
    page.setStatus({ state: 'paid', orderId: 'o1' })
    await page.advance(10_000)
    assert.deepEqual(page.log, ['thank-you o1'])
  }
})

test('a code in the widget that is refused brings the card form back, also without a word', async () => {
  const page = await openQrCode()
  page.setStatus({ state: 'declined' })
  await page.advance(10_000)
  assert.match(page.log[0] ?? '', /^toast Payment failed/)
  assert.equal(page.log.at(-1), 'mount c2')
  assert.equal(page.state(), 'ready')
})

test('a code in the widget that is gone can be given up', async () => {
  const page = await openQrCode()
  await page.sale.bankPageLost()
  assert.equal(page.state(), 'at-bank')
  assert.deepEqual(page.log, ['unmount'])
})

test('while SumUp cannot be asked, the buttons stay', async () => {
  const page = createTestSale()
  await page.openOthers()
  page.setStatus({ state: 'waiting', reason: 'unreachable' })
  await page.advance(60_000)
  assert.equal(page.state(), 'choosing')
})

test('an order that another tab made is shown here too', async () => {
  const page = createTestSale()
  await page.openOthers()
  page.setStatus({ state: 'paid', orderId: 'o7' })
  await page.advance(10_000)
  assert.deepEqual(page.log, ['thank-you o7'])
})

test('a buyer may take as long to choose as they want', async () => {
  const page = createTestSale()
  await page.openOthers()
  await page.advance(20 * 60_000)
  assert.equal(page.state(), 'choosing')
  assert.deepEqual(page.log, [])
})

test('a checkout that expires meanwhile is replaced by a new card form', async () => {
  const page = createTestSale()
  await page.openOthers()
  page.setStatus({ state: 'closed' })
  await page.advance(10_000)
  assert.match(page.log[0] ?? '', /nothing was charged/)
  assert.equal(page.log.at(-1), 'mount c2')
})

test('a widget that does not show them brings the card form back', async () => {
  const page = createTestSale()
  await page.openForm()
  const working = { ...page.deps.widget }
  page.deps.widget.mount = (checkout, listener, options) =>
    options.isOther ? Promise.reject(new Error('no')) : working.mount(checkout, listener, options)
  await page.sale.payOtherwise()
  assert.match(page.log.join('\n'), /toast Payment submission failed[^]*mount c2/)
  assert.equal(page.state(), 'ready')
})

test('back from another page, as the browser kept this one: the server is asked, nothing can be paid', async () => {
  for (const isSent of [false, true]) {
    const page = createTestSale({ mayLeavePage: true })
    await page.openOthers()
    if (isSent) await page.emit('sent', {})
    page.setStatus({ state: 'at-bank' })
    void page.sale.restore()
    await page.advance(0)
    assert.equal(page.state(), 'at-bank')
    assert.deepEqual(page.log, ['unmount'])
    page.setStatus({ state: 'paid', orderId: 'o1' })
    await page.advance(10_000)
    assert.equal(page.log.at(-1), 'thank-you o1')
  }
})

test('what cannot lead to another page stays as it was when the browser brings the page back', async () => {
  const page = createTestSale()
  await page.openOthers()
  await page.sale.restore()
  assert.equal(page.state(), 'choosing')
  assert.deepEqual(page.log, [])
})

test('who comes back unpaid from elsewhere gets the card form sooner than after a reload', async () => {
  const page = createTestSale()
  page.comeBackFrom('c9')
  void page.sale.open()
  await page.advance(4_000)
  assert.equal(page.state(), 'confirming')
  await page.advance(3_000)
  assert.match(page.log[0] ?? '', /No payment has arrived/)
  assert.equal(page.state(), 'ready')
})

for (const [who, error] of [
  ['to another browser', createRefusal('payment-missing')],
  ['with what is no checkout', createRefusal('bad-request')],
  ['with a word too long for an address', createRefusal('call-missing')],
] as const)
  test(`who comes back ${who} is told nothing but that, and gets no form by itself`, async () => {
    const page = createTestSale()
    page.reject('getStatus', error)
    page.comeBackFrom('c9')
    void page.sale.open()
    await page.advance(5_000)
    assert.equal(page.state(), 'not-found')
    assert.deepEqual(page.log, [])
  })

test('a server that has too much to do has not said that it does not know the payment', async () => {
  const page = createTestSale()
  page.reject('getStatus', new ApiError(429, 'Too Many Requests', ''))
  page.comeBackFrom('c9')
  void page.sale.open()
  await page.advance(5_000)
  assert.equal(page.state(), 'confirming')
})

test('this tab’s own sale counts more than what the address says', async () => {
  const page = createTestSale()
  page.deps.submittedCheckout.save('c5')
  page.comeBackFrom('c9')
  void page.sale.open()
  await page.advance(0)
  assert.deepEqual(page.sale.getPayment(), { state: 'confirming', checkoutId: 'c5' })
})
