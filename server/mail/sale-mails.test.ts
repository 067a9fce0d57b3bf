import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { saleMailKinds } from '#contract/mails.ts'
import { payments } from '#server/db/payment-schema.ts'
import { checkouts, mails } from '#server/db/schema.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { addMail, addSaleMail, getMail, mailSettings, makeMailsDue } from '#server/testing/mails.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { sendDueMails } from './outbox.ts'
import { smtpTransport } from './transport.ts'

const { db } = await openTestDatabase()
const server = await openMailServer()
const transport = smtpTransport(server.url)
after(() => transport.close())
const node = { db, transport, settings: mailSettings, log: pino({ level: 'silent' }) }

beforeEach(async () => {
  await db.delete(mails)
  await db.delete(payments)
  server.received.length = 0
})

async function addPayment(change: Partial<typeof payments.$inferInsert>): Promise<void> {
  await db.insert(payments).values({
    merchantCode: 'M1',
    transactionId: randomUUID(),
    status: 'successful',
    amount: '49.00',
    currency: 'EUR',
    ...change,
  })
}

test('the buyer is told how much of a payment in review went back', async () => {
  const { mail, saleId } = await addSaleMail(db, 'payment-returned')
  await addPayment({ saleId, refunded: '30.00' })
  await addPayment({ saleId, refunded: '10.00', chargedBack: '9.00' })
  await addPayment({ saleId, status: 'failed', currency: 'AED' })
  await addPayment({ saleId: randomUUID(), refunded: '7.00' })
  assert.equal(await sendDueMails(node), 1)
  const [got] = server.received
  assert.deepEqual(got?.to, ['anna@example.com'])
  assert.equal(got?.mail.subject, 'Your payment was returned: The Mug Shop')
  assert.equal(got?.mail.messageId, `<${mail.id}@mugs.example>`)
  for (const text of [got?.mail.text ?? '', got?.mail.html ?? '']) {
    assert.match(text, /€40\.00 went back to your card\. It can take some days/)
    assert.match(text, /Your bank took €9\.00 back from the shop/)
    assert.match(text, /Stoneware mug/)
    assert.match(text, /owner@mugs\.example/)
  }
  assert.ok((await getMail(db, mail.id)).sentAt)
  assert.equal(await sendDueMails(node), 0)
})

test('money that the bank took back is not said to have gone to the card', async () => {
  const { saleId } = await addSaleMail(db, 'payment-returned')
  await addPayment({ saleId, chargedBack: '49.00' })
  await sendDueMails(node)
  const { text = '' } = server.received[0]?.mail ?? {}
  assert.match(text, /Your bank took €49\.00 back from the shop/)
  assert.doesNotMatch(text, /your card/)
})

test('money is not announced as returned before SumUp shows it', async () => {
  const { mail, saleId } = await addSaleMail(db, 'payment-returned')
  await addPayment({ saleId })
  await sendDueMails(node)
  assert.equal(server.received.length, 0)
  assert.ok((await getMail(db, mail.id)).nextTryAt)
  await db.update(payments).set({ refunded: '49.00' })
  await makeMailsDue(db)
  await sendDueMails(node)
  assert.equal(server.received.length, 1)
})

test('the buyer is told that nothing was charged, and where to buy again', async () => {
  await addSaleMail(db, 'not-charged')
  await sendDueMails(node)
  const { text = '' } = server.received[0]?.mail ?? {}
  assert.match(text, /nothing was charged/)
  assert.match(text, /https:\/\/pay\.mugs\.example\/checkout\/[\da-f-]{36}\n/)
})

test('where another way than the card was offered and nothing was paid, no card is spoken of', async () => {
  await addSaleMail(db, 'not-charged', { hasReturnUrl: true })
  await addSaleMail(db, 'payment-closed', { hasReturnUrl: true })
  await sendDueMails(node)
  assert.equal(server.received.length, 2)
  for (const { mail } of server.received)
    assert.doesNotMatch(`${mail.subject} ${mail.text}`, /\bcard\b/)
})

test('the buyer is told that the shop closed the payment without an order, and whom to ask', async () => {
  await addSaleMail(db, 'payment-closed')
  await addSaleMail(db, 'payment-closed')
  await sendDueMails({ ...node, settings: { ...mailSettings, shopEmail: undefined } })
  assert.equal(server.received.length, 2)
  const { text = '' } = server.received[0]?.mail ?? {}
  assert.match(text, /No order was created/)
  assert.match(text, /ask the shop/i)
  assert.doesNotMatch(text, /nothing was charged|went back/)
})

