import { useEffect, useState } from 'react'

import { isDeliveryFilled } from '#web/storefront/checkout/buyer-form.ts'
import { useForm } from '#web/storefront/checkout/form-context.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { Icon } from '#web/storefront/shell/icon.tsx'

/** A pause so that free shipping reads as a result, not as a default. */
const calculatingMs = 1500

/** Shown once the address is complete. Its place is held from the start, so that nothing below jumps. */
export function ShippingSection() {
  const { state } = useForm()
  const isShown = isDeliveryFilled(state.form)

  return (
    <div className="mt-10 flex min-h-30 flex-col">
      {isShown ? (
        <section aria-labelledby="shipping-heading">
          <h2 id="shipping-heading" className="mb-4 text-xl font-semibold tracking-tight">
            Shipping method
          </h2>
          <ShippingMethod />
        </section>
      ) : (
        <p className="grid flex-1 place-items-center rounded-xl border border-dashed border-line-strong/60 px-6 text-center text-sm text-muted">
          Fill in your address to see how it will be delivered.
        </p>
      )}
    </div>
  )
}

function ShippingMethod() {
  const [isCalculated, setIsCalculated] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsCalculated(true), calculatingMs)
    return () => clearTimeout(timer)
  }, [])

  return (
    <output className="flex h-19 items-center gap-4 rounded-xl border border-line-strong/70 bg-card px-4 shadow-rest">
      {isCalculated ? (
        <>
          <Icon name="truck" className="size-6 shrink-0 text-accent" />
          <span className="flex-1 animate-appear">
            <span className="block font-medium">Standard Shipping</span>
            <span className="block text-sm text-soft">Ready to ship</span>
          </span>
          <span className="font-medium">Free</span>
        </>
      ) : (
        <span className="flex items-center gap-3 text-soft">
          <Spinner />
          calculating…
        </span>
      )}
    </output>
  )
}
