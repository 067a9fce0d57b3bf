import { noTrace } from '#contract/refunds.ts'

/** Why SumUp did not refund, for an admin. The only place that reads SumUp's words: it has no codes for these. */

const knownProblems: { sign: RegExp; text: string }[] = [
  {
    // 51 is the banks' code for it.
    sign: /balance|insufficient|not enough|\bfunds\b|^failed 51$/i,
    text: 'There is not enough money in your SumUp balance, which pay-outs empty. Wait for the next sales, or ask SumUp how to pay in, and try again.',
  },
  {
    sign: /too old|older than|expired|time limit|refund period|refund window/i,
    text: 'This payment is older than SumUp allows for a refund. Please give the money back in another way.',
  },
  {
    sign: /\bamex\b|american express/i,
    text: 'A part of an American Express payment can only be refunded from the day after it was made. Please try again tomorrow.',
  },
]

export const otherAccountText =
  'This was paid to another SumUp account than the one that the shop uses now, which cannot be asked what became of it. Please look it up in that account.'

/** `problem`: what SumUp said, if it said anything. */
export function describeRefundProblem(problem: string | null): string {
  if (problem === noTrace)
    return 'SumUp has shown no trace of this refund for an hour, and it was asked for once more.'
  if (!problem) return 'SumUp did not refund the money, and does not say why.'
  const known = knownProblems.find(({ sign }) => sign.test(problem))
  return known?.text ?? `SumUp did not refund the money. It says: “${problem}”`
}
