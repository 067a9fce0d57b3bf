import { Plus } from 'lucide-react'
import { useFieldArray, useFormContext } from 'react-hook-form'

import { maxTiers, type ProductInput } from '#contract/products.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { FieldError } from '#web/ui/field-frame.tsx'

import { FormSection } from './form-section.tsx'
import { newTier } from './product-values.ts'
import { TierRow } from './tier-row.tsx'

export function PricingSection() {
  const { register, watch } = useFormContext<ProductInput>()

  return (
    <FormSection title="Advanced Pricing">
      <CheckboxField
        label="Enable quantity-based pricing"
        hint="Tiers are saved with the product. The checkout always sells one, at the price above."
        {...register('quantityPricingEnabled')}
      />
      {watch('quantityPricingEnabled') && <Tiers />}
    </FormSection>
  )
}

function Tiers() {
  const { control, formState } = useFormContext<ProductInput>()
  const { fields, append, remove } = useFieldArray({ control, name: 'quantityTiers' })
  const fault = formState.errors.quantityTiers
  const isFull = fields.length >= maxTiers

  return (
    <div className="flex flex-col gap-3">
      {fields.length > 0 && (
        <ul aria-label="Quantity tiers" className="flex flex-col gap-3">
          {fields.map(({ id }, index) => (
            <TierRow key={id} index={index} onRemove={() => remove(index)} />
          ))}
        </ul>
      )}
      <FieldError id="tiers" error={fault?.root?.message ?? fault?.message} />
      {isFull ? (
        <p className="text-sm text-muted">There can be at most {maxTiers} tiers.</p>
      ) : (
        <Button onClick={() => append({ ...newTier })} className="self-start">
          <Plus aria-hidden className="size-4" />
          Add Tier
        </Button>
      )}
    </div>
  )
}
