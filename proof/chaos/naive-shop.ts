/* oxlint-disable node/no-process-env -- a separate program with its own settings */
import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import type { Address } from '#contract/orders.ts'
import { defaultDelivery } from '#contract/quotes.ts'
import { findProduct, showCheckoutProduct } from '#server/catalog/products.ts'
import { openDatabase } from '#server/db/database.ts'
import { mails, orders } from '#server/db/schema.ts'

/*
 * How not to build a checkout: the browser sends the price, reports the payment and creates the order. The
 * chaos proof must find its faults, otherwise it proves nothing about the real shop.
 */
type OrderRequest = Record<string, string> & { shippingAddress: Address }

const setting = (name: string) => process.env[name] ?? ''
const { db } = openDatabase({ connectionString: setting('DATABASE_URL') }, () => {})
const app = fastify()

app.get<{ Params: { id: string } }>(checkoutPath(':id'), async (request, reply) => {
  const product = await findProduct(db, request.params.id)
  const charge = { amount: product?.price, currency: product?.currency }
  return reply
    .header('set-cookie', `till_buyer=${randomUUID()}; Path=/`)
    .send({ charge, delivery: defaultDelivery })
})

app.post<{ Body: OrderRequest }>(apiRoutes.createCheckout, async ({ body }, reply) => {
  const response = await fetch(`${setting('SUMUP_API_URL')}/v0.1/checkouts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${setting('SUMUP_API_KEY')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      checkout_reference: randomUUID(),
      amount: Number(body.amount),
      currency: body.currency,
      merchant_code: setting('SUMUP_MERCHANT_CODE'),
    }),
    signal: AbortSignal.timeout(3_000),
  })
  if (!response.ok) return reply.code(503).send({})
  const { id } = (await response.json()) as { id: string }
  return { checkoutId: id }
})

app.put(apiRoutes.checkoutDetails, async (_request, reply) => reply.code(204).send())
app.get(apiRoutes.checkout, async () => ({ state: 'waiting', reason: 'no-card' }))
app.post(apiRoutes.paymentWebhook, async (_request, reply) => reply.code(204).send())

app.post<{ Body: OrderRequest }>(apiRoutes.orders, async ({ body }, reply) => {
  const product = await findProduct(db, body.productId ?? '')
  if (!product) return reply.code(404).send({})
  const [order] = await db
    .insert(orders)
    .values({
      productId: product.id,
      product: showCheckoutProduct(product),
      amount: body.amount ?? '',
      currency: body.currency ?? '',
      customerEmail: body.customerEmail ?? null,
      shippingAddress: body.shippingAddress,
      sumupCheckoutId: body.sumupCheckoutId ?? null,
    })
    .returning()
  const orderId = order?.id ?? ''
  await db.insert(mails).values({ orderId, kind: 'confirmation' })
  await db.insert(mails).values({ orderId, kind: 'new-sale' })
  return reply.code(201).send({ id: orderId })
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
const address = await app.listen({ port: Number(setting('PORT')), host: '127.0.0.1' })
process.stdout.write(`${address}\n`)
