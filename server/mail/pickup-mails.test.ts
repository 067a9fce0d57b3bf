import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageCodes } from '#contract/languages.ts'
import { toPickupAddress } from '#contract/pickup.ts'
import type { PickupPlace } from '#contract/quotes.ts'
import { mailTextsOf } from '#contract/texts/all.ts'
import { addOrder, mailSettings } from '#server/testing/mails.ts'
import { pickupTerms } from '#server/testing/orders.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { composeMail } from './messages.ts'

const { db } = await openTestDatabase()
const id = '6a1e7c9a-6f0e-4f57-9d0f-2f0d5a9f3b12'
const place: PickupPlace = {
  name: 'Harbour Store',
  address: 'Kai 1',
  postcode: '20457',
  city: 'Hamburg',
  state: null,
  country: 'Germany',
  hours: 'Mon to Fri, 10:00 to 18:00',
}
const settings = { ...mailSettings, pickup: place }
const anna = { firstName: 'Anna', lastName: 'Muster' }
const picked = { terms: pickupTerms, shippingAddress: toPickupAddress(place, anna) }

test('the confirmation says where and when the order can be picked up, and of no parcel', async () => {
  const order = await addOrder(db, picked)
  const { text } = composeMail({ id, kind: 'confirmation' }, order, settings) ?? { text: '' }
  assert.match(
    text,
    /Pickup at\nAnna Muster\nHarbour Store\nKai 1\n20457 Hamburg\nGermany\n\nOpening hours\nMon to Fri, 10:00 to 18:00\n/,
  )
  assert.match(text, /write to you as soon as you can pick it up/)
  assert.doesNotMatch(text, /Shipping address|send it to the address/)
})

test('hours are told only of the place that the shop still has', async () => {
  const order = await addOrder(db, picked)
  for (const pickup of [null, { ...place, address: 'Kai 2' }]) {
    const mail = composeMail({ id, kind: 'confirmation' }, order, { ...settings, pickup })
    assert.doesNotMatch(mail?.text ?? '', /Opening hours/)
    assert.match(mail?.text ?? '', /Kai 1/)
  }
})

test('instead of a parcel’s tracking, buyers are told that it is ready, in their language', async () => {
  for (const language of languageCodes) {
    const order = await addOrder(db, { ...picked, status: 'shipped', language })
    const asked = { ...settings, buyersLanguage: 'browser' as const }
    const mail = composeMail({ id, kind: 'shipped' }, order, asked)
    const texts = mailTextsOf[language]
    const { text } = mail ?? { text: '' }
    assert.ok(text.includes(texts.readyForPickup.lead), language)
    assert.ok(text.includes(texts.labels.pickupHours), language)
    assert.ok(!text.includes(texts.shipped.lead), language)
  }
  const taken = await addOrder(db, { ...picked, status: 'processing' })
  assert.equal(composeMail({ id, kind: 'shipped' }, taken, settings), undefined)
})

test('nobody is invited to pick up what was refunded, or was picked up already', async () => {
  const ready = await addOrder(db, { ...picked, status: 'shipped' })
  const { amount } = ready
  const part = { ...ready, refundedAmount: '1.00' }
  assert.ok(composeMail({ id, kind: 'shipped' }, part, settings))
  for (const change of [
    { refundedAmount: amount },
    { chargedBackAmount: amount },
    { status: 'completed' as const },
  ])
    assert.equal(composeMail({ id, kind: 'shipped' }, { ...ready, ...change }, settings), undefined)
})

test('who was told too early is told so, unless it is true by now or the money went back', async () => {
  for (const language of languageCodes) {
    const asked = { ...settings, buyersLanguage: 'browser' as const }
    const { notReady, notSent } = mailTextsOf[language].unshipped
    const order = await addOrder(db, { ...picked, status: 'processing', language })
    const parcel = { ...order, terms: null }
    assert.ok(composeMail({ id, kind: 'unshipped' }, order, asked)?.text.includes(notReady))
    assert.ok(composeMail({ id, kind: 'unshipped' }, parcel, asked)?.text.includes(notSent))
    for (const change of [{ status: 'shipped' }, { refundedAmount: order.amount }])
      assert.equal(
        composeMail({ id, kind: 'unshipped' }, { ...order, ...change }, asked),
        undefined,
      )
  }
})

test('the owner reads that it is picked up', async () => {
  const order = await addOrder(db, picked)
  const { text, html } = composeMail({ id, kind: 'new-sale' }, order, settings) ?? {
    text: '',
    html: '',
  }
  assert.match(text, /Pickup at\nAnna Muster/)
  assert.match(text, /waits to be picked up/)
  assert.match(html, /The customer picks it up/)
  assert.doesNotMatch(text, /Ship to|shipped/)
  const refunded = { ...order, refundedAmount: order.amount }
  const late = composeMail({ id, kind: 'new-sale' }, refunded, settings)
  assert.match(late?.text ?? '', /Do not hand it over unless/)
  assert.doesNotMatch(late?.text ?? '', /ship it/i)
})
