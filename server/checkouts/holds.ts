import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { wideningOf } from '#server/http/rate-limits.ts'
import { isHolding, type SaleRecord, type Sale } from '#server/payments/record.ts'

/**
 * How much one address may hold: without a limit, one stranger without a card would hold every piece and every use of a
 * code, again and again.
 */

const maxHolds = 3
/** Or so much of all, if that is more. */
const maxShare = 1 / 5

/** A sale that is about to hold something. */
export type NewHold = {
  sale: Sale
  /** It goes on holding, but another value of its product. */
  isSwitch: boolean
  /** Many people are behind this address, so that it says nothing about one of them. */
  isAddressShared: boolean
}

/** Undefined where the sale goes on holding what it holds, or holds nothing. */
export function findNewHold(
  { sale }: SaleRecord,
  after: SaleRecord,
  isAddressShared: boolean,
): NewHold | undefined {
  if (!sale || !after.sale || !isHolding(after.sale)) return undefined
  const isNew = after.sale.holds > sale.holds
  const isSwitch = !isNew && after.sale.chosen?.choice.id !== sale.chosen?.choice.id
  return isNew || isSwitch ? { sale, isSwitch, isAddressShared } : undefined
}

/**
 * Refuses a hold beyond what an address may reserve in an hour. Those that lapsed or whose card was declined count, those
 * that were paid do not. A sale that only chooses another value may if the address's other holds leave room: it gives up
 * what it held. Asked under the lock of what is held, so that no two are counted at once.
 */
export async function assertMayHold(
  tx: Db,
  { sale, isSwitch, isAddressShared }: NewHold,
  of: 'product' | 'code',
  all: number,
): Promise<void> {
  const { addressKey, isTest, productId, discountCodeId } = sale
  const widening = wideningOf(addressKey)
  if (addressKey === null || (isAddressShared && widening === 1)) return
  const isSame =
    of === 'product'
      ? sql`product_id = ${productId}::uuid`
      : sql`discount_code_id = ${discountCodeId}::uuid`
  const { rows } = await tx.execute<{ held: number; secondsLeft: number }>(sql`
    select coalesce(sum(holds), 0)::int as held,
      extract(epoch from min(details_at) + interval '1 hour' - now())::float8 as "secondsLeft"
    from checkouts where address_key = ${addressKey} and holds > 0 and details_at > now() - interval '1 hour'
      and state <> 'paid' and is_test = ${isTest}::boolean and ${isSame}
      ${isSwitch ? sql`and id <> ${sale.id}` : sql``}`)
  const { held = 0, secondsLeft = 0 } = rows[0] ?? {}
  const max = Math.max(maxHolds, Math.floor(all * maxShare)) * widening
  if (held >= max) throw new Refusal('too-many-holds', { retryAfter: secondsLeft })
}
