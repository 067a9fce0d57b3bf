import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pickAddressForms } from '#contract/address-forms.ts'
import { checkoutDetailsSchema } from '#contract/order-schemas.ts'
import { defaultDelivery, type DeliverySettings } from '#contract/quotes.ts'
import { checkout } from '#contract/texts/pages/en.ts'
import { nameCountries } from '#contract/texts/countries.ts'
import { speak } from '#web/storefront/shell/language.ts'
import { speakEnglish } from '#web/storefront/testing/english.ts'
import {
  type BuyerForm,
  emptyForm,
  type FieldId,
  findWish,
  fitForm,
  type FormAction,
  hasTick,
  initialFormState,
  isDeliveryComplete,
  reduceForm,
  toCheckoutDetails,
  summaryErrors,
  validateForm,
  visibleErrors,
} from './form.ts'

const anna: Partial<Record<FieldId, string>> = {
  email: 'anna@example.com',
  'shipping-country': 'Germany',
  'shipping-firstName': 'Anna',
  'shipping-lastName': 'Muster',
  'shipping-address': 'Hauptstraße 1',
  'shipping-city': 'Berlin',
  'shipping-postcode': '10115',
}

function createForm(
  texts: Partial<Record<FieldId, string>> = {},
  choices: Partial<BuyerForm['choices']> = {},
): BuyerForm {
  return {
    texts: { ...emptyForm.texts, ...anna, ...texts },
    choices: { ...emptyForm.choices, ...choices },
  }
}

test('seven fields are required, each with its own message', () => {
  assert.deepEqual(validateForm(createForm()), {})
  assert.deepEqual(validateForm(emptyForm), {
    email: 'Enter your email address',
    'shipping-country': 'Choose a country',
    'shipping-firstName': 'Enter a first name',
    'shipping-lastName': 'Enter a last name',
    'shipping-address': 'Enter an address',
    'shipping-city': 'Enter a city',
    'shipping-postcode': 'Enter a ZIP code',
  })
})

test('spaces count as empty', () => {
  assert.deepEqual(validateForm(createForm({ 'shipping-city': '   ' })), {
    'shipping-city': 'Enter a city',
  })
})

test('in the United Kingdom the message says postcode', () => {
  const form = createForm({ 'shipping-country': 'United Kingdom', 'shipping-postcode': '' })
  assert.equal(validateForm(form)['shipping-postcode'], 'Enter a postcode')
})

test('a country we do not deliver to is an error', () => {
  assert.ok(validateForm(createForm({ 'shipping-country': 'Atlantis' }))['shipping-country'])
})

test('billing fields are required only for a different billing address', () => {
  const errors = validateForm(createForm({}, { isBillingOther: true }))
  assert.equal(Object.keys(errors).length, 6)
  assert.equal(errors['billing-city'], 'Enter a city')
})

test('the browser and the server accept the same email addresses', () => {
  for (const email of ['anna@example.com', "o'neil+shop@mail.example.co.uk", 'a_b-c@x-y.io']) {
    const form = createForm({ email: ` ${email} `, 'shipping-phone': '030 1234' })
    assert.deepEqual(validateForm(form), {})
    assert.equal(checkoutDetailsSchema.parse(toCheckoutDetails(form)).customerEmail, email)
  }
  for (const email of ['anna', 'anna@', 'anna@x', 'an na@example.com', '.a@b.com', 'a..b@c.com']) {
    assert.ok(validateForm(createForm({ email })).email, email)
    assert.ok(
      !checkoutDetailsSchema.safeParse(toCheckoutDetails(createForm({ email }))).success,
      email,
    )
  }
})

test('the delivery is complete when its six required fields are filled', () => {
  assert.ok(isDeliveryComplete(createForm()))
  for (const id of Object.keys(anna).filter((name) => name !== 'email'))
    assert.ok(!isDeliveryComplete(createForm({ [id]: ' ' })), id)
  assert.ok(isDeliveryComplete(createForm({ email: '' })))
})

test('details have the name, the phone and both addresses, without empty parts', () => {
  const details = toCheckoutDetails(
    createForm({ 'shipping-phone': ' 030 1234 ' }, { acceptsNews: true }),
  )
  assert.equal(details.customerName, 'Anna Muster')
  assert.equal(details.customerPhone, '030 1234')
  assert.equal(details.acceptsNews, true)
  assert.deepEqual(details.billingAddress, details.shippingAddress)
  assert.ok(!('apartment' in details.shippingAddress))
})

test('a state is sent only for countries whose addresses have one', () => {
  const stateOf = (country: string) =>
    toCheckoutDetails(createForm({ 'shipping-country': country, 'shipping-state': 'CA' }))
      .shippingAddress.state
  assert.equal(stateOf('United States'), 'CA')
  assert.equal(stateOf('Canada'), 'CA')
  assert.equal(stateOf('Italy'), 'CA')
  assert.equal(stateOf('Germany'), 'CA')
  assert.equal(stateOf('Austria'), undefined)
})