test('a mail about a sale without an address, or whose sale is gone, is sent to nobody', async () => {
  const { mail } = await addSaleMail(db, 'not-charged', { details: null })
  const { mail: lost } = await addSaleMail(db, 'not-charged')
  await db.delete(checkouts)
  assert.equal(await sendDueMails(node), 2)
  assert.equal(server.received.length, 0)
  for (const { id } of [mail, lost]) {
    const { sentAt, nextTryAt, lastError } = await getMail(db, id)
    assert.ok(sentAt)
    assert.deepEqual([nextTryAt, lastError], [null, 'no recipient'])
  }
})

test('mails about test payments go to the shop, never to the buyer, and claim no money', async () => {
  for (const kind of saleMailKinds) {
    const { saleId } = await addSaleMail(db, kind, { isTest: true })
    await addPayment({ saleId, refunded: '49.00', isTest: true })
  }
  await sendDueMails(node)
  assert.equal(server.received.length, saleMailKinds.length)
  for (const { to, mail } of server.received) {
    assert.deepEqual(to, ['owner@mugs.example'])
    assert.match(mail.subject ?? '', /^\[Test\] /)
    assert.match(mail.text ?? '', /This is a test payment: no money was taken/)
    assert.doesNotMatch(mail.text ?? '', /€49\.00 went back/)
    assert.match(mail.text ?? '', /It was meant for anna@example\.com/)
  }
})

test('a recipient who does not exist is given up, for a sale as for an order', async () => {
  server.reject('gone@example.com', 550, '5.1.1 unknown user')
  const details = {
    shippingAddress: { country: 'Germany', lastName: 'M', address: '', city: '', postcode: '' },
  }
  const { mail } = await addSaleMail(db, 'not-charged', {
    details: { ...details, customerEmail: 'gone@example.com', acceptsNews: false },
  })
  await sendDueMails(node)
  assert.ok((await getMail(db, mail.id)).givenUpAt)
})

test('a kind of a newer version waits for a node that knows it', async () => {
  const { mail } = await addSaleMail(db, 'not-charged')
  await db.update(mails).set({ kind: 'from-the-future' })
  await sendDueMails(node)
  assert.ok((await getMail(db, mail.id)).nextTryAt)
  assert.equal(server.received.length, 0)
})

test('the confirmation of an order claims no payment that is missing or contradicted', async () => {
  const sumupTransactionId = randomUUID()
  await addMail(db, { sumupTransactionId: null })
  await addMail(db, { sumupTransactionId })
  await addPayment({
    transactionId: sumupTransactionId,
    conflict: 'status successful, later failed',
  })
  await addMail(db)
  await sendDueMails(node)
  const paid = server.received.filter(({ mail }) => /confirmed and paid/.test(mail.text ?? ''))
  assert.deepEqual([server.received.length, paid.length], [3, 1])
})

test('the confirmation of an order follows its payment at the time it is sent', async () => {
  const sumupTransactionId = randomUUID()
  await addMail(db, { sumupTransactionId })
  await addPayment({ transactionId: sumupTransactionId, refunded: '49.00' })
  await sendDueMails(node)
  assert.equal(server.received[0]?.mail.subject, 'Your order from The Mug Shop was refunded')
})

test('the buyer is told of a refund in the words of the payment that was refunded', async () => {
  const told: [string, { own?: string; other?: string }, RegExp, string | undefined][] = [
    ['card', { own: '49.00' }, /€49\.00 went back to your card/, 'Card'],
    // The order was paid twice, and the other payment pays for it now.
    ['card', { other: '49.00' }, /€49\.00 went back the way you paid/, 'PayPal'],
    ['paypal', { other: '49.00' }, /€49\.00 went back to your card/, 'Card'],
    ['card', { own: '10.00', other: '49.00' }, /€49\.00 went back the way you paid/, undefined],
  ]
  for (const [paymentMethod, { own = '0.00', other = '0.00' }, lead, method] of told) {
    const saleId = randomUUID()
    const refund = { kind: 'refunded-1', refunded: '49.00', paymentMethod } as const
    const { order } = await addMail(db, refund)
    const isByCard = paymentMethod === 'card'
    const transactionId = order.sumupTransactionId ?? ''
    await addPayment({ saleId, transactionId, refunded: own, method: isByCard ? null : 'paypal' })
    await addPayment({ saleId, refunded: other, method: isByCard ? 'paypal' : null })
    await sendDueMails(node)
    const text = server.received.at(-1)?.mail.text ?? ''
    assert.match(text, lead)
    assert.equal(/^Payment\n(.+)/m.exec(text)?.[1], method)
  }
})
