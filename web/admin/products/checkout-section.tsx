import { TextField } from '#web/ui/fields.tsx'

import { FormSection } from './form-section.tsx'
import { useProductField } from './use-product-field.ts'

export function CheckoutSection() {
  return (
    <FormSection title="Checkout Page Settings">
      <TextField
        label="Checkout Page Header Name"
        mark="(optional)"
        hint="Stands in for the logo where it cannot be shown, and names it to those who cannot see it."
        {...useProductField('headerName')}
      />
    </FormSection>
  )
}
