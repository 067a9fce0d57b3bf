import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { AdminOrder, OrderEvent, OrderNote } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { auditLog } from '#server/db/admin-schema.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { mails, orders, orderTimeline } from '#server/db/schema.ts'
import { sendDueMails } from '#server/mail/outbox.ts'
import { smtpTransport } from '#server/mail/transport.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { mailSettings, makeMailsDue } from '#server/testing/mails.ts'
import { addOrders, addPayment, annasAddress } from '#server/testing/orders.ts'
import { openTestShop, testSecret } from '#server/testing/test-shop.ts'
import { orderLink } from './order-link.ts'

const server = await openMailServer()
const { app, db, signIn } = await openTestShop({
  environment: { SMTP_URL: server.url, SHOP_EMAIL: 'shop@example.com' },
})
const headers = await signIn()
const transport = smtpTransport(server.url)
const node = { db, transport, settings: mailSettings, log: pino({ level: 'silent' }) }

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

async function add(change: Partial<typeof orders.$inferInsert> = {}): Promise<string> {
  return (await addOrders(db, [change]))[0]?.id ?? ''
}

function call(method: Method, url: string, payload?: object) {
  return app.inject({ method, url, headers, ...(payload && { payload }) })
}

const correct = (id: string, payload: object) =>
  call('PUT', pathOf(apiRoutes.orderCustomer, { id }), payload)
const resend = (id: string) => call('POST', pathOf(apiRoutes.orderConfirmation, { id }))
const addNote = (id: string, text: string) =>
  call('POST', pathOf(apiRoutes.orderNotes, { id }), { text })

const statusesOf = (answers: { statusCode: number }[]) =>
  answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)

async function historyOf(id: string): Promise<OrderEvent[]> {
  return (await call('GET', pathOf(apiRoutes.orderTimeline, { id }))).json()
}

/** What addOrders stores, as an admin sees it. */
const before = {
  customerEmail: 'anna@example.com',
  customerPhone: '+49 30 123456',
  shippingAddress: annasAddress,
}
const corrected = {
  customerEmail: 'anna.mueller@example.com',
  customerPhone: '+49 30 123456',
  shippingAddress: { ...annasAddress, address: 'Lange Straße 21', phone: '+49 30 123456' },
}

test('a correction is kept with what was there before, and found by the search', async () => {
  const id = await add({ billingAddress: annasAddress })
  const answer = await correct(id, { ...corrected, before })
  assert.equal(answer.statusCode, 200, answer.body)
  const order: AdminOrder = answer.json()
  assert.equal(order.customerEmail, 'anna.mueller@example.com')
  assert.deepEqual(order.shippingAddress, corrected.shippingAddress)
  assert.deepEqual(order.billingAddress, order.shippingAddress, 'the bill went to the same address')
  const [event, ...others] = await historyOf(id)
  assert.deepEqual([event?.event, event?.who, others], ['corrected', 'owner@example.com', []])
  assert.deepEqual(event?.corrections, [
    { field: 'customerEmail', from: 'anna@example.com', to: 'anna.mueller@example.com' },
    { field: 'address', from: 'Lange Straße 12', to: 'Lange Straße 21' },
    { field: 'phone', from: null, to: '+49 30 123456' },
  ])
  const [entry] = await db.select().from(auditLog).where(eq(auditLog.subject, id))
  assert.deepEqual(entry?.detail, { fields: ['customerEmail', 'address', 'phone'] })
  const found = await call('GET', `${apiRoutes.orders}?q=${id}%20anna.mueller%20straße%2021`)
  assert.equal(found.json<AdminOrder[]>().length, 1)
  assert.equal((await correct(id, { ...corrected, before: order })).statusCode, 200)
  assert.equal((await historyOf(id)).length, 1, 'what changes nothing leaves no trace')
})

