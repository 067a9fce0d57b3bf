import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { dismissToast, listToasts, toast } from './use-toast.ts'

const shown = () => listToasts().map(({ title, isOpen }) => ({ title, isOpen }))

test('a new toast replaces the one before', () => {
  toast({ title: 'first' })
  toast({ title: 'second' })
  assert.deepEqual(shown(), [{ title: 'second', isOpen: true }])
})

test('a dismissed toast closes at once and is removed 1,000,000 ms later', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  toast({ title: 'saved' })
  dismissToast('another')
  assert.deepEqual(shown(), [{ title: 'saved', isOpen: true }])
  dismissToast()
  assert.deepEqual(shown(), [{ title: 'saved', isOpen: false }])
  mock.timers.tick(999_999)
  assert.equal(listToasts().length, 1)
  mock.timers.tick(1)
  assert.deepEqual(listToasts(), [])
  mock.timers.reset()
})

test('a later toast outlives the removal of a dismissed one', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  toast({ title: 'old' })
  dismissToast()
  toast({ title: 'new' })
  mock.timers.tick(1_000_000)
  assert.deepEqual(shown(), [{ title: 'new', isOpen: true }])
  mock.timers.reset()
})
