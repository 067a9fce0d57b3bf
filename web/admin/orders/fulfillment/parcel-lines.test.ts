import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkParcels, parseParcelLines } from './parcel-lines.ts'
import { createOrder } from '#web/admin/orders/testing/orders.ts'

const first = 'aaaaaaaa-0000-4000-8000-000000000001'
const parse = (text: string) =>
  parseParcelLines(text).map(({ orderNumber, trackingNumber }) => [orderNumber, trackingNumber])

test('two columns are read from a table, a CSV file or plain words', () => {
  const expected = [
    ['aaaaaaaa', '1Z999AA10123456784'],
    [first, '00340434161094042557'],
  ]
  for (const text of [
    `aaaaaaaa…\t1Z 999 AA1 01 2345 6784\n${first}\t00340434161094042557\n`,
    `Order,Tracking\r\n"aaaaaaaa","1Z999AA10123456784"\r\n${first},="00340434161094042557"\r\n`,
    `Order;Tracking number;Weight\naaaaaaaa;1Z999AA10123456784;2\n${first};00340434161094042557;1`,
    `\n#aaaaaaaa 1Z 999 AA1 01 2345 6784\n\n  ${first}   00340434161094042557`,
  ])
    assert.deepEqual(parse(text), expected, text)
})

test('nothing pasted is nothing, and a first line with a number is no heading', () => {
  assert.deepEqual(parse(' \n\n'), [])
  assert.deepEqual(parse('aaaaaaaa'), [['aaaaaaaa', '']])
  assert.deepEqual(parse('mug,12345'), [['mug', '12345']])
})

test('the preview says of each line what will happen', () => {
  const shipment = { carrier: 'dhl', trackingNumber: '11111', trackingUrl: null } as const
  const orders = {
    pending: createOrder('1'),
    sent: createOrder('2', { status: 'completed' }),
    tracked: createOrder('3', { status: 'shipped', shipment }),
  }
  const matched = [
    { asked: 'aaaaaaa1', orders: [orders.pending] },
    { asked: 'aaaaaaa2', orders: [orders.sent] },
    { asked: 'aaaaaaa3', orders: [orders.tracked] },
    { asked: 'aaaaaaa4', orders: [] },
    { asked: 'aaaaaaa5', orders: [orders.pending, orders.sent] },
    { asked: 'aaaaaaa6', orders: [createOrder('4', { refundedAmount: '49.00' })] },
  ]
  const cases: [string, string, string][] = [
    ['aaaaaaa1 12345', 'ready', 'Pending → Shipped'],
    ['aaaaaaa2 12345', 'ready', 'Completed'],
    ['aaaaaaa3 12345', 'ready', 'Replaces 11111'],
    ['aaaaaaa3 11111', 'idle', 'Has this tracking already'],
    ['aaaaaaa1', 'idle', 'No tracking number yet'],
    ['aaaaaaa9 12345', 'idle', 'Looking for the order…'],
    ['aaaaaaa1,3.40434E+18', 'problem', 'Changed by a spreadsheet: format the column as text'],
    ['aaaaaaa1,1.23457E+17', 'problem', 'Changed by a spreadsheet: format the column as text'],
    [
      'aaaaaaa1,340434161094042000',
      'ready',
      'Pending → Shipped, perhaps rounded by a spreadsheet: compare the number',
    ],
    ['aaaaaaa6 12345', 'ready', 'Pending → Shipped, refunded'],
    ['aaaaaaa1 12', 'problem', 'Not a tracking number'],
    ['aaaaaaa4 12345', 'problem', 'No order has this number'],
    ['aaaaaaa5 12345', 'problem', 'Several orders begin like this: use the whole number'],
    [
      'mug 12345',
      'problem',
      'Not an order number: such as 1042, or at least the first 8 characters of its ID',
    ],
  ]
  for (const [text, state, told] of cases) {
    const [parcel] = checkParcels(parseParcelLines(text), matched, 'dhl')
    assert.deepEqual([parcel?.state, parcel?.text], [state, told], text)
  }
  const tell = (text: string, carrier: 'dhl' | 'dpd' = 'dhl') =>
    checkParcels(parseParcelLines(text), matched, carrier).map((parcel) => parcel.text)
  const isTwice = 'This order is in the list twice'
  assert.deepEqual(tell('aaaaaaa1 12345\naaaaaaa1 67890'), [isTwice, isTwice], 'nobody guesses')
  assert.deepEqual(
    tell('aaaaaaa1 12345\naaaaaaa2 12345'),
    Array(2).fill('This tracking number is in the list twice'),
    'a parcel is shown to its own buyer',
  )
  assert.deepEqual(tell('aaaaaaa3 11111', 'dpd'), ['Replaces 11111'], 'another carrier')
})
