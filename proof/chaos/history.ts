import type { RefundOutcome } from '#contract/refunds.ts'
import type { DeliverySettings, Discount, Terms } from '#contract/quotes.ts'
import { findPieces } from '#server/catalog/stock.ts'
import { findRecords } from '#server/checkouts/record-rows.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { mails, orders } from '#server/db/schema.ts'
import type { Books } from '#proof/explore/books.ts'
import type { Answer } from './browser.ts'
import type { Environment, Ledger } from './environment.ts'
import { countProviderFaults } from './fault-plan.ts'

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

/** A buyer's withdrawal, sent once, or several times because no answer came. */
export type StatedWithdrawal = {
  name: string
  /** Undefined if the number that the buyer gave is none of theirs. */
  orderId: string | undefined
  sent: number
  isAnswered: boolean
}

/** Ids of what the owner asked for, and of what the owner was told is done. */
type OwnerActs = { asked: Set<string>; told: Set<string> }

/** Visitors and owner record this themselves, independent of the shop's data. */
export type History = {
  /** Every form that a visitor was given, at the price that the page showed. */
  offers: {
    visitor: number
    checkoutId: string
    amount: string
    isAttack: boolean
    sentAt: number
    receivedAt: number
  }[]
  /** Forms of sales that had ended, and were paid once all others had ended too. */
  late: string[]
  /** Every order that was confirmed to a visitor. */
  confirmedOrders: { visitor: number; checkoutId: string; orderId: string }[]
  statements: Statement[]
  /** Buyers who were told that no piece is left: when, and about which form, if they had one. */
  soldOut: { checkoutId: string; receivedAt: number }[]
  withdrawals: StatedWithdrawal[]
  /** All prices that a product ever had, what delivery ever cost, and what codes ever took off. */
  prices: Map<string, Set<string>>
  deliveries: DeliverySettings[]
  discounts: Discount[]
  /** How often a discount code may be used. */
  codeLimits: Map<string, number>
  /** Withdrawals that the owner marks as handled, orders that are shipped, review entries that are dismissed. */
  handled: OwnerActs
  shipped: OwnerActs
  dismissed: Set<string>
  refunds: {
    /** The part of an order that is to go back in the end, in cents. */
    goals: Map<string, number>
    told: { orderId: string; outcome: RefundOutcome }[]
  }
  /** What an attacker should never have got. */
  breaches: string[]
  /** Statuses above 499, except 503, with which a shop in trouble asks to try again. */
  serverErrors: string[]
  /** Visitors who gave up because the shop could not be reached for long. */
  gaveUp: number
}

