import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createRefusal,
  createTestSale,
  minuteMs,
  noCard,
  type TestSale,
} from '#web/storefront/testing/test-sale.ts'
import { findPanel } from './messages.ts'

const unreadable = { state: 'review', reason: 'unreadable' } as const

/** A card was sent, and the shop reviews its payment. */
async function openReview(): Promise<TestSale> {
  const page = createTestSale()
  await page.submitCard()
  page.reject('placeOrder', createRefusal('payment-in-review', { reason: 'unreadable' }))
  page.setStatus(unreadable)
  await page.emit('success', {})
  assert.equal(page.state(), 'review')
  assert.match(panelText(page), /do not pay again/)
  page.log.length = 0
  return page
}

function panelText({ sale }: TestSale): string {
  return findPanel(sale.getPayment())?.paragraphs.join(' ') ?? ''
}

/** What the page says besides each toast. */
function recordPanels(page: TestSale): string[] {
  const texts: string[] = []
  page.deps.showToast = ({ title }) => void texts.push(`${title}, panel: ${panelText(page)}`)
  return texts
}

test('while the shop reviews a payment, its panel stays and no card form comes', async () => {
  const page = await openReview()
  await page.advance(10 * minuteMs)
  assert.equal(page.state(), 'review')
  assert.deepEqual(page.log, [])
})

for (const [state, sentence] of [
  ['declined', 'Please check your card details and try again.'],
  ['closed', 'The payment form had expired and nothing was charged. Please try again.'],
] as const) {
  test(`a review that ends as ${state} opens the form, and only its own sentence is shown`, async () => {
    const page = await openReview()
    page.setStatus({ state })
    await page.advance(minuteMs)
    assert.equal(page.state(), 'ready')
    assert.deepEqual(page.log, [`toast Payment failed: ${sentence}`, 'mount c2'])
    assert.equal(panelText(page), '')
    assert.equal(page.findSubmitted(), undefined)
  })

  test(`the notice of a review that ends as ${state} is gone when the toast comes`, async () => {
    const page = await openReview()
    const texts = recordPanels(page)
    page.setStatus({ state })
    await page.advance(minuteMs)
    assert.deepEqual(texts, ['Payment failed, panel: '])
  })

  test(`a review that ends as ${state} while the server still refuses a form says nothing else`, async () => {
    const page = await openReview()
    const texts = recordPanels(page)
    page.reject(
      'openCheckout',
      createRefusal('payment-in-review', { reason: 'unreadable', checkoutId: 'c1' }),
    )
    page.setStatus({ state })
    await page.advance(7000)
    assert.equal(page.state(), 'review')
    assert.deepEqual(texts, [])
  })
}

test('a review that ends as paid leads to the order', async () => {
  const page = await openReview()
  page.setStatus({ state: 'paid', orderId: 'o7' })
  await page.advance(minuteMs)
  assert.deepEqual(page.log, ['thank-you o7'])
})

test('one other answer does not end a review', async () => {
  const page = await openReview()
  await page.advance(20_000)
  let answers = 0
  page.deps.api.getStatus = async () => {
    answers += 1
    return answers === 1 ? { state: 'closed' } : unreadable
  }
  await page.advance(minuteMs)
  assert.equal(page.state(), 'review')
  assert.deepEqual(page.log, [])
})

test('a review whose card turns out to be at the bank says so', async () => {
  const page = await openReview()
  page.setStatus({ state: 'at-bank' })
  await page.advance(minuteMs)
  assert.equal(page.state(), 'at-bank')
  assert.deepEqual(page.log, [])
})

test('a review that ends without a payment at SumUp opens the form after 15 s, and claims nothing', async () => {
  const page = await openReview()
  page.setStatus(noCard)
  await page.advance(minuteMs)
  assert.equal(page.state(), 'ready')
  assert.equal(page.log[0], 'toast Payment failed: Please check your card details and try again.')
})

test('a review that ends before SumUp is clear waits for the outcome', async () => {
  const page = await openReview()
  page.setStatus({ state: 'waiting', reason: 'unclear' })
  await page.advance(15_000)
  assert.equal(page.state(), 'confirming')
  await page.advance(2 * minuteMs)
  assert.equal(page.state(), 'delayed')
  assert.deepEqual(page.log, [])
})

test('a payment that was refunded or kept in review changes its notice', async () => {
  const page = await openReview()
  page.setStatus({ state: 'review', reason: 'refunded' })
  await page.advance(minuteMs)
  assert.match(panelText(page), /was returned/)
  assert.doesNotMatch(panelText(page), /do not pay again/)
})

test('Pay now while another sale of this browser is in review shows that review', async () => {
  const page = createTestSale()
  await page.openForm()
  page.setStatus(unreadable)
  page.reject(
    'saveDetails',
    createRefusal('payment-in-review', { reason: 'unreadable', checkoutId: 'c9' }),
  )
  await page.sale.pay()
  assert.equal(page.state(), 'review')
  const asked: string[] = []
  page.deps.api.getStatus = async (id) => {
    asked.push(id)
    return { state: 'paid', orderId: 'o9' }
  }
  await page.advance(minuteMs)
  assert.deepEqual(asked, ['c9'])
  assert.deepEqual(page.log, ['unmount', 'thank-you o9'])
})
