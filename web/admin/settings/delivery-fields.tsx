import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'

import { findAddressForm } from '#contract/address-forms.ts'
import { countries as usualCountries, type Country } from '#contract/countries.ts'
import { describePrice } from '#contract/delivery-settings.ts'
import type { DeliverySettings, PickupPlace } from '#contract/quotes.ts'
import { worldCountries } from '#contract/world-countries.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField, FieldError, SelectField, TextField } from '#web/ui/fields.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

import type { FieldsProps } from './field-parts.tsx'
import type { SectionForm } from './use-settings.ts'

/** What is typed: amounts may be anything yet. */
type Group = { countries: Country[]; price: string; freeFrom: string | null }

/** The values of the section, and how they are changed. */
function useDelivery(form: SectionForm) {
  const { countries, prices, pickup } = form.values as Omit<DeliverySettings, 'prices'> & {
    prices: Group[]
  }
  const saved = form.settings.values.delivery
  function set(name: keyof DeliverySettings, value: unknown): void {
    // The saved value itself where both are alike, so that nothing counts as changed.
    const isBack = JSON.stringify(value) === JSON.stringify(saved[name])
    form.set(name, isBack ? saved[name] : value)
  }
  return { countries, prices, pickup, set }
}

const sorted = (names: readonly Country[]) => worldCountries.filter((name) => names.includes(name))

export function DeliveryFields({ form }: FieldsProps) {
  return (
    <>
      <p className="text-sm/6 text-soft">
        Where buyers can have their order sent, what that costs, and where they can pick it up.
        Orders that were paid before stay as they are.
      </p>
      <CountryFields form={form} />
      <PriceFields form={form} />
      <PickupFields form={form} />
    </>
  )
}

const headingClass = 'mb-3 text-sm font-semibold'
const gridClass = 'grid gap-x-5 gap-y-2.5 sm:grid-cols-2'

function CountryFields({ form }: FieldsProps) {
  const id = useId()
  const { countries, prices, set } = useDelivery(form)
  const error = form.errorOf('countries')
  // One that was just unticked stays in sight.
  const [offered, setOffered] = useState<readonly Country[]>(usualCountries)
  const shown = sorted([...offered, ...countries])

  function setCountries(next: Country[]): void {
    setOffered(shown)
    set('countries', sorted(next))
  }

  function untick(country: Country): void {
    setCountries(countries.filter((one) => one !== country))
    if (prices.some((group) => group.countries.includes(country)))
      set(
        'prices',
        prices.map((group) => ({
          ...group,
          countries: group.countries.filter((one) => one !== country),
        })),
      )
  }

  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={headingClass}>Countries</legend>
      <div className={gridClass}>
        {shown.map((country) => (
          <CheckboxField
            key={country}
            name="countries"
            label={country}
            checked={countries.includes(country)}
            onChange={({ target }) =>
              target.checked ? setCountries([...countries, country]) : untick(country)
            }
          />
        ))}
      </div>
      <FieldError id={id} error={error} />
      <AddCountry
        others={worldCountries.filter((country) => !shown.includes(country))}
        onAdd={(country) => setCountries([...countries, country])}
      />
    </fieldset>
  )
}

type AddCountryProps = { others: Country[]; onAdd: (country: Country) => void }

/** A country is added as soon as its name is complete; Niger, which is also how Nigeria begins, when the field is left. */
function AddCountry({ others, onAdd }: AddCountryProps) {
  const listId = useId()
  const [typed, setTyped] = useState('')

  function type(text: string): void {
    const name = text.trim().toLowerCase()
    const similar = others.filter((country) => country.toLowerCase().startsWith(name))
    if (similar.length > 1 || !add(text)) setTyped(text)
  }

  /** Returns false if it is no name of a country. */
  function add(text: string): boolean {
    const name = text.trim().toLowerCase()
    const found = others.find((country) => country.toLowerCase() === name)
    if (!found) return false
    onAdd(found)
    setTyped('')
    return true
  }

  return (
    <>
      <TextField
        label="Add a country"
        list={listId}
        autoComplete="off"
        className="mt-4 max-w-80"
        hint="Type its English name and press Enter."
        value={typed}
        onChange={({ target }) => type(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Not the whole section.
          event.preventDefault()
          add(typed)
        }}
        onBlur={() => add(typed)}
      />
      <datalist id={listId}>
        {others.map((country) => (
          <option key={country}>{country}</option>
        ))}
      </datalist>
    </>
  )
}

function PriceFields({ form }: FieldsProps) {
  const { countries, prices, set } = useDelivery(form)
  const free = countries.filter((country) => !prices.some((one) => one.countries.includes(country)))
  const change = (index: number, group: Group) => set('prices', prices.with(index, group))

  return (
    <fieldset>
      <legend className={headingClass}>Shipping price</legend>
      <div className="space-y-4">
        {prices.map((group, index) => (
          <PriceGroup
            // oxlint-disable-next-line react/no-array-index-key -- groups have no name of their own
            key={index}
            form={form}
            index={index}
            group={group}
            choosable={sorted([...group.countries, ...free])}
            onChange={(next) => change(index, next)}
            onRemove={() => set('prices', prices.toSpliced(index, 1))}
          />
        ))}
      </div>
      <p className="mt-3 text-[0.8125rem]/5 text-muted">{describeFree(countries, free)}</p>
      {free.length > 0 && (
        <Button
          className="mt-3"
          onClick={() => set('prices', [...prices, { countries: free, price: '', freeFrom: null }])}
        >
          <Plus aria-hidden className="size-4" />
          Add a price
        </Button>
      )}
    </fieldset>
  )
}

