import type { Country } from '#contract/countries.ts'
import { fillText } from '#contract/languages.ts'
import {
  type Address,
  addressParts,
  maxBuyerNoteLength,
  type SentDetails,
} from '#contract/orders.ts'
import { toPickupAddress } from '#contract/pickup.ts'
import {
  type DeliverySettings,
  type DeliveryWish,
  listAddressCountries,
  type PickupPlace,
} from '#contract/quotes.ts'

import { addressForm, isKnownCountry, language, texts } from '#web/storefront/shell/language.ts'

import { hasPostcodes, postcodeName } from './field-hints.ts'
import { hasStates } from './states.ts'

export type AddressPart = (typeof addressParts)[number]
export type AddressKind = 'shipping' | 'billing'

/** The id of a field on the page, its name for autofill and its key in the form. */
export type FieldId = 'choice' | TextFieldId
export type TextFieldId = 'email' | 'note' | `${AddressKind}-${AddressPart}`

export const fieldIds: readonly FieldId[] = [
  'choice',
  'email',
  ...addressParts.map((part) => `shipping-${part}` as const),
  'note',
  ...addressParts.map((part) => `billing-${part}` as const),
]

export const choiceIds = ['acceptsNews', 'isKept', 'isBillingOther', 'isPickup'] as const
export type ChoiceId = (typeof choiceIds)[number]

/** What the buyer has entered. Card details are not part of it: only SumUp's widget sees them. */
export type BuyerForm = {
  texts: Record<FieldId, string>
  choices: Record<ChoiceId, boolean>
}

export const emptyForm: BuyerForm = {
  texts: Object.fromEntries(fieldIds.map((id) => [id, ''])) as Record<FieldId, string>,
  choices: { acceptsNews: false, isKept: false, isBillingOther: false, isPickup: false },
}

/** The server's limits. */
export const maxLengths: Record<AddressPart | 'email' | 'note', number> = {
  email: 255,
  note: maxBuyerNoteLength,
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

/** What an address may have to have, in the order of the form. */
const requiredParts = [
  'country',
  'firstName',
  'lastName',
  'address',
  'city',
  'state',
  'postcode',
] as const

/** The parts that the address must have: by its country, and of who picks up no more than a name. */
function listRequired({ texts, choices }: BuyerForm, kind: AddressKind) {
  const isName = (part: AddressPart) => part === 'firstName' || part === 'lastName'
  if (kind === 'shipping' && choices.isPickup) return requiredParts.filter(isName)
  const { postcode, isStateRequired = false } = addressForm(texts[`${kind}-country`])
  const isNeeded = { state: isStateRequired, postcode: postcode === undefined }
  return requiredParts.filter((part) =>
    part === 'state' || part === 'postcode' ? isNeeded[part] : true,
  )
}

export function isRequired(form: BuyerForm, kind: AddressKind, part: AddressPart): boolean {
  return listRequired(form, kind).some((required) => required === part)
}

export function isDeliveryComplete(form: BuyerForm): boolean {
  const { texts } = form
  return listRequired(form, 'shipping').every((part) => texts[`shipping-${part}`].trim() !== '')
}

/** What the price depends on beside the product. */
export function findWish({ texts, choices }: BuyerForm): DeliveryWish {
  if (choices.isPickup) return { isPickup: true }
  const country = texts['shipping-country']
  return isKnownCountry(country) ? { country: country as Country } : {}
}

/** What was typed before may be of another shop, or of before the owner changed where it delivers to. */
export function fitForm({ texts, choices }: BuyerForm, delivery: DeliverySettings): BuyerForm {
  const { countries, pickup } = delivery
  const keep = (country: string, offered: Country[]) =>
    offered.some((one) => one === country) ? country : ''
  return {
    texts: {
      ...texts,
      'shipping-country': keep(texts['shipping-country'], countries),
      'billing-country': keep(texts['billing-country'], listAddressCountries(delivery)),
    },
    choices: {
      ...choices,
      isPickup: pickup !== null && (choices.isPickup || countries.length === 0),
    },
  }
}

export function toCheckoutDetails(form: BuyerForm, place: PickupPlace | null = null): SentDetails {
  const { isPickup, isBillingOther } = form.choices
  const typed = toAddress(form, 'shipping')
  const shippingAddress = isPickup && place ? toPickupAddress(place, typed) : typed
  const ownBilling = isPickup ? undefined : shippingAddress
  const billingAddress = isBillingOther ? toAddress(form, 'billing') : ownBilling
  const { firstName, lastName, phone } = shippingAddress
  const note = form.texts.note.trim()
  return {
    customerEmail: form.texts.email.trim(),
    customerName: [firstName, lastName].filter(Boolean).join(' '),
    ...(phone && { customerPhone: phone }),
    shippingAddress,
    ...(billingAddress && { billingAddress }),
    ...(isPickup && { isPickup }),
    acceptsNews: form.choices.acceptsNews,
    ...(note && { note }),
    language: language(),
    ...(form.texts.choice && { choice: form.texts.choice }),
  }
}

function toAddress({ texts }: BuyerForm, kind: AddressKind): Address {
  const country = texts[`${kind}-country`]
  // What was typed before another country was chosen is not part of its addresses.
  const isPart = { state: hasStates(country), postcode: hasPostcodes(country) }
  const filled = addressParts
    .filter((part) => (part === 'state' || part === 'postcode' ? isPart[part] : true))
    .map((part) => [part, texts[`${kind}-${part}`].trim()] as const)
    .filter(([, text]) => text !== '')
  return Object.fromEntries(filled) as Address
}

/** What is wrong with each field and how to correct it. */
export type FieldErrors = Partial<Record<FieldId, string>>

/** Zod's pattern, which the server uses, without loading zod. */
const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

/** What has to be chosen, and the ids of the values that are there; undefined where there is nothing to choose. */
export type Choosable = { name: string; ids: readonly string[] } | undefined
/** What the product asks buyers to write; undefined where it is nothing. */
export type AskedNote = { label: string; isRequired: boolean } | undefined
/** What is asked for beside contact and addresses. */
type Asked = { choosable?: Choosable; asked?: AskedNote }

export function validateForm(form: BuyerForm, { choosable, asked }: Asked = {}): FieldErrors {
  return {
    ...validateChoice(form.texts.choice, choosable),
    ...validateEmail(form.texts.email.trim()),
    ...validateAddress(form, 'shipping'),
    ...validateNote(form.texts.note.trim(), asked),
    ...(form.choices.isBillingOther && validateAddress(form, 'billing')),
  }
}

function validateChoice(choice: string, choosable: Choosable): FieldErrors {
  if (!choosable || choosable.ids.includes(choice)) return {}
  const { errors, refusals } = texts()
  const missing = fillText(errors.choice, { name: choosable.name })
  return { choice: choice === '' ? missing : refusals['value-sold-out'] }
}

function validateEmail(email: string): FieldErrors {
  const { errors } = texts()
  if (email === '') return { email: errors.noEmail }
  if (!emailPattern.test(email)) return { email: errors.email }
  return {}
}

function validateNote(note: string, asked: AskedNote): FieldErrors {
  if (!asked?.isRequired || note !== '') return {}
  return { note: fillText(texts().errors.note, { label: asked.label }) }
}

function validateAddress(form: BuyerForm, kind: AddressKind): FieldErrors {
  const { texts: typed } = form
  const { zipCode, ...plain } = texts().errors
  const hasZipCode = postcodeName(typed[`${kind}-country`]) === 'zipCode'
  const errorTexts = { ...plain, ...(hasZipCode && { postcode: zipCode }) }
  const errors: FieldErrors = {}
  for (const part of listRequired(form, kind)) {
    const text = typed[`${kind}-${part}`].trim()
    const isMissing = part === 'country' ? !isKnownCountry(text) : text === ''
    if (isMissing) errors[`${kind}-${part}`] = errorTexts[part]
  }
  return errors
}

type FieldFlags = Partial<Record<FieldId, true>>

/** Facts only; which errors and ticks are shown is computed from them. */
export type FormState = {
  form: BuyerForm
  choosable: Choosable
  asked: AskedNote
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
  choosable: undefined,
  asked: undefined,
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
  /** Somebody else was faster than Pay now. */
  | { type: 'value-sold-out' }
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
        form: withKnownChoice(action.form, state.choosable),
        isRestored: true,
        hasSavedBuyer: action.hasSavedBuyer,
      }
    case 'value-sold-out':
      return reportErrors(withoutValue(state, state.form.texts.choice))
    case 'submitted':
      return reportErrors(state)
    case 'cleared': {
      // How it is delivered is no data of the buyer's.
      const { isPickup } = state.form.choices
      const form = { ...emptyForm, choices: { ...emptyForm.choices, isPickup } }
      const { choosable, asked, isRestored } = state
      return { ...initialFormState, form, choosable, asked, isRestored }
    }
  }
}

