import { z } from 'zod'
import { findAddressForm } from './address-forms.ts'
import type { Country } from './countries.ts'
import { dropTurningCharacters } from './hidden-characters.ts'
import { formatCents, formatMoney, isPrice, toCents } from './money.ts'
import { findCountry, worldCountries } from './world-countries.ts'

/** Validation of what the owner says about delivery. Apart from contract/quotes.ts, which the checkout page loads. */

/** A country of the world by its English name. */
export function countryOf(message: string) {
  return z.string(message).transform((name, context): Country => {
    const known = findCountry(name)
    if (known) return known
    context.addIssue(message)
    return z.NEVER
  })
}

const country = countryOf('Choose a country from the list.')

const notMoney = 'Please enter an amount such as 4.90.'
/** Less than a price may be: both are charged together. */
const maxShipping = '99999.99'

/** '4,9' is 4.90. */
const money = z
  .string(notMoney)
  .trim()
  .transform((text) => text.replace(',', '.'))
  .refine((text) => isPrice(text) && toCents(text) <= toCents(maxShipping), notMoney)
  .transform((text) => formatCents(toCents(text)))

/** What delivery to some countries costs. Countries without a price are delivered to for free. */
const price = z.object({
  countries: z.array(country).min(1, 'Choose at least one country for this price.'),
  price: money,
  /** Free for goods of this value, after a discount; null: never. */
  freeFrom: z
    .string(notMoney)
    .nullable()
    .transform((text) => text?.trim() || null)
    .pipe(money.refine((text) => toCents(text) > 0, 'Please enter an amount above 0.').nullable()),
})

function line(maxLength: number, missing?: string) {
  const text = z
    .string(missing)
    .overwrite(dropTurningCharacters)
    .trim()
    .max(maxLength, `At most ${maxLength} characters fit here.`)
    .refine((value) => !/\p{Cc}/u.test(value), 'This must be one line.')
  return missing ? text.min(1, missing) : text
}

const pickup = z
  .object({
    name: line(120, 'Please enter a name.'),
    address: line(200, 'Please enter the street and number.'),
    postcode: line(20),
    city: line(200, 'Please enter the town.'),
    /** Null where addresses of the country have none. */
    state: line(200)
      .nullable()
      .default(null)
      .transform((text) => text || null),
    country,
    /** When it is open, and what to bring. */
    hours: line(300)
      .nullable()
      .transform((text) => text || null),
  })
  .refine(({ country: name, state }) => state !== null || !findAddressForm(name).isStateRequired, {
    path: ['state'],
    error: 'Please enter the state or province.',
  })
  .refine(
    ({ country: name, postcode }) =>
      postcode !== '' || findAddressForm(name).postcode !== undefined,
    { path: ['postcode'], error: 'Please enter the postcode.' },
  )

export const deliverySchema = z
  .object({
    countries: z
      .array(country)
      .max(worldCountries.length)
      .refine((list) => new Set(list).size === list.length, 'A country is named twice.'),
    prices: z.array(price).max(worldCountries.length),
    /** Null: nothing can be fetched. */
    pickup: pickup.nullable(),
  })
  .superRefine(({ countries, prices, pickup: place }, context) => {
    if (countries.length === 0 && !place)
      context.addIssue({
        code: 'custom',
        path: ['countries'],
        message: 'Choose at least one country, or name a pickup place.',
      })
    const priced = new Set<Country>()
    for (const [index, group] of prices.entries())
      for (const name of group.countries) {
        const message = priced.has(name)
          ? `There is a price for ${name} already.`
          : countries.includes(name)
            ? undefined
            : `You do not deliver to ${name}.`
        priced.add(name)
        if (message)
          context.addIssue({ code: 'custom', path: ['prices', index, 'countries'], message })
      }
  })

/** 'Austria, Germany: €4.90, free from €50.00'. Undefined while it is not complete. */
export function describePrice(group: unknown, currency: string | undefined): string | undefined {
  const { data } = price.safeParse(group)
  if (!data) return undefined
  const show = (amount: string) => (currency ? formatMoney(amount, currency) : amount)
  const cost = toCents(data.price) === 0 ? 'free' : show(data.price)
  const limit =
    data.freeFrom === null || cost === 'free' ? '' : `, free from ${show(data.freeFrom)}`
  return `${data.countries.join(', ')}: ${cost}${limit}`
}
