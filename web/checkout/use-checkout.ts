import { type FormEvent, useEffect, useLayoutEffect, useRef } from 'react'

import type { CheckoutPageData } from '#contract/public-pages.ts'

import { shownProblems } from './form-state.ts'
import { forgetBuyer, keepBuyer } from './memory.ts'
import { isPaying } from './payment-state.ts'
import { findProblems } from './problems.ts'
import type { Sale } from './sale.ts'
import { hush, say } from './say.ts'
import { incomplete, notReady } from './toast-texts.ts'
import { useBuyerForm } from './use-buyer-form.ts'
import { useSale } from './use-sale.ts'

const errorPrefix = 'Error: '

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
    if (isPaying(sale.payment()) || sale.payment().is === 'paid') return
    if (sale.payment().is !== 'ready') return say(notReady)
    form.change({ type: 'tried' })
    if (Object.keys(findProblems(latest.current)).length > 0) return say(incomplete)
    if (latest.current.choices.isKept) keepBuyer(latest.current)
    else forgetBuyer()
    hush()
    void sale.pay()
  }

  return { form, payment, isLocked, problems, pay, tryAgain: () => void sale.tryAgain() }
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
