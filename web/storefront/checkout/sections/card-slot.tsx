import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'

import { cardPlaceId } from '#web/storefront/checkout/card-form.ts'
import type { Payment } from '#web/storefront/checkout/payment-state.ts'
import { SecondaryButton } from '#web/storefront/shell/buttons.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type CardSlotProps = { payment: Payment; onPay: () => void; onTryAgain: () => void }

/** Where SumUp's card form appears. Its height is held from the start. */
export function CardSlot({ payment, onPay, onTryAgain }: CardSlotProps) {
  const place = useRef<HTMLDivElement>(null)
  useOwnSubmitOnly(place, payment, onPay)
  const isBusy = payment.is === 'loading' || payment.is === 'asking'

  return (
    <div
      aria-busy={isBusy}
      className="relative min-h-94 overflow-hidden border-t border-line bg-card sm:rounded-lg sm:border"
    >
      {/* React keeps out of it: what is inside belongs to SumUp. */}
      <div id={cardPlaceId} ref={place} />
      <output>
        {payment.is === 'loading' && (
          <Cover>
            <CardOutline />
            <span className="flex items-center gap-2.5 text-sm text-soft">
              <Spinner />
              Loading...
            </span>
          </Cover>
        )}
        {payment.is === 'asking' && (
          <Cover>
            <span className="flex items-center gap-2.5 text-sm text-soft">
              <Spinner />
              Confirming your payment…
            </span>
          </Cover>
        )}
      </output>
      {payment.is === 'broken' && (
        <Cover>
          <span className="font-medium">The payment form did not load.</span>
          <span className="mt-1 mb-4 max-w-72 text-sm text-soft">
            {payment.why ?? 'Your card was not charged. Check your connection and try again.'}
          </span>
          <SecondaryButton onClick={onTryAgain}>Try again</SecondaryButton>
        </Cover>
      )}
      <noscript>
        <p className="absolute inset-0 grid place-items-center bg-card p-6 text-center text-sm">
          Paying by card needs JavaScript. Please switch it on and load this page again.
        </p>
      </noscript>
    </div>
  )
}

function Cover({ children }: { children: ReactNode }) {
  return (
    <span className="absolute inset-0 grid place-content-center justify-items-center bg-card p-6 text-center">
      {children}
    </span>
  )
}

/** The shape of what is to come. */
function CardOutline() {
  return (
    <span aria-hidden className="mb-5 grid w-60 grid-cols-2 gap-3">
      <span className="col-span-2 h-9 rounded-lg border border-line bg-well/60" />
      <span className="h-9 rounded-lg border border-line bg-well/60" />
      <span className="h-9 rounded-lg border border-line bg-well/60" />
    </span>
  )
}

/**
 * Enter in a card field would submit SumUp's form past us, before the server knows where to deliver to.
 * It means Pay now here.
 */
function useOwnSubmitOnly(
  place: { current: HTMLDivElement | null },
  payment: Payment,
  onPay: () => void,
) {
  const guard = useEffectEvent((event: Event) => {
    if (payment.is !== 'ready') return
    event.preventDefault()
    event.stopPropagation()
    onPay()
  })

  useEffect(() => {
    const card = place.current
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Enter' && event.target instanceof HTMLInputElement) guard(event)
    }
    const onSubmit = (event: Event) => guard(event)
    card?.addEventListener('keydown', onKey, { capture: true })
    card?.addEventListener('submit', onSubmit, { capture: true })
    return () => {
      card?.removeEventListener('keydown', onKey, { capture: true })
      card?.removeEventListener('submit', onSubmit, { capture: true })
    }
  }, [place])
}