test('of two people who correct an order at once, the second is told', async () => {
  const id = await add()
  const answers = await Promise.all([
    correct(id, { ...corrected, before }),
    correct(id, { ...corrected, customerEmail: 'otto@example.com', before }),
  ])
  assert.deepEqual(statusesOf(answers), [200, 409])
  assert.equal(answers.find(({ statusCode }) => statusCode === 409)?.json().code, 'order-changed')
  assert.equal((await historyOf(id)).length, 1)
})

test('another status or tracking is no reason to refuse a correction', async () => {
  const id = await add()
  await call('PUT', pathOf(apiRoutes.orderShipment, { id }), {
    carrier: 'dhl',
    trackingNumber: '00340434161094042557',
    tellsCustomer: false,
  })
  const answer = await correct(id, { ...corrected, before })
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.json().status, 'shipped')
})

test('a correction follows the rules of the checkout', async () => {
  const id = await add()
  for (const [change, message] of [
    [{ customerEmail: 'anna' }, /valid email/],
    [{ shippingAddress: { ...annasAddress, country: 'Atlantis' } }, /country we deliver to/],
    [{ shippingAddress: { ...annasAddress, postcode: ' ' } }, /postcode/],
    [{ shippingAddress: { ...annasAddress, city: 'x'.repeat(201) } }, /At most 200/],
  ] as const) {
    const answer = await correct(id, { ...corrected, before, ...change })
    assert.equal(answer.statusCode, 400)
    assert.match(answer.json().message, message)
  }
  const erased = await add({ erasedAt: new Date() })
  assert.equal((await correct(erased, { ...corrected, before })).json().code, 'order-erased')
})

test('links that were mailed end when the e-mail address is corrected, not when the street is', async () => {
  const id = await add()
  const read = async (link: string) => {
    const key = new URL(link, 'http://x').searchParams.get('key')
    const url = `${pathOf(apiRoutes.order, { id })}?key=${key}`
    return (await app.inject({ url })).json().isOwn
  }
  const first = orderLink('', { id, linkVersion: 0 }, testSecret)
  const street = { ...before, shippingAddress: corrected.shippingAddress }
  assert.equal((await correct(id, { ...street, before })).statusCode, 200)
  assert.equal(await read(first), true)
  assert.equal((await correct(id, { ...corrected, before: street })).statusCode, 200)
  assert.equal(await read(first), false)
  const [row] = await db.select().from(orders).where(eq(orders.id, id))
  assert.ok(row)
  assert.equal(await read(orderLink('', row, testSecret)), true, 'the next mail has another one')
})

test('a confirmation is sent again to the corrected address, and the first stays in the history', async () => {
  const [order] = await addOrders(db, [{}])
  const id = order?.id ?? ''
  await addPayment(db, order, { refunded: '49.00' })
  await db.insert(mails).values({ orderId: id, kind: 'confirmation' })
  await sendDueMails(node)
  await correct(id, { ...corrected, before })
  assert.equal((await resend(id)).statusCode, 204)
  assert.equal((await resend(id)).json().code, 'confirmation-waiting')
  await sendDueMails(node)
  const [first, second] = server.received.slice(-2)
  assert.deepEqual([first?.to, second?.to], [['anna@example.com'], ['anna.mueller@example.com']])
  assert.match(second?.mail.subject ?? '', /was refunded/, 'it says what is true by now')
  assert.ok(second?.mail.text?.includes(`${id}\n#${order?.number}`), 'with the short number')
  assert.deepEqual(
    (await historyOf(id)).map(({ event, mail, who }) => [event, mail?.kind, mail?.state, who]),
    [
      ['mail', 'confirmation', 'sent', 'Shop'],
      ['corrected', undefined, undefined, 'owner@example.com'],
      ['confirmation-resent', undefined, undefined, 'owner@example.com'],
      ['mail', 'confirmation', 'sent', 'Shop'],
    ],
  )
})

