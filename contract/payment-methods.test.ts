import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  defaultMethods,
  isCard,
  listOffered,
  nameMethod,
  otherMethodIds,
} from './payment-methods.ts'

test('an order without a method, or by card, is called a card in the words of its page', () => {
  for (const method of [null, '', 'card']) {
    assert.equal(nameMethod(method, 'Karte'), 'Karte')
    assert.equal(isCard(method), true)
  }
})

test('other methods have their own names, and what nobody knows is not called a card', () => {
  assert.equal(nameMethod('p24', 'Card'), 'Przelewy24')
  for (const method of ['sumup', 'constructor']) assert.equal(nameMethod(method, 'Card'), 'SumUp')
  for (const method of [...otherMethodIds, 'sumup']) assert.equal(isCard(method), false)
})

test('Google Pay is offered only with its merchant id', () => {
  const chosen = { ...defaultMethods, otherMethods: otherMethodIds }
  assert.deepEqual(
    listOffered(chosen),
    otherMethodIds.filter((id) => id !== 'google_pay'),
  )
  assert.deepEqual(listOffered({ ...chosen, googlePayMerchantId: 'BCR2DN4T' }), otherMethodIds)
})
