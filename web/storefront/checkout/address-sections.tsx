import { useEffect, useState } from 'react'

import { Icon } from '#web/storefront/shell/icon.tsx'
import { language, texts } from '#web/storefront/shell/language.ts'
import { Spinner } from '#web/ui/spinner.tsx'

import { hasPostcodes, postcodeKeyboard, postcodeName, postcodeWarning } from './field-hints.ts'
import { CheckboxField, CountryField, TextField } from './fields.tsx'
import { type AddressKind, isDeliveryComplete } from './form.ts'
import { useField, useForm } from './form-context.ts'
import { PhoneField, PickupChoice, PickupFields } from './pickup-fields.tsx'
import { Section } from './section.tsx'
import { hasStates, listStates, stateName } from './states.ts'

export function DeliverySection() {
  const { state, clearBuyer, delivery } = useForm()
  const { isPickup } = state.form.choices

  return (
    <Section id="delivery" title={texts().delivery.title}>
      {delivery.pickup && delivery.countries.length > 0 && <PickupChoice />}
      {isPickup ? <PickupFields /> : <AddressFields kind="shipping" />}
      <div>
        <CheckboxField id="isKept" label={texts().delivery.keep}>
          {state.hasSavedBuyer && (
            <button
              type="button"
              onClick={clearBuyer}
              className="min-h-11 rounded px-1 text-sm font-medium text-accent underline underline-offset-2"
            >
              {texts().delivery.clear}
            </button>
          )}
        </CheckboxField>
        <p className="ms-8 -mt-1.5 text-[0.8125rem] text-muted">{texts().delivery.kept}</p>
      </div>
    </Section>
  )
}

/** Keeps its height from the start, so that nothing below moves when the address is complete. */
export function ShippingSection({ price }: { price: string | undefined }) {
  const { state } = useForm()
  // Nothing is sent then.
  if (state.form.choices.isPickup) return null

  return (
    <div className="mt-10 flex min-h-30 flex-col">
      {isDeliveryComplete(state.form) ? (
        <Section id="shipping" title={texts().shipping.title}>
          <ShippingMethod price={price ?? texts().shipping.free} />
        </Section>
      ) : (
        <p className="grid flex-1 place-items-center rounded-xl border border-dashed border-line-strong/60 px-6 text-center text-sm text-muted">
          {texts().shipping.addressFirst}
        </p>
      )}
    </div>
  )
}

/** A short delay makes free shipping look like a result. */
const calculatingMs = 1500

function ShippingMethod({ price }: { price: string }) {
  const [isCalculated, setIsCalculated] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsCalculated(true), calculatingMs)
    return () => clearTimeout(timer)
  }, [])

  return (
    <output className="flex h-19 items-center gap-4 rounded-xl border border-line-strong/70 bg-card px-4 shadow-rest">
      {isCalculated ? (
        <>
          <Icon name="truck" className="size-6 shrink-0 text-accent" />
          <span className="flex-1 animate-appear">
            <span className="block font-medium">{texts().shipping.standard}</span>
            <span className="block text-sm text-soft">{texts().shipping.ready}</span>
          </span>
          <span className="font-medium">{price}</span>
        </>
      ) : (
        <span className="flex items-center gap-3 text-soft">
          <Spinner />
          {texts().shipping.calculating}
        </span>
      )}
    </output>
  )
}

export function BillingSection() {
  const { isBillingOther, isPickup } = useForm().state.form.choices
  const { same, none } = texts().billing

  return (
    <Section id="billing" title={texts().billing.title}>
      <div
        role="radiogroup"
        aria-labelledby="billing-heading"
        className="divide-y divide-line rounded-xl border border-line-strong/70 bg-card shadow-rest"
      >
        <BillingChoice label={isPickup ? none : same} isOther={false} />
        <BillingChoice label={texts().billing.other} isOther />
        {isBillingOther && (
          <div className="rounded-b-xl bg-well/60 p-4">
            <AddressFields kind="billing" />
          </div>
        )}
      </div>
    </Section>
  )
}

