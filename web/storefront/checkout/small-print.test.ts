import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestEmail } from './email-hint.ts'
import { readForm } from './memory.ts'
import { serializePageData } from '#web/storefront/shell/page-data.ts'
import { postcodeDoubt, postcodeKeyboard, postcodeLabel } from './postcode.ts'

test('a slip in a well-known mail address is noticed', () => {
  assert.equal(suggestEmail('anna@gmial.com'), 'anna@gmail.com')
  assert.equal(suggestEmail('anna@gmail.con'), 'anna@gmail.com')
  assert.equal(suggestEmail('anna@hotmal.com'), 'anna@hotmail.com')
  assert.equal(suggestEmail('anna@yahooo.com'), 'anna@yahoo.com')
})

test('a right or unknown mail address is left alone', () => {
  for (const email of ['a@gmail.com', 'a@mail.com', 'a@ymail.com', 'a@example.com', 'a@gmail', 'x'])
    assert.equal(suggestEmail(email), undefined, email)
})

test('postcodes are doubted, never refused', () => {
  assert.equal(postcodeDoubt('Germany', '10115'), undefined)
  assert.match(postcodeDoubt('Germany', '1011') ?? '', /10115/)
  assert.equal(postcodeDoubt('United Kingdom', 'sw1a 1aa'), undefined)
  assert.equal(postcodeDoubt('Canada', 'K1A0B1'), undefined)
  assert.equal(postcodeDoubt('', 'anything'), undefined)
  assert.equal(postcodeDoubt('toString', 'anything'), undefined)
})

test('a phone shows digits for digits and letters for letters', () => {
  assert.equal(postcodeKeyboard('Germany').inputMode, 'numeric')
  assert.equal(postcodeKeyboard('United Kingdom').inputMode, 'text')
  assert.equal(postcodeLabel('United Kingdom'), 'Postcode')
  assert.equal(postcodeLabel('United States'), 'ZIP code')
})

test('what a browser stored is read with suspicion', () => {
  assert.equal(readForm(null), undefined)
  assert.equal(readForm('not json'), undefined)
  assert.equal(readForm('null'), undefined)
  const form = readForm('{"texts":{"email":"a@b.co","shipping-city":7,"evil":"x"},"choices":3}')
  assert.equal(form?.texts.email, 'a@b.co')
  assert.equal(form?.texts['shipping-city'], '')
  assert.ok(form && !('evil' in form.texts))
})

test('no product name can end the script that carries the page data', () => {
  const data = { page: 'checkout', product: { name: '</script><script>alert(1)//<!--' } }
  const json = serializePageData(data as never)
  assert.ok(!json.includes('<'))
  assert.deepEqual(JSON.parse(json), data)
})
