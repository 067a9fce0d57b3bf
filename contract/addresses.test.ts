import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAddress, isSameAddress } from './addresses.ts'

const person = { firstName: 'Ada', lastName: 'Lovelace' }

test('an address is written in the order its country expects', () => {
  const expected: [Parameters<typeof formatAddress>[0], string[]][] = [
    [
      { ...person, country: 'Germany', address: 'Lindenweg 4', city: 'Berlin', postcode: '10115' },
      ['Ada Lovelace', 'Lindenweg 4', '10115 Berlin', 'Germany'],
    ],
    [
      {
        country: 'Belgium',
        address: 'Rue Haute 1',
        apartment: 'b2',
        city: 'Brussels',
        postcode: '1000',
      },
      ['Rue Haute 1', 'b2', '1000 Brussels', 'Belgium'],
    ],
    [
      { country: 'Netherlands', address: 'Damrak 1', city: 'Amsterdam', postcode: '1012 AB' },
      ['Damrak 1', '1012 AB Amsterdam', 'Netherlands'],
    ],
    [
      {
        country: 'France',
        address: '1 rue de Rivoli',
        city: 'Paris',
        state: 'Île-de-France',
        postcode: '75001',
      },
      ['1 rue de Rivoli', '75001 Paris', 'Île-de-France', 'France'],
    ],
    [
      { country: 'Italy', address: 'Via Appia 3', city: 'Roma', state: 'RM', postcode: '00118' },
      ['Via Appia 3', '00118 Roma RM', 'Italy'],
    ],
    [
      {
        country: 'United Kingdom',
        address: '1 Mill Lane',
        city: 'London',
        state: 'Kent',
        postcode: 'sw1a 1aa',
      },
      ['1 Mill Lane', 'London', 'Kent', 'SW1A 1AA', 'United Kingdom'],
    ],
    [
      {
        country: 'Ireland',
        address: '1 Mill Lane',
        city: 'Dublin 6',
        state: 'Co. Dublin',
        postcode: 'd06 f5k0',
      },
      ['1 Mill Lane', 'Dublin 6', 'Co. Dublin', 'D06 F5K0', 'Ireland'],
    ],
    [
      {
        country: 'Australia',
        address: '1 Main St',
        city: 'Sydney',
        state: 'NSW',
        postcode: '2000',
      },
      ['1 Main St', 'Sydney NSW 2000', 'Australia'],
    ],
    [
      { country: 'New Zealand', address: '1 Queen St', city: 'Auckland', postcode: '1010' },
      ['1 Queen St', 'Auckland 1010', 'New Zealand'],
    ],
    [
      { country: 'Jamaica', address: '1 King St', city: 'Kingston', postcode: '' },
      ['1 King St', 'Kingston', 'Jamaica'],
    ],
    [
      {
        country: 'United States',
        address: '1 Main St',
        city: 'Austin',
        state: 'TX',
        postcode: '78701',
      },
      ['1 Main St', 'Austin, TX 78701', 'United States'],
    ],
    [
      { country: 'Canada', address: '1 Bank St', city: 'Ottawa', state: 'ON', postcode: 'k1a 0b1' },
      ['1 Bank St', 'Ottawa ON K1A 0B1', 'Canada'],
    ],
  ]
  for (const [address, lines] of expected) assert.deepEqual(formatAddress(address), lines)
})

test('a country the shop does not deliver to any more keeps its address', () => {
  const address = { country: 'Norway', address: 'Storgata 1', city: 'Oslo', postcode: '0155' }
  assert.deepEqual(formatAddress(address), ['Storgata 1', '0155 Oslo', 'Norway'])
})

test('an address of which only the country is known is one line', () => {
  assert.deepEqual(formatAddress({ country: 'Italy' }), ['Italy'])
})

test('line breaks that somebody typed do not add lines', () => {
  const [line] = formatAddress({ country: 'Italy', address: ' Via\nAppia  3 ' })
  assert.equal(line, 'Via Appia 3')
})

test('addresses are the same when they have the same lines', () => {
  const london = { country: 'United Kingdom', address: '1 Mill Lane', postcode: 'SW1A 1AA' }
  assert.ok(isSameAddress(london, { ...london, postcode: 'sw1a 1aa' }))
  assert.ok(!isSameAddress(london, { ...london, address: '2 Mill Lane' }))
})
