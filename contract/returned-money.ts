import { formatCents, formatMoney, toCents } from './money.ts'

/** What went back of an order's payment, as decimal strings. */
export type ReturnedMoney = {
  /** Refunds only; what a bank took back is not in it. */
  refundedAmount: string
  chargedBackAmount: string
}

export const nothingReturned: ReturnedMoney = { refundedAmount: '0.00', chargedBackAmount: '0.00' }

export type ReturnedKind = 'refund' | 'chargeback' | 'both'

export type ReturnedDescription =
  | { extent: 'none' }
  | {
      /** After `all` nothing may say that the order is paid or being prepared. */
      extent: 'part' | 'all'
      kind: ReturnedKind
      /** Refunds and chargebacks together, a decimal string. */
      total: string
    }

/** How much of an order's money went back, and how. Every text about an order that names its payment asks this. */
export function describeReturned({
  amount,
  refundedAmount,
  chargedBackAmount,
}: ReturnedMoney & { amount: string }): ReturnedDescription {
  const refunded = toCents(refundedAmount)
  const chargedBack = toCents(chargedBackAmount)
  const total = refunded + chargedBack
  if (total === 0) return { extent: 'none' }
  return {
    extent: total < toCents(amount) ? 'part' : 'all',
    kind: chargedBack === 0 ? 'refund' : refunded === 0 ? 'chargeback' : 'both',
    total: formatCents(total),
  }
}

/** What a buyer is told about money that went back: what the shop refunded, and what their bank took back. */
export function formatReturned(
  { refundedAmount, chargedBackAmount }: ReturnedMoney,
  currency: string,
): string {
  const sentences: string[] = []
  if (toCents(refundedAmount) > 0)
    sentences.push(
      `${formatMoney(refundedAmount, currency)} went back to your card. It can take some days until your card statement shows it.`,
    )
  if (toCents(chargedBackAmount) > 0)
    sentences.push(`Your bank took ${formatMoney(chargedBackAmount, currency)} back from the shop.`)
  return sentences.join(' ')
}

const returnedLabels = {
  part: {
    refund: 'Partly refunded',
    chargeback: 'Partly charged back',
    both: 'Partly refunded and charged back',
  },
  all: { refund: 'Refunded', chargeback: 'Charged back', both: 'Refunded and charged back' },
} as const

/** 'Refunded', 'Partly charged back' and so on; undefined if nothing went back. */
export function findReturnedLabel(order: ReturnedMoney & { amount: string }): string | undefined {
  const returned = describeReturned(order)
  return returned.extent === 'none' ? undefined : returnedLabels[returned.extent][returned.kind]
}

/** One line each for refunds and for chargebacks, as totals show them. */
export function listReturned({
  refundedAmount,
  chargedBackAmount,
}: ReturnedMoney): { label: string; amount: string }[] {
  return [
    { label: 'Refunded', amount: refundedAmount },
    { label: 'Charged back', amount: chargedBackAmount },
  ].filter(({ amount }) => toCents(amount) > 0)
}
