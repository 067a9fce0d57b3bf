import {
  type FormEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'

import type { OtherMethod } from '#contract/payment-methods.ts'
import { thankYouPath } from '#contract/paths.ts'
import type { CheckoutFormData } from '#contract/public-pages.ts'
import { texts } from '#web/storefront/shell/language.ts'
import {
  hasParts,
  requestPrice,
  showPrice,
  type ShownPrice,
  updateSummary,
} from '#web/storefront/shell/price.ts'
import { dismissToast, toast } from '#web/ui/use-toast.ts'

import { keyOf } from './checkout-api.ts'
import { followBrowser } from './connection.ts'
import { summaryErrors, validateForm, findWish } from './form.ts'
import { useBuyerForm } from './form-context.ts'
import { incomplete, notReady } from './messages.ts'
import { isLocked, isPaying, type Payment } from './payment.ts'
import { createSale, type Sale } from './sale.ts'
import { createSaleDeps } from './sale-deps.ts'
import { deleteSavedBuyer, onOtherTab, saveBuyer, takeReloadReason } from './storage.ts'

const loading: Payment = { state: 'loading' }
const none: readonly OtherMethod[] = []

/** The form and the sale of the page, and what Pay now does with both. */
export function useCheckout(data: CheckoutFormData) {
  const form = useBuyerForm(data)
  const latestForm = useRef(form.state.form)
  useLayoutEffect(() => {
    latestForm.current = form.state.form
  }, [form.state.form])
  const { sale, payment, otherMethods } = useSale(data, {
    isRestored: form.state.isRestored,
    getForm: () => latestForm.current,
    suggestCountry: (country) => form.dispatch({ type: 'country-suggested', country }),
    markSoldOut: () => form.dispatch({ type: 'value-sold-out' }),
  })
  const isHydrated = useIsHydrated()
  const wish = findWish(form.state.form)
  const price = isHydrated && hasParts(data) ? showPrice(data, wish) : undefined
  usePrice(sale, keyOf(requestPrice(data, wish)), price)

  // Such a payment leaves the page by itself.
  const isLeaving = payment.state === 'submitted' && payment.checkout.mayLeavePage
  useLeaveGuard(sale, isPaying(payment) && !isLeaving)
  useErrorTitle(Object.keys(summaryErrors(form.state)).length > 0)

  function pay(event?: FormEvent) {
    event?.preventDefault()
    if (isReadyToPay()) void sale.pay()
  }

  function payOtherwise() {
    if (isReadyToPay()) void sale.payOtherwise()
  }

  /** Says what is missing, if something is. */
  function isReadyToPay(): boolean {
    const current = sale.getPayment()
    if (isLocked(current)) return false
    // Without a country there is no card form: the country is named as missing.
    if (current.state !== 'ready' && current.state !== 'no-price') {
      toast(notReady())
      return false
    }
    form.dispatch({ type: 'submitted' })
    if (Object.keys(validateForm(latestForm.current, form.state)).length > 0) {
      toast(incomplete())
      return false
    }
    if (latestForm.current.choices.isKept) saveBuyer(latestForm.current)
    else deleteSavedBuyer()
    // The message about the last attempt is out of date.
    dismissToast()
    return true
  }

  return {
    form,
    payment,
    otherMethods,
    isHydrated,
    /** As the buyer's choice makes it; undefined where it is as the server sent it. */
    price,
    isLocked: isLocked(payment),
    pay,
    payOtherwise,
    goBackToCard: () => void sale.goBackToCard(),
    tryAgain: () => void sale.tryAgain(),
    leaveBankPage: () => void sale.bankPageLost(),
  }
}

/** Shows the price, and has it charged. */
function usePrice(sale: Sale, key: string, price: ShownPrice | undefined): void {
  const { shipping, total } = price ?? {}
  useEffect(() => {
    if (shipping !== undefined && total !== undefined) updateSummary({ shipping, total })
  }, [shipping, total])

  const shownKey = useRef(key)
  useEffect(() => {
    if (shownKey.current === key) return
    shownKey.current = key
    void sale.changePrice()
  }, [sale, key])
}

type FormOfSale = Parameters<typeof createSaleDeps>[1] & { isRestored: boolean }

function useSale(data: CheckoutFormData, { isRestored, ...form }: FormOfSale) {
  const [sale] = useState(() => createSale(createSaleDeps(data, form)))
  const payment = useSyncExternalStore(sale.subscribe, sale.getPayment, () => loading)
  const otherMethods = useSyncExternalStore(sale.subscribe, sale.getOtherMethods, () => none)

  useEffect(() => {
    const reason = takeReloadReason()
    if (reason) toast({ title: texts().toasts.lookAgain, description: reason })
  }, [])

  // The price may depend on a country that this tab or device knows.
  useEffect(() => {
    if (isRestored) void sale.open()
  }, [sale, isRestored])

  useRefreshWhenVisible(sale)
  useRestored(sale)
  useEffect(followBrowser, [])
  useEffect(() => {
    return onOtherTab(data.product.id, () => sale.refresh())
  }, [data.product.id, sale])
  return { sale, payment, otherMethods }
}

/** False in the page as the server sent it: nothing there works yet. */
function useIsHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
}

/** Back may restore a page whose payment is done: a bank's challenge adds history entries that lead here. */
function useRefreshWhenVisible(sale: Sale): void {
  useEffect(() => {
    function refresh() {
      const payment = sale.getPayment()
      if (payment.state === 'paid') location.replace(thankYouPath(payment.orderId))
      else if (document.visibilityState === 'visible') sale.refresh()
    }
    // Not as the page is first shown: what it has just asked would be asked again, and that answer thrown away.
    function refreshRestored({ persisted }: PageTransitionEvent) {
      if (persisted) refresh()
    }
    document.addEventListener('visibilitychange', refresh)
    addEventListener('pageshow', refreshRestored)
    addEventListener('online', refresh)
    return () => {
      document.removeEventListener('visibilitychange', refresh)
      removeEventListener('pageshow', refreshRestored)
      removeEventListener('online', refresh)
    }
  }, [sale])
}

/** Back from where a payment led may bring this page as it was left, with a widget that has nothing more to say. */
function useRestored(sale: Sale): void {
  useEffect(() => {
    const restore = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void sale.restore()
    }
    addEventListener('pageshow', restore)
    return () => removeEventListener('pageshow', restore)
  }, [sale])
}

/** The browser asks before a page is left while a card is being charged. */
function useLeaveGuard(sale: Sale, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined
    const ask = (event: BeforeUnloadEvent) => {
      // A finished sale leaves for the thank-you page before React has rendered again.
      if (isPaying(sale.getPayment())) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [sale, isOn])
}

/** Screen readers announce the title first. */
function useErrorTitle(hasErrors: boolean): void {
  useEffect(() => {
    if (!hasErrors) return undefined
    const prefix = texts().errors.inTitle
    document.title = prefix + document.title
    return () => {
      document.title = document.title.replace(prefix, '')
    }
  }, [hasErrors])
}
