import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { Checkout, Transaction } from './records.ts'

/** The API calls that can fail, by what they do. */
// prettier-ignore
const endpoints = [
  'create', 'list', 'get', 'update', 'deactivate', 'process',
  'transaction', 'history', 'refund', 'merchant', 'payment-methods',
] as const
export type Endpoint = (typeof endpoints)[number]

/** The response fails. Up to `reset` the call is not executed; from `html` on it is. */
// prettier-ignore
export const responseFaults = [
  'delay', 'error-500', 'error-503', 'html-502', 'too-many-requests', 'hang', 'reset',
  'html', 'stall', 'truncated', 'huge', 'lost',
] as const

/** The key is refused and the call not executed. Browsers call without a key and are not affected. */
export const keyFaults = ['unauthorized', 'forbidden'] as const

/** The response is valid JSON, but wrong or not as documented: see distortCheckout in checkouts.ts. */
// prettier-ignore
export const contentFaults = [
  'wrong-amount', 'wrong-currency', 'wrong-reference', 'wrong-merchant', 'without-transaction',
  'still-pending', 'unreadable', 'null-transaction', 'transactions-object', 'transactions-text',
  'transactions-missing', 'odd-transaction', 'odd-status', 'without-top-level', 'only-top-level',
] as const
export type ContentFault = (typeof contentFaults)[number]

/** What becomes of a refund whose amount SumUp accepts. */
export const refundFaults = ['refund-rejected', 'refund-failed', 'refund-pending'] as const

/** What a stale read shows of a checkout that has changed since: see README. */
// prettier-ignore
export const lagViews = [
  'as-before', 'attempt-pending', 'paid-without-transactions', 'successful-under-pending',
] as const
type LagView = (typeof lagViews)[number]

const details = {
  /** How often it happens when it could, 0 to 1. */
  probability: z.number().min(0).max(1).default(1),
  /** How many times it happens at most; unlimited if absent. */
  count: z.int().positive().optional(),
  /** For delay, lag, late-paid and webhook-late. */
  ms: z.int().nonnegative().default(1000),
  /** For lag: the number of stale reads, instead of a time. */
  reads: z.int().positive().optional(),
  /** For lag: what a stale read shows, `as-before` by default. */
  shows: z.enum(lagViews).optional(),
  retryAfterSeconds: z.int().nonnegative().default(1),
  /** Only for this checkout: its id or its reference. For one payment: its id or its code. */
  checkout: z.string().optional(),
}

const ruleSchema = z.union([
  z.strictObject({
    on: z.enum([...endpoints, '*']),
    kind: z.enum([...keyFaults, ...responseFaults]),
    ...details,
  }),
  z.strictObject({
    on: z.enum(['create', 'list', 'get', 'update']),
    kind: z.enum(contentFaults),
    ...details,
  }),
  z.strictObject({
    on: z.literal('process'),
    kind: z.enum(['declined', 'lag', 'late-paid']),
    ...details,
  }),
  z.strictObject({
    on: z.literal('deactivate'),
    kind: z.enum(['refuse-while-pending', 'claims-ended']),
    ...details,
  }),
  z.strictObject({ on: z.literal('transaction'), kind: z.literal('without-events'), ...details }),
  z.strictObject({ on: z.literal('refund'), kind: z.enum(refundFaults), ...details }),
  z.strictObject({
    on: z.literal('webhook'),
    kind: z.templateLiteral(['webhook-', z.enum(['lost', 'doubled', 'early', 'late', 'unknown'])]),
    ...details,
  }),
])

export const faultPlanSchema = z.strictObject({
  /** The same seed and the same order of calls give the same faults. */
  seed: z.int().optional(),
  rules: z.array(ruleSchema).default([]),
})

export type FaultRule = z.output<typeof ruleSchema>
export type FaultPlan = z.input<typeof faultPlanSchema>
export type FaultReport = { seed: number; rules: (FaultRule & { happened: number })[] }
type FaultKind = FaultRule['kind']
export type Fault<Kind extends FaultKind> = FaultRule & { kind: Kind }

