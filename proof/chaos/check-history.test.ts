import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultDelivery, type Terms } from '#contract/quotes.ts'
import type { SaleRecord } from '#server/payments/record.ts'
import { questionOf, paymentOf, refundOf, submitted } from '#server/testing/records.ts'
import type { Books } from '#proof/explore/books.ts'
import { checkHistory, faultKinds } from './check-history.ts'
import { pickupPlace } from './visitors.ts'
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
  history.deliveries.push(defaultDelivery)
  history.offers.push(offerAt(1_000, checkoutId))
  history.confirmedOrders.push({ visitor: 1, checkoutId, orderId: 'o1' })
  addStatement({ history }, 'paid', 3_000, { orderId: 'o1' })
  const shippingAddress = { lastName: 'Muster', address: 'Weg 1' }
  return {
    history,
    final: {
      attempts: [{ ...payment }],
      orders: [
        {
          id: 'o1',
          productId: 'mug',
          amount: '49.00',
          currency: 'EUR',
          status: 'pending',
          sumupCheckoutId: checkoutId,
          sumupTransactionId: 't1',
          customerEmail: 'a@example.com',
          paymentMethod: 'card',
          shippingAddress,
          terms: null,
          isOversold: false,
          isPieceReturned: false,
        },
      ],
      mails: ['confirmation', 'new-sale'].map((kind) => ({ orderId: 'o1', kind, amount: null })),
      books: createBooks(),
      stocks: [{ productId: 'mug', valueId: undefined, pieces: 1, stock: 0, reserved: 0 }],
      wrongResponses: {},
      wrongAnalytics: [],
      withdrawals: [],
    },
  }
}

/** Not one that is refunded in SumUp's app. */
const checkoutId = 'c1'

const payment = {
  id: 't1',
  checkoutId,
  status: 'SUCCESSFUL',
  amountMinor: 4900,
  currency: 'EUR',
  refunds: [] as number[],
  createdAt: 2_000,
  changedAt: 2_100,
}

/** What the shop and SumUp have of the sale. */
function createBooks(): Books {
  const { id: sale } = submitted
  return {
    records: {
      [sale]: {
        sale: { ...submitted, state: 'paid', sumupCheckoutId: checkoutId, heldAt: null },
        payments: [paymentOf('t1')],
        refunds: [],
        questions: [],
        order: { id: 'o1', transactionId: 't1' },
      },
    },
    sumup: {
      checkouts: [
        {
          id: checkoutId,
          reference: sale,
          merchantCode: submitted.merchantCode,
          cents: 4900,
          isEnded: false,
          validUntil: 0,
        },
      ],
      transactions: [
        {
          id: 't1',
          checkoutId,
          status: 'SUCCESSFUL',
          cents: 4900,
          refunded: 0,
          chargedBack: 0,
          failedRefunds: 0,
          asked: [],
          madeAt: 0,
          returnedAt: null,
        },
      ],
      broken: {},
      echo: undefined,
    },
    merchantCode: submitted.merchantCode,
  }
}

/** On another checkout. */
const second = { ...payment, id: 't2', checkoutId: 'c2' }

const terms: Terms = {
  subtotal: '49.00',
  shipping: '0.00',
  discount: '0.00',
  country: null,
  code: null,
  isPickup: false,
}

/** 10.00 are refunded, as the owner wanted, and everybody is told. */
function refundPart({ history, final }: ReturnType<typeof createSale>): void {
  const outcome = {
    state: 'done',
    amount: '10.00',
    problem: null,
    left: '39.00',
    isPaidAgain: false,
  } as const
  history.refunds.goals.set('o1', 1_000)
  history.refunds.told.push({ orderId: 'o1', outcome })
  for (const one of final.attempts) one.refunds = [1_000]
  final.mails.push({ orderId: 'o1', kind: 'refunded-1', amount: '10.00' })
  for (const one of final.books?.sumup.transactions ?? []) {
    one.refunded = 1_000
    one.asked = [{ cents: 1_000, state: 'done', at: 0 }]
  }
  for (const record of Object.values(final.books?.records ?? {})) {
    record.payments = [paymentOf('t1', { refunded: '10.00' })]
    record.refunds = [{ ...refundOf('our-t1', 'done'), amount: '10.00' }]
  }
}

