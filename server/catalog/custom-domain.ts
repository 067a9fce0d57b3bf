import type { FastifyInstance } from 'fastify'
import { apiRoutes } from '#contract/paths.ts'
import type { CustomDomain } from '#contract/products.ts'

/** Which address checkout links carry. */
export function mountCustomDomain(
  app: FastifyInstance,
  shop: {
    customDomain: string | undefined
    publicUrl: string | undefined
    paymentCurrency: CustomDomain['paymentCurrency']
  },
): void {
  app.get(
    apiRoutes.customDomain,
    { config: { access: 'admin' } },
    async (request): Promise<CustomDomain> => ({
      customDomain: shop.customDomain ?? null,
      currentDomain: shop.publicUrl ?? `${request.protocol}://${request.host}`,
      paymentCurrency: shop.paymentCurrency,
    }),
  )
}