test('an address is asked for as its country writes it', (t) => {
  t.after(speakEnglish)
  const addressForms = pickAddressForms(['Ireland', 'Jamaica', 'Japan'])
  const countries = nameCountries(['Ireland', 'Jamaica', 'Japan'], 'en')
  speak({ language: 'en', texts: checkout, countries, addressForms })
  const check = (country: string, more: object = {}) => {
    const given = { 'shipping-country': country, 'shipping-postcode': '', ...more }
    const { shippingAddress } = toCheckoutDetails(createForm(given))
    return { errors: validateForm(createForm(given)), postcode: shippingAddress.postcode }
  }
  assert.deepEqual(check('Ireland').errors, {})
  assert.equal(check('Ireland', { 'shipping-postcode': 'D06' }).postcode, 'D06')
  assert.equal(check('Jamaica', { 'shipping-postcode': '10115' }).postcode, undefined)
  assert.deepEqual(check('Japan').errors, {
    'shipping-state': 'Enter a state or province',
    'shipping-postcode': 'Enter a ZIP code',
  })
  assert.ok(check('Germany').errors['shipping-country'])
})

const place = {
  name: 'Harbour Store',
  address: 'Kai 1',
  postcode: '20457',
  city: 'Hamburg',
  state: null,
  country: 'Germany',
  hours: null,
} as const

test('who picks up gives a name and no address, and has no billing address of their own', () => {
  const typed = createForm({ 'shipping-address': '', 'shipping-country': '' }, { isPickup: true })
  assert.deepEqual(validateForm(typed), {})
  assert.ok(isDeliveryComplete(typed))
  assert.deepEqual(findWish(typed), { isPickup: true })
  const details = toCheckoutDetails(typed, place)
  assert.equal(details.isPickup, true)
  assert.equal(details.customerName, 'Anna Muster')
  assert.equal(details.billingAddress, undefined)
  const { address, apartment, city, country } = details.shippingAddress
  assert.deepEqual(
    [address, apartment, city, country],
    ['Harbour Store', 'Kai 1', 'Hamburg', 'Germany'],
  )
  assert.deepEqual(checkoutDetailsSchema.parse(details), details)
  const nameless = createForm({ 'shipping-lastName': ' ' }, { isPickup: true })
  assert.deepEqual(validateForm(nameless), { 'shipping-lastName': 'Enter a last name' })
  const billed = toCheckoutDetails(
    createForm({ 'billing-city': 'Bonn' }, { isPickup: true, isBillingOther: true }),
    place,
  )
  assert.equal(billed.billingAddress?.city, 'Bonn')
})

test('what was typed before fits where the shop delivers to now', () => {
  const form = createForm({ 'billing-country': 'Italy' }, { isPickup: true })
  const fit = (delivery: Partial<DeliverySettings>) => {
    const { texts, choices } = fitForm(form, { ...defaultDelivery, ...delivery })
    return [texts['shipping-country'], texts['billing-country'], choices.isPickup]
  }
  assert.deepEqual(fit({}), ['Germany', 'Italy', false])
  assert.deepEqual(fit({ countries: ['France'], pickup: place }), ['', '', true])
  const { choices } = fitForm(emptyForm, { countries: [], prices: [], pickup: place })
  assert.equal(choices.isPickup, true)
})

test('a suggested country is taken only where the buyer has chosen none', () => {
  const suggested: FormAction = { type: 'country-suggested', country: 'Italy' }
  const choose = (text: string): FormAction => ({ type: 'edited', id: 'shipping-country', text })
  const countryAfter = (...actions: FormAction[]) =>
    after(...actions).form.texts['shipping-country']
  assert.equal(countryAfter(suggested), 'Italy')
  assert.equal(countryAfter(choose('France'), suggested), 'France')
  assert.equal(countryAfter(choose('France'), choose(''), suggested), '')
})

function after(...actions: FormAction[]) {
  return actions.reduce(reduceForm, initialFormState)
}
const edit = (text: string): FormAction => ({ type: 'edited', id: 'email', text })
const blur: FormAction = { type: 'blurred', id: 'email' }

test('no error is shown while typing', () => {
  assert.deepEqual(visibleErrors(after(edit('an'))), {})
})

test('no error is shown for a field that was left without typing', () => {
  assert.deepEqual(visibleErrors(after(blur)), {})
})

test('a field left with an error shows it until the first key that corrects it', () => {
  const wrong = after(edit('anna@'), blur)
  assert.ok(visibleErrors(wrong).email)
  assert.ok(visibleErrors(reduceForm(wrong, edit('anna@example'))).email)
  assert.equal(visibleErrors(reduceForm(wrong, edit('anna@example.com'))).email, undefined)
})

