import type { FaultPlan } from '#sandbox/faults/fault-rules.ts'

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
const paymentShares = { declined: 0.03, lag: 0.12, 'late-paid': 0.05 }
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
const delayMs = 2_000
const lagMs = 1_800

export function faultPlan(seed: number): FaultPlan {
  return {
    seed,
    rules: [
      ...['create', 'list', 'get', 'process'].flatMap((on) => rules(on, answerShares)),
      ...rules('process', paymentShares),
      ...rules('webhook', webhookShares),
      ...['create', 'list', 'get'].flatMap((on) => rules(on, lieShares)),
    ],
  }
}

/** Rules strike in turn: the second one only sees the calls that the first one spared. */
function rules(on: string, shares: Record<string, number>): Rule[] {
  let spared = 1
  return Object.entries(shares).map(([kind, share]) => {
    const probability = share / spared
    spared -= share
    const ms = kind === 'lag' || kind === 'late-paid' ? lagMs : delayMs
    return { on, kind, probability, ms } as Rule
  })
}

export type FaultCount = {
  broken: number
  payments: number
  webhooks: number
  lies: Record<string, number>
}

export function countFaults(rules: { on: string; kind: string; happened: number }[]): FaultCount {
  const sum = (shares: object, on?: string) =>
    rules
      .filter((rule) => rule.kind in shares && (on === undefined || rule.on === on))
      .reduce((total, { happened }) => total + happened, 0)
  return {
    broken: sum(answerShares),
    payments: sum(paymentShares),
    webhooks: sum(webhookShares),
    lies: Object.fromEntries(
      Object.keys(lieShares).map((kind) => [
        kind,
        sum({ [kind]: true }, 'get') + sum({ [kind]: true }, 'list'),
      ]),
    ),
  }
}