test('a confirmation is sent again five times a day at most, by however many people', async () => {
  const id = await add()
  for (let times = 0; times < 5; times += 1) {
    const answers = await Promise.all([resend(id), resend(id)])
    assert.deepEqual(statusesOf(answers), [204, 409])
    await sendDueMails(node)
  }
  assert.equal((await resend(id)).json().code, 'too-many-confirmations')
  await db
    .update(orderTimeline)
    .set({ createdAt: sql`created_at - interval '1 day'` })
    .where(eq(orderTimeline.orderId, id))
  // The oldest mails are deleted after a while; the names of the others must stay apart.
  await db
    .delete(mails)
    .where(sql`order_id = ${id} and kind in ('confirmation-1', 'confirmation-2')`)
  assert.equal((await resend(id)).statusCode, 204)
})

test('without an address or a mail server, a confirmation is refused in clear words', async () => {
  const other = await openTestShop()
  const [order] = await addOrders(other.db, [{}])
  const url = pathOf(apiRoutes.orderConfirmation, { id: order?.id ?? '' })
  const off = await other.app.inject({ method: 'POST', url, headers: await other.signIn() })
  assert.equal(off.json().code, 'mails-off')
  assert.equal(
    (await resend(await add({ customerEmail: null }))).json().code,
    'order-without-email',
  )
  assert.equal((await resend(await add({ erasedAt: new Date() }))).json().code, 'order-erased')
})

test('the history says why a mail has not left, and that none could', async () => {
  const id = await add({ customerEmail: 'gone@example.com' })
  server.reject('gone@example.com', 450, 'busy')
  await db.insert(mails).values({ orderId: id, kind: 'confirmation' })
  const readMail = async () => (await historyOf(id))[0]?.mail
  assert.deepEqual(await readMail(), {
    kind: 'confirmation',
    state: 'waiting',
    attempts: 0,
    reason: null,
  })
  await sendDueMails(node)
  assert.equal((await readMail())?.state, 'retrying')
  assert.match((await readMail())?.reason ?? '', /RCPT TO, 450/)
  server.reject('gone@example.com', 550, 'no such user')
  await makeMailsDue(db)
  await sendDueMails(node)
  assert.equal((await readMail())?.state, 'given-up')
  assert.equal((await readMail())?.attempts, 2)
  const silent = await add({ customerEmail: null })
  await db.insert(mails).values({ orderId: silent, kind: 'confirmation' })
  await sendDueMails(node)
  assert.equal((await historyOf(silent))[0]?.mail?.state, 'skipped')
})

test('notes of two people are both kept, with who wrote them, and one can be deleted', async () => {
  const id = await add()
  await Promise.all([addNote(id, ' Called her '), addNote(id, 'Wants\na gift')])
  const url = pathOf(apiRoutes.orderNotes, { id })
  const notes: OrderNote[] = (await call('GET', url)).json()
  assert.deepEqual(notes.map(({ text }) => text).toSorted(), ['Called her', 'Wants\na gift'])
  assert.equal(notes[0]?.who, 'owner@example.com')
  const path = pathOf(apiRoutes.orderNote, { id, noteId: notes[0]?.id ?? '' })
  assert.equal((await call('DELETE', path)).json<OrderNote[]>().length, 1)
  assert.equal((await call('DELETE', path)).json().code, 'note-missing')
  const elsewhere = { id: await add(), noteId: notes[1]?.id ?? '' }
  const wrong = await call('DELETE', pathOf(apiRoutes.orderNote, elsewhere))
  assert.equal(wrong.json().code, 'note-missing', 'not by way of another order')
  for (const text of ['', '  ', 'x'.repeat(2001)])
    assert.equal((await addNote(id, text)).statusCode, 400)
  assert.equal((await addNote(id, 'x'.repeat(2000))).statusCode, 200)
  assert.equal(
    (await addNote(await add({ erasedAt: new Date() }), 'x')).json().code,
    'order-erased',
  )
  const actions = await db.select().from(auditLog).where(eq(auditLog.subject, id))
  assert.ok(
    actions.every(({ detail }) => detail === null),
    'without their texts',
  )
})