test('a correct field that is edited again is validated when it is left again', () => {
  const again = after(edit('anna@'), blur, edit('anna@example.com'), edit('anna@example.'))
  assert.equal(visibleErrors(again).email, undefined)
  assert.ok(visibleErrors(reduceForm(again, blur)).email)
})

test('a correct value gets its tick when the field is left', () => {
  assert.ok(!hasTick(after(edit('anna@example.com')), 'email'))
  assert.ok(hasTick(after(edit('anna@example.com'), blur), 'email'))
  assert.ok(!hasTick(after(edit(''), blur), 'email'))
})

test('Pay now shows every error and a summary, which disappears with the last error', () => {
  const submitted = after({ type: 'submitted' })
  assert.equal(Object.keys(visibleErrors(submitted)).length, 7)
  assert.deepEqual(summaryErrors(submitted), visibleErrors(submitted))
  assert.equal(submitted.failedAttempts, 1)
  const fixes = [
    ['email', 'anna@example.com'],
    ['shipping-country', 'Italy'],
    ['shipping-firstName', 'Anna'],
    ['shipping-lastName', 'Muster'],
    ['shipping-address', 'Via Roma 1'],
    ['shipping-city', 'Roma'],
    ['shipping-postcode', '00118'],
  ] as const
  const fixed = fixes
    .map(([id, text]): FormAction => ({ type: 'edited', id, text }))
    .reduce(reduceForm, submitted)
  assert.deepEqual(summaryErrors(fixed), {})
  assert.equal(reduceForm(fixed, { type: 'submitted' }).failedAttempts, 1)
})

test('a field that is left adds nothing to the summary', () => {
  const submitted = after({ type: 'submitted' }, edit('anna@example.com'), edit(''), blur)
  assert.ok(visibleErrors(submitted).email)
  assert.equal(summaryErrors(submitted).email, undefined)
})

test('billing fields that appear after Pay now show no error at first', () => {
  const submitted = after(
    { type: 'submitted' },
    { type: 'chosen', id: 'isBillingOther', isOn: true },
  )
  assert.equal(visibleErrors(submitted)['billing-city'], undefined)
})

const sizes = { name: 'Size', ids: ['s', 'm'] }
const withSizes = { ...initialFormState, choosable: sizes }

test('what has to be chosen is asked for first, and sent with the details', () => {
  assert.deepEqual(Object.keys(validateForm(createForm({ email: '' }), { choosable: sizes })), [
    'choice',
    'email',
  ])
  assert.equal(validateForm(createForm(), { choosable: sizes }).choice, 'Choose: Size')
  assert.deepEqual(validateForm(createForm({ choice: 'm' }), { choosable: sizes }), {})
  assert.equal(toCheckoutDetails(createForm({ choice: 'm' })).choice, 'm')
  assert.ok(!('choice' in toCheckoutDetails(createForm())))
})

test('what was chosen before is dropped if it is not there any more', () => {
  const restore = (choice: string) =>
    reduceForm(withSizes, {
      type: 'restored',
      form: createForm({ choice }),
      hasSavedBuyer: false,
    }).form.texts.choice
  assert.deepEqual(['s', 'xl', ''].map(restore), ['s', '', ''])
})

test('a value that was sold meanwhile is reported at its field until another is chosen', () => {
  const chosen = { ...withSizes, form: createForm({ choice: 'm' }) }
  const soldOut = reduceForm(chosen, { type: 'value-sold-out' })
  assert.deepEqual(soldOut.choosable?.ids, ['s'])
  assert.match(summaryErrors(soldOut).choice ?? '', /^What you chose is sold/)
  assert.equal(soldOut.failedAttempts, 1)
  const other = reduceForm(soldOut, { type: 'edited', id: 'choice', text: 's' })
  assert.deepEqual([summaryErrors(other), visibleErrors(other)], [{}, {}])
})

test('what the product asks for is missing only where it must be there', () => {
  const form = createForm({ note: ' \n ' })
  assert.deepEqual(validateForm(form, { asked: { label: 'Engraving', isRequired: false } }), {})
  assert.deepEqual(validateForm(form, { asked: { label: 'Engraving', isRequired: true } }), {
    note: 'Fill in “Engraving”',
  })
  const written = createForm({ note: ' For Anna\nwith love ' })
  assert.deepEqual(validateForm(written, { asked: { label: 'Engraving', isRequired: true } }), {})
  assert.equal(toCheckoutDetails(written).note, 'For Anna\nwith love')
  assert.equal('note' in toCheckoutDetails(form), false)
})

test('clearing the form keeps what the product asks for', () => {
  const asked = { label: 'Engraving', isRequired: true }
  assert.equal(reduceForm({ ...initialFormState, asked }, { type: 'cleared' }).asked, asked)
})
