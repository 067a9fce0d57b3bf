/**
 * Mutations: each reverts one fix; explore must report a violation. `search` must be in the file exactly once.
 */
export type Mutation = {
  name: string
  /** The situations, as they were numbered when they were reproduced, that the fix is about. None if exploring found it. */
  situations: number[]
  file: string
  search: string
  replace: string
  /** Bounds to try, in this order. */
  bounds: string[]
}

const payments = (file: string) => `server/payments/${file}.ts`

export const mutations: Mutation[] = [
  {
    name: 'what is held for a card that SumUp does not show is never free again',
    situations: [],
    file: payments('reconcile'),
    search: 'const isOver = heldAt && detailsAt && isOlder(detailsAt, unseenHoldMs, now)',
    replace: 'const isOver = false',
    bounds: ['card', 'tabs'],
  },
  {
    name: 'a card that is left at the bank holds a piece for ever',
    situations: [],
    file: payments('reconcile'),
    search: 'heldAt: isOlder(since, bankHoldMs, now) ? null : sale.heldAt,',
    replace: '',
    bounds: ['frozen', 'bank'],
  },
  {
    name: 'a sale that ended goes on holding its piece',
    situations: [],
    file: payments('reconcile'),
    search: 'return sale?.heldAt && !isHolding(sale) ? withSale(record, { heldAt: null }) : record',
    replace: 'return record',
    bounds: ['card', 'tabs'],
  },
  {
    name: 'a transaction that cannot be read is waited for without end',
    situations: [1],
    file: payments('reconcile'),
    search: 'if (unreadSince && isOlder(unreadSince, unreadPaidAfterMs, now))',
    replace: 'if (unreadSince && false)',
    bounds: ['unread', 'unread+'],
  },
  {
    name: 'a checkout that cannot be read is waited for without end',
    situations: [1],
    file: payments('reconcile'),
    search: 'if (isMeant && isOlder(unreadSince, unreadAfterMs, now))',
    replace: 'if (isMeant && false)',
    bounds: ['unread', 'unread+'],
  },
  {
    name: 'a refund that was answered with 2xx counts as done',
    situations: [2],
    file: payments('owner'),
    search: 'const state = followRefund(one, payment, { isRefused })',
    replace:
      "const state = answer.type === 'accepted' ? 'done' : followRefund(one, payment, { isRefused })",
    bounds: ['refund', 'refund+'],
  },
  {
    name: 'a refund without an answer counts as failed',
    situations: [3],
    file: payments('owner'),
    search: "const isRefused = answer.type === 'refused' && isRead",
    replace: "const isRefused = answer.type !== 'accepted'",
    bounds: ['refund', 'refund+'],
  },
  {
    name: 'the owner makes an order of a payment with an open refund',
    situations: [3],
    file: payments('question'),
    search: "if (payment && openRefundOf(record, payment)) return 'refund-running'",
    replace: '',
    bounds: ['refund', 'refund+'],
  },
  {
    name: 'details are accepted for a payment with an open refund',
    situations: [3],
    file: payments('buyer'),
    search: 'return !record.payments.some((one) => isKept(one) && openRefundOf(record, one))',
    replace: 'return true',
    bounds: ['details', 'details+'],
  },
  {
    name: 'SumUp is asked for a refund without a row of ours',
    situations: [3],
    file: payments('owner'),
    search: 'const written = yield* write(loaded, decision, note)',
    replace: "const written = { type: 'written' }",
    bounds: ['refund', 'refund+'],
  },
  {
    name: 'an order is refunded although its payment has changed since it was shown',
    situations: [],
    file: payments('owner'),
    search:
      "if (orderVersionOf(record) !== act.version) throw new Refusal('refund-changed', { facts })",
    replace: '',
    bounds: ['sold', 'sold+'],
  },
  {
    name: 'an order is refunded once more while a refund is open',
    situations: [],
    file: payments('question'),
    search: 'return open && whyNotAfter(open, payment, now, cents ?? left)',
    replace: 'return open && undefined',
    bounds: ['sold', 'sold+'],
  },
  {
    name: 'DELETE is believed',
    situations: [5],
    file: payments('flow'),
    search: 'isEnding: true,',
    replace: `isEnding: true,
      ...(read.reading.checkout.type === 'seen' && {
        checkout: { type: 'seen', checkout: { ...read.reading.checkout.checkout, status: 'EXPIRED', payments: [] } },
      }),`,
    bounds: ['bank', 'bank+', 'tabs', 'tabs+'],
  },
  {
    name: 'EXPIRED is believed at once',
    situations: [5],
    file: payments('reconcile'),
    search: 'const isConfirmed = isEveryCardDeclined(record) || isOlder(since, unclearMs, now)',
    replace: 'const isConfirmed = true',
    bounds: ['bank', 'bank+'],
  },
  {
    name: 'a checkout that ends by itself counts as ended by DELETE',
    situations: [5],
    file: payments('reconcile'),
    search: 'const isEnded = reading.isEnding && (isConfirmed || !endsByItself(sale, now))',
    replace: 'const isEnded = reading.isEnding',
    bounds: ['bank', 'bank+'],
  },
  {
    name: 'a card at the bank does not freeze the details',
    situations: [5],
    file: payments('buyer'),
    search: 'if (pendingOf(record).length > 0) return true',
    replace: '',
    bounds: ['behind'],
  },
  {
    name: 'the owner acts without SumUp being asked again',
    situations: [6],
    file: payments('owner'),
    search: '  yield* readBeforeAct(context, act, shown.question)',
    replace: '',
    bounds: ['unread', 'unread+', 'lost', 'lost+'],
  },
  {
    name: 'what went back may shrink',
    situations: [7],
    file: payments('observe'),
    search: 'if (said === undefined || toCents(said) <= toCents(known)) return known',
    replace:
      'if (said === undefined) return known\n  if (toCents(said) <= toCents(known)) return said',
    bounds: ['returned', 'returned+', 'lost', 'lost+'],
  },
  {
    name: 'an order does not say what went back before it',
    situations: [7],
    file: payments('reconcile'),
    search: 'return { ...decision, after, returned: listReturned(before, { ...decision, after }) }',
    replace: 'return { ...decision, after }',
    bounds: ['lost', 'lost+'],
  },
  {
    name: 'an old payment becomes an order without being read',
    situations: [7],
    file: payments('observe'),
    search: 'return isFresh(payment) || isForbidden || (isYoung && !isAsked)',
    replace: 'return true',
    bounds: ['returned', 'returned+'],
  },
  {
    name: 'an order keeps a payment that went back',
    situations: [9],
    file: payments('ordered'),
    search: 'const replacement = findReplacement(record, own)',
    replace: 'const replacement = undefined',
    bounds: ['moved', 'moved+'],
  },
  {
    name: 'an order moves to a payment that is being refunded',
    situations: [9],
    file: payments('ordered'),
    search:
      'isSame(one) && one.conflict === null && !openRefundOf(record, one) && !isDismissed(one)',
    replace: 'isSame(one)',
    bounds: ['twice', 'twice+'],
  },
  {
    name: 'a second payment is refunded without a look at that of the order',
    situations: [9],
    file: payments('owner'),
    search:
      'if (counted && counted.id !== payment.id)\n    yield* readBeforeRefund(context, act.recordId, counted, subject)',
    replace: '',
    bounds: ['moved', 'moved+'],
  },
  {
    name: 'an order made without SumUp is not looked at again',
    situations: [6],
    file: payments('owner'),
    search: '...(isRead ? { nextCheckAt: null } : nextCheck({ checks: 0 }, now)),',
    replace: 'nextCheckAt: null,',
    bounds: ['unread+'],
  },
  {
    name: 'the version of the screen is not compared',
    situations: [12],
    file: payments('owner'),
    search: "if (versionOf(record, question) !== version) throw new Refusal('review-changed')",
    replace: '',
    bounds: ['lost', 'lost+', 'refund', 'refund+'],
  },
  {
    name: 'a refund in progress does not stop another',
    situations: [15],
    file: payments('question'),
    search: 'return open && whyNotAfter(open, payment, now, cents ?? left)',
    replace: 'return undefined',
    bounds: ['refund', 'refund+'],
  },
  {
    name: 'one known decline is the decline of every card',
    situations: [16],
    file: payments('record'),
    search: 'return record.sale.submits > 0 && failedOf(record).length >= record.sale.submits',
    replace: 'return failedOf(record).length > 0',
    bounds: ['card', 'card+'],
  },
  {
    name: 'a new form is given whether or not the old one was ended',
    situations: [5],
    file: payments('buyer'),
    search: "if (ended.record.sale.state === 'closed') return undefined",
    replace: 'return undefined',
    bounds: ['bank', 'tabs'],
  },
  {
    name: 'a payment of the history whose sale is lost is not stored',
    situations: [17],
    file: payments('history'),
    search: 'const { type } = yield* write({ record: none, now }, decision)',
    replace: "const type: string = 'written'",
    bounds: ['lost'],
  },
  {
    name: 'what the history names as refunded counts, also if it fails later',
    situations: [],
    file: payments('history'),
    search: 'const isUnread = yield* readReturned(context, known, mayAsk)\n  return',
    replace:
      'yield* recordFacts(known.recordId, facts, context.createId)\n  const isUnread = yield* readReturned(context, known, mayAsk)\n  return',
    bounds: ['lost+'],
  },
  {
    name: 'a payment of another sale hides the sale’s own',
    situations: [],
    file: payments('reconcile'),
    search: 'if (reading.reusedIds?.length && !record.payments.some(isKept))',
    replace: 'if (reading.reusedIds?.length)',
    bounds: ['reused'],
  },
  {
    name: 'a form is reused at the same amount, whatever it was agreed for',
    situations: [],
    file: payments('buyer'),
    search: 'const areSameTerms = isSameCode && isDeepStrictEqual(sale.terms, wanted.terms)',
    replace: 'const areSameTerms = isSameCode',
    bounds: ['prices', 'prices+'],
  },
  {
    name: 'details are taken for another country than the price was agreed for',
    situations: [],
    file: payments('record'),
    search: 'const isOtherCountry = terms?.country && terms.country !==',
    replace: 'const isOtherCountry = false && terms?.country !==',
    bounds: ['prices', 'prices+'],
  },
]

