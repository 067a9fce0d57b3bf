import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkHistory, faultKinds } from './check-history.ts'
import {
  emptyHistory,
  getClaim,
  recordPrice,
  type Claim,
  type FinalState,
  type History,
} from './history.ts'

/** A correct sale: offered, paid, ordered, confirmed. */
function createSale(): { history: History; final: FinalState } {
  const history = emptyHistory()
  recordPrice(history, 'mug', '49.00')
  history.offers.push(offerAt(1_000, 'c1'))
  history.confirmedOrders.push({ visitor: 1, checkoutId: 'c1', orderId: 'o1' })
  addStatement({ history }, 'paid', 3_000, { orderId: 'o1' })
  const shippingAddress = { lastName: 'Muster', address: 'Weg 1' }
  return {
    history,
    final: {
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
      shownPayments: [],
      wrongResponses: {},
      wrongAnalytics: [],
      refunds: [],
      withdrawals: [],
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

const terms = { country: null, code: null, isPickup: false }

/** What SumUp shows of the refunds. */
const madeOf = (...refunds: number[]) => ({ payments: [{ id: 't1', cents: 4900, refunds }] })

/** A correct refund. */
const refund = {
  orderId: 'o1',
  checkoutId: 'c1',
  ...madeOf(1_000),
  asked: [{ cents: 1_000, state: 'done' }],
  known: 1_000,
  mailed: 1_000,
}

const stated = { name: 'Visitor 1', orderId: 'o1', sent: 1, isAnswered: true }
const saved = {
  id: 'w1',
  name: 'Visitor 1',
  orderId: 'o1',
  isHandled: false,
  mail: 'known' as const,
}

/** A form that was requested at this time. */
function offerAt(sentAt: number, checkoutId: string): History['offers'][number] {
  return {
    visitor: 1,
    checkoutId,
    amount: '49.00',
    isAttack: false,
    sentAt,
    receivedAt: sentAt + 100,
  }
}

function addStatement(
  { history }: { history: History },
  claim: Claim,
  sentAt: number,
  more: { orderId?: string } = {},
): void {
  const receivedAt = sentAt + 100
  history.statements.push({ visitor: 1, checkoutId: 'c1', claim, sentAt, receivedAt, ...more })
}

function findKinds({ history, final }: ReturnType<typeof createSale>): string[] {
  const faults = checkHistory(history, final)
  return faultKinds.filter((kind) => faults[kind].length > 0)
}

test('a correct sale has no fault, nor has its refund and withdrawal', () => {
  const sale = createSale()
  sale.final.refunds.push(refund)
  sale.history.withdrawals.push(stated)
  sale.final.withdrawals.push(saved)
  assert.deepEqual(findKinds(sale), [])
})

type Change = (sale: ReturnType<typeof createSale>) => void
const [order] = createSale().final.orders

const faulty: [string, Change, string[]][] = [
  [
    'a payment without an order',
    ({ final, history }) => {
      final.orders = []
      history.confirmedOrders = []
      history.statements = []
    },
    ['lost'],
  ],
  [
    'two orders for one payment',
    ({ final }) => {
      if (order) final.orders.push({ ...order, id: 'o2' })
    },
    ['duplicate', 'wrong mails'],
  ],
  ['an order without a payment', ({ final }) => void (final.payments = []), ['unpaid']],
  [
    'another form while the first card is at the bank',
    ({ history }) => history.offers.push(offerAt(2_050, 'c2')),
    ['second forms'],
  ],
  [
    '“Nothing was charged” beside a payment',
    (sale) => addStatement(sale, 'closed', 2_500),
    ['false statements'],
  ],
  [
    '“Nothing was charged” while a card is at the bank',
    (sale) => {
      for (const one of sale.final.attempts)
        Object.assign(one, { status: 'FAILED', changedAt: 9_000 })
      addStatement(sale, 'closed', 2_500)
    },
    ['false statements'],
  ],
  [
    '“Payment failed” beside a payment',
    (sale) => addStatement(sale, 'declined', 2_500),
    ['false statements'],
  ],
  [
    '“Payment failed” though no card was ever declined',
    (sale) => addStatement(sale, 'declined', 1_500),
    ['false statements'],
  ],
  [
    'a card at the bank that was never sent there',
    (sale) => addStatement(sale, 'at-bank', 1_500),
    ['false statements'],
  ],
  [
    'too many cards after one',
    (sale) => addStatement(sale, 'too-many-cards', 2_500),
    ['false statements'],
  ],
  [
    'an order that a page led to and that is not there',
    (sale) => addStatement(sale, 'paid', 3_000, { orderId: 'o9' }),
    ['false statements'],
  ],
  [
    'a second payment that nobody sees',
    ({ final }) => void final.payments.push({ ...payment, id: 't2' }),
    ['unseen second payments'],
  ],
  [
    'a refund that the order does not show',
    ({ final }) => final.payments.forEach((one) => (one.refundedMinor = 4900)),
    ['unseen refunds'],
  ],
  [
    'an alarm about other people’s payments',
    ({ final }) => void final.shownPayments.push({ sumupTransactionId: 't9', reason: 'no-sale' }),
    ['false alarms'],
  ],
  [
    'an order at another amount than was paid',
    ({ final }) => final.payments.forEach((payment) => (payment.amountMinor = 1)),
    ['mispriced', 'charged differently from what was shown'],
  ],
  [
    'an order at another price than was offered',
    ({ history }) => history.offers.forEach((offer) => (offer.amount = '48.00')),
    ['mispriced', 'charged differently from what was shown'],
  ],
  [
    'an order that goes to another country than its price was agreed for',
    ({ final }) => final.orders.forEach((one) => (one.terms = { ...terms, country: 'France' })),
    ['sent elsewhere than agreed'],
  ],
  [
    'an order that is sent although it was agreed to be fetched',
    ({ final }) => final.orders.forEach((one) => (one.terms = { ...terms, isPickup: true })),
    ['sent elsewhere than agreed'],
  ],
  [
    'a payment on a form that nobody was shown',
    ({ history }) => void history.offers.pop(),
    ['charged differently from what was shown'],
  ],
  [
    'a code that was used more often than it may be',
    ({ history, final }) => {
      history.codeLimits.set('ONCE', 0)
      final.orders.forEach((one) => (one.terms = { ...terms, code: 'ONCE' }))
    },
    ['codes used too often'],
  ],
  ['a price that never was', ({ history }) => history.prices.clear(), ['mispriced']],
  [
    'nobody to deliver to',
    ({ final }) => final.orders.forEach((one) => (one.customerEmail = null)),
    ['without details'],
  ],
  [
    'another payment than the one it was',
    ({ final }) => final.orders.forEach((one) => (one.sumupTransactionId = 't2')),
    ['wrong payments', 'unseen second payments'],
  ],
  [
    'a visitor who paid on two checkouts',
    ({ history, final }) => {
      history.offers.push(offerAt(1_000, 'c2'))
      final.payments.push({ ...payment, id: 't2', checkoutId: 'c2' })
    },
    ['lost', 'charged twice'],
  ],
  [
    'an order that was promised and is not there',
    ({ history }) =>
      history.confirmedOrders.push({
        visitor: 1,
        checkoutId: 'c1',
        orderId: 'an-order-that-vanished',
      }),
    ['missing orders'],
  ],
  ['a mail too few', ({ final }) => void final.mails.pop(), ['wrong mails']],
  [
    'a mail about a refund that never was',
    ({ final }) => {
      const [order] = final.orders
      if (order) final.mails.push({ orderId: order.id, kind: 'refunded-1' })
    },
    ['wrong mails'],
  ],
  [
    'a payment in review although SumUp answered correctly',
    ({ final, history }) => {
      final.orders = []
      history.confirmedOrders = []
      history.statements = []
      for (const row of final.ledger) {
        row.state = 'review'
        row.reviewReason = 'mismatch'
      }
    },
    ['unneeded reviews'],
  ],
  ['a wrong answer', ({ history }) => history.serverErrors.push('500'), ['server errors']],
  [
    'a figure that a recount does not find',
    ({ final }) => final.wrongAnalytics.push('x'),
    ['wrong analytics'],
  ],
  [
    'a refund that SumUp made twice',
    ({ final }) =>
      final.refunds.push({ ...refund, ...madeOf(1_000, 1_000), known: 2_000, mailed: 2_000 }),
    ['refunded twice', 'untrue refund states'],
  ],
  [
    'more refunded than was paid',
    ({ final }) =>
      final.refunds.push({ ...refund, payments: [{ id: 't1', cents: 900, refunds: [1_000] }] }),
    ['refunded too much'],
  ],
  [
    'a refund that the shop does not know of',
    ({ final }) => final.refunds.push({ ...refund, known: 0 }),
    ['lost refunds'],
  ],
  [
    'a refund that is shown as done, which it is not',
    ({ final }) => final.refunds.push({ ...refund, ...madeOf(), known: 0, mailed: 0 }),
    ['untrue refund states'],
  ],
  [
    'an owner who was told of a refund that was not made',
    ({ final, history }) => {
      final.refunds.push({ ...refund, ...madeOf(), asked: [], known: 0, mailed: 0 })
      const outcome = {
        state: 'done',
        amount: '10.00',
        problem: null,
        left: '39.00',
        isPaidAgain: false,
      } as const
      history.toldRefunds.push({ orderId: 'o1', outcome })
    },
    ['untrue refund states'],
  ],
  [
    'a buyer who was not told of a refund',
    ({ final }) => final.refunds.push({ ...refund, mailed: 0 }),
    ['untrue refund mails'],
  ],
  [
    'a withdrawal that was received and is not there',
    ({ history }) => history.withdrawals.push({ ...stated }),
    ['lost withdrawals'],
  ],
  [
    'a withdrawal of which nobody sends the acknowledgement',
    ({ history, final }) => {
      history.withdrawals.push({ ...stated })
      final.withdrawals.push({ ...saved, mail: 'forgotten' })
    },
    ['unacknowledged withdrawals'],
  ],
  [
    'a withdrawal that nobody stated',
    ({ final }) => final.withdrawals.push({ ...saved }),
    ['untrue withdrawals'],
  ],
  [
    'a withdrawal that was saved more often than it was sent',
    ({ history, final }) => {
      history.withdrawals.push({ ...stated })
      final.withdrawals.push({ ...saved }, { ...saved, id: 'w2' })
    },
    ['untrue withdrawals'],
  ],
  [
    'a withdrawal that the owner was told is handled, and is not',
    ({ history, final }) => {
      history.withdrawals.push({ ...stated })
      history.handled.told.add('w1')
      final.withdrawals.push({ ...saved })
    },
    ['untrue withdrawals'],
  ],
  ['a breach', ({ history }) => history.breaches.push('x'), ['successful attacks']],
]

for (const [what, change, kinds] of faulty) {
  test(`the checker finds ${what}`, () => {
    const sale = createSale()
    change(sale)
    assert.deepEqual(findKinds(sale).toSorted(), kinds.toSorted())
  })
}

test('a claim follows from the code or state of an answer', () => {
  assert.equal(getClaim({ body: { code: 'payment-declined' } }), 'declined')
  assert.equal(getClaim({ body: { state: 'closed' } }), 'closed')
  assert.equal(getClaim({ body: { state: 'waiting', reason: 'no-card' } }), undefined)
})
