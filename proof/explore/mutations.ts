/**
 * Mends taken back: the real source with one of them removed, which the exploration must then find. `search` must be in the
 * file exactly once.
 */
export type Mutation = {
  name: string
  /** Of the situations in issue 25 that the mend is about. */
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
    name: 'a transaction that cannot be read is waited for without end',
    situations: [1],
    file: payments('reconcile'),
    search: 'if (payment.unreadSince && isOlder(payment.unreadSince, unreadAfterMs, now))',
    replace: 'if (payment.unreadSince && false)',
    bounds: ['unread', 'unread+'],
  },
  {
    name: 'a checkout that cannot be read is waited for without end',
    situations: [1],
    file: payments('reconcile'),
    search: 'if (isLong && sale.details)',
    replace: 'if (isLong && sale.details && false)',
    bounds: ['unread', 'unread+'],
  },
  {
    name: 'a refund that was answered with 2xx counts as done',
    situations: [2],
    file: payments('acts'),
    search: 'const state = followRefund(one, payment, { isRefused })',
    replace:
      "const state = answer.type === 'accepted' ? 'done' : followRefund(one, payment, { isRefused })",
    bounds: ['refund', 'refund+'],
  },
  {
    name: 'a refund without an answer counts as failed',
    situations: [3],
    file: payments('acts'),
    search: "const isRefused = answer.type === 'refused' && isRead",
    replace: "const isRefused = answer.type !== 'accepted'",
    bounds: ['refund', 'refund+'],
  },
  {
    name: 'the owner makes an order of a payment with an open refund',
    situations: [3],
    file: payments('acts'),
    search: "if (payment && openRefundOf(kase, payment)) return 'refund-running'",
    replace: '',
    bounds: ['refund', 'refund+'],
  },
  {
    name: 'details are accepted for a payment with an open refund',
    situations: [3],
    file: payments('events'),
    search: 'return !kase.payments.some((one) => isKept(one) && openRefundOf(kase, one))',
    replace: 'return true',
    bounds: ['details', 'details+'],
  },
  {
    name: 'SumUp is asked for a refund without a row of ours',
    situations: [3],
    file: payments('act-flows'),
    search:
      "const written = yield* write(loaded, begun.decision, act.audit('review-refund-begun'))",
    replace: "const written = { type: 'written' }",
    bounds: ['refund', 'refund+'],
  },
  {
    name: 'DELETE is believed',
    situations: [5],
    file: payments('flows'),
    search: '{ ...read.reading, isEnding: true }',
    replace: `{
      ...read.reading,
      checkout: read.reading.checkout.type === 'seen'
        ? { type: 'seen', checkout: { ...read.reading.checkout.checkout, status: 'EXPIRED', payments: [] } }
        : read.reading.checkout,
      isEnding: true,
    }`,
    bounds: ['bank', 'bank+', 'tabs', 'tabs+'],
  },
  {
    name: 'EXPIRED is believed at once',
    situations: [5],
    file: payments('reconcile'),
    search: 'const isConfirmed = isEveryCardDeclined(kase) || isOlder(since, unclearMs, now)',
    replace: 'const isConfirmed = true',
    bounds: ['bank', 'bank+'],
  },
  {
    name: 'a checkout that ends by itself counts as ended by DELETE',
    situations: [5],
    file: payments('reconcile'),
    search: 'const isEnded = reading.isEnding && !endsByItself(sale, now)',
    replace: 'const isEnded = reading.isEnding',
    bounds: ['bank', 'bank+'],
  },
  {
    name: 'a card at the bank does not freeze the details',
    situations: [5],
    file: payments('events'),
    search: 'if (pendingOf(kase).length > 0) return true',
    replace: '',
    bounds: ['tabs', 'tabs+', 'card', 'card+'],
  },
  {
    name: 'the owner acts without SumUp being asked again',
    situations: [6],
    file: payments('act-flows'),
    search: '  yield* readBeforeAct(context, act, shown.entry)',
    replace: '',
    bounds: ['unread', 'unread+', 'lost', 'lost+'],
  },
  {
    name: 'what went back may shrink',
    situations: [7],
    file: payments('payment'),
    search: 'if (said === undefined || toCents(said) <= toCents(known)) return known',
    replace:
      'if (said === undefined) return known\n  if (toCents(said) <= toCents(known)) return said',
    bounds: ['returned', 'returned+', 'lost', 'lost+'],
  },
  {
    name: 'an order does not say what went back before it',
    situations: [7],
    file: payments('acts'),
    search: 'return { ...decision, returned }',
    replace: 'return decision',
    bounds: ['lost', 'lost+'],
  },
  {
    name: 'an old payment becomes an order without being read',
    situations: [7],
    file: payments('reconcile'),
    search: 'return isFresh(payment) || isForbidden || (isYoung && !isAsked)',
    replace: 'return true',
    bounds: ['returned', 'returned+'],
  },
  {
    name: 'an order keeps a payment that went back',
    situations: [9],
    file: payments('reconcile'),
    search: 'const heir = !own || isReturned(own) ? others.find(isFree) : undefined',
    replace: 'const heir = undefined',
    bounds: ['twice', 'twice+'],
  },
  {
    name: 'an order moves to a payment that is being refunded',
    situations: [9],
    file: payments('reconcile'),
    search: 'const isFree = (one: Payment) => isSame(one) && !openRefundOf(kase, one)',
    replace: 'const isFree = isSame',
    bounds: ['twice', 'twice+'],
  },
  {
    name: 'the version of the screen is not compared',
    situations: [12],
    file: payments('act-flows'),
    search: "if (versionOf(kase, entry) !== version) throw new Refusal('review-changed')",
    replace: '',
    bounds: ['lost', 'lost+', 'refund', 'refund+'],
  },
  {
    name: 'a refund in progress does not stop another',
    situations: [15],
    file: payments('acts'),
    search: "return open && !isRetryable(open, payment, now) ? 'refund-running' : undefined",
    replace: 'return undefined',
    bounds: ['refund', 'refund+'],
  },
  {
    name: 'one known decline is the decline of every card',
    situations: [16],
    file: payments('case'),
    search: 'return kase.sale.submits > 0 && failedOf(kase).length >= kase.sale.submits',
    replace: 'return failedOf(kase).length > 0',
    bounds: ['card', 'card+'],
  },
]
