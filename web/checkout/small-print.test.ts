import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from './test-world.ts'
import { orderRefusal, readFail, readTrouble } from './answers.ts'
import { suggestEmail } from './email-hint.ts'
import { readForm } from './memory.ts'
import { writePageData } from './page-data.ts'
import { pauseBefore } from './patience.ts'
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

test('only a definite no of the server is a refused order', () => {
  const meaning = (status: number) => orderRefusal(refusal(status))
  assert.equal(meaning(402), 'declined')
  assert.equal(meaning(409), 'review')
  assert.equal(meaning(410), 'expired')
  assert.equal(meaning(400), 'refused')
  assert.equal(meaning(404), 'refused')
  for (const status of [408, 429, 500, 502, 503]) assert.equal(meaning(status), 'unknown')
  assert.equal(orderRefusal(new TypeError('Failed to fetch')), 'unknown')
})

test("SumUp's errors are read in all their dialects", () => {
  assert.deepEqual(readTrouble([{ message: 'Bad card', error_code: 'INVALID' }]), {
    text: 'Bad card',
    isAnswered: true,
    isProcessed: false,
  })
  assert.equal(readTrouble({ detail: 'Gone', type: 'https://x/problem/gone' }).text, 'Gone')
  assert.ok(readTrouble({ type: 'https://x/problem/session-already-processed' }).isProcessed)
  assert.ok(!readTrouble(undefined).isAnswered)
  assert.ok(!readTrouble({ message: 'Failed to fetch' }).isAnswered)
  assert.ok(readFail(undefined).isAnswered)
  assert.ok(!readFail({ message: 'timeout', error_code: 'NETWORK_ERROR' }).isAnswered)
})

test('the page asks quickly at first and slowly later', () => {
  const pauses = [0, 1, 2, 3, 4].map((look) => pauseBefore(look, false))
  assert.deepEqual(pauses, [1000, 2000, 3000, 5000, 5000])
  assert.ok(pauseBefore(30, true) > 10_000)
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
  const json = writePageData(data as never)
  assert.ok(!json.includes('<'))
  assert.deepEqual(JSON.parse(json), data)
})
