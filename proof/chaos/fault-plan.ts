import { lagViews, type FaultPlan } from '#sandbox/faults.ts'

type Rule = NonNullable<FaultPlan['rules']>[number]

const called = ['create', 'list', 'get', 'process', 'deactivate', 'transaction', 'history']
/** One call in eight fails, in every possible way. */
const responseShares = {
  delay: 0.01,
  'error-500': 0.015,
  'error-503': 0.01,
  'html-502': 0.01,
  'too-many-requests': 0.01,
  hang: 0.005,
  reset: 0.01,
  html: 0.01,
  stall: 0.005,
  truncated: 0.01,
  huge: 0.005,
  lost: 0.02,
}
const keyShares = { unauthorized: 0.005, forbidden: 0.005 }
const paymentShares = { declined: 0.03, 'late-paid': 0.05 }
const lagShare = 0.12
const webhookShares = {
  'webhook-lost': 0.2,
  'webhook-doubled': 0.3,
  'webhook-early': 0.05,
  'webhook-late': 0.1,
  'webhook-unknown': 0.02,
}
/** Wrong data about a payment leads to a review, so there is little of it. */
const wrongResponseShares = {
  'wrong-amount': 0.001,
  'wrong-currency': 0.001,
  'wrong-reference': 0.001,
  'wrong-merchant': 0.001,
  'without-transaction': 0.001,
}
/** Responses that make no sense: the shop waits for a better one. */
const unreadableShares = {
  'still-pending': 0.004,
  unreadable: 0.002,
  'null-transaction': 0.003,
  'transactions-object': 0.003,
  'transactions-text': 0.003,
  'odd-transaction': 0.003,
  'odd-status': 0.003,
  'without-top-level': 0.01,
}
/** Shares of the checkouts that are deactivated while a payment is pending. */
const deactivationShares = { 'refuse-while-pending': 0.5 }
/** Refunds and the readings after them fail often, because there are few of them. */
const refundRules: Rule[] = [
  { on: 'refund', kind: 'lost', probability: 0.12 },
  { on: 'refund', kind: 'error-500', probability: 0.08 },
  { on: 'refund', kind: 'reset', probability: 0.05 },
  { on: 'refund', kind: 'delay', ms: 400, probability: 0.1 },
  { on: 'refund', kind: 'refund-failed', probability: 0.1 },
  { on: 'refund', kind: 'refund-rejected', probability: 0.06 },
  { on: 'refund', kind: 'refund-pending', probability: 0.12 },
  { on: 'transaction', kind: 'without-events', probability: 0.1 },
]
const delayMs = 2_000
const lagMs = 1_800

export function createFaultPlan(seed: number): FaultPlan {
  return {
    seed,
    rules: [
      ...['create', 'list', 'get', 'deactivate'].flatMap((on) => createRules(on, keyShares)),
      ...called.flatMap((on) => createRules(on, responseShares)),
      ...createRules('process', paymentShares),
      ...lagViews.map((shows): Rule => ({
        on: 'process',
        kind: 'lag',
        probability: lagShare / lagViews.length,
        ms: lagMs,
        shows,
      })),
      ...createRules('deactivate', deactivationShares),
      ...createRules('webhook', webhookShares),
      ...['create', 'list', 'get'].flatMap((on) => createRules(on, wrongResponseShares)),
      ...createRules('get', unreadableShares),
      ...refundRules,
    ],
  }
}

/** A rule only sees the calls that no earlier rule hit, so its probability is higher than its share. */
function createRules(on: string, shares: Record<string, number>): Rule[] {
  let remaining = 1
  return Object.entries(shares).map(([kind, share]) => {
    const probability = share / remaining
    remaining -= share
    return { on, kind, probability, ms: kind === 'late-paid' ? lagMs : delayMs } as Rule
  })
}

export type ProviderFaults = {
  broken: number
  keys: number
  payments: number
  webhooks: number
  refunds: number
  /** Checkouts that could not be deactivated. */
  refusedDeactivations: number
  /** Wrong data about checkouts, by kind. */
  wrongResponses: Record<string, number>
}

export function countProviderFaults(
  rules: { on: string; kind: string; happened: number }[],
): ProviderFaults {
  const sum = (shares: object, calls?: string[]) =>
    rules
      .filter((rule) => rule.kind in shares && (!calls || calls.includes(rule.on)))
      .reduce((total, { happened }) => total + happened, 0)
  const kinds = [...Object.keys(wrongResponseShares), ...Object.keys(unreadableShares), 'lag']
  return {
    broken: sum(responseShares, called),
    keys: sum(keyShares),
    payments: sum(paymentShares) + sum({ lag: true }),
    webhooks: sum(webhookShares),
    refunds: rules
      .filter(({ on }) => on === 'refund')
      .reduce((total, { happened }) => total + happened, 0),
    refusedDeactivations: sum(deactivationShares),
    wrongResponses: Object.fromEntries(
      kinds.map((kind) => [kind, sum({ [kind]: true }, ['get', 'list', 'process'])]),
    ),
  }
}
