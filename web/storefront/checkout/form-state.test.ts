import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeForm, type FormChange, isGood, shownProblems, untouched } from './form-state.ts'

function after(...changes: FormChange[]) {
  return changes.reduce(changeForm, untouched)
}
const typed = (text: string): FormChange => ({ type: 'typed', id: 'email', text })
const left: FormChange = { type: 'left', id: 'email' }

test('nothing is called wrong while it is being typed', () => {
  assert.deepEqual(shownProblems(after(typed('an'))), {})
})

test('a field that was passed without typing is left in peace', () => {
  assert.deepEqual(shownProblems(after(left)), {})
})

test('a field that was left wrong says so, and stops with the first good key', () => {
  const wrong = after(typed('anna@'), left)
  assert.ok(shownProblems(wrong).email)
  assert.ok(shownProblems(changeForm(wrong, typed('anna@example'))).email)
  assert.equal(shownProblems(changeForm(wrong, typed('anna@example.com'))).email, undefined)
})

test('a good field that is edited again is judged when it is left again', () => {
  const again = after(typed('anna@'), left, typed('anna@example.com'), typed('anna@example.'))
  assert.equal(shownProblems(again).email, undefined)
  assert.ok(shownProblems(changeForm(again, left)).email)
})

test('a good value earns its tick when the field is left', () => {
  assert.ok(!isGood(after(typed('anna@example.com')), 'email'))
  assert.ok(isGood(after(typed('anna@example.com'), left), 'email'))
  assert.ok(!isGood(after(typed(''), left), 'email'))
})

test('Pay now shows every problem and a summary, which leaves with the last of them', () => {
  const tried = after({ type: 'tried' })
  assert.equal(Object.keys(shownProblems(tried)).length, 7)
  assert.equal(tried.hasSummary, true)
  assert.equal(tried.tries, 1)
  const fixes = [
    ['email', 'anna@example.com'],
    ['shipping-country', 'Italy'],
    ['shipping-firstName', 'Anna'],
    ['shipping-lastName', 'Muster'],
    ['shipping-address', 'Via Roma 1'],
    ['shipping-city', 'Roma'],
    ['shipping-postcode', '00118'],
  ] as const
  const mended = fixes
    .map(([id, text]): FormChange => ({ type: 'typed', id, text }))
    .reduce(changeForm, tried)
  assert.equal(mended.hasSummary, false)
  assert.equal(changeForm(mended, { type: 'tried' }).tries, 1)
})

test('billing fields that appear after a try are not wrong from the start', () => {
  const tried = after({ type: 'tried' }, { type: 'chosen', id: 'isBillingOther', isOn: true })
  assert.equal(shownProblems(tried)['billing-city'], undefined)
})
