import type { apiRoutes } from '#contract/paths.ts'

/**
 * The API routes that a buyer's pages make. Their type holds them to the one list of all calls, which would bring every
 * address of the back-office to a buyer's phone.
 */
export const buyerCalls: Pick<
  typeof apiRoutes,
  'createCheckout' | 'checkout' | 'checkoutDetails' | 'startOver' | 'orders' | 'track'
> = {
  createCheckout: '/api/sumup/create-checkout',
  checkout: '/api/sumup/checkouts/:checkoutId',
  checkoutDetails: '/api/sumup/checkouts/:checkoutId/details',
  startOver: '/api/sumup/checkouts/:checkoutId/start-over',
  orders: '/api/orders',
  track: '/api/analytics/track',
}
