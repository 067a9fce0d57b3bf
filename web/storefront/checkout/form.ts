import { type Country, countries, findCountry } from '#contract/countries.ts'
import { type Address, addressParts, type CheckoutDetails } from '#contract/orders.ts'
import type { DeliveryWish } from '#contract/quotes.ts'

import { language, texts } from '#web/storefront/shell/language.ts'

import { postcodeName } from './field-hints.ts'
import { hasStates } from './states.ts'

export type AddressPart = (typeof addressParts)[number]
export type AddressKind = 'shipping' | 'billing'

/** The id of a field on the page, its name for autofill and its key in the form. */
export type FieldId = 'email' | `${AddressKind}-${AddressPart}`

export const fieldIds: readonly FieldId[] = [
  'email',
  ...addressParts.map((part) => `shipping-${part}` as const),
  ...addressParts.map((part) => `billing-${part}` as const),
]

export const choiceIds = ['acceptsNews', 'isKept', 'isBillingOther'] as const
export type ChoiceId = (typeof choiceIds)[number]

/** What the buyer has entered. Card details are not part of it: only SumUp's widget sees them. */
export type BuyerForm = {
  texts: Record<FieldId, string>
  choices: Record<ChoiceId, boolean>
}

export const emptyForm: BuyerForm = {
  texts: Object.fromEntries(fieldIds.map((id) => [id, ''])) as Record<FieldId, string>,
  choices: { acceptsNews: false, isKept: false, isBillingOther: false },
}

/** The server's limits. */
export const maxLengths: Record<AddressPart | 'email', number> = {
  email: 255,
  country: 60,
  firstName: 120,
  lastName: 120,
  address: 300,
  apartment: 200,
  city: 200,
  state: 200,
  postcode: 20,
  phone: 50,
}

const requiredParts = ['country', 'firstName', 'lastName', 'address', 'city', 'postcode'] as const
type RequiredPart = (typeof requiredParts)[number]

export function isRequired(part: AddressPart): part is RequiredPart {
  return requiredParts.some((required) => required === part)
}

export function isDeliveryComplete({ texts }: BuyerForm): boolean {
  return addressParts.filter(isRequired).every((part) => texts[`shipping-${part}`].trim() !== '')
}

/** What the price depends on beside the product. */
export function findWish({ texts }: BuyerForm): DeliveryWish {
  return { country: findCountry(texts['shipping-country']) }
}

export function toCheckoutDetails(form: BuyerForm): CheckoutDetails {
  const shippingAddress = toAddress(form, 'shipping')
  const { firstName, lastName, phone } = shippingAddress
  return {
    customerEmail: form.texts.email.trim(),
    customerName: [firstName, lastName].filter(Boolean).join(' '),
    ...(phone && { customerPhone: phone }),
    shippingAddress,
    billingAddress: form.choices.isBillingOther ? toAddress(form, 'billing') : shippingAddress,
    acceptsNews: form.choices.acceptsNews,
    language: language(),
  }
}

function toAddress({ texts }: BuyerForm, kind: AddressKind): Address {
  const hasState = hasStates(texts[`${kind}-country`])
  const filled = addressParts
    // What was typed before another country was chosen is not part of its addresses.
    .filter((part) => part !== 'state' || hasState)
    .map((part) => [part, texts[`${kind}-${part}`].trim()] as const)
    .filter(([, text]) => text !== '')
  return Object.fromEntries(filled) as Address
}

/** What is wrong with each field and how to correct it. */
export type FieldErrors = Partial<Record<FieldId, string>>

/** Zod's pattern, which the server uses, without loading zod. */
const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

export function validateForm(form: BuyerForm): FieldErrors {
  return {
    ...validateEmail(form.texts.email.trim()),
    ...validateAddress(form, 'shipping'),
    ...(form.choices.isBillingOther && validateAddress(form, 'billing')),
  }
}

function validateEmail(email: string): FieldErrors {
  const { errors } = texts()
  if (email === '') return { email: errors.noEmail }
  if (!emailPattern.test(email)) return { email: errors.email }
  return {}
}

function validateAddress({ texts: typed }: BuyerForm, kind: AddressKind): FieldErrors {
  const { zipCode, ...plain } = texts().errors
  const hasZipCode = postcodeName(typed[`${kind}-country`]) === 'zipCode'
  const errorTexts = { ...plain, ...(hasZipCode && { postcode: zipCode }) }
  const errors: FieldErrors = {}
  for (const part of addressParts.filter(isRequired)) {
    const text = typed[`${kind}-${part}`].trim()
    const isMissing = part === 'country' ? !countries.some((name) => name === text) : text === ''
    if (isMissing) errors[`${kind}-${part}`] = errorTexts[part]
  }
  return errors
}

