import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkHistory, faultKinds, type Books } from './check-history.ts'
import { emptyHistory, notePrice, type History } from './history.ts'

/** A sale as it should be: offered, paid, booked, told. */
function soundSale(): { history: History; books: Books } {
  const history = emptyHistory()
  notePrice(history, 'mug', '49.00')
  history.offers.push({ visitor: 1, checkoutId: 'c1', amount: '49.00', isAttack: false })
  history.promises.push({ visitor: 1, checkoutId: 'c1', orderId: 'o1' })
  const shippingAddress = { lastName: 'Muster', address: 'Weg 1' }
  return {
    history,
    books: {
      payments: [
        { id: 't1', checkoutId: 'c1', reference: 'r1', amountMinor: 4900, currency: 'EUR' },
      ],
      orders: [
        {
          id: 'o1',
          productId: 'mug',
          amount: '49.00',
          currency: 'EUR',
          sumupCheckoutId: 'c1',
          sumupTransactionId: 't1',
          customerEmail: 'a@example.com',
          shippingAddress,
        },
      ],
      mails: ['confirmation', 'new-sale'].map((kind) => ({ orderId: 'o1', kind })),
      ledger: [{ id: 'r1', sumupCheckoutId: 'c1', state: 'paid', reviewReason: null }],
      lies: {},
      miscounted: [],
    },
  }
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
    ['misfiled'],
  ],
  [
    'a visitor who paid on two checkouts',
    ({ history, books }) => {
      history.offers.push({ visitor: 1, checkoutId: 'c2', amount: '49.00', isAttack: false })
      const [payment] = books.payments
      if (payment) books.payments.push({ ...payment, id: 't2', checkoutId: 'c2' })
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
      for (const row of books.ledger) {
        row.state = 'review'
        row.reviewReason = 'paid 1.00 instead of 49.00 EUR'
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
