import { useEffect } from 'react'

import type { PublicOrder } from '#contract/orders.ts'
import { forgetSale } from '#web/storefront/checkout/memory.ts'
import { track } from '#web/storefront/checkout/track.ts'

/** Tells that the order was seen, and leaves nothing of the sale behind in this tab. The server counts an order once. */
export function useThankYouView({ id, productId }: PublicOrder): void {
  useEffect(() => {
    forgetSale(productId)
    track({ eventType: 'thank_you_view', productId, orderId: id })
  }, [id, productId])
}