type FieldFlags = Partial<Record<FieldId, true>>

/** Facts only; which errors and ticks are shown is computed from them. */
export type FormState = {
  form: BuyerForm
  /** What this tab or device knew is in it. */
  isRestored: boolean
  /** Edited since the page was opened. */
  edited: FieldFlags
  /** Left after an edit. */
  blurred: FieldFlags
  /** Fields whose error is shown: left after an edit, or wrong when Pay now was pressed. */
  validated: FieldFlags
  /** How often Pay now met errors; each time the summary takes the focus. */
  failedAttempts: number
  /** Fields of the summary: wrong when Pay now was pressed, and ever since. A field that is left adds none, so nothing moves then. */
  reported: FieldFlags
  /** Contact and delivery were saved on this device. */
  hasSavedBuyer: boolean
}

export const initialFormState: FormState = {
  form: emptyForm,
  isRestored: false,
  edited: {},
  blurred: {},
  validated: {},
  failedAttempts: 0,
  reported: {},
  hasSavedBuyer: false,
}

export type FormAction =
  | { type: 'edited'; id: FieldId; text: string }
  | { type: 'blurred'; id: FieldId }
  | { type: 'chosen'; id: ChoiceId; isOn: boolean }
  | { type: 'country-suggested'; country: Country }
  | { type: 'restored'; form: BuyerForm; hasSavedBuyer: boolean }
  | { type: 'submitted' }
  | { type: 'cleared' }

export function reduceForm(state: FormState, action: FormAction): FormState {
  switch (action.type) {
    case 'edited':
      return editField(state, action.id, action.text)
    case 'blurred':
      if (!state.edited[action.id]) return state
      return {
        ...state,
        blurred: { ...state.blurred, [action.id]: true },
        validated: { ...state.validated, [action.id]: true },
      }
    case 'chosen':
      return {
        ...state,
        form: { ...state.form, choices: { ...state.form.choices, [action.id]: action.isOn } },
      }
    case 'country-suggested':
      return suggestCountry(state, action.country)
    case 'restored':
      return {
        ...state,
        form: action.form,
        isRestored: true,
        hasSavedBuyer: action.hasSavedBuyer,
      }
    case 'submitted': {
      const wrong = Object.keys(validateForm(state.form)).map((id) => [id, true])
      const reported = Object.fromEntries(wrong) as FieldFlags
      return {
        ...state,
        reported,
        validated: { ...state.validated, ...reported },
        failedAttempts: state.failedAttempts + (wrong.length > 0 ? 1 : 0),
      }
    }
    case 'cleared':
      return { ...initialFormState, isRestored: state.isRestored }
  }
}

/** Only where the buyer has chosen nothing: it is a guess. */
function suggestCountry(state: FormState, country: Country): FormState {
  const { form, edited } = state
  if (form.texts['shipping-country'] !== '' || edited['shipping-country']) return state
  return { ...state, form: { ...form, texts: { ...form.texts, 'shipping-country': country } } }
}

/** An error is validated again with every key; a correct field only when it is left again. */
function editField(state: FormState, id: FieldId, text: string): FormState {
  const form = { ...state.form, texts: { ...state.form.texts, [id]: text } }
  const { [id]: wasValidated, ...validated } = state.validated
  const { [id]: _wasReported, ...reported } = state.reported
  const isStillWrong = wasValidated && validateForm(form)[id]
  const edited = { ...state.edited, [id]: true as const }
  return isStillWrong ? { ...state, form, edited } : { ...state, form, edited, validated, reported }
}

/** The errors that the fields show now. */
export function visibleErrors({ form, validated }: FormState): FieldErrors {
  return findErrors(form, validated)
}

export function summaryErrors({ form, reported }: FormState): FieldErrors {
  return findErrors(form, reported)
}

/** In the order of the page. */
function findErrors(form: BuyerForm, among: FieldFlags): FieldErrors {
  const errors = validateForm(form)
  return Object.fromEntries(
    fieldIds.flatMap((id) => (among[id] && errors[id] ? [[id, errors[id]]] : [])),
  )
}

export function hasTick({ form, blurred }: FormState, id: FieldId): boolean {
  return blurred[id] === true && form.texts[id].trim() !== '' && !validateForm(form)[id]
}
