import { useEffect } from 'react'

import type { PublicOrder } from '#contract/orders.ts'
import { forgetSale, isThanked, noteThanked } from '#web/checkout/memory.ts'
import { track } from '#web/checkout/track.ts'

/** Tells once that the order was seen, and leaves nothing of the sale behind in this tab. */
export function useThankYouView({ id, productId }: PublicOrder): void {
  useEffect(() => {
    forgetSale(productId)
    if (isThanked(id)) return
    noteThanked(id)
    track({ eventType: 'thank_you_view', productId, orderId: id })
  }, [id, productId])
}
