import { formatCents } from '#contract/money.ts'
import type { HistoryItem, SumupCheckout, SumupTransaction } from '#server/sumup/answers.ts'

/** A small pure SumUp: what is true there. What it shows of that may be late or wrong (answers.ts). */

/** A refund that Till asked for. `late`: SumUp has the request and may still do it. */
export type AskedRefund = {
  cents: number
  state: 'done' | 'pending' | 'late' | 'failed'
  at: number
}

export type Transaction = {
  id: string
  checkoutId: string
  /** Cancelled: the buyer went back from the page where they were to pay. */
  status: 'PENDING' | 'SUCCESSFUL' | 'FAILED' | 'CANCELLED'
  cents: number
  refunded: number
  chargedBack: number
  failedRefunds: number
  asked: AskedRefund[]
  madeAt: number
  /** When the last of it went back to the buyer. */
  returnedAt: number | null
}

export type SumupCheckoutState = {
  id: string
  reference: string
  /** The account that it was made with. */
  merchantCode: string
  cents: number
  isEnded: boolean
  validUntil: number
}

export type Sumup = {
  checkouts: SumupCheckoutState[]
  transactions: Transaction[]
  /** What SumUp answers about checkouts and transactions, by their ids, until further notice: an error, 404 or 403. */
  broken: Record<string, Fault>
  /** A payment that SumUp names under a checkout that it does not belong to. */
  echo: { transactionId: string; checkoutId: string } | undefined
}

export type Fault = 'unreachable' | 'missing' | 'forbidden'

export const priceCents = 4900
/** What is refunded in parts. */
export const partCents = 2000
/** The amount of a payment that does not match its sale. */
export const otherCents = 100
export const currency = 'EUR'
/** The accounts that the shop may use, one after the other. */
export const merchantCodes = ['M1', 'M2'] as const

export function isOver({ isEnded, validUntil }: SumupCheckoutState, now: number): boolean {
  return isEnded || now >= validUntil
}

export function transactionsOf({ transactions }: Sumup, checkoutId: string): Transaction[] {
  return transactions.filter((one) => one.checkoutId === checkoutId)
}

export function isReturnedInFull({ status, cents, refunded, chargedBack }: Transaction): boolean {
  return status === 'SUCCESSFUL' && refunded + chargedBack >= cents
}

/** Taken, and not given back. */
export function isTaken(one: Transaction): boolean {
  return one.status === 'SUCCESSFUL' && !isReturnedInFull(one)
}

export function withTransaction(
  sumup: Sumup,
  id: string,
  change: (one: Transaction) => Transaction,
  now: number,
): Sumup {
  const transactions = sumup.transactions.map((one) => {
    if (one.id !== id) return one
    const changed = change(one)
    const returnedAt = isReturnedInFull(changed) ? (one.returnedAt ?? now) : null
    return { ...changed, returnedAt }
  })
  return { ...sumup, transactions }
}

export function addCard(
  sumup: Sumup,
  checkoutId: string,
  status: Transaction['status'],
  now: number,
  cents = priceCents,
): Sumup {
  const card: Transaction = {
    id: `t${sumup.transactions.length + 1}`,
    checkoutId,
    status,
    cents,
    refunded: 0,
    chargedBack: 0,
    failedRefunds: 0,
    asked: [],
    madeAt: now,
    returnedAt: null,
  }
  return { ...sumup, transactions: [...sumup.transactions, card] }
}

/** Whether SumUp takes a card: not on a checkout that is over or paid. */
export function takesCards(sumup: Sumup, checkoutId: string, now: number): boolean {
  const checkout = sumup.checkouts.find(({ id }) => id === checkoutId)
  if (!checkout || isOver(checkout, now)) return false
  return !transactionsOf(sumup, checkoutId).some(({ status }) => status === 'SUCCESSFUL')
}

/** A checkout with a card at the bank, or paid, cannot be ended. */
export function endCheckout(sumup: Sumup, checkoutId: string): Sumup {
  const isBlocked = transactionsOf(sumup, checkoutId).some(
    ({ status }) => status === 'PENDING' || status === 'SUCCESSFUL',
  )
  if (isBlocked) return sumup
  const checkouts = sumup.checkouts.map((one) =>
    one.id === checkoutId ? { ...one, isEnded: true } : one,
  )
  return { ...sumup, checkouts }
}

export function showCheckout(
  sumup: Sumup,
  id: string,
  now: number,
  { hidesPending }: { hidesPending: boolean },
): SumupCheckout | undefined {
  const checkout = sumup.checkouts.find((one) => one.id === id)
  if (!checkout) return undefined
  const { echo } = sumup
  const isEcho = (one: Transaction) => echo?.checkoutId === id && one.id === echo.transactionId
  const transactions = [...transactionsOf(sumup, id), ...sumup.transactions.filter(isEcho)]
  const shown = transactions.filter(({ status }) => !(hidesPending && status === 'PENDING'))
  return {
    id,
    status: statusOf(checkout, transactions, now),
    reference: checkout.reference,
    merchantCode: checkout.merchantCode,
    amount: formatCents(checkout.cents),
    currency,
    isReadable: true,
    payments: shown.map((one) => ({
      id: one.id,
      code: `code-${one.id}`,
      amount: formatCents(one.cents),
      currency,
      status: one.status,
      madeAt: new Date(one.madeAt),
    })),
  }
}

function statusOf(checkout: SumupCheckoutState, transactions: Transaction[], now: number): string {
  if (transactions.some(({ status }) => status === 'SUCCESSFUL')) return 'PAID'
  if (isOver(checkout, now)) return 'EXPIRED'
  return transactions.at(-1)?.status === 'FAILED' ? 'FAILED' : 'PENDING'
}

export function showTransaction(sumup: Sumup, id: string): SumupTransaction | 'missing' {
  const one = sumup.transactions.find((other) => other.id === id)
  if (!one) return 'missing'
  return {
    id,
    code: `code-${id}`,
    amount: formatCents(one.cents),
    currency,
    status: one.status,
    madeAt: new Date(one.madeAt),
    refunded: formatCents(one.refunded),
    chargedBack: formatCents(one.chargedBack),
    isRefundPending: one.asked.some(({ state }) => state === 'pending'),
    failedRefunds: one.failedRefunds,
  }
}

/** The account's history: payments that were taken, and what went back of them or may still fail to. */
export function showHistory(sumup: Sumup, merchantCode: string): HistoryItem[] {
  return sumup.transactions
    .filter(({ id, status }) => status === 'SUCCESSFUL' && sumup.broken[id] !== 'missing')
    .flatMap((one) => {
      const checkout = sumup.checkouts.find(({ id }) => id === one.checkoutId)
      if (checkout?.merchantCode !== merchantCode) return []
      const { reference } = checkout
      const pending = one.asked.filter(({ state }) => state === 'pending')
      const refunded = pending.reduce((sum, { cents }) => sum + cents, one.refunded)
      const about = { transaction_id: one.id, transaction_code: `code-${one.id}`, currency }
      const item = (type: string, cents: number): HistoryItem => ({
        ...about,
        id: `${type} ${one.id}`,
        type,
        amount: formatCents(cents),
        status: 'SUCCESSFUL',
        timestamp: new Date(one.madeAt),
        checkout_reference: reference,
      })
      return [
        item('PAYMENT', one.cents),
        ...(refunded > 0 ? [item('REFUND', refunded)] : []),
        ...(one.chargedBack > 0 ? [item('CHARGE_BACK', one.chargedBack)] : []),
      ]
    })
}
