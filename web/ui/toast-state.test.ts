import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeToasts, mostToastsShown } from './toast-state.ts'

const toast = (id: string) => ({ id, title: id, isOpen: true })

test('a second toast takes the place of the first', () => {
  assert.equal(mostToastsShown, 1)
  const shown = changeToasts([toast('first')], { type: 'added', toast: toast('second') })
  assert.deepEqual(
    shown.map(({ id }) => id),
    ['second'],
  )
})

test('toasts are added, updated, dismissed and removed', () => {
  const added = changeToasts([], { type: 'added', toast: toast('a') })
  const updated = changeToasts(added, { type: 'updated', id: 'a', content: { title: 'new' } })
  assert.equal(updated[0]?.title, 'new')
  const dismissed = changeToasts(updated, { type: 'dismissed', id: 'a' })
  assert.equal(dismissed[0]?.isOpen, false)
  assert.deepEqual(changeToasts(dismissed, { type: 'removed', id: 'a' }), [])
})
