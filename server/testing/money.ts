import { pathOf } from '#contract/paths.ts'
import { compareWithHistory } from '#server/checkouts/compare.ts'
import { sql } from '#server/db/drizzle.ts'
import { createBuyer, payByCard } from './buyer.ts'
import { getOnlyCheckout, sendWebhook, versionOf, type SaleShop } from './sale.ts'

/** What tests of money share: an admin's decisions, time that passes, the comparison with SumUp. */

/** An admin decides about an entry as the list shows it now. */
export async function act(shop: SaleShop, call: string, id: string, payload: object = {}) {
  const body = { version: await versionOf(shop, id), ...payload }
  const headers = await shop.signIn()
  return shop.app.inject({ method: 'POST', url: pathOf(call, { id }), headers, payload: body })
}

/** As if all that is stored had happened this much earlier. */
export async function passTime({ db }: SaleShop, interval: string): Promise<void> {
  const earlier = (column: string) =>
    sql`${sql.identifier(column)} = ${sql.identifier(column)} - ${interval}::interval`
  const shift = (table: string, columns: string[]) =>
    db.execute(sql`update ${sql.identifier(table)} set ${sql.join(columns.map(earlier), sql`, `)}`)
  await shift('checkouts', [
    'details_at',
    'started_at',
    'unclear_since',
    'expired_since',
    'unread_since',
  ])
  await shift('payments', ['made_at', 'found_at', 'read_at', 'unread_since'])
  await shift('refunds', ['asked_at'])
}

/** As if it were tomorrow: payments younger than a quarter of an hour are left alone. */
export function compareTomorrow({ settling }: SaleShop) {
  const { sumup } = settling
  const later = encodeURIComponent(new Date(Date.now() + 86_400_000).toISOString())
  const listHistory = (query: string) =>
    sumup.listHistory(query.replace(/newest_time=[^&]*/, `newest_time=${later}`))
  return compareWithHistory({ ...settling, sumup: { ...sumup, listHistory }, retryDelaysMs: [] })
}

/** Paid without details: nobody knows where to send it. */
export async function payTooEarly(shop: SaleShop) {
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  await sendWebhook(shop, checkoutId)
  const { id } = await getOnlyCheckout(shop)
  return { buyer, checkoutId, id }
}
