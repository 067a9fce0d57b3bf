import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditEntry } from '#contract/audit.ts'
import { defaultDelivery, type DeliverySettings } from '#contract/quotes.ts'
import { apiRoutes, checkoutPath } from '#contract/paths.ts'
import { toPickupAddress } from '#contract/pickup.ts'
import { refusals } from '#contract/refusals.ts'
import { checkouts } from '#server/db/schema.ts'
import { desc } from '#server/db/drizzle.ts'
import { addMug, createBuyer, delivery, payByCard } from '#server/testing/buyer.ts'
import { openDesk } from '#server/testing/settings-desk.ts'

const desk = await openDesk()
const mug = await addMug(desk)
const place = {
  name: 'Harbour Store',
  address: 'Kai 1',
  postcode: '20457',
  city: 'Hamburg',
  state: null,
  country: 'Germany',
  hours: 'Mon to Fri, 10:00 to 18:00',
} as const
let buyers = 0
const newBuyer = (more: Record<string, string> = {}) =>
  createBuyer(desk, `203.0.113.${(buyers += 1)}`, more)
/** As browsers say of our own pages. */
const ofPage = { 'sec-fetch-site': 'same-origin' }

async function setDelivery(change: Partial<DeliverySettings>): Promise<void> {
  const answer = await desk.change('delivery', { ...defaultDelivery, ...change })
  assert.equal(answer.statusCode, 200, answer.body)
}

/** What the shop answers to these details of a new buyer. */
async function send(details: object, where: { isPickup?: boolean } = {}) {
  const buyer = newBuyer()
  const { checkoutId } = (await buyer.open(mug, '49.00', 'EUR', where)).json()
  const answer = await buyer.saveDetails(checkoutId, { ...delivery, ...details })
  return { buyer, checkoutId, answer }
}

async function findSavedDetails() {
  const [sale] = await desk.db.select().from(checkouts).orderBy(desc(checkouts.createdAt)).limit(1)
  return sale?.details
}

const to = (country: string, more: object = {}) => ({
  shippingAddress: { ...delivery.shippingAddress, country, ...more },
})

/** By its code a page knows that it is behind. */
function assertNotOffered(answer: { statusCode: number; json: () => object }, field: string) {
  const { text } = refusals['not-delivered']
  assert.equal(answer.statusCode, 400)
  assert.deepEqual(answer.json(), { code: 'not-delivered', message: text, error: text, field })
}

test('a shop delivers where its owner says, and refuses other countries', async () => {
  await setDelivery({})
  assertNotOffered((await send(to('Austria'))).answer, 'shippingAddress.country')
  const { answer } = await send(to('Atlantis'))
  assert.equal(answer.statusCode, 400)
  assert.equal(answer.json().message, 'Choose a country we deliver to')
  assert.equal(answer.json().field, 'shippingAddress.country')
  await setDelivery({ countries: ['Austria', 'Ireland'] })
  assertNotOffered((await send(to('Germany'))).answer, 'shippingAddress.country')
  assert.equal((await send(to('Austria'))).answer.statusCode, 204)
  assert.equal(
    (await send(to('Austria', { postcode: '' }))).answer.json().field,
    'shippingAddress.postcode',
  )
  assert.equal((await send(to('Ireland', { postcode: undefined }))).answer.statusCode, 204)
  assert.equal((await findSavedDetails())?.shippingAddress.postcode, '')
})

test('a bill goes to a country of the list, which has that of the pickup place', async () => {
  await setDelivery({ countries: ['Austria'] })
  const bill = { billingAddress: delivery.shippingAddress }
  const { answer } = await send({ ...to('Austria'), ...bill })
  assertNotOffered(answer, 'billingAddress.country')
  await setDelivery({ countries: ['Austria'], pickup: place })
  assert.equal((await send({ ...to('Austria'), ...bill })).answer.statusCode, 204)
})

test('the address of what is picked up is the shop’s own, whatever was sent', async () => {
  await setDelivery({ pickup: place })
  const typed = to('Japan', { state: 'x', phone: '030 1' })
  const { answer } = await send({ ...typed, isPickup: true }, { isPickup: true })
  assert.equal(answer.statusCode, 204, answer.body)
  const saved = await findSavedDetails()
  assert.equal(saved?.isPickup, true)
  assert.deepEqual(saved.shippingAddress, {
    country: 'Germany',
    firstName: 'Anna',
    lastName: 'Muster',
    address: 'Harbour Store',
    apartment: 'Kai 1',
    city: 'Hamburg',
    postcode: '20457',
    phone: '030 1',
  })
  assert.equal(saved.billingAddress, undefined)
})

test('things are picked up also where addresses need a state', async () => {
  const { country, state } = { country: 'Brazil' as const, state: 'SP' }
  await setDelivery({ pickup: { ...place, country, state } })
  const shown = toPickupAddress({ ...place, country, state }, delivery.shippingAddress)
  const details = { shippingAddress: shown, isPickup: true }
  const { answer } = await send(details, { isPickup: true })
  assert.equal(answer.statusCode, 204, answer.body)
  assert.equal((await findSavedDetails())?.shippingAddress.state, 'SP')
  const refused = await desk.change('delivery', {
    ...defaultDelivery,
    pickup: { ...place, country },
  })
  assert.equal(refused.statusCode, 400)
  assert.equal(refused.json().field, 'pickup.state')
})

