import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyForm } from './form.ts'
import { findSavedBuyer, parseForm, saveBuyer } from './storage.ts'

test('a stored form is read only where it has known fields of the right type', () => {
  assert.equal(parseForm(null), undefined)
  assert.equal(parseForm('not json'), undefined)
  assert.equal(parseForm('null'), undefined)
  const form = parseForm('{"texts":{"email":"a@b.co","shipping-city":7,"evil":"x"},"choices":3}')
  assert.equal(form?.texts.email, 'a@b.co')
  assert.equal(form?.texts['shipping-city'], '')
  assert.ok(form && !('evil' in form.texts))
})

test('a storage that is full, or forbidden, stops nothing', (t) => {
  const refuse = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  const full = { localStorage: { setItem: refuse, getItem: () => null } }
  t.after(() => Reflect.deleteProperty(globalThis, 'window'))
  for (const window of [full, Object.defineProperty({}, 'localStorage', { get: refuse })]) {
    Object.assign(globalThis, { window })
    saveBuyer(emptyForm)
    assert.equal(findSavedBuyer(), undefined)
  }
})
