import type { ComponentProps } from 'react'
import type { z } from 'zod'

import { countries } from '#contract/countries.ts'
import { formatMoney } from '#contract/money.ts'
import type { reviewOrderSchema } from '#contract/order-schemas.ts'
import { useProducts } from '#web/admin/products/use-products.ts'
import { useFormField } from '#web/admin/shell/use-form-field.ts'
import { SelectField, TextField } from '#web/ui/fields.tsx'

import { RetryNotice } from './review-entry.tsx'

export type ReviewOrderInput = Omit<z.input<typeof reviewOrderSchema>, 'version'>

/** Which product was bought, for a payment without a sale. */
export function ProductField() {
  const { data: products, isError, isFetching, refetch } = useProducts()
  const { error, ...field } = useFormField<ReviewOrderInput>('productId')

  if (isError) {
    return (
      <RetryNotice isFetching={isFetching} onRetry={() => void refetch()}>
        Your products could not be loaded.
      </RetryNotice>
    )
  }
  return (
    <SelectField
      label="Product"
      mark="*"
      required
      error={error && 'Choose the product that was bought'}
      {...field}
    >
      <option value="">{products ? 'Choose a product' : 'Loading...'}</option>
      {products?.map(({ id, name, price, currency }) => (
        <option key={id} value={id}>
          {name} · {formatMoney(price, currency)}
        </option>
      ))}
    </SelectField>
  )
}

/** Customer and delivery, for a payment without them. */
export function DetailFields() {
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
        hint="A confirmation is sent there."
        {...useFormField<ReviewOrderInput>('details.customerEmail')}
      />
      <SelectField
        label="Country"
        mark="*"
        required
        {...useFormField<ReviewOrderInput>('details.shippingAddress.country')}
      >
        <option value="">Choose a country</option>
        {countries.map((country) => (
          <option key={country}>{country}</option>
        ))}
      </SelectField>
      <div className="grid gap-5 sm:grid-cols-2">
        <AddressField part="firstName" label="First name" />
        <AddressField part="lastName" label="Last name" required />
      </div>
      <AddressField part="address" label="Address" required />
      <AddressField part="apartment" label="Apartment" />
      <div className="grid gap-5 sm:grid-cols-3">
        <AddressField part="postcode" label="Postcode" required />
        <AddressField part="city" label="City" required />
        <AddressField part="state" label="State" />
      </div>
      <AddressField part="phone" label="Phone" type="tel" />
    </fieldset>
  )
}

type AddressFieldProps = Pick<ComponentProps<typeof TextField>, 'label' | 'required' | 'type'> & {
  part: keyof NonNullable<ReviewOrderInput['details']>['shippingAddress']
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
      {...useFormField<ReviewOrderInput>(`details.shippingAddress.${part}`)}
    />
  )
}