function BillingChoice({ label, isOther }: { label: string; isOther: boolean }) {
  const { state, dispatch } = useForm()

  return (
    <label className="flex min-h-14 items-center gap-3 px-4 text-[0.9375rem] font-medium">
      <input
        // By its id, a choice that was made before hydration is found.
        id={isOther ? 'isBillingOther' : undefined}
        type="radio"
        name="billing"
        checked={state.form.choices.isBillingOther === isOther}
        onChange={() => dispatch({ type: 'chosen', id: 'isBillingOther', isOn: isOther })}
        className="size-5 shrink-0"
      />
      {label}
    </label>
  )
}

/*
 * By the width of the window, although it is the column's that counts: beside the summary it is narrower than on a phone.
 * In a container that is queried, Chromium sometimes leaves everything out (its issue 497855657).
 */
const half = 'col-span-2 sm:max-md:col-span-3 lg:col-span-3'
const full = 'col-span-full'

/** The fields that are the same in every country. */
const plainFields = [
  { part: 'firstName', autoComplete: 'given-name', className: half },
  { part: 'lastName', autoComplete: 'family-name', className: half },
  { part: 'address', autoComplete: 'address-line1', className: full },
  { part: 'apartment', autoComplete: 'address-line2', className: full },
] as const

/** The country comes first, because labels, keyboards and warnings depend on it. */
function AddressFields({ kind }: { kind: AddressKind }) {
  const { state } = useForm()
  const { control, isBlurred } = useField(`${kind}-postcode`)
  const country = state.form.texts[`${kind}-country`]
  const isWithState = hasStates(country)
  const isWithPostcode = hasPostcodes(country)
  const beside = isWithState ? 'col-span-2 min-[22rem]:max-sm:col-span-1' : half

  // English writes the postcode last, the other languages beside the town.
  const isPostcodeLast = language() === 'en' && isWithPostcode
  const last = isPostcodeLast ? 'postcode' : isWithState ? 'state' : 'city'
  const hintOf = (part: typeof last) => (kind === 'billing' && part === last ? 'done' : 'next')

  const postcodeField = isWithPostcode && (
    <TextField
      id={`${kind}-postcode`}
      label={texts().fields[postcodeName(country)]}
      autoComplete={`${kind} postal-code`}
      {...postcodeKeyboard(country)}
      enterKeyHint={hintOf('postcode')}
      warning={isBlurred && postcodeWarning(country, control.value)}
      className={beside}
    />
  )

  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:max-md:grid-cols-6 lg:grid-cols-6">
      <CountryField id={`${kind}-country`} autoComplete={`${kind} country-name`} className={full} />
      {plainFields.map(({ part, autoComplete, className }) => (
        <TextField
          key={part}
          id={`${kind}-${part}`}
          label={texts().fields[part]}
          autoComplete={`${kind} ${autoComplete}`}
          className={className}
        />
      ))}
      {!isPostcodeLast && postcodeField}
      <TextField
        id={`${kind}-city`}
        label={texts().fields.city}
        autoComplete={`${kind} address-level2`}
        enterKeyHint={hintOf('city')}
        className={isWithState ? (isPostcodeLast ? 'col-span-2' : beside) : half}
      />
      {isWithState && (
        <StateField
          kind={kind}
          country={country}
          enterKeyHint={hintOf('state')}
          className={isPostcodeLast ? beside : 'col-span-2'}
        />
      )}
      {isPostcodeLast && postcodeField}
      {kind === 'shipping' && <PhoneField country={country} hint={texts().fields.phoneHint} />}
    </div>
  )
}

type StateFieldProps = {
  kind: AddressKind
  country: string
  enterKeyHint: 'next' | 'done'
  className: string
}

/** Any text is accepted: a list only helps to fill it in. */
function StateField({ kind, country, enterKeyHint, className }: StateFieldProps) {
  const { control } = useField(`${kind}-state`)
  const states = listStates(country)
  const listId = `${kind}-states`

  return (
    <>
      <TextField
        id={`${kind}-state`}
        label={texts().fields[stateName(country)]}
        autoComplete={`${kind} address-level1`}
        enterKeyHint={enterKeyHint}
        list={states.length > 0 ? listId : undefined}
        hint={states.length > 0 && control.value.trim() === '' && texts().fields.stateHint}
        className={className}
      />
      <datalist id={listId}>
        {states.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}
