import { type RefObject, useEffect, useRef } from 'react'

import { formatMoney } from '#contract/money.ts'
import type { CheckoutPageData } from '#contract/public-pages.ts'
import { formId } from '#web/storefront/checkout/form-context.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { Icon } from '#web/storefront/checkout/icon.tsx'

type PayBarProps = { charge: CheckoutPageData['charge']; isLocked: boolean }

/** What it costs once more, right beside the button that spends it. */
export function PayBar({ charge, isLocked }: PayBarProps) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusWhenLocked(button, isLocked)

  return (
    <div className="mt-10">
      <p className="mb-3 flex items-baseline justify-between">
        <span className="font-medium">Amount due</span>
        <span className="text-lg font-semibold tracking-tight">
          <bdi>{formatMoney(charge.amount, charge.currency)}</bdi>
        </span>
      </p>
      {/* Never disabled: it keeps the focus, and a second press finds the sale locked. */}
      <button
        ref={button}
        type="submit"
        form={formId}
        aria-disabled={isLocked}
        className="flex h-14 w-full scroll-mt-28 items-center justify-center gap-2.5 rounded-xl bg-accent text-lg font-semibold text-on-accent shadow-lifted transition-colors select-none hover:bg-accent-strong aria-disabled:cursor-default aria-disabled:bg-accent-strong"
      >
        {isLocked ? <Spinner /> : <Icon name="lock" className="size-4.5" />}
        <span aria-live="polite">{isLocked ? 'Processing...' : 'Pay now'}</span>
      </button>
      <p className="mt-3 text-center text-[0.8125rem]/5 text-muted">
        Your card details go straight to SumUp, our payment provider. This shop never sees them.
      </p>
    </div>
  )
}

/** Enter in a field pays too, and the field is then locked: the focus must not fall off the page. */
function useFocusWhenLocked(button: RefObject<HTMLButtonElement | null>, isLocked: boolean) {
  useEffect(() => {
    const focused = document.activeElement
    const isFallen = !focused || focused === document.body || focused.matches(':disabled')
    if (isLocked && isFallen) button.current?.focus()
  }, [button, isLocked])
}
