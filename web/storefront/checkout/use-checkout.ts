import {
  type FormEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'

import { thankYouPath } from '#contract/paths.ts'
import type { CheckoutPageData } from '#contract/public-pages.ts'

import { type BuyerForm, detailsOf } from './buyer-form.ts'
import { callsFor } from './calls.ts'
import { cardFormOf } from './card-form.ts'
import { shownProblems } from './form-state.ts'
import { forgetBuyer, keepBuyer, noteReload, payingMemory, takeReloadReason } from './memory.ts'
import { isPaying, type Payment } from './payment-state.ts'
import { findProblems } from './problems.ts'
import { createSale, type Sale } from './sale.ts'
import type { SaleWorld } from './sale-world.ts'
import { dismissToast, incomplete, notReady, showToast, widgetError } from './toasts.ts'
import { track } from './track.ts'
import { useBuyerForm } from './use-buyer-form.ts'

const errorPrefix = 'Error: '
const loading: Payment = { is: 'loading' }

/** The form and the sale of the page, and what Pay now does with both. */
export function useCheckout(data: CheckoutPageData) {
  const form = useBuyerForm(data.product.id)
  const latest = useRef(form.state.form)
  useLayoutEffect(() => {
    latest.current = form.state.form
  }, [form.state.form])
  const { sale, payment } = useSale(data, latest)

  const isLocked = isPaying(payment) || payment.is === 'paid'
  const problems = form.state.hasSummary ? shownProblems(form.state) : {}
  useLeaveGuard(sale, isPaying(payment))
  useErrorTitle(Object.keys(problems).length > 0)

  function pay(event?: FormEvent) {
    event?.preventDefault()
    const current = sale.payment()
    if (isPaying(current) || current.is === 'paid') return
    // Waiting helps only while the form is on its way.
    if (current.is !== 'ready') return showToast(current.is === 'broken' ? widgetError : notReady)
    form.change({ type: 'tried' })
    if (Object.keys(findProblems(latest.current)).length > 0) return showToast(incomplete)
    if (latest.current.choices.isKept) keepBuyer(latest.current)
    else forgetBuyer()
    dismissToast()
    void sale.pay()
  }

  return { form, payment, isLocked, problems, pay, tryAgain: () => void sale.tryAgain() }
}

/** The sale of this page: begun once, after the first paint. */
function useSale(data: CheckoutPageData, form: RefObject<BuyerForm>) {
  const [sale] = useState(() => createSale(worldOf(data, form)))
  const payment = useSyncExternalStore(sale.subscribe, sale.payment, () => loading)

  useEffect(() => {
    track({ eventType: 'checkout_view', productId: data.product.id })
    const why = takeReloadReason()
    if (why) showToast({ title: 'Please look again', description: why })
    void sale.open()
  }, [sale, data.product.id])

  useWakingUp(sale)
  return { sale, payment }
}

/**
 * A page that slept asks how things stand. One that the Back button brought back as it was may be paid: a challenge
 * leaves entries in the history that lead to it.
 */
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

/** The browser asks before a page is left on which a card is being charged. */
function useLeaveGuard(sale: Sale, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined
    const ask = (event: BeforeUnloadEvent) => {
      // Whoever is being led to their order is not asked, even before this page has caught up.
      if (isPaying(sale.payment())) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [sale, isOn])
}

/** Whoever hears the page hears first that something is wrong. */
function useErrorTitle(hasErrors: boolean): void {
  useEffect(() => {
    if (!hasErrors) return undefined
    document.title = errorPrefix + document.title
    return () => {
      document.title = document.title.replace(errorPrefix, '')
    }
  }, [hasErrors])
}

function worldOf(data: CheckoutPageData, form: RefObject<BuyerForm>): SaleWorld {
  const { product, sdkUrl, needsZipCode } = data
  return {
    calls: callsFor(data),
    card: cardFormOf({
      sdkUrl,
      needsZipCode,
      email: () => form.current.texts.email.trim(),
      nonce: () => document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce,
    }),
    memory: payingMemory(product.id),
    details: () => detailsOf(form.current),
    showToast,
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