export function emptyHistory(): History {
  return {
    offers: [],
    late: [],
    confirmedOrders: [],
    statements: [],
    soldOut: [],
    withdrawals: [],
    prices: new Map(),
    deliveries: [],
    discounts: [],
    codeLimits: new Map(),
    handled: { asked: new Set(), told: new Set() },
    shipped: { asked: new Set(), told: new Set() },
    dismissed: new Set(),
    refunds: { goals: new Map(), told: [] },
    breaches: [],
    serverErrors: [],
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

/** A product that has pieces of its own, or a value of its choice, and how many the owner said there are. */
export type Stock = { productId: string; valueId: string | undefined; pieces: number }

/** The data of SumUp and of the shop at the end. */
export type FinalState = {
  /** Payment attempts of SumUp's ledger, times in milliseconds. */
  attempts: {
    id: string
    checkoutId: string
    status: string
    amountMinor: number
    currency: string
    /** In cents. */
    refunds: number[]
    createdAt: number
    changedAt: number
    /** Absent for cards. */
    method?: string | undefined
  }[]
  orders: {
    id: string
    productId: string
    valueId?: string | undefined
    amount: string
    currency: string
    status: string
    sumupCheckoutId: string | null
    sumupTransactionId: string | null
    customerEmail: string | null
    paymentMethod: string | null
    shippingAddress: { lastName?: string; address?: string; country?: string } | null
    terms: Terms | null
    isOversold: boolean
    isPieceReturned: boolean
  }[]
  mails: { orderId: string; kind: string; amount: string | null }[]
  /** Undefined for the naive shop, which keeps none. */
  books: Books | undefined
  /** `stock` and `reserved`: as the shop counts them. */
  stocks: (Stock & { stock: number; reserved: number })[]
  withdrawals: SavedWithdrawal[]
  /** How often SumUp answered wrongly, by kind of fault. */
  wrongResponses: Record<string, number>
  wrongAnalytics: string[]
}

/** A withdrawal in the shop, with the mail that acknowledges it. Either may be missing. */
export type SavedWithdrawal = {
  id: string | null
  name: string | null
  orderId: string | null
  isHandled: boolean
  /** `known`: sent, given up, or it will be tried. */
  mail: 'known' | 'forgotten' | null
}

export async function readFinalState(
  { kind, db, sumup }: Environment,
  stocks: Stock[] = [],
): Promise<FinalState> {
  // Before SumUp's ledger: what the shop says must have been true there by then.
  const records = kind === 'naive' ? undefined : await readRecords(db)
  const ledger = await sumup.readLedger()
  const { rules } = await sumup.readFaults()
  return {
    attempts: ledger.transactions.map(({ refunds, ...one }) => ({
      ...one,
      refunds: refunds.map(({ amountMinor }) => amountMinor),
    })),
    orders: (await db.select().from(orders)).map((order) => ({
      ...order,
      valueId: order.product.choice?.id,
    })),
    mails: await listOrderMails(db),
    books: records && {
      records,
      sumup: describeSumup(ledger),
      merchantCode: sumup.account.merchantCode,
    },
    stocks: await Promise.all(stocks.map((one) => readStock(db, one))),
    withdrawals: kind === 'naive' ? [] : await readWithdrawals(db),
    wrongResponses: countProviderFaults(rules).wrongResponses,
    wrongAnalytics: kind === 'naive' ? [] : await findWrongAnalytics(db),
  }
}

async function readRecords(db: Db): Promise<Books['records']> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from checkouts union all select id from payments where sale_id is null`,
  )
  const found = await findRecords(
    db,
    rows.map(({ id }) => id),
  )
  return Object.fromEntries(Array.from(found, ([id, { record }]) => [id, record]))
}

/** The sandbox's ledger as the exploration describes SumUp. */
function describeSumup({ checkouts, transactions }: Ledger): Books['sumup'] {
  return {
    checkouts: checkouts.map(
      ({ id, reference, merchantCode, amountMinor, status, validUntil }) => ({
        id,
        reference,
        merchantCode,
        cents: amountMinor,
        isEnded: status === 'EXPIRED',
        validUntil: validUntil ?? Infinity,
      }),
    ),
    transactions: transactions.map((one) => {
      const { id, checkoutId, status, amountMinor, refunds, refundAttempts = [], createdAt } = one
      const attempts = refundAttempts.map(({ amountMinor: cents, status: state, at }) => ({
        cents,
        state: state === 'PENDING' ? ('pending' as const) : ('failed' as const),
        at,
      }))
      const done = refunds.map(({ amountMinor: cents, at }) => ({
        cents,
        state: 'done' as const,
        at,
      }))
      return {
        id,
        checkoutId,
        status: status === 'REFUNDED' ? ('SUCCESSFUL' as const) : status,
        cents: amountMinor,
        refunded: refunds.reduce((sum, refund) => sum + refund.amountMinor, 0),
        chargedBack: 0,
        failedRefunds: attempts.filter(({ state }) => state === 'failed').length,
        asked: isRefundedInApp({ checkoutId }) ? [] : [...done, ...attempts],
        madeAt: createdAt,
        returnedAt: null,
      }
    }),
    broken: {},
    echo: undefined,
  }
}

/** Some checkouts are only refunded in SumUp's app, the others only in the shop: afterwards nobody could tell who did it. */
export const isRefundedInApp = ({ checkoutId }: { checkoutId: string }) => /^[0-3]/.test(checkoutId)

async function readStock(db: Db, stock: Stock): Promise<FinalState['stocks'][number]> {
  const { productId, valueId } = stock
  const { stock: left = 0, reserved = 0 } =
    (await findPieces(db, productId, { isTest: true }, valueId)) ?? {}
  return { ...stock, stock: left, reserved }
}

async function listOrderMails(db: Db): Promise<FinalState['mails']> {
  const { orderId: id, kind, amount } = mails
  const rows = await db.select({ orderId: id, kind, amount }).from(mails)
  // Others are about sales that ended without an order.
  return rows.flatMap(({ orderId, ...mail }) => (orderId === null ? [] : [{ orderId, ...mail }]))
}

async function readWithdrawals(db: Db): Promise<SavedWithdrawal[]> {
  const { rows } = await db.execute<SavedWithdrawal>(sql`
    select withdrawals.id, name, withdrawals.order_id as "orderId", handled_at is not null as "isHandled",
      case when mail.id is not null then
        case when coalesce(sent_at, given_up_at, next_try_at) is null then 'forgotten' else 'known' end
      end as mail
    from withdrawals full join (select * from mails where kind like 'withdrawal-%') as mail
      on mail.id = withdrawals.mail_id`)
  return rows
}

/** Money was taken, whether or not it was refunded since. */
export function isCharged({ status }: { status: string }): boolean {
  return status === 'SUCCESSFUL' || status === 'REFUNDED'
}

/** Orders whose completion is not told exactly once. Everything else is counted from the orders themselves. */
export async function findWrongAnalytics(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select orders.id from orders left join analytics_events as completed
      on completed.order_id = orders.id and event_type = 'checkout_complete'
    group by orders.id having count(completed.id) <> 1`)
  return rows.map(({ id }) => `order ${id}`)
}