/** Fixes in what no world here has: SumUp's answers, texts, mails, pages of the history. A test holds each, by file and title. */
export const heldByTests: { situations: number[]; file: string; title: string }[] = [
  {
    situations: [],
    file: 'server/checkouts/order-refunds.test.ts',
    title: 'after a part that SumUp shows no trace of, only all that is left can be refunded',
  },
  {
    situations: [],
    file: 'server/checkouts/checks.test.ts',
    title: 'the shop returns to the SumUp account of a sale in review: the sale is settled at once',
  },
  {
    situations: [2, 7],
    file: 'server/sumup/answers.test.ts',
    title: 'what went back of a transaction: ',
  },
  {
    situations: [4],
    file: 'server/checkouts/compare.test.ts',
    title: 'a transaction that SumUp cannot show delays no other, and is looked up again',
  },
  { situations: [7, 13, 15, 17], file: 'server/payments/observe.test.ts', title: 'history: ' },
  {
    situations: [10],
    file: 'server/checks/alerts.test.ts',
    title: 'a node that dies while it sends an alert loses nothing: another one sends it',
  },
  {
    situations: [10],
    file: 'server/checks/alerts.test.ts',
    title: 'the owner is reminded once a day while payments wait, with how many and since when',
  },
  {
    situations: [5],
    file: 'server/checkouts/money-mirror.test.ts',
    title:
      'details are refused on a form while another sale of the same browser is paid and unseen, or in review',
  },
  {
    situations: [8],
    file: 'server/mail/messages.test.ts',
    title: 'mails composed after all the money went back call nothing paid or being prepared',
  },
  {
    situations: [11],
    file: 'web/storefront/checkout/sale-review.test.ts',
    title:
      'a review that ends without a payment at SumUp opens the form after 15 s, and claims nothing',
  },
  {
    situations: [14],
    file: 'server/checkouts/money-mirror.test.ts',
    title: 'a deleted product is not sold from a form that was open',
  },
  {
    situations: [15],
    file: 'server/checkouts/review.test.ts',
    title: 'an order of a payment without a sale has the shop’s VAT rate',
  },
  {
    situations: [17],
    file: 'server/payments/reconcile.test.ts',
    title: 'an order whose payment SumUp does not have goes to review',
  },
  {
    situations: [17],
    file: 'server/payments/reconcile.test.ts',
    title: 'the buyer of a sale that was in review is mailed that nothing was charged',
  },
]
