import { z } from 'zod'
import { lagViews } from '#sandbox/lag.ts'

/** The calls that can go wrong, by the name of what they do. */
// prettier-ignore
export const operations = [
  'create', 'list', 'get', 'update', 'deactivate', 'process',
  'transaction', 'history', 'refund', 'merchant', 'payment-methods',
] as const
export type Operation = (typeof operations)[number]

/** The answer breaks. Up to `reset` nothing was done, from `html` on the work was done all the same. */
// prettier-ignore
export const answerFaults = [
  'delay', 'error-500', 'error-503', 'html-502', 'too-many-requests', 'hang', 'reset',
  'html', 'stall', 'truncated', 'huge', 'lost',
] as const
export type AnswerFault = (typeof answerFaults)[number]

/** The key is refused before anything is done. Calls without a key, which are a browser's, are spared. */
export const keyFaults = ['unauthorized', 'forbidden'] as const
export type KeyFault = (typeof keyFaults)[number]

/** The answer is JSON, and untrue or not as documented: see untrue-answers.ts. */
// prettier-ignore
export const untrueFaults = [
  'wrong-amount', 'wrong-currency', 'wrong-reference', 'wrong-merchant', 'without-transaction',
  'still-pending', 'unreadable', 'null-transaction', 'transactions-object', 'transactions-text',
  'transactions-missing', 'odd-transaction', 'odd-status', 'without-top-level', 'only-top-level',
] as const
export type UntrueFault = (typeof untrueFaults)[number]

/** The payment goes another way than the card says: see README. */
export const paymentFaults = ['declined', 'lag', 'late-paid'] as const
export type PaymentFault = (typeof paymentFaults)[number]

/** SumUp does not end a checkout whose payment waits at the bank. */
export const deactivationFaults = ['refuse-while-pending'] as const

/** The payment processor rejects a refund: nothing goes back. */
export const refundFaults = ['refund-rejected'] as const

// prettier-ignore
export const webhookFaults = [
  'webhook-lost', 'webhook-doubled', 'webhook-early', 'webhook-late', 'webhook-unknown',
] as const
export type WebhookFault = (typeof webhookFaults)[number]

const details = {
  /** How often it happens when it could, 0 to 1. */
  probability: z.number().min(0).max(1).default(1),
  /** How many times it happens at most; without it, for ever. */
  count: z.int().positive().optional(),
  /** For delay, lag, late-paid and webhook-late. */
  ms: z.int().nonnegative().default(1000),
  /** For lag: instead of a time, how many reads of the checkout see something old. */
  reads: z.int().positive().optional(),
  /** For lag: what those see, `as-before` unless told. */
  shows: z.enum(lagViews).optional(),
  retryAfterSeconds: z.int().nonnegative().default(1),
  /** Only for this checkout: its id or its reference. */
  checkout: z.string().optional(),
}

const ruleSchema = z.union([
  z.strictObject({
    on: z.enum([...operations, '*']),
    kind: z.enum([...keyFaults, ...answerFaults]),
    ...details,
  }),
  z.strictObject({
    on: z.enum(['create', 'list', 'get', 'update']),
    kind: z.enum(untrueFaults),
    ...details,
  }),
  z.strictObject({ on: z.literal('process'), kind: z.enum(paymentFaults), ...details }),
  z.strictObject({ on: z.literal('deactivate'), kind: z.enum(deactivationFaults), ...details }),
  z.strictObject({ on: z.literal('refund'), kind: z.enum(refundFaults), ...details }),
  z.strictObject({ on: z.literal('webhook'), kind: z.enum(webhookFaults), ...details }),
])

/** Replaces all rules. The same seed and the same order of calls give the same faults. */
export const faultPlanSchema = z.strictObject({
  seed: z.int().optional(),
  rules: z.array(ruleSchema).default([]),
})

export type FaultRule = z.output<typeof ruleSchema>
export type FaultPlan = z.input<typeof faultPlanSchema>
export type FaultKind = FaultRule['kind']
