import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAddressForm, pickAddressForms } from './address-forms.ts'
import { countries, isEuCountry } from './countries.ts'
import { type Language, languageCodes } from './languages.ts'
import { addressSchema } from './order-schemas.ts'
import { nameCountry } from './texts/countries.ts'
import { countryCodes, findCountry, worldCountries } from './world-countries.ts'

const person = { lastName: 'Muster', address: 'Weg 1', city: 'Town' }

function findProblems(address: object): string[] {
  const { error } = addressSchema.safeParse({ ...person, ...address })
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
}

test('every country has a name and a code of its own', () => {
  const codes = Object.values(countryCodes)
  assert.equal(new Set(codes).size, worldCountries.length)
  for (const code of codes) assert.match(code, /^[A-Z]{2}$/)
  for (const country of countries) assert.equal(findCountry(country), country)
  for (const name of ['Atlantis', 'constructor', '', undefined])
    assert.equal(findCountry(name), undefined)
})

test('every language names every country, and English as addresses store it', () => {
  for (const language of languageCodes)
    for (const country of worldCountries) assert.ok(nameCountry(country, language), country)
  for (const country of worldCountries) assert.equal(nameCountry(country, 'en'), country)
  const shops = (language: Language) => countries.map((country) => nameCountry(country, language))
  assert.deepEqual(shops('de').slice(0, 4), ['Belgien', 'Kanada', 'Frankreich', 'Deutschland'])
  assert.deepEqual(shops('nl').slice(-2), ['Verenigd Koninkrijk', 'Verenigde Staten'])
  assert.equal(nameCountry('Netherlands', 'it'), 'Paesi Bassi')
  assert.equal(nameCountry('Austria', 'de'), 'Österreich')
  assert.equal(nameCountry('Ireland', 'fr'), 'Irlande')
  assert.equal(nameCountry('Austria', 'en'), 'Austria')
  assert.equal(nameCountry('Prussia', 'de'), 'Prussia')
})

test('the European Union has 27 members', () => {
  const regions = [
    'Åland Islands',
    'French Guiana',
    'Guadeloupe',
    'Martinique',
    'Mayotte',
    'Réunion',
    'St. Martin',
  ]
  const members = worldCountries.filter(isEuCountry).filter((name) => !regions.includes(name))
  assert.equal(members.length, 27)
  for (const outside of ['Switzerland', 'Norway', 'United Kingdom', 'Atlantis'])
    assert.equal(isEuCountry(outside), false, outside)
})

test('a postcode is needed where every address has one, and nowhere else', () => {
  assert.deepEqual(findProblems({ country: 'Austria' }), ['postcode: Enter a postcode'])
  assert.deepEqual(findProblems({ country: 'Germany', postcode: ' ' }), [
    'postcode: Enter a postcode',
  ])
  for (const country of ['Ireland', 'Hong Kong SAR China', 'Jamaica'])
    assert.deepEqual(findProblems({ country }), [], country)
  assert.equal(addressSchema.parse({ ...person, country: 'Jamaica' }).postcode, '')
})

test('a state is needed where mail is not delivered without one', () => {
  assert.deepEqual(findProblems({ country: 'Japan', postcode: '100-0001' }), [
    'state: Enter a state or province',
  ])
  assert.deepEqual(findProblems({ country: 'Japan', postcode: '100-0001', state: 'Tokyo' }), [])
  assert.deepEqual(findProblems({ country: 'United States', postcode: '10001' }), [])
})

test('everything that is wrong with an address is told at once', () => {
  assert.deepEqual(findProblems({ country: 'Germany', lastName: '' }), [
    'lastName: Enter a last name',
    'postcode: Enter a postcode',
  ])
  assert.deepEqual(findProblems({ country: 'Atlantis', postcode: '1' }), [
    'country: Choose a country we deliver to',
  ])
})

test('a page is told the forms of its own countries, and only what differs from most', () => {
  assert.deepEqual(pickAddressForms(['Austria', 'Ireland', 'Jamaica']), {
    Ireland: { postcode: 'optional', isCalledPostcode: true, state: 'county' },
    Jamaica: { postcode: 'none' },
  })
  for (const country of countries) assert.equal(findAddressForm(country).state, 'state', country)
  assert.deepEqual(findAddressForm('Atlantis'), {})
})