function describeFree(countries: Country[], free: Country[]): string {
  if (countries.length === 0) return 'Nothing is sent.'
  if (free.length === 0) return 'Every country has a price.'
  return free.length === countries.length
    ? 'Shipping is free.'
    : `Shipping is free to: ${free.join(', ')}.`
}

type PriceGroupProps = FieldsProps & {
  index: number
  group: Group
  /** Those of no other group. */
  choosable: Country[]
  onChange: (group: Group) => void
  onRemove: () => void
}

function PriceGroup({ form, index, group, choosable, onChange, onRemove }: PriceGroupProps) {
  const id = useId()
  const { currency } = form.settings.values.sumup
  const shownCurrency = currency && currency !== 'product' ? currency : undefined
  const nameOf = (part: keyof Group) => `prices.${index}.${part}`
  const number = index + 1
  const errorOfCountries = form.errorOf(nameOf('countries'))

  return (
    <fieldset className="rounded-xl border border-line p-4">
      <legend className="sr-only">Price {number}</legend>
      <div className="mb-3 flex items-center justify-between gap-3">
        <output className="min-h-6 text-sm/6 font-medium wrap-anywhere">
          {describePrice(group, shownCurrency) ?? `Price ${number}`}
        </output>
        <IconButton
          icon={X}
          name={`Remove price ${number}`}
          onClick={onRemove}
          className="shrink-0"
        />
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={shownCurrency ? `Price in ${shownCurrency}` : 'Price'}
          name={nameOf('price')}
          inputMode="decimal"
          placeholder="4.90"
          value={group.price}
          error={form.errorOf(nameOf('price'))}
          onChange={({ target }) => onChange({ ...group, price: target.value })}
        />
        <TextField
          label="Free from"
          mark="(optional)"
          name={nameOf('freeFrom')}
          inputMode="decimal"
          placeholder="50.00"
          hint="For goods of this value, after a discount."
          value={group.freeFrom ?? ''}
          error={form.errorOf(nameOf('freeFrom'))}
          onChange={({ target }) => onChange({ ...group, freeFrom: target.value || null })}
        />
      </div>
      <fieldset className="mt-4" aria-describedby={errorOfCountries ? `${id}-error` : undefined}>
        <legend className="mb-2.5 text-sm font-medium">For</legend>
        <div className={gridClass}>
          {choosable.map((country) => (
            <CheckboxField
              key={country}
              name={nameOf('countries')}
              label={country}
              checked={group.countries.includes(country)}
              onChange={({ target }) =>
                onChange({
                  ...group,
                  countries: target.checked
                    ? sorted([...group.countries, country])
                    : group.countries.filter((one) => one !== country),
                })
              }
            />
          ))}
        </div>
        <FieldError id={id} error={errorOfCountries} />
      </fieldset>
    </fieldset>
  )
}

const emptyPlace: PickupPlace = {
  name: '',
  address: '',
  postcode: '',
  city: '',
  state: null,
  country: 'Germany',
  hours: null,
}

function PickupFields({ form }: FieldsProps) {
  const { countries, pickup, set } = useDelivery(form)
  /** Kept while the box is unticked. */
  const [place, setPlace] = useState(pickup)
  const { postcode: postcodes, state, isStateRequired } = findAddressForm(pickup?.country ?? '')

  function bindPlace(part: keyof PickupPlace) {
    return {
      name: `pickup.${part}`,
      value: pickup?.[part] ?? '',
      error: form.errorOf(`pickup.${part}`),
      onChange: ({ target }: { target: { value: string } }) => change({ [part]: target.value }),
    }
  }

  function change(parts: Partial<PickupPlace>): void {
    const next = { ...emptyPlace, ...pickup, ...parts }
    setPlace(next)
    const asked = findAddressForm(next.country)
    set('pickup', {
      ...next,
      postcode: asked.postcode === 'none' ? '' : next.postcode,
      state: (asked.state && next.state) || null,
      hours: next.hours || null,
    })
  }

  return (
    <fieldset>
      <legend className={headingClass}>Pickup</legend>
      <CheckboxField
        label="Buyers can pick up their order"
        hint="They choose it in the checkout, and give a name instead of an address. Pickup is free."
        checked={pickup !== null}
        onChange={({ target }) =>
          target.checked
            ? change(place ?? { country: countries[0] ?? emptyPlace.country })
            : set('pickup', null)
        }
      />
      {pickup && (
        <div className="mt-4 grid gap-5 sm:grid-cols-2">
          <TextField label="Name of the place" placeholder="Harbour Store" {...bindPlace('name')} />
          <SelectField label="Country" {...bindPlace('country')}>
            {worldCountries.map((country) => (
              <option key={country}>{country}</option>
            ))}
          </SelectField>
          <TextField
            label="Street and number"
            className="sm:col-span-2"
            {...bindPlace('address')}
          />
          {postcodes !== 'none' && <TextField label="Postcode" {...bindPlace('postcode')} />}
          <TextField label="Town" {...bindPlace('city')} />
          {state && (
            <TextField
              label="State or province"
              mark={isStateRequired ? undefined : '(optional)'}
              {...bindPlace('state')}
            />
          )}
          <TextField
            label="When"
            mark="(optional)"
            className="sm:col-span-2"
            placeholder="Mon to Fri, 10:00 to 18:00"
            hint="Opening hours, and what to bring. As you write it, in every language."
            {...bindPlace('hours')}
          />
        </div>
      )}
    </fieldset>
  )
}
