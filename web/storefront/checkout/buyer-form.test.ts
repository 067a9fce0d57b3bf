import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkoutDetailsSchema } from '#contract/order-schemas.ts'
import {
  type BuyerForm,
  detailsOf,
  emptyForm,
  type FieldId,
  isDeliveryFilled,
} from './buyer-form.ts'
import { findProblems } from './problems.ts'

const anna: Partial<Record<FieldId, string>> = {
  email: 'anna@example.com',
  'shipping-country': 'Germany',
  'shipping-firstName': 'Anna',
  'shipping-lastName': 'Muster',
  'shipping-address': 'Hauptstraße 1',
  'shipping-city': 'Berlin',
  'shipping-postcode': '10115',
}

function filled(
  texts: Partial<Record<FieldId, string>> = {},
  choices: Partial<BuyerForm['choices']> = {},
): BuyerForm {
  return {
    texts: { ...emptyForm.texts, ...anna, ...texts },
    choices: { ...emptyForm.choices, ...choices },
  }
}

test('seven fields must be filled in, and each says how', () => {
  assert.deepEqual(findProblems(filled()), {})
  assert.deepEqual(findProblems(emptyForm), {
    email: 'Enter your email address',
    'shipping-country': 'Choose a country',
    'shipping-firstName': 'Enter a first name',
    'shipping-lastName': 'Enter a last name',
    'shipping-address': 'Enter an address',
    'shipping-city': 'Enter a city',
    'shipping-postcode': 'Enter a ZIP code',
  })
})

test('blanks are not an entry', () => {
  assert.deepEqual(findProblems(filled({ 'shipping-city': '   ' })), {
    'shipping-city': 'Enter a city',
  })
})

test('in the United Kingdom it is a postcode', () => {
  const form = filled({ 'shipping-country': 'United Kingdom', 'shipping-postcode': '' })
  assert.equal(findProblems(form)['shipping-postcode'], 'Enter a postcode')
})

test('a country we do not deliver to is none', () => {
  assert.ok(findProblems(filled({ 'shipping-country': 'Atlantis' }))['shipping-country'])
})

test('a billing address of its own is asked for only when chosen', () => {
  const problems = findProblems(filled({}, { isBillingOther: true }))
  assert.equal(Object.keys(problems).length, 6)
  assert.equal(problems['billing-city'], 'Enter a city for billing')
})

test('what we let through, the server takes', () => {
  for (const email of ['anna@example.com', "o'neil+shop@mail.example.co.uk", 'a_b-c@x-y.io']) {
    const form = filled({ email: ` ${email} `, 'shipping-phone': '030 1234' })
    assert.deepEqual(findProblems(form), {})
    assert.equal(checkoutDetailsSchema.parse(detailsOf(form)).customerEmail, email)
  }
  for (const email of ['anna', 'anna@', 'anna@x', 'an na@example.com', '.a@b.com', 'a..b@c.com']) {
    assert.ok(findProblems(filled({ email })).email, email)
    assert.ok(!checkoutDetailsSchema.safeParse(detailsOf(filled({ email }))).success, email)
  }
})

test('the delivery is known when its six fields are filled', () => {
  assert.ok(isDeliveryFilled(filled()))
  for (const id of Object.keys(anna).filter((name) => name !== 'email'))
    assert.ok(!isDeliveryFilled(filled({ [id]: ' ' })), id)
  assert.ok(isDeliveryFilled(filled({ email: '' })))
})

test('details carry the name, the phone and both addresses, without empty parts', () => {
  const details = detailsOf(filled({ 'shipping-phone': ' 030 1234 ' }, { acceptsNews: true }))
  assert.equal(details.customerName, 'Anna Muster')
  assert.equal(details.customerPhone, '030 1234')
  assert.equal(details.acceptsNews, true)
  assert.deepEqual(details.billingAddress, details.shippingAddress)
  assert.ok(!('apartment' in details.shippingAddress))
})
