import type { FaultPlan } from '#sandbox/faults.ts'
import { lagViews } from '#sandbox/faults.ts'

type Rule = NonNullable<FaultPlan['rules']>[number]

/** One call in eight goes wrong, in every way a call can. */
const answerShares = {
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
/** A comparison asks often, and begins anew when one answer is missing: with more of these none would end. */
const listShares = { 'error-500': 0.01, lost: 0.01 }
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
/** Lies about a payment end in review, so there are few of them. */
const lieShares = {
  'wrong-amount': 0.001,
  'wrong-currency': 0.001,
  'wrong-reference': 0.001,
  'wrong-merchant': 0.001,
  'without-transaction': 0.001,
}
/** Answers that nobody can make sense of: the shop waits for a better one. */
const riddleShares = {
  'still-pending': 0.004,
  unreadable: 0.002,
  'null-transaction': 0.003,
  'transactions-object': 0.003,
  'transactions-text': 0.003,
  'odd-transaction': 0.003,
  'odd-status': 0.003,
  'without-top-level': 0.01,
}
/** Of the checkouts that are to be ended while a card is at the bank. */
const heldShare = { 'refuse-while-pending': 0.5 }
const delayMs = 2_000
const lagMs = 1_800

export function faultPlan(seed: number): FaultPlan {
  return {
    seed,
    rules: [
      ...['create', 'list', 'get', 'deactivate'].flatMap((on) => rules(on, keyShares)),
      ...['create', 'list', 'get', 'process', 'deactivate'].flatMap((on) =>
        rules(on, answerShares),
      ),
      ...['transaction', 'history'].flatMap((on) => rules(on, listShares)),
      ...rules('process', paymentShares),
      ...lagViews.map((shows): Rule => ({
        on: 'process',
        kind: 'lag',
        probability: lagShare / lagViews.length,
        ms: lagMs,
        shows,
      })),
      ...rules('deactivate', heldShare),
      ...rules('webhook', webhookShares),
      ...['create', 'list', 'get'].flatMap((on) => rules(on, lieShares)),
      ...rules('get', riddleShares),
    ],
  }
}

/** Rules strike in turn: the second one only sees the calls that the first one spared. */
function rules(on: string, shares: Record<string, number>): Rule[] {
  let spared = 1
  return Object.entries(shares).map(([kind, share]) => {
    const probability = share / spared
    spared -= share
    return { on, kind, probability, ms: kind === 'late-paid' ? lagMs : delayMs } as Rule
  })
}

export type FaultCount = {
  broken: number
  keys: number
  payments: number
  webhooks: number
  /** Checkouts that were not let go of. */
  held: number
  /** What was told of a checkout and not true, by kind. */
  lies: Record<string, number>
}

export function countFaults(struck: { on: string; kind: string; happened: number }[]): FaultCount {
  const sum = (shares: object, calls?: string[]) =>
    struck
      .filter((rule) => rule.kind in shares && (!calls || calls.includes(rule.on)))
      .reduce((total, { happened }) => total + happened, 0)
  const kinds = [...Object.keys(lieShares), ...Object.keys(riddleShares), 'lag']
  return {
    broken: sum(answerShares),
    keys: sum(keyShares),
    payments: sum(paymentShares) + sum({ lag: true }),
    webhooks: sum(webhookShares),
    held: sum(heldShare),
    lies: Object.fromEntries(
      kinds.map((kind) => [kind, sum({ [kind]: true }, ['get', 'list', 'process'])]),
    ),
  }
}
