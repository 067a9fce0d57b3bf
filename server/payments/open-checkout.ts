import { setTimeout as pause } from 'node:timers/promises'
import { crashPoint } from '#server/crash-point.ts'
import type { ProductAsSold } from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { Visitor } from '#server/db/visitor.ts'
import type { Log } from '#server/http/log.ts'
import { takeTurn, type Limit } from '#server/http/shared-limits.ts'
import type { Charge } from './charge.ts'
import { ProviderAway } from './circuit-breaker.ts'
import { areCardsTried, readDeclines } from './declined-cards.ts'
import { addCheckout, markOpen, maybeReusable, type CheckoutRow } from './ledger.ts'
import type { Sumup } from './sumup.ts'
import type { SumupCheckout } from './sumup-answers.ts'
import { SumupRefusal } from './sumup-http.ts'

export type Till = {
  db: Db
  sumup: Sumup
  log: Log
  /** Where SumUp tells that something happened to a checkout of ours, if it can reach us. */
  webhookFor: (checkout: string) => string | undefined
}

export type Offer = {
  product: ProductAsSold
  charge: Charge
  buyerTokenHash: string
  addressHash: string
  visitor: Visitor
  /** In test mode, or from this machine: a proxy that does not say whom it speaks for makes everybody look so. */
  mayOpenMany: boolean
}

/**
 * Every look at a product opens a checkout, and a phone network puts thousands of people behind one address: these
 * limits are for programs that run wild. Reuse costs no turn. Cards that are declined have strict ones of their own.
 */
const perAddress: Limit = { name: 'checkouts address', most: 600, seconds: 600 }
const perBuyer: Limit = { name: 'checkouts buyer', most: 30, seconds: 600 }
const perTriedAddress: Limit = { ...perAddress, most: 3 }
/** So much more where nobody is harmed, or where all buyers look like one. */
const factorOfMany = 100

/** Longer than this nobody waits for a payment form to appear. */
const giveUpMs = 6_000
const attempts = 3
/** Before the second attempt; before the third twice as long. */
const pauseMs = 250

/** The checkout a buyer pays on: the one their browser has, or a new one, on our ledger before SumUp hears of it. */
export async function openCheckout(till: Till, offer: Offer): Promise<CheckoutRow> {
  crashPoint('checkout-asked')
  const row = await findOrAdd(till.db, offer)
  crashPoint('row-kept')
  if (row.sumupCheckoutId) return row
  const made = await askUntilKnown(till, row)
  crashPoint('sumup-answered')
  const opened = await markOpen(till.db, row.id, made.id)
  crashPoint('checkout-opened')
  return opened
}

/** Two tabs of one browser that load at once find each other here. */
async function findOrAdd(db: Db, offer: Offer): Promise<CheckoutRow> {
  const { product, charge, buyerTokenHash } = offer
  return db.transaction(async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${buyerTokenHash + product.id}, 0))`,
    )
    const reusable = await maybeReusable(tx, buyerTokenHash, product.id, charge)
    if (reusable) return reusable
    await requireTurn(tx, offer)
    return addCheckout(tx, offer)
  })
}

async function requireTurn(db: Db, offer: Offer): Promise<void> {
  const { product, buyerTokenHash, addressHash } = offer
  const declines = await readDeclines(db, addressHash)
  if (declines.isOver) throw new Refusal('too-many-cards', { retryAfter: declines.secondsLeft })
  const isTried = declines.taken > 0 && (await areCardsTried(db))
  for (const [limit, whose] of [
    [isTried ? perTriedAddress : widened(perAddress, offer), addressHash],
    [widened(perBuyer, offer), `${buyerTokenHash}\n${product.id}`],
  ] as const) {
    const turn = await takeTurn(db, limit, whose)
    if (!turn.allowed) throw new Refusal('too-many-checkouts', { retryAfter: turn.secondsLeft })
  }
}

function widened(limit: Limit, { mayOpenMany }: Offer): Limit {
  return mayOpenMany ? { ...limit, most: limit.most * factorOfMany } : limit
}

/**
 * SumUp's checkout for a row. Where the answer was lost, or the reference is taken, it is looked up by
 * our reference instead of being made a second time.
 */
async function askUntilKnown(till: Till, row: CheckoutRow): Promise<SumupCheckout> {
  const deadline = performance.now() + giveUpMs
  let trouble: unknown
  for (let attempt = 1; attempt <= attempts && performance.now() < deadline; attempt += 1) {
    try {
      const made = await lookUpOrCreate(till, row, attempt > 1)
      if (made) return requireOurs(till, row, made)
    } catch (error) {
      trouble = error
      // A definite no of SumUp's (a wrong key, a currency it does not take) will not change by asking again.
      if (!(error instanceof ProviderAway)) break
      if (attempt < attempts) await pause(attempt * pauseMs)
    }
  }
  till.log.error({ err: trouble, checkout: row.id }, 'SumUp did not open a checkout')
  throw new Refusal('payments-away', { cause: trouble, retryAfter: 5 })
}

async function lookUpOrCreate(
  till: Till,
  row: CheckoutRow,
  mayExist: boolean,
): Promise<SumupCheckout | undefined> {
  const { sumup, webhookFor } = till
  if (mayExist) {
    const found = await sumup.maybeCheckoutByReference(row.id)
    if (found) return found
  }
  const made = await sumup.createCheckout({
    reference: row.id,
    amount: row.amount,
    currency: row.currency,
    description: row.product.name,
    validUntil: row.validUntil,
    webhookUrl: webhookFor(row.id),
  })
  return made === 'taken' ? sumup.maybeCheckoutByReference(row.id) : made
}

/** What SumUp would charge must be what we offered; anything else never reaches a card form. */
function requireOurs({ sumup }: Till, row: CheckoutRow, made: SumupCheckout): SumupCheckout {
  if (isOurs(row, made, sumup.merchantCode)) return made
  throw new SumupRefusal(200, 'other-charge', 'the checkout is not what was asked for')
}

export function isOurs(row: CheckoutRow, made: SumupCheckout, merchantCode: string): boolean {
  return (
    made.reference === row.id &&
    made.merchantCode === merchantCode &&
    made.amount === row.amount &&
    made.currency === row.currency
  )
}
