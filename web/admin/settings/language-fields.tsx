import { buyersLanguages, languages } from '#contract/languages.ts'
import { SelectField } from '#web/ui/fields.tsx'

import { bind, type FieldsProps } from './field-parts.tsx'

export function LanguageFields({ form }: FieldsProps) {
  const { name, value, onChange } = bind(form, 'ofBuyers')
  return (
    <>
      <p className="text-sm/6 text-soft">
        The language of checkouts, thank-you pages and mails to buyers. What you wrote yourself,
        such as products, policies and opening sentences, stays as you wrote it.
      </p>
      <SelectField
        label="Buyers’ language"
        name={name}
        hint="With the browser’s language there is a switch at the foot of buyers’ pages, and an order’s mails keep the language it was bought in."
        value={value}
        onChange={onChange}
      >
        {buyersLanguages.map((one) => (
          <option key={one} value={one}>
            {one === 'browser' ? 'As the buyer’s browser asks for' : languages[one].name}
          </option>
        ))}
      </SelectField>
    </>
  )
}
