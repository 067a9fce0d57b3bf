import type { Terms } from '#contract/quotes.ts'
import { compareWithRecount } from '#server/analytics/recount.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { payments } from '#server/db/payment-schema.ts'
import { mails, orders } from '#server/db/schema.ts'
import type { Answer } from './browser.ts'
import type { Environment } from './environment.ts'
import { countProviderFaults } from './fault-plan.ts'
import type { ToldRefund } from './owner.ts'
import { readRefunds, type RefundsOfOrder } from './refund-faults.ts'
import { readWithdrawals, type SavedWithdrawal, type WithdrawalHistory } from './withdrawals.ts'

/** What the page says to a buyer about a payment. SumUp's ledger can refute each of these. */
export const claims = ['paid', 'declined', 'closed', 'at-bank', 'review', 'too-many-cards'] as const
export type Claim = (typeof claims)[number]

/** A claim that a buyer read, with the times of request and response. */
export type Statement = {
  visitor: number
  checkoutId: string
  claim: Claim
  orderId?: string
  sentAt: number
  receivedAt: number
}

/** What the visitors recorded themselves, independent of the shop's data. */
export type History = WithdrawalHistory & {
  /** Every form that a visitor was given, at the price that the page showed. */
  offers: {
    visitor: number
    checkoutId: string
    amount: string
    isAttack: boolean
    sentAt: number
    receivedAt: number
  }[]
  /** Every order that was confirmed to a visitor. */
  confirmedOrders: { visitor: number; checkoutId: string; orderId: string }[]
  statements: Statement[]
  /** Buyers who were told that no piece is left: when, and about which form, if they had one. */
  soldOut: { checkoutId: string; receivedAt: number }[]
  /** All prices that a product ever had. */
  prices: Map<string, Set<string>>
  /** How often a discount code may be used. */
  codeLimits: Map<string, number>
  /** What an attacker should never have got. */
  breaches: string[]
  /** Statuses above 499, except 503, with which a shop in trouble asks to try again. */
  serverErrors: string[]
  toldRefunds: ToldRefund[]
  /** Visitors who gave up because the shop could not be reached for long. */
  gaveUp: number
}

export function emptyHistory(): History {
  return {
    offers: [],
    confirmedOrders: [],
    statements: [],
    soldOut: [],
    prices: new Map(),
    codeLimits: new Map(),
    breaches: [],
    serverErrors: [],
    withdrawals: [],
    handled: { asked: new Set(), told: new Set() },
    toldRefunds: [],
    gaveUp: 0,
  }
}

export function recordPrice({ prices }: History, productId: string, price: string): void {
  const known = prices.get(productId) ?? new Set()
  prices.set(productId, known.add(price))
}

/** What the page makes of an answer, if it is about a payment. The texts are in web/. */
export function getClaim({ body }: Pick<Answer, 'body'>): Claim | undefined {
  const byCode: Record<string, Claim> = {
    'already-paid': 'paid',
    'payment-declined': 'declined',
    'checkout-expired': 'closed',
    'card-at-bank': 'at-bank',
    'payment-in-review': 'review',
    'too-many-cards': 'too-many-cards',
  }
  return byCode[String(body.code)] ?? claims.find((claim) => claim === body.state)
}

/** The data of SumUp and of the shop at the end. */
export type FinalState = {
  payments: {
    id: string
    checkoutId: string
    reference: string
    amountMinor: number
    refundedMinor: number
    currency: string
    /** Absent for cards. */
    method?: string | undefined
  }[]
  /** Payment attempts of SumUp's ledger, times in milliseconds. */
  attempts: {
    id: string
    checkoutId: string
    status: string
    createdAt: number
    changedAt: number
    /** Absent for cards. */
    method?: string | undefined
  }[]
  orders: {
    id: string
    productId: string
    amount: string
    currency: string
    sumupCheckoutId: string | null
    sumupTransactionId: string | null
    refundedAmount: string
    customerEmail: string | null
    paymentMethod?: string | null
    shippingAddress: { lastName?: string; address?: string; country?: string } | null
    terms?: Pick<Terms, 'country' | 'code' | 'isPickup'> | null
  }[]
  mails: { orderId: string; kind: string }[]
  /** The shop's checkouts, with the open question about them; the naive shop has none. */
  ledger: {
    id: string
    sumupCheckoutId: string | null
    state: string
    reviewReason: string | null
  }[]
  /** Payments beside an order, or without a sale, that the shop shows to its owner. */
  shownPayments: { sumupTransactionId: string; reason: string }[]
  /** How often SumUp answered wrongly, by kind of fault. */
  wrongResponses: Record<string, number>
  wrongAnalytics: string[]
  refunds: RefundsOfOrder[]
  withdrawals: SavedWithdrawal[]
}

