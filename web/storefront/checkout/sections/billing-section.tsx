import { useForm } from '#web/storefront/checkout/form-context.ts'

import { AddressFields } from './address-fields.tsx'
import { Section } from './section.tsx'

export function BillingSection() {
  const { isBillingOther } = useForm().state.form.choices

  return (
    <Section id="billing" title="Billing address">
      <div
        role="radiogroup"
        aria-labelledby="billing-heading"
        className="divide-y divide-line rounded-xl border border-line-strong/70 bg-card shadow-rest"
      >
        <BillingChoice label="Same as shipping address" isOther={false} />
        <BillingChoice label="Use a different billing address" isOther />
        {isBillingOther && (
          <div className="rounded-b-xl bg-well/60 p-4">
            <AddressFields kind="billing" />
          </div>
        )}
      </div>
    </Section>
  )
}

type BillingChoiceProps = { label: string; isOther: boolean }

function BillingChoice({ label, isOther }: BillingChoiceProps) {
  const { state, change } = useForm()

  return (
    <label className="flex min-h-14 items-center gap-3 px-4 text-[0.9375rem] font-medium">
      <input
        // The id lets a choice made before our script arrived be found.
        id={isOther ? 'isBillingOther' : undefined}
        type="radio"
        name="billing"
        checked={state.form.choices.isBillingOther === isOther}
        onChange={() => change({ type: 'chosen', id: 'isBillingOther', isOn: isOther })}
        className="size-5 shrink-0"
      />
      {label}
    </label>
  )
}
