import { texts } from '#web/storefront/shell/language.ts'

import { phoneWarning } from './field-hints.ts'
import { TextField } from './fields.tsx'
import { useField, useForm } from './form-context.ts'

/** Where the shop offers both. */
export function PickupChoice() {
  const { choose, ship, pickup } = texts().delivery
  return (
    <fieldset className="mb-5 grid grid-cols-2 gap-3">
      <legend className="sr-only">{choose}</legend>
      <WayChoice label={ship} isPickup={false} />
      <WayChoice label={pickup} isPickup />
    </fieldset>
  )
}

function WayChoice({ label, isPickup }: { label: string; isPickup: boolean }) {
  const { state, dispatch } = useForm()
  return (
    <label className="flex min-h-12 items-center gap-3 rounded-lg border border-line-strong bg-card px-3.5 text-[0.9375rem] font-medium shadow-rest has-checked:border-accent has-checked:bg-accent-wash">
      <input
        // By its id, a choice that was made before hydration is found.
        id={isPickup ? 'isPickup' : undefined}
        type="radio"
        name="way"
        checked={state.form.choices.isPickup === isPickup}
        onChange={() => dispatch({ type: 'chosen', id: 'isPickup', isOn: isPickup })}
        className="size-5 shrink-0"
      />
      {label}
    </label>
  )
}

/** Who picks up tells no address: a name, and perhaps a phone number. */
export function PickupFields() {
  const { delivery, pickupLines } = useForm()
  const { fields, delivery: words } = texts()
  const hours = delivery.pickup?.hours

  return (
    <>
      <address className="mb-5 rounded-xl border border-line-strong/70 bg-card px-4 py-3.5 text-[0.9375rem]/6 wrap-anywhere not-italic shadow-rest">
        {pickupLines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two lines may be equal, and none ever moves
          <bdi key={index} className="block first:font-medium">
            {line}
          </bdi>
        ))}
        {hours && <bdi className="mt-1 block text-soft">{hours}</bdi>}
      </address>
      <div className="grid grid-cols-2 gap-x-3 gap-y-2">
        <TextField
          id="shipping-firstName"
          label={fields.firstName}
          autoComplete="shipping given-name"
          className="col-span-2 sm:max-md:col-span-1 lg:col-span-1"
        />
        <TextField
          id="shipping-lastName"
          label={fields.lastName}
          autoComplete="shipping family-name"
          className="col-span-2 sm:max-md:col-span-1 lg:col-span-1"
        />
        <PhoneField country={delivery.pickup?.country ?? ''} hint={words.pickupPhoneHint} />
      </div>
    </>
  )
}

type PhoneFieldProps = { country: string; hint: string }

export function PhoneField({ country, hint }: PhoneFieldProps) {
  const { control, isBlurred } = useField('shipping-phone')
  return (
    <TextField
      id="shipping-phone"
      label={texts().fields.phone}
      type="tel"
      inputMode="tel"
      autoComplete="shipping tel"
      enterKeyHint="done"
      hint={hint}
      warning={isBlurred && phoneWarning(country, control.value)}
      className="col-span-full"
    />
  )
}
