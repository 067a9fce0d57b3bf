import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLru, memoize } from './memoize.ts'

test('a full map makes room by what was not used for longest', () => {
  const lru = createLru<string, { of: string }>(2)
  for (const key of ['a', 'b']) lru.set(key, { of: key })
  lru.get('a')
  lru.set('c', { of: 'c' })
  const left = () => ['a', 'b', 'c'].filter((key) => lru.get(key))
  assert.deepEqual(left(), ['a', 'c'])
  lru.set('a', { of: 'a again' })
  assert.deepEqual(left(), ['a', 'c'], 'what is set again takes no more room')
  lru.delete('a')
  assert.deepEqual(left(), ['c'])
})

test('a result is computed once for a text, whatever it is', () => {
  const computed: string[] = []
  const measure = memoize(2, (text) => {
    computed.push(text)
    return text.length || undefined
  })
  assert.deepEqual(
    ['', 'ab', '', 'ab'].map((text) => measure(text)),
    [undefined, 2, undefined, 2],
  )
  assert.deepEqual(computed, ['', 'ab'])
})
