import type { AddressKind } from '#web/storefront/checkout/buyer-form.ts'
import { CountryField, TextField } from '#web/storefront/checkout/fields.tsx'
import { useField, useForm } from '#web/storefront/checkout/form-context.ts'
import {
  postcodeDoubt,
  postcodeKeyboard,
  postcodeLabel,
} from '#web/storefront/checkout/postcode.ts'

type AddressFieldsProps = { kind: AddressKind }

/** The country comes first, because it changes what the others are called. */
export function AddressFields({ kind }: AddressFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-4 sm:grid-cols-6">
      <CountryField
        id={`${kind}-country`}
        autoComplete={`${kind} country-name`}
        className="col-span-full"
      />
      <TextField
        id={`${kind}-firstName`}
        label="First name"
        autoComplete={`${kind} given-name`}
        className="col-span-2 sm:col-span-3"
      />
      <TextField
        id={`${kind}-lastName`}
        label="Last name"
        autoComplete={`${kind} family-name`}
        className="col-span-2 sm:col-span-3"
      />
      <TextField
        id={`${kind}-address`}
        label="Address"
        autoComplete={`${kind} address-line1`}
        className="col-span-full"
      />
      <TextField
        id={`${kind}-apartment`}
        label="Apartment"
        autoComplete={`${kind} address-line2`}
        className="col-span-full"
      />
      <TextField
        id={`${kind}-city`}
        label="City"
        autoComplete={`${kind} address-level2`}
        className="col-span-2"
      />
      <TextField
        id={`${kind}-state`}
        label="State"
        autoComplete={`${kind} address-level1`}
        className="sm:col-span-2"
      />
      <PostcodeField kind={kind} />
      {kind === 'shipping' && <PhoneField />}
    </div>
  )
}

function PostcodeField({ kind }: AddressFieldsProps) {
  const { state } = useForm()
  const { control, isLeft } = useField(`${kind}-postcode`)
  const country = state.form.texts[`${kind}-country`]
  const doubt = isLeft ? postcodeDoubt(country, control.value) : undefined

  return (
    <TextField
      id={`${kind}-postcode`}
      label={postcodeLabel(country)}
      autoComplete={`${kind} postal-code`}
      {...postcodeKeyboard(country)}
      enterKeyHint={kind === 'billing' ? 'done' : 'next'}
      doubt={doubt}
      className="sm:col-span-2"
    />
  )
}

function PhoneField() {
  return (
    <TextField
      id="shipping-phone"
      label="Phone"
      type="tel"
      inputMode="tel"
      autoComplete="shipping tel"
      enterKeyHint="done"
      hint="Only for questions about the delivery."
      className="col-span-full"
    />
  )
}
