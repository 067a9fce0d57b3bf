import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Shipment } from '#contract/carriers.ts'
import { pino } from 'pino'
import { addMail, addOrder, getMail, mailSettings } from '#server/testing/mails.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { composeMail } from './messages.ts'
import { sendDueMails } from './outbox.ts'
import type { MailMessage } from './transport.ts'

const { db } = await openTestDatabase()
const mail = { id: '6a1e7c9a-6f0e-4f57-9d0f-2f0d5a9f3b11', kind: 'shipped' }
const shipment: Shipment = {
  carrier: 'dhl',
  trackingNumber: '00340434161094042557',
  trackingUrl: 'https://parcels.example/?a=1&b=2',
}
const sent = { status: 'shipped', shipment } as const

test('the mail names carrier and number, and leads to the parcel first and to the order second', async () => {
  const order = await addOrder(db, sent)
  const message = composeMail(mail, order, mailSettings)
  assert.equal(message?.subject, 'Your order from The Mug Shop is on its way')
  assert.equal(message.to.address, 'anna@example.com')
  assert.equal(message.replyTo?.address, mailSettings.shopEmail)
  assert.match(message.text, /Parcel\nDHL\nTracking number 00340434161094042557\n/)
  assert.ok(message.text.includes(`Track your parcel:\n${shipment.trackingUrl}\n`))
  assert.match(message.text, /View your order:\nhttps:\/\/pay\.mugs\.example\/thank-you\/\S+\?key=/)
  assert.ok(message.html.includes('href="https://parcels.example/?a=1&#38;b=2"'))
  assert.match(message.html, /Track your parcel<[\s\S]*View your order</)
})

test('a parcel without a link leads to the order, and one without a number names none', async () => {
  const numbered: Shipment = { carrier: 'other', trackingNumber: '4711', trackingUrl: null }
  const plain = composeMail(mail, await addOrder(db, { ...sent, shipment: numbered }), mailSettings)
  assert.match(plain?.text ?? '', /Tracking number 4711/)
  assert.doesNotMatch(plain?.text ?? '', /Track your parcel|Other carrier/)
  assert.match(plain?.text ?? '', /View your order/)
  const linked: Shipment = { ...shipment, carrier: 'other', trackingNumber: null }
  const other = composeMail(mail, await addOrder(db, { ...sent, shipment: linked }), mailSettings)
  assert.match(other?.text ?? '', /Track your parcel/)
  assert.doesNotMatch(other?.text ?? '', /Parcel\n|Tracking number/)
})

test('no mail says that an order is on its way once that was taken back', async () => {
  for (const change of [{ status: 'processing', shipment }, { status: 'shipped' }]) {
    const order = await addOrder(db, change)
    assert.equal(composeMail(mail, order, mailSettings), undefined, change.status)
  }
})

test('the mail of a test order goes to the shop and never to the address that was typed', async () => {
  const sentMails: MailMessage[] = []
  const transport = {
    send: async (message: MailMessage) => void sentMails.push(message),
    close: () => {},
  }
  const added = await addMail(db, { ...sent, kind: 'shipped', isTest: true })
  await sendDueMails({ db, transport, settings: mailSettings, log: pino({ level: 'silent' }) })
  assert.ok((await getMail(db, added.mail.id)).sentAt)
  assert.deepEqual(
    sentMails.map(({ to }) => to.address),
    [mailSettings.shopEmail],
  )
  assert.match(sentMails[0]?.subject ?? '', /^\[Test\] /)
})
