import { useFormContext } from 'react-hook-form'

import { currencies, defaultCurrency } from '#contract/currencies.ts'
import type { CustomDomain, ProductInput } from '#contract/products.ts'
import { Notice } from '#web/ui/notice.tsx'
import { SelectField, TextAreaField, TextField } from '#web/ui/fields.tsx'

import { maybeChargeNote } from './charge-note.ts'
import { FormSection } from './form-section.tsx'
import { useProductField } from './use-product-field.ts'

type BasicSectionProps = { paymentCurrency: CustomDomain['paymentCurrency'] }

export function BasicSection({ paymentCurrency }: BasicSectionProps) {
  return (
    <FormSection title="Basic Information">
      <TextField label="Product Name" mark="*" required {...useProductField('name')} />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Price"
          mark="*"
          required
          inputMode="decimal"
          autoComplete="off"
          placeholder="49.00"
          {...useProductField('price')}
        />
        <SelectField label="Currency" mark="*" required {...useProductField('currency')}>
          {currencies.map(({ code, symbol, name }) => (
            <option key={code} value={code}>
              {code} {symbol} – {name}
            </option>
          ))}
        </SelectField>
      </div>
      <ChargeNote paymentCurrency={paymentCurrency} />
      <TextAreaField
        label="Description"
        mark="(optional)"
        hint="Shown beside the product at checkout."
        {...useProductField('description')}
      />
    </FormSection>
  )
}

function ChargeNote({ paymentCurrency }: BasicSectionProps) {
  const { watch } = useFormContext<ProductInput>()
  const [price, currency = defaultCurrency] = watch(['price', 'currency'])
  const note = maybeChargeNote({ price: price.trim(), currency, paymentCurrency })

  // The place is there before its words are, so that they are read aloud when they come.
  return (
    <div aria-live="polite" className="empty:hidden">
      {note && <Notice look="warning">{note}</Notice>}
    </div>
  )
}
