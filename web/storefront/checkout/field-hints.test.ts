import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#web/storefront/testing/english.ts'
import {
  phoneWarning,
  postcodeKeyboard,
  postcodeName,
  postcodeWarning,
  suggestEmail,
} from './field-hints.ts'

test('a typo in a well-known mail domain is noticed', () => {
  assert.equal(suggestEmail('anna@gmial.com'), 'anna@gmail.com')
  assert.equal(suggestEmail('anna@gmail.con'), 'anna@gmail.com')
  assert.equal(suggestEmail('anna@hotmal.com'), 'anna@hotmail.com')
  assert.equal(suggestEmail('anna@yahooo.com'), 'anna@yahoo.com')
})

test('a correct or unknown mail domain gets no suggestion', () => {
  for (const email of ['a@gmail.com', 'a@mail.com', 'a@ymail.com', 'a@example.com', 'a@gmail', 'x'])
    assert.equal(suggestEmail(email), undefined, email)
})

test('an unusual postcode gets a warning with an example', () => {
  assert.equal(postcodeWarning('Germany', '10115'), undefined)
  assert.match(postcodeWarning('Germany', '1011') ?? '', /10115/)
  assert.equal(postcodeWarning('United Kingdom', 'sw1a 1aa'), undefined)
  assert.equal(postcodeWarning('Canada', 'K1A0B1'), undefined)
  assert.equal(postcodeWarning('', 'anything'), undefined)
  assert.equal(postcodeWarning('toString', 'anything'), undefined)
})

test('what can hardly be a phone number gets a warning with an example', () => {
  for (const phone of ['', '030 123456', '+49 (0)30/12-34-56', '07700900123'])
    assert.equal(phoneWarning('Germany', phone), undefined, phone)
  for (const phone of ['12345', 'call me', '030 123456 ext', '1'.repeat(16)])
    assert.match(phoneWarning('France', phone) ?? '', /\+33/, phone)
  for (const country of ['', 'Austria', 'Japan', 'toString'])
    assert.equal(phoneWarning(country, '1'), undefined, 'of other countries no example is known')
})

test('a phone shows digits where a postcode has only digits', () => {
  assert.equal(postcodeKeyboard('Germany').inputMode, 'numeric')
  assert.equal(postcodeKeyboard('United Kingdom').inputMode, 'text')
  assert.equal(postcodeName('United Kingdom'), 'postcode')
  assert.equal(postcodeName('United States'), 'zipCode')
})
