import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import type { Charge } from '#server/payments/charge.ts'
import { ProviderAway } from '#server/payments/circuit-breaker.ts'
import { maybeSubmitted, type CheckoutRow } from '#server/payments/ledger.ts'
import type { Sumup } from '#server/payments/sumup.ts'
import type { Outcome } from './outcome.ts'

const longestPauseMs = 1_000

type Room = {
  till: { db: Db; sumup: Sumup }
  settleOnce: (row: CheckoutRow) => Promise<Outcome>
}

/**
 * A buyer who comes back may have a card under way. Before they get another form: has it been paid, can it still
 * be, or is it over? Two forms that can both be paid would one day both be.
 */
export async function maybeEarlierSale(
  room: Room,
  buyer: string,
  productId: string,
  charge: Charge,
): Promise<CheckoutRow | undefined> {
  const row = await maybeSubmitted(room.till.db, buyer, productId)
  if (!row) return undefined
  const { is } = await room.settleOnce(row)
  if (is === 'order') throw new Refusal('already-paid')
  if (is === 'review') throw new Refusal('payment-in-review')
  const isSame = row.amount === charge.amount && row.currency === charge.currency
  const isOpen = is === 'waiting' || is === 'declined'
  if (isSame && isOpen && row.isInTime) return row
  // Offered at another price, or past its time: no card can be paid on it once SumUp has heard so.
  if (isOpen && row.sumupCheckoutId) await endAtSumup(room.till.sumup, row.sumupCheckoutId)
  return undefined
}

async function endAtSumup(sumup: Sumup, id: string): Promise<void> {
  try {
    await sumup.deactivate(id)
  } catch (cause) {
    // Without SumUp there is no other form to give anyway.
    throw cause instanceof ProviderAway ? new Refusal('payments-away', { cause }) : cause
  }
}

/** The order of a buyer whose tab died after the card: they come back to the link to see what became of it. */
export async function maybeJustPaid(
  room: Room,
  buyer: string,
  productId: string,
): Promise<string | undefined> {
  const row = await maybeSubmitted(room.till.db, buyer, productId)
  if (!row) return undefined
  // Whoever wants to see the product does not wait for SumUp; the page asks again by itself.
  const outcome = await Promise.race([room.settleOnce(row), pause(longestPauseMs)])
  return outcome?.is === 'order' ? outcome.order.id : undefined
}
