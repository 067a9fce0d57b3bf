import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkHistory, faultKinds, type Books } from './check-history.ts'
import { claimOf, emptyHistory, notePrice, type Claim, type History } from './history.ts'

/** A sale as it should be: offered, paid, booked, told. */
function soundSale(): { history: History; books: Books } {
  const history = emptyHistory()
  notePrice(history, 'mug', '49.00')
  history.offers.push(offerAt(1_000, 'c1'))
  history.promises.push({ visitor: 1, checkoutId: 'c1', orderId: 'o1' })
  say({ history }, 'paid', 3_000, { orderId: 'o1' })
  const shippingAddress = { lastName: 'Muster', address: 'Weg 1' }
  return {
    history,
    books: {
      payments: [{ ...payment }],
      attempts: [
        { id: 't1', checkoutId: 'c1', status: 'SUCCESSFUL', createdAt: 2_000, changedAt: 2_100 },
      ],
      orders: [
        {
          id: 'o1',
          productId: 'mug',
          amount: '49.00',
          currency: 'EUR',
          sumupCheckoutId: 'c1',
          sumupTransactionId: 't1',
          refundedAmount: '0.00',
          customerEmail: 'a@example.com',
          shippingAddress,
        },
      ],
      mails: ['confirmation', 'new-sale'].map((kind) => ({ orderId: 'o1', kind })),
      ledger: [{ id: 'r1', sumupCheckoutId: 'c1', state: 'paid', reviewReason: null }],
      strays: [],
      lies: {},
      miscounted: [],
    },
  }
}

const payment = {
  id: 't1',
  checkoutId: 'c1',
  reference: 'r1',
  amountMinor: 4900,
  refundedMinor: 0,
  currency: 'EUR',
}

/** A form that the one visitor was given, a moment after it was asked for. */
function offerAt(askedAt: number, checkoutId: string): History['offers'][number] {
  return {
    visitor: 1,
    checkoutId,
    amount: '49.00',
    isAttack: false,
    askedAt,
    toldAt: askedAt + 100,
  }
}

function say(
  { history }: { history: History },
  claim: Claim,
  askedAt: number,
  more: { orderId?: string } = {},
): void {
  const toldAt = askedAt + 100
  history.statements.push({ visitor: 1, checkoutId: 'c1', claim, askedAt, toldAt, ...more })
}

function findKinds({ history, books }: ReturnType<typeof soundSale>): string[] {
  const faults = checkHistory(history, books)
  return faultKinds.filter((kind) => faults[kind].length > 0)
}

test('a sound sale has no fault', () => assert.deepEqual(findKinds(soundSale()), []))

type Spoil = (sale: ReturnType<typeof soundSale>) => void
const [order] = soundSale().books.orders

const spoiled: [string, Spoil, string[]][] = [
  [
    'a payment without an order',
    ({ books, history }) => {
      books.orders = []
      history.promises = []
      history.statements = []
    },
    ['lost'],
  ],
  [
    'two orders for one payment',
    ({ books }) => {
      if (order) books.orders.push({ ...order, id: 'o2' })
    },
    ['duplicate', 'mails missing or doubled'],
  ],
  ['an order without a payment', ({ books }) => void (books.payments = []), ['unpaid']],
  [
    'another form while the first card is at the bank',
    ({ history }) => history.offers.push(offerAt(2_050, 'c2')),
    ['second forms'],
  ],
  [
    '“Nothing was charged” beside a payment',
    (sale) => say(sale, 'closed', 2_500),
    ['untrue sentences'],
  ],
  [
    '“Nothing was charged” while a card is at the bank',
    (sale) => {
      for (const one of sale.books.attempts)
        Object.assign(one, { status: 'FAILED', changedAt: 9_000 })
      say(sale, 'closed', 2_500)
    },
    ['untrue sentences'],
  ],
  [
    '“Payment failed” beside a payment',
    (sale) => say(sale, 'declined', 2_500),
    ['untrue sentences'],
  ],
  [
    '“Payment failed” though no card was ever declined',
    (sale) => say(sale, 'declined', 1_500),
    ['untrue sentences'],
  ],
  [
    'a card at the bank that was never sent there',
    (sale) => say(sale, 'at-bank', 1_500),
    ['untrue sentences'],
  ],
  ['too many cards after one', (sale) => say(sale, 'too-many-cards', 2_500), ['untrue sentences']],
  [
    'an order that a page led to and that is not there',
    (sale) => say(sale, 'paid', 3_000, { orderId: 'o9' }),
    ['untrue sentences'],
  ],
  [
    'a second payment that nobody sees',
    ({ books }) => void books.payments.push({ ...payment, id: 't2' }),
    ['second payments unseen'],
  ],
  [
    'a refund that the order does not tell of',
    ({ books }) => books.payments.forEach((one) => (one.refundedMinor = 4900)),
    ['refunds unseen'],
  ],
  [
    'an alarm about other people’s payments',
    ({ books }) => void books.strays.push({ sumupTransactionId: 't9', reason: 'no-sale' }),
    ['false alarms'],
  ],
  [
    'an order at another amount than was paid',
    ({ books }) => books.payments.forEach((payment) => (payment.amountMinor = 1)),
    ['mispriced'],
  ],
  [
    'an order at another price than was offered',
    ({ history }) => history.offers.forEach((offer) => (offer.amount = '48.00')),
    ['mispriced'],
  ],
  ['a price that never was', ({ history }) => history.prices.clear(), ['mispriced']],
  [
    'nobody to deliver to',
    ({ books }) => books.orders.forEach((one) => (one.customerEmail = null)),
    ['without details'],
  ],
  [
    'another payment than the one it was',
    ({ books }) => books.orders.forEach((one) => (one.sumupTransactionId = 't2')),
    ['misfiled', 'second payments unseen'],
  ],
  [
    'a visitor who paid on two checkouts',
    ({ history, books }) => {
      history.offers.push(offerAt(1_000, 'c2'))
      books.payments.push({ ...payment, id: 't2', checkoutId: 'c2' })
    },
    ['lost', 'charged twice'],
  ],
  [
    'an order that was promised and is not there',
    ({ history }) =>
      history.promises.push({ visitor: 1, checkoutId: 'c1', orderId: 'an-order-that-vanished' }),
    ['broken promises'],
  ],
  ['a mail too few', ({ books }) => void books.mails.pop(), ['mails missing or doubled']],
  [
    'a payment put in review though the provider told no lie',
    ({ books, history }) => {
      books.orders = []
      history.promises = []
      history.statements = []
      for (const row of books.ledger) {
        row.state = 'review'
        row.reviewReason = 'mismatch'
      }
    },
    ['reviewed without reason'],
  ],
  ['a wrong answer', ({ history }) => history.wrongAnswers.push('500'), ['wrong answers']],
  [
    'a figure that a recount does not find',
    ({ books }) => books.miscounted.push('x'),
    ['miscounted'],
  ],
  ['a breach', ({ history }) => history.breaches.push('x'), ['breaches']],
]

for (const [what, spoil, kinds] of spoiled) {
  test(`the checker finds ${what}`, () => {
    const sale = soundSale()
    spoil(sale)
    assert.deepEqual(findKinds(sale).toSorted(), kinds.toSorted())
  })
}

test('the page’s sentence follows from the code or state of an answer', () => {
  assert.equal(claimOf({ body: { code: 'payment-declined' } }), 'declined')
  assert.equal(claimOf({ body: { state: 'closed' } }), 'closed')
  assert.equal(claimOf({ body: { state: 'waiting', reason: 'no-card' } }), undefined)
})