export type Faults = ReturnType<typeof openFaults>

export function openFaults() {
  let report: FaultReport = { seed: 0, rules: [] }
  let random = createRandom(0)

  /** Replaces all rules. */
  function set(plan: FaultPlan): FaultReport {
    const { seed = randomInt(2 ** 31), rules } = faultPlanSchema.parse(plan)
    report = { seed, rules: rules.map((rule) => ({ ...rule, happened: 0 })) }
    random = createRandom(seed)
    return structuredClone(report)
  }

  return {
    set,
    clear: () => void set({ rules: [] }),
    report: () => structuredClone(report),
    /** The first rule of these kinds that applies to this call, counted as happened. */
    trigger<Kind extends FaultKind>(
      on: Endpoint | 'webhook',
      kinds: readonly Kind[],
      /** Names of the checkouts and payments that the call is about. */
      subjects: readonly string[],
    ): Fault<Kind> | undefined {
      const triggered = report.rules.find(
        (rule) =>
          (rule.on === on || rule.on === '*') &&
          (kinds as readonly FaultKind[]).includes(rule.kind) &&
          (rule.checkout === undefined || subjects.includes(rule.checkout)) &&
          rule.happened < (rule.count ?? Infinity) &&
          (rule.probability === 1 || random() < rule.probability),
      )
      if (triggered === undefined) return undefined
      triggered.happened += 1
      return triggered as FaultRule as Fault<Kind>
    },
  }
}

/** Mulberry32. The sandbox imports nothing of the shop, so it does not use tools/random.ts. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type Lags = ReturnType<typeof openLags>

/** Checkouts whose reads are stale. Only in memory: a restart ends every lag. */
export function openLags() {
  type Lag = { before: Checkout; shows: LagView; readsLeft: number; until: number }
  const lags = new Map<string, Lag>()
  return {
    /** Ends after a number of reads or at a time; otherwise when it is released. */
    begin(
      before: Checkout,
      shows: LagView,
      {
        reads = Infinity,
        until = Infinity,
      }: { reads?: number | undefined; until?: number | undefined } = {},
    ): void {
      lags.set(before.id, { before, shows, readsLeft: reads, until })
    },
    /** For one checkout, or for all. */
    release(checkoutId?: string): void {
      if (checkoutId === undefined) lags.clear()
      else lags.delete(checkoutId)
    },
    /** The checkout as a read sees it. Only counted reads that are really stale use up the lag. */
    view(checkout: Checkout, { counts } = { counts: false }): Checkout {
      const lag = lags.get(checkout.id)
      if (lag === undefined) return checkout
      if (lag.until <= Date.now() || lag.readsLeft <= 0) {
        lags.delete(checkout.id)
        return checkout
      }
      const seen = viewStale(lag.shows, checkout, lag.before)
      if (counts && seen !== checkout) lag.readsLeft -= 1
      return seen
    },
  }
}

function viewStale(shows: LagView, checkout: Checkout, before: Checkout): Checkout {
  switch (shows) {
    case 'as-before':
      return before
    case 'attempt-pending': {
      const hasChanged = ({ id, status }: Transaction) =>
        before.transactions.find((known) => known.id === id)?.status !== status
      if (!checkout.transactions.some(hasChanged)) return checkout
      return {
        ...checkout,
        status: before.status === 'EXPIRED' ? 'EXPIRED' : 'PENDING',
        transactions: checkout.transactions.map((transaction) =>
          hasChanged(transaction) ? { ...transaction, status: 'PENDING' } : transaction,
        ),
      }
    }
    case 'paid-without-transactions':
      return checkout.status === 'PAID' ? { ...checkout, transactions: [] } : checkout
    case 'successful-under-pending':
      return checkout.status === 'PAID' ? { ...checkout, status: 'PENDING' } : checkout
  }
}
