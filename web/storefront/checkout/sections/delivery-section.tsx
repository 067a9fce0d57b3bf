import { ChoiceField } from '#web/storefront/checkout/fields.tsx'
import { useForm } from '#web/storefront/checkout/form-context.ts'

import { AddressFields } from './address-fields.tsx'
import { Section } from './section.tsx'

export function DeliverySection() {
  const { state, forgetBuyer } = useForm()

  return (
    <Section id="delivery" title="Delivery">
      <AddressFields kind="shipping" />
      <div className="mt-2">
        <ChoiceField id="isKept" label="Save this information for next time">
          {state.isKnownBuyer && (
            <button
              type="button"
              onClick={forgetBuyer}
              className="min-h-11 rounded px-1 text-sm font-medium text-accent underline underline-offset-2"
            >
              Not you? Clear
            </button>
          )}
        </ChoiceField>
        <p className="ms-8 -mt-1.5 text-[0.8125rem] text-muted">
          On this device only. Card details are never saved.
        </p>
      </div>
    </Section>
  )
}