test('nothing is picked up at a shop without a place', async () => {
  await setDelivery({})
  assertNotOffered((await send({ isPickup: true })).answer, 'isPickup')
})

test('nobody who was shown one pickup place has to go to another', async () => {
  const shown = toPickupAddress(place, delivery.shippingAddress)
  const details = { ...delivery, isPickup: true, shippingAddress: shown }
  await setDelivery({ pickup: place })
  const buyer = newBuyer(ofPage)
  const { checkoutId } = (await buyer.open(mug, '49.00', 'EUR', { isPickup: true })).json()
  await setDelivery({ pickup: { ...place, name: 'Old Town Store', address: 'Markt 2' } })
  assertNotOffered(await buyer.saveDetails(checkoutId, details), 'isPickup')
  await setDelivery({ pickup: { ...place, hours: null } })
  assert.equal((await buyer.saveDetails(checkoutId, details)).statusCode, 204)
})

test('what was paid is an order, although the pickup place has moved', async () => {
  const shown = toPickupAddress(place, delivery.shippingAddress)
  await setDelivery({ pickup: place })
  const buyer = newBuyer(ofPage)
  const { checkoutId } = (await buyer.open(mug, '49.00', 'EUR', { isPickup: true })).json()
  await payByCard(desk.sandbox, checkoutId)
  assert.equal((await buyer.look(checkoutId)).json().reason, 'no-details')
  await setDelivery({ pickup: { ...place, name: 'Old Town Store' } })
  const details = { ...delivery, isPickup: true, shippingAddress: shown }
  assert.equal((await buyer.saveDetails(checkoutId, details)).statusCode, 204)
})

test('a buyer who paid gets the order, although the shop has stopped delivering there', async () => {
  await setDelivery({})
  const { buyer, checkoutId } = await send({})
  await payByCard(desk.sandbox, checkoutId)
  await setDelivery({ countries: ['Austria'] })
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
})

test('a payment without details becomes no order to where the shop does not deliver', async () => {
  await setDelivery({ countries: ['Austria'] })
  const buyer = newBuyer()
  const { checkoutId } = (await buyer.open(mug)).json()
  await payByCard(desk.sandbox, checkoutId)
  assertNotOffered(await buyer.order(checkoutId), 'shippingAddress.country')
  assert.equal((await buyer.order(checkoutId, to('Austria'))).statusCode, 201)
})

test('the page offers the countries of the shop, in the language of the page', async (t) => {
  t.after(() => desk.change('language', { ofBuyers: 'en' }))
  await setDelivery({ countries: ['Austria', 'Jamaica'], pickup: place })
  await desk.change('language', { ofBuyers: 'de' })
  const { body } = await desk.app.inject({ url: checkoutPath(mug) })
  const [, select = ''] = /<select[^>]*id="shipping-country".*?>(.*?)<\/select>/.exec(body) ?? []
  assert.deepEqual(
    [...select.matchAll(/<option value="([^"]+)">(.*?)<\/option>/g)].map(([, value, name]) => [
      value,
      name,
    ]),
    [
      ['Jamaica', 'Jamaika'],
      ['Austria', 'Österreich'],
    ],
  )
  assert.ok(body.includes('"Jamaica":{"postcode":"none"}'))
  assert.ok(!body.includes('Alabama'))
})

test('what the shop says of shipping is true, whatever delivery costs', async () => {
  const read = async () => (await desk.app.inject({ url: checkoutPath(mug) })).body
  await setDelivery({})
  assert.match(await read(), /Shipping is free\./)
  await setDelivery({ prices: [{ countries: ['Germany'], price: '4.90', freeFrom: null }] })
  const priced = await read()
  assert.doesNotMatch(priced, /Shipping is free\./)
  assert.match(priced, /What shipping costs is shown before you pay\./)
  await setDelivery({ countries: [], pickup: place })
  const fetched = await read()
  assert.match(fetched, /pick your order up at: Harbour Store, Kai 1, 20457 Hamburg, Germany/)
  assert.doesNotMatch(fetched, /sends your order/)
})

test('the settings keep what was chosen, and the log says what changed', async () => {
  await setDelivery({ countries: ['Austria'], pickup: place })
  const { delivery: saved } = (await desk.read()).values
  assert.deepEqual(saved, { countries: ['Austria'], prices: [], pickup: place })
  const refused = await desk.change('delivery', { countries: [], pickup: null })
  assert.equal(refused.statusCode, 400)
  assert.equal(refused.json().field, 'countries')
  const log = await desk.app.inject({ url: apiRoutes.auditLog, headers: desk.headers })
  const [entry] = log.json<{ entries: AuditEntry[] }>().entries
  assert.equal(entry?.subject, 'delivery')
  assert.ok(Object.keys(entry.detail ?? {}).length > 0)
})

test('who paid for a delivery that the shop no longer makes is refused, and known to the owner', async () => {
  await setDelivery({})
  const buyer = newBuyer()
  const { checkoutId } = (await buyer.open(mug)).json()
  await payByCard(desk.sandbox, checkoutId)
  await setDelivery({ countries: ['Austria'] })
  assertNotOffered(await buyer.saveDetails(checkoutId), 'shippingAddress.country')
  const saved = await findSavedDetails()
  assert.equal(saved?.customerEmail, delivery.customerEmail)
  assert.equal(saved?.shippingAddress.country, 'Germany')
  const answer = await buyer.order(checkoutId, to('Austria'))
  assert.equal(answer.statusCode, 201, answer.body)
  await setDelivery({})
})
