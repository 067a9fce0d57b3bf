import { fillText } from './languages.ts'
import { formatCents, toCents } from './money.ts'
import { isCard } from './payment-methods.ts'
import type { PageTexts } from './texts/pages/en.ts'

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
  {
    refundedAmount,
    chargedBackAmount,
    paymentMethod,
  }: ReturnedMoney & { paymentMethod: string | null },
  texts: Omit<PageTexts['returned'], 'titles' | 'labels'>,
  showAmount: (amount: string) => string,
): string {
  const say = (text: string, amount: string) =>
    toCents(amount) > 0 ? fillText(text, { amount: showAmount(amount) }) : ''
  const [refunded, chargedBack] = isCard(paymentMethod)
    ? [texts.refunded, texts.chargedBack]
    : [texts.refundedOtherwise, texts.chargedBackOtherwise]
  return [say(refunded, refundedAmount), say(chargedBack, chargedBackAmount)]
    .filter(Boolean)
    .join(' ')
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
export function listReturned(
  { refundedAmount, chargedBackAmount }: ReturnedMoney,
  labels: Pick<PageTexts['returned']['labels'], 'refund' | 'chargeback'> = returnedLabels.all,
): { label: string; amount: string }[] {
  return [
    { label: labels.refund, amount: refundedAmount },
    { label: labels.chargeback, amount: chargedBackAmount },
  ].filter(({ amount }) => toCents(amount) > 0)
}
