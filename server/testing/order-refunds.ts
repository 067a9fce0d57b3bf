import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { OrderRefunds } from '#contract/refunds.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { createBuyer, payByCard } from './buyer.ts'
import type { SaleShop } from './sale.ts'

/** A paid order of 49.00. */
export async function buyOne(shop: SaleShop, address = '203.0.113.1') {
  const buyer = createBuyer(shop, address)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  const { orderId: id } = (await buyer.order(checkoutId)).json()
  const [order] = await shop.db.select().from(orders).where(eq(orders.sumupCheckoutId, checkoutId))
  return { id: order?.id ?? id, checkoutId }
}

export async function readRefunds(shop: SaleShop, id: string): Promise<OrderRefunds> {
  const url = pathOf(apiRoutes.orderRefunds, { id })
  return (await shop.app.inject({ url, headers: await shop.signIn() })).json()
}

/** Refunds what is on the screen now, unless `body` has another version. */
export async function refundOne(shop: SaleShop, id: string, body: object = {}) {
  const { version } = await readRefunds(shop, id)
  const answer = await shop.app.inject({
    method: 'POST',
    url: pathOf(apiRoutes.orderRefund, { id }),
    headers: await shop.signIn(),
    payload: { version, ...body },
  })
  return { status: answer.statusCode, ...answer.json() }
}

export const refundsAtSumup = ({ sandbox }: SaleShop) =>
  sandbox.ledger().transactions.flatMap((one) => one.refunds.map(({ amountMinor }) => amountMinor))