export async function readFinalState({ kind, db, sumup }: Environment): Promise<FinalState> {
  const { transactions } = await sumup.readLedger()
  const { rules } = await sumup.readFaults()
  return {
    payments: transactions
      .filter(isCharged)
      .map(({ id, checkoutId, reference, amountMinor, currency, refunds, method }) => ({
        id,
        checkoutId,
        reference,
        amountMinor,
        refundedMinor: refunds.reduce((sum, refund) => sum + refund.amountMinor, 0),
        currency,
        method,
      })),
    attempts: transactions.map(({ id, checkoutId, status, createdAt, changedAt, method }) => ({
      id,
      checkoutId,
      status,
      createdAt,
      changedAt,
      method,
    })),
    orders: await listOrders(db, kind),
    mails: await listOrderMails(db),
    ledger: kind === 'naive' ? [] : await listSales(db),
    shownPayments: kind === 'naive' ? [] : await listShownPayments(db),
    wrongResponses: countProviderFaults(rules).wrongResponses,
    // The naive shop has no analytics.
    wrongAnalytics: kind === 'naive' ? [] : await findWrongAnalytics(db),
    refunds: kind === 'naive' ? [] : await readRefunds({ db, sumup }),
    withdrawals: kind === 'naive' ? [] : await readWithdrawals(db),
  }
}

/** With what was refunded of their payments. */
async function listOrders(db: Db, kind: Environment['kind']): Promise<FinalState['orders']> {
  const rows = await db.select().from(orders)
  if (kind === 'naive') return rows.map((order) => ({ ...order, refundedAmount: '0.00' }))
  const paid = await db.select().from(payments)
  const refunded = new Map(paid.map((one) => [one.transactionId, one.refunded]))
  return rows.map((order) => {
    const refundedAmount = refunded.get(order.sumupTransactionId ?? '') ?? '0.00'
    return { ...order, refundedAmount }
  })
}

async function listOrderMails(db: Db): Promise<FinalState['mails']> {
  const rows = await db.select({ orderId: mails.orderId, kind: mails.kind }).from(mails)
  // Others are about sales that ended without an order.
  return rows.flatMap(({ orderId, kind }) => (orderId === null ? [] : [{ orderId, kind }]))
}

async function listSales(db: Db): Promise<FinalState['ledger']> {
  const { rows } = await db.execute<FinalState['ledger'][number]>(sql`
    select sale.id, sale.sumup_checkout_id as "sumupCheckoutId", sale.state, entry.reason as "reviewReason"
    from checkouts as sale left join review_entries as entry on entry.id = sale.id and entry.state = 'open'`)
  return rows
}

async function listShownPayments(db: Db): Promise<FinalState['shownPayments']> {
  const { rows } = await db.execute<FinalState['shownPayments'][number]>(sql`
    select paid.transaction_id as "sumupTransactionId", entry.reason
    from review_entries as entry join payments as paid on paid.id = entry.id where entry.state <> 'cleared'`)
  return rows
}

/** Money was taken, whether or not it was refunded since. */
export function isCharged({ status }: { status: string }): boolean {
  return status === 'SUCCESSFUL' || status === 'REFUNDED'
}

/** Figures that differ from a recount, and orders that were not counted exactly once. */
export async function findWrongAnalytics(db: Db): Promise<string[]> {
  const { rows, differences } = await compareWithRecount(db)
  if (rows === 0) return ['no figures are kept']
  const uncounted = await db.execute<{ id: string }>(sql`
    select orders.id from orders left join analytics_events as completed
      on completed.order_id = orders.id and event_type = 'checkout_complete'
    group by orders.id having count(completed.id) <> 1`)
  return [
    ...differences.map((difference) => JSON.stringify(difference)),
    ...uncounted.rows.map(({ id }) => `order ${id}`),
  ]
}
