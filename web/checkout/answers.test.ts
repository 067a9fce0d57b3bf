import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTrouble } from './answers.ts'

test('a fault of SumUp’s says nothing about the card: it is never read as a failed payment', () => {
  const faults = [
    { status: 500, title: 'Internal Server Error', detail: 'Something broke' },
    {
      status: 504,
      type: 'https://developer.sumup.com/problem/gateway-timeout',
      detail: 'Too late',
    },
    { error_code: 'INTERNAL', message: 'Something broke' },
    { message: 'Bad Gateway' },
    { message: 'Network Error' },
    {},
    undefined,
  ]
  for (const body of faults) assert.equal(readTrouble(body).isAnswered, false, JSON.stringify(body))
})

test('a no of SumUp’s is told in its words, in any of its dialects', () => {
  for (const body of [
    { message: 'Card expired', error_code: 'INVALID' },
    [{ message: 'Card expired', error_code: 'INVALID' }],
    { status: 400, detail: 'Card expired', type: 'https://developer.sumup.com/problem/invalid' },
  ]) {
    const { isAnswered, text } = readTrouble(body)
    assert.equal(isAnswered, true)
    assert.equal(text, 'Card expired')
  }
})