function reportErrors(state: FormState): FormState {
  const wrong = Object.keys(validateForm(state.form, state)).map((id) => [id, true])
  const reported = Object.fromEntries(wrong) as FieldFlags
  return {
    ...state,
    reported,
    validated: { ...state.validated, ...reported },
    failedAttempts: state.failedAttempts + (wrong.length > 0 ? 1 : 0),
  }
}

/** What was chosen earlier may be gone by now. */
function withKnownChoice(form: BuyerForm, choosable: Choosable): BuyerForm {
  const { choice } = form.texts
  const isKnown = choice === '' || choosable?.ids.includes(choice)
  return isKnown ? form : { ...form, texts: { ...form.texts, choice: '' } }
}

function withoutValue(state: FormState, value: string): FormState {
  const { choosable } = state
  if (!choosable) return state
  return { ...state, choosable: { ...choosable, ids: choosable.ids.filter((id) => id !== value) } }
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
  const isStillWrong = wasValidated && validateForm(form, state)[id]
  const edited = { ...state.edited, [id]: true as const }
  return isStillWrong ? { ...state, form, edited } : { ...state, form, edited, validated, reported }
}

/** The errors that the fields show now. */
export function visibleErrors(state: FormState): FieldErrors {
  return findErrors(state, state.validated)
}

export function summaryErrors(state: FormState): FieldErrors {
  return findErrors(state, state.reported)
}

/** In the order of the page. */
function findErrors(state: FormState, among: FieldFlags): FieldErrors {
  const errors = validateForm(state.form, state)
  return Object.fromEntries(
    fieldIds.flatMap((id) => (among[id] && errors[id] ? [[id, errors[id]]] : [])),
  )
}

export function hasTick(state: FormState, id: FieldId): boolean {
  const { form, blurred } = state
  return blurred[id] === true && form.texts[id].trim() !== '' && !validateForm(form, state)[id]
}
