import { countries } from '#contract/countries.ts'

import {
  type AddressKind,
  addressParts,
  type BuyerForm,
  type FieldId,
  isNeeded,
  type NeededPart,
} from './buyer-form.ts'
import { postcodeLabel } from './postcode.ts'

/** What is wrong with each field and how to mend it, in the order of the page. */
export type Problems = Partial<Record<FieldId, string>>

/** What the server takes for an address (zod's own), so that a buyer hears of it here first. */
const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

export function findProblems(form: BuyerForm): Problems {
  return {
    ...emailProblem(form.texts.email.trim()),
    ...addressProblems(form, 'shipping'),
    ...(form.choices.isBillingOther && addressProblems(form, 'billing')),
  }
}

function emailProblem(email: string): Problems {
  if (email === '') return { email: 'Enter your email address' }
  if (!emailPattern.test(email)) return { email: 'Enter an email address like name@example.com' }
  return {}
}

function addressProblems({ texts }: BuyerForm, kind: AddressKind): Problems {
  const problems: Problems = {}
  for (const part of addressParts.filter(isNeeded)) {
    const text = texts[`${kind}-${part}`].trim()
    const isMissing = part === 'country' ? !countries.some((name) => name === text) : text === ''
    if (isMissing) problems[`${kind}-${part}`] = missingText(part, kind, texts[`${kind}-country`])
  }
  return problems
}

function missingText(part: NeededPart, kind: AddressKind, country: string): string {
  const texts: Record<NeededPart, string> = {
    country: 'Choose a country',
    firstName: 'Enter a first name',
    lastName: 'Enter a last name',
    address: 'Enter an address',
    city: 'Enter a city',
    postcode: `Enter a ${postcodeLabel(country) === 'Postcode' ? 'postcode' : 'ZIP code'}`,
  }
  return kind === 'billing' ? `${texts[part]} for billing` : texts[part]
}
