import type { ComponentProps } from 'react'
import { useWatch } from 'react-hook-form'
import type { z } from 'zod'

import { findAddressForm } from '#contract/address-forms.ts'
import { countries as usualCountries } from '#contract/countries.ts'
import type { addressSchema } from '#contract/order-schemas.ts'
import { worldCountries } from '#contract/world-countries.ts'
import { useShopSettings } from '#web/admin/settings/settings-query.ts'
import { useFormField } from '#web/admin/shell/use-form-field.ts'
import { SelectField, TextField } from '#web/ui/fields.tsx'

/** What a form must have for these fields. */
type DetailInput = {
  details: {
    customerEmail: string | null | undefined
    shippingAddress: z.input<typeof addressSchema>
  }
}

type DetailFieldsProps = {
  emailHint: string
  /** Then the address is the shop's own, and only who fetches it can be wrong. */
  isPickup?: boolean
}

/** Customer and delivery, with the rules of the checkout's form. */
export function DetailFields({ emailHint, isPickup = false }: DetailFieldsProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-5">
      <legend className="sr-only">Customer and delivery</legend>
      <TextField
        label="Email"
        mark="(optional)"
        type="email"
        inputMode="email"
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        hint={emailHint}
        {...useFormField<DetailInput>('details.customerEmail')}
      />
      {!isPickup && <CountryField />}
      <div className="grid gap-5 sm:grid-cols-2">
        <AddressField part="firstName" label="First name" />
        <AddressField part="lastName" label="Last name" required />
      </div>
      {!isPickup && <StreetFields />}
      <AddressField part="phone" label="Phone" type="tel" />
    </fieldset>
  )
}

/** First those that the shop delivers to. */
function CountryField() {
  const own = useShopSettings().data?.values.delivery.countries ?? usualCountries
  const others = worldCountries.filter((country) => !own.some((one) => one === country))
  return (
    <SelectField
      label="Country"
      mark="*"
      required
      {...useFormField<DetailInput>('details.shippingAddress.country')}
    >
      <option value="">Choose a country</option>
      {own.map((country) => (
        <option key={country}>{country}</option>
      ))}
      <optgroup label="Other countries">
        {others.map((country) => (
          <option key={country}>{country}</option>
        ))}
      </optgroup>
    </SelectField>
  )
}

function StreetFields() {
  const country = useWatch<DetailInput, 'details.shippingAddress.country'>({
    name: 'details.shippingAddress.country',
  })
  const { postcode, isStateRequired = false } = findAddressForm(country)
  return (
    <>
      <AddressField part="address" label="Address" required />
      <AddressField part="apartment" label="Apartment" />
      <div className="grid gap-5 sm:grid-cols-3">
        <AddressField part="postcode" label="Postcode" required={postcode === undefined} />
        <AddressField part="city" label="City" required />
        <AddressField part="state" label="State" required={isStateRequired} />
      </div>
    </>
  )
}

type AddressFieldProps = Pick<ComponentProps<typeof TextField>, 'label' | 'required' | 'type'> & {
  part: keyof DetailInput['details']['shippingAddress']
}

function AddressField({ part, label, required, type }: AddressFieldProps) {
  return (
    <TextField
      label={label}
      mark={required ? '*' : '(optional)'}
      required={required}
      type={type}
      // The browser would fill in the owner's address, not the customer's.
      autoComplete="off"
      {...useFormField<DetailInput>(`details.shippingAddress.${part}`)}
    />
  )
}