function setStock({ stocks }: FinalState, fields: Partial<FinalState['stocks'][number]>): void {
  for (const one of stocks) Object.assign(one, fields)
}

function questionsOf({ final }: ReturnType<typeof createSale>): SaleRecord['questions'] {
  return Object.values(final.books?.records ?? {})[0]?.questions ?? []
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
  more: { orderId?: string; checkoutId?: string } = {},
): void {
  const receivedAt = sentAt + 100
  history.statements.push({ visitor: 1, checkoutId, claim, sentAt, receivedAt, ...more })
}

function findKinds({ history, final }: ReturnType<typeof createSale>): string[] {
  const faults = checkHistory(history, final)
  return faultKinds.filter((kind) => faults[kind].length > 0)
}

test('a correct sale has no fault, nor has its refund and withdrawal', () => {
  const sale = createSale()
  refundPart(sale)
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
    ['lost', 'wrong stock'],
  ],
  [
    'two orders for one payment',
    ({ final }) => {
      if (order) final.orders.push({ ...order, id: 'o2' })
    },
    ['duplicate', 'wrong mails', 'wrong stock'],
  ],
  [
    'an order without a payment',
    ({ final }) => void (final.attempts = []),
    ['unpaid', 'wrong payments'],
  ],
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
      sale.final.attempts.push({ ...second, status: 'FAILED', changedAt: 9_000 })
      addStatement(sale, 'closed', 2_500, { checkoutId: 'c2' })
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
    '“Sold out” on a form after its card was sent',
    ({ history }) => history.soldOut.push({ checkoutId, receivedAt: 2_500 }),
    ['false statements'],
  ],
  [
    'a second payment that nobody sees',
    ({ final }) => {
      const [one] = final.books?.sumup.transactions ?? []
      if (one) final.books?.sumup.transactions.push({ ...one, id: 't2' })
    },
    ['unknown money'],
  ],
  [
    'a refund in SumUp’s app that the shop does not know of',
    ({ final }) => final.books?.sumup.transactions.forEach((one) => (one.refunded = 4900)),
    ['unknown money'],
  ],
  [
    'a payment that the shop shows, and SumUp does not have',
    ({ final }) => {
      for (const record of Object.values(final.books?.records ?? {}))
        record.payments.push(paymentOf('t9'))
    },
    ['wrong rows'],
  ],
  [
    'a sale that never ends',
    ({ final }) => {
      for (const record of Object.values(final.books?.records ?? {}))
        Object.assign(record, {
          sale: { ...record.sale, state: 'submitted' },
          order: undefined,
          payments: [],
        })
      if (final.books) final.books.sumup.transactions = []
    },
    ['unfinished sales'],
  ],
  [
    'an alarm about other people’s payments',
    (sale) => questionsOf(sale).push(questionOf('no-sale', { id: 'our-t1', paymentId: 'our-t1' })),
    ['false alarms'],
  ],
  [
    'an order at another amount than was paid',
    ({ final }) => final.attempts.forEach((one) => (one.amountMinor = 1)),
    ['mispriced', 'charged differently from what was shown'],
  ],
  [
    'an order at another price than was offered',
    ({ history }) => history.offers.forEach((offer) => (offer.amount = '48.00')),
    ['mispriced', 'charged differently from what was shown'],
  ],
  [
    'delivery at a price that it never had',
    ({ final, history }) => {
      for (const one of [...final.orders, ...history.offers]) one.amount = '53.90'
      for (const one of final.orders) one.terms = { ...terms, shipping: '4.90' }
      for (const one of final.attempts) one.amountMinor = 5390
    },
    ['mispriced'],
  ],
  [
    'an order that goes to another country than its price was agreed for',
    ({ final }) => final.orders.forEach((one) => (one.terms = { ...terms, country: 'France' })),
    ['sent elsewhere than agreed'],
  ],
  [
    'an order that is sent although it was agreed to be fetched',
    ({ final, history }) => {
      history.deliveries.push({ ...defaultDelivery, pickup: pickupPlace })
      for (const one of final.orders) one.terms = { ...terms, isPickup: true }
    },
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
      history.discounts.push({ code: 'ONCE', kind: 'percent', percent: 0 })
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
    ['wrong payments'],
  ],
  [
    'another way to pay than the one it was',
    ({ final }) => final.orders.forEach((one) => (one.paymentMethod = 'paypal')),
    ['wrong payments'],
  ],
  [
    'a visitor who paid on two checkouts',
    ({ history, final }) => {
      history.offers.push(offerAt(1_000, 'c2'))
      final.attempts.push(second)
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
    ({ final }) => void final.mails.push({ orderId: 'o1', kind: 'refunded-1', amount: '0.00' }),
    ['wrong mails'],
  ],
  [
    'a payment in review although SumUp answered correctly',
    (sale) => {
      const { final, history } = sale
      final.orders = []
      history.confirmedOrders = []
      history.statements = []
      for (const record of Object.values(final.books?.records ?? {}))
        Object.assign(record, { sale: { ...record.sale, state: 'review' }, order: undefined })
      questionsOf(sale).push(questionOf('mismatch'))
    },
    ['unneeded reviews', 'wrong stock'],
  ],
  ['a wrong answer', ({ history }) => history.serverErrors.push('500'), ['server errors']],
  [
    'an order that is not counted',
    ({ final }) => final.wrongAnalytics.push('x'),
    ['wrong analytics'],
  ],
  [
    'a refund that SumUp made twice',
    (sale) => {
      refundPart(sale)
      for (const one of sale.final.attempts) one.refunds = [1_000, 1_000]
      for (const one of sale.final.books?.sumup.transactions ?? []) {
        one.refunded = 2_000
        one.asked = [...one.asked, ...one.asked]
      }
    },
    ['untrue refunds', 'untrue refund mails', 'unknown money', 'wrong rows'],
  ],
  [
    'more refunded than was paid',
    ({ final }) =>
      final.books?.sumup.transactions.forEach((one) => {
        one.asked = [{ cents: 5_000, state: 'pending', at: 0 }]
      }),
    ['wrong rows'],
  ],
  [
    'more refunded than the owner wanted',
    (sale) => {
      refundPart(sale)
      sale.history.refunds.goals.set('o1', 500)
    },
    ['untrue refunds'],
  ],
  [
    'less refunded than the owner wanted',
    (sale) => {
      refundPart(sale)
      sale.history.refunds.goals.set('o1', 4_900)
    },
    ['unfinished refunds'],
  ],
  [
    'an owner who was told of a refund that was not made',
    (sale) => {
      refundPart(sale)
      const [one] = sale.history.refunds.told
      if (one) sale.history.refunds.told.push(one)
    },
    ['untrue refunds'],
  ],
  [
    'a buyer who was not told of a refund',
    (sale) => {
      refundPart(sale)
      sale.final.mails.pop()
    },
    ['untrue refund mails'],
  ],
  [
    'an order that the owner was told is shipped, and is not',
    ({ history }) => void history.shipped.told.add('o1'),
    ['untrue shipments'],
  ],
  [
    'an order that is shipped although nobody wanted that',
    ({ final }) => final.orders.forEach((one) => (one.status = 'shipped')),
    ['untrue shipments', 'wrong mails'],
  ],
  [
    'a piece that is held for nobody',
    ({ final }) => setStock(final, { reserved: 1 }),
    ['wrong stock'],
  ],
  ['a piece that is lost', ({ final }) => setStock(final, { pieces: 2 }), ['wrong stock']],
  ['an order without a piece', ({ final }) => setStock(final, { pieces: 0 }), ['wrong stock']],
  [
    'an order that counts as oversold although a piece was left',
    ({ final, history }) => {
      history.late.push(checkoutId)
      setStock(final, { stock: 1 })
      for (const one of final.orders) one.isOversold = true
    },
    ['wrong stock'],
  ],
  [
    'a piece that was reserved for two',
    ({ final }) => {
      setStock(final, { pieces: 0, stock: 0 })
      for (const one of final.orders) one.isOversold = true
    },
    ['wrong stock'],
  ],
  [
    'an order without the value that was chosen',
    ({ final }) => setStock(final, { valueId: 'red', stock: 1 }),
    ['wrong stock'],
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
