import type { Address, CheckoutDetails } from '#contract/orders.ts'

/** The parts of an address in the order in which the page asks for them. */
export const addressParts = [
  'country',
  'firstName',
  'lastName',
  'address',
  'apartment',
  'city',
  'state',
  'postcode',
  'phone',
] as const
export type AddressPart = (typeof addressParts)[number]
export type AddressKind = 'shipping' | 'billing'

/** What a field is called everywhere: its id on the page, its name for autofill, its key here. */
export type FieldId = 'email' | `${AddressKind}-${AddressPart}`

export const fieldIds: readonly FieldId[] = [
  'email',
  ...addressParts.map((part) => `shipping-${part}` as const),
  ...addressParts.map((part) => `billing-${part}` as const),
]

export const choiceIds = ['acceptsNews', 'isKept', 'isBillingOther'] as const
export type ChoiceId = (typeof choiceIds)[number]

/** What the buyer has entered. The card is not part of it: SumUp's widget alone sees that. */
export type BuyerForm = {
  texts: Record<FieldId, string>
  /** News by e-mail; kept on this device; a billing address of its own. */
  choices: Record<ChoiceId, boolean>
}

export const emptyForm: BuyerForm = {
  texts: Object.fromEntries(fieldIds.map((id) => [id, ''])) as Record<FieldId, string>,
  choices: { acceptsNews: false, isKept: false, isBillingOther: false },
}

/** As much as the server takes of each. */
export const longest: Record<AddressPart | 'email', number> = {
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

const neededParts = ['country', 'firstName', 'lastName', 'address', 'city', 'postcode'] as const
export type NeededPart = (typeof neededParts)[number]

export function isNeeded(part: AddressPart): part is NeededPart {
  return neededParts.some((needed) => needed === part)
}

/** Enough is known to say how it will be delivered. */
export function isDeliveryFilled({ texts }: BuyerForm): boolean {
  return neededParts.every((part) => texts[`shipping-${part}`].trim() !== '')
}

export function addressOf({ texts }: BuyerForm, kind: AddressKind): Address {
  const filled = addressParts
    .map((part) => [part, texts[`${kind}-${part}`].trim()] as const)
    .filter(([, text]) => text !== '')
  return Object.fromEntries(filled) as Address
}

/** What the server keeps before any card is submitted. */
export function detailsOf(form: BuyerForm): CheckoutDetails {
  const shippingAddress = addressOf(form, 'shipping')
  const { firstName, lastName, phone } = shippingAddress
  return {
    customerEmail: form.texts.email.trim(),
    customerName: [firstName, lastName].filter(Boolean).join(' '),
    ...(phone && { customerPhone: phone }),
    shippingAddress,
    billingAddress: form.choices.isBillingOther ? addressOf(form, 'billing') : shippingAddress,
    acceptsNews: form.choices.acceptsNews,
  }
}
