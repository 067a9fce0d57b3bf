import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  carrierNames,
  carriers,
  cleanTrackingNumber,
  createTrackingUrl,
  isTrackingNumber,
  parseTrackingUrl,
  recognizeCarrier,
} from './carriers.ts'
import { shipmentSchema } from './order-schemas.ts'

const berlin = { country: 'Germany', postcode: '10115' }

test('each carrier has a name and a page that ends in the number', () => {
  for (const carrier of carriers) {
    assert.notEqual(carrierNames[carrier], '')
    const url = createTrackingUrl(carrier, 'AB12/3', berlin)
    if (carrier === 'other') assert.equal(url, null)
    else assert.match(url ?? '', /^https:\/\/[a-z.-]+\/\S*AB12%2F3(-DE-10115)?$/, carrier)
  }
})

test('PostNL is told where the parcel goes, as far as that is known', () => {
  const urlOf = (destination: { country: string; postcode?: string }) =>
    createTrackingUrl('postnl', '3SABCD1234567', destination)
  const base = 'https://jouw.postnl.nl/track-and-trace/3SABCD1234567'
  assert.equal(urlOf({ country: 'Netherlands', postcode: '1012 ab' }), `${base}-NL-1012AB`)
  assert.equal(urlOf({ country: 'United Kingdom', postcode: 'sw1a 1aa' }), `${base}-GB-SW1A1AA`)
  assert.equal(urlOf({ country: 'Netherlands', postcode: '' }), base, 'erased')
  assert.equal(urlOf({ country: 'Atlantis', postcode: '1012AB' }), base)
})

test('only numbers that can be no other carrier’s are recognized', () => {
  const known: [string, string | undefined][] = [
    ['1Z999AA10123456784', 'ups'],
    ['1z 999 aa1 01 2345 6784', 'ups'],
    ['JJD000390007123456789', 'dhl'],
    ['RR123456785DE', 'dhl'],
    ['RR 123 456 785 GB', 'royalmail'],
    ['rr123456785fr', 'laposte'],
    ['RR123456785NL', 'postnl'],
    ['RR123456785IT', undefined],
    ['RR123456784DE', undefined],
    ['12345678901234', undefined],
    ['0034043412345678', undefined],
    ['1Z999AA1012345678', undefined],
    ['', undefined],
  ]
  for (const [number, carrier] of known) assert.equal(recognizeCarrier(number), carrier, number)
})

test('the check digit of a post number may stand for ten and eleven', () => {
  assert.equal(recognizeCarrier('RR000000005DE'), 'dhl', 'eleven is written 5')
  // 6 × 2 = 12, one more than 11: 10 is written 0.
  assert.equal(recognizeCarrier('RR020000000DE'), 'dhl', 'ten is written 0')
})

test('numbers are letters and digits, without the spaces they were copied with', () => {
  assert.equal(cleanTrackingNumber(' 1Z 99\u00A09\n'), '1Z999')
  for (const number of ['123', 'ABC-1.2/3_4', 'x'.repeat(50)])
    assert.ok(isTrackingNumber(number), number)
  for (const number of ['', '12', '-123', '<b>123', 'é123', '12 34', 'x'.repeat(51)])
    assert.ok(!isTrackingNumber(number), number)
})

test('a link is a whole https address', () => {
  assert.equal(parseTrackingUrl('https://t.example/a b?n=1'), 'https://t.example/a%20b?n=1')
  for (const text of [
    '#',
    '',
    'http://t.example/1',
    'javascript:alert(1)',
    'data:text/html,x',
    '//t.example/1',
    't.example/1',
    'https://user:secret@t.example/1',
    'https://localhost/1',
  ])
    assert.equal(parseTrackingUrl(text), undefined, text)
})

test('a shipment needs a number or a link, and tells the customer unless it is asked not to', () => {
  const parse = (body: object) => shipmentSchema.safeParse(body)
  assert.deepEqual(parse({ carrier: 'dhl', trackingNumber: ' 00 340 ' }).data, {
    carrier: 'dhl',
    trackingNumber: '00340',
    trackingUrl: null,
    tellsCustomer: true,
  })
  const url = 'https://parcels.example/1'
  assert.deepEqual(parse({ carrier: 'other', trackingNumber: '', trackingUrl: url }).data, {
    carrier: 'other',
    trackingNumber: null,
    trackingUrl: url,
    tellsCustomer: true,
  })
  for (const body of [
    {},
    { carrier: 'dhl' },
    { carrier: 'dhl', trackingNumber: ' ', trackingUrl: '' },
    { carrier: 'pigeon', trackingNumber: '12345' },
    { carrier: 'dhl', trackingNumber: '12\u00005' },
    { carrier: 'dhl', trackingNumber: '12345', trackingUrl: 'http://parcels.example' },
    { carrier: 'other', trackingUrl: `https://parcels.example/${'x'.repeat(1000)}` },
    { carrier: 'dhl', trackingNumber: '12345', tellsCustomer: 'no' },
  ])
    assert.equal(parse(body).success, false, JSON.stringify(body))
})
