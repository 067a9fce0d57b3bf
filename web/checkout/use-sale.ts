import { useEffect, useState, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'

import { thankYouPath } from '#contract/paths.ts'
import type { CheckoutPageData } from '#contract/public-pages.ts'

import { type BuyerForm, detailsOf } from './buyer-form.ts'
import { callsFor } from './calls.ts'
import { cardFormOf } from './card-form.ts'
import { noteReload, payingMemory, takeReloadReason } from './memory.ts'
import type { Payment } from './payment-state.ts'
import { beginSale, type Sale } from './sale.ts'
import type { SaleWorld } from './sale-world.ts'
import { say } from './say.ts'
import { track } from './track.ts'

const loading: Payment = { is: 'loading' }

/** The sale of this page: begun once, after the first paint. */
export function useSale(data: CheckoutPageData, form: RefObject<BuyerForm>) {
  const [sale] = useState(() => beginSale(worldOf(data, form)))
  const payment = useSyncExternalStore(sale.subscribe, sale.payment, () => loading)

  useEffect(() => {
    track({ eventType: 'checkout_view', productId: data.product.id })
    const why = takeReloadReason()
    if (why) say({ title: 'Please look again', description: why })
    void sale.open()
  }, [sale, data.product.id])

  useWakingUp(sale)
  return { sale, payment }
}

/** A page that slept, or that the Back button brought back as it was, looks at the time. */
function useWakingUp(sale: Sale): void {
  useEffect(() => {
    function wake() {
      const payment = sale.payment()
      if (payment.is === 'paid') location.replace(thankYouPath(payment.orderId))
      else if (document.visibilityState === 'visible') sale.wake()
    }
    document.addEventListener('visibilitychange', wake)
    addEventListener('pageshow', wake)
    return () => {
      document.removeEventListener('visibilitychange', wake)
      removeEventListener('pageshow', wake)
    }
  }, [sale])
}

function worldOf(data: CheckoutPageData, form: RefObject<BuyerForm>): SaleWorld {
  const { product, sdkUrl } = data
  return {
    calls: callsFor(data),
    card: cardFormOf({
      sdkUrl,
      email: () => form.current.texts.email.trim(),
      nonce: () => document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce,
    }),
    memory: payingMemory(product.id),
    details: () => detailsOf(form.current),
    say,
    thank(orderId) {
      track({ eventType: 'checkout_complete', productId: product.id, orderId })
      // Replaced, not added: Back leads past a checkout that is paid.
      location.replace(thankYouPath(orderId))
    },
    reload(why) {
      if (!noteReload(why)) return false
      location.reload()
      return true
    },
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    nowMs: () => Date.now(),
  }
}
