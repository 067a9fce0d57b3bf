import type { FastifyInstance, FastifyReply } from 'fastify'
import { publicPages, thankYouPath } from '#contract/paths.ts'
import type { ShopFacts } from '#contract/public-pages.ts'
import type { Visitors } from '#server/analytics/visitors.ts'
import type { ProductCache } from '#server/catalog/product-cache.ts'
import { showPublicProduct } from '#server/catalog/show-product.ts'
import { allowPage, allowPaymentPage } from '#server/http/security-headers.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import { chargeFor } from '#server/payments/charge.ts'
import type { Till } from '#server/payments/open-checkout.ts'
import type { Payments } from '#server/payments/open-payments.ts'
import type { Buyers } from './buyer.ts'
import { maybeJustPaid } from './earlier-sale.ts'
import type { PaymentRoom } from './payment-routes.ts'
import type { OrderReader } from './read-order.ts'

type WithId = { Params: { id: string }; Querystring: { key?: string } }

/** The two pages buyers see, whole in the first answer. */
export function mountBuyerPages(
  app: FastifyInstance,
  room: {
    web: WebFiles
    productCache: ProductCache
    payments: Payments
    buyers: Buyers
    visitors: Visitors
    readOrder: OrderReader
    facts: ShopFacts
    till: Till
    settleOnce: PaymentRoom['settleOnce']
  },
): void {
  const { web, payments, facts } = room

  app.get<WithId>(
    publicPages.checkout,
    { config: { access: 'public' } },
    async (request, reply) => {
      const { id } = request.params
      const row = isUuid(id) ? await room.productCache.read(id) : undefined
      if (!row) return sendMissing(reply, web, 'Product not found')
      const product = showPublicProduct(row)
      const buyer = room.buyers.maybeBuyer(request)
      const orderId = buyer && (await maybeJustPaid(room, buyer, product.id))
      if (orderId) return reply.redirect(thankYouPath(orderId), 303)
      // Known from the first page on, so that two tabs are one buyer.
      room.buyers.ensureBuyer(request, reply)
      room.visitors.rememberReferrer(request, reply)
      const { nonce } = allowPaymentPage(reply, payments.browserOrigins)
      const charge = chargeFor(product, payments.currency)
      const data = {
        product,
        charge,
        sdkUrl: payments.sdkUrl,
        isTestMode: payments.account().isSandbox,
        shop: facts,
      }
      return sendPage(reply, web.checkoutPage(data, nonce))
    },
  )

  app.get<WithId>(
    publicPages.thankYou,
    { config: { access: 'public' } },
    async (request, reply) => {
      const order = await room.readOrder(request, request.params.id, request.query.key)
      if (!order) return sendMissing(reply, web, 'Order not found')
      reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
      const { nonce } = allowPage(reply)
      return sendPage(reply, web.thankYouPage({ order, shop: facts }, nonce))
    },
  )
}

function sendMissing(
  reply: FastifyReply,
  web: WebFiles,
  text: 'Product not found' | 'Order not found',
): FastifyReply {
  const { nonce } = allowPage(reply)
  return sendPage(reply.code(404), web.missingPage(text, nonce))
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(html)
}
