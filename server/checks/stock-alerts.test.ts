import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { ownerAlerts } from '#server/db/admin-schema.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { products } from '#server/db/schema.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { mailSettings } from '#server/testing/mails.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { sendAlerts } from './alerts.ts'
import { smtpTransport } from '#server/mail/transport.ts'

const server = await openMailServer()
const transport = smtpTransport(server.url)
after(() => transport.close())

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

/** The mails that the owner of a new shop gets. */
async function openOwner() {
  const { db } = await openTestDatabase()
  const send = async () => {
    server.received.length = 0
    await sendAlerts({
      db,
      transport,
      settings: mailSettings,
      log: pino({ level: 'silent' }),
      isKeyRefused: () => false,
      findMode: () => 'live' as const,
    })
    return server.received.map(({ mail }) => ({ subject: mail.subject, text: mail.text ?? '' }))
  }
  return { db, send }
}

test('the owner is told once when few pieces of a product are left, and once when none is', async () => {
  const { db, send } = await openOwner()
  const [order] = await addOrders(db, [{}])
  const mark = (columns: Partial<typeof products.$inferInsert>) =>
    db
      .update(products)
      .set(columns)
      .where(eq(products.id, order?.productId ?? ''))
  assert.deepEqual(await send(), [])
  await mark({ stock: 3, lowStockAt: minutesAgo(90) })
  const [low, ...others] = await send()
  assert.deepEqual([low?.subject, others], ['Few pieces of a product are left', []])
  assert.match(low?.text ?? '', /It is about Mug\./)
  await db.update(ownerAlerts).set({ toldAt: sql`told_at - interval '61 minutes'` })
  assert.deepEqual(await send(), [])
  await mark({ soldOutAt: minutesAgo(2) })
  const [soldOut] = await send()
  assert.match(soldOut?.text ?? '', /It is about Mug \(sold out\)\./)
})

test('the owner is told of which value few pieces are left', async () => {
  const { db, send } = await openOwner()
  const [order] = await addOrders(db, [{}])
  const counted = { stock: 1, testStock: 1, countedAt: minutesAgo(99).toISOString() }
  const value = (name: string, low: number | null, none: number | null) => ({
    id: name,
    name,
    imageUrl: null,
    ...counted,
    lowStockAt: low === null ? null : minutesAgo(low).toISOString(),
    soldOutAt: none === null ? null : minutesAgo(none).toISOString(),
  })
  const values = [value('S', 5, null), value('M', 90, 5), value('L', null, null)]
  await db
    .update(products)
    .set({ choice: { name: 'Size', values } })
    .where(eq(products.id, order?.productId ?? ''))
  const [mail, ...others] = await send()
  assert.deepEqual([mail?.subject, others], ['Few pieces of a product are left', []])
  assert.match(mail?.text ?? '', /It is about Mug · M \(sold out\), Mug · S\./)
})

test('the owner is told of an order that was paid when no piece was left', async () => {
  const { db, send } = await openOwner()
  await addOrders(db, [{ createdAt: minutesAgo(5), isOversold: true }, { isOversold: false }])
  const [mail, ...others] = await send()
  assert.deepEqual([mail?.subject, others], ['An order was paid when no piece was left', []])
  assert.match(mail?.text ?? '', /It is about #\d+\./)
})

test('the owner is told of orders beyond the limit of their code, and of those without a choice', async () => {
  const { db, send } = await openOwner()
  const createdAt = minutesAgo(5)
  await addOrders(db, [
    { createdAt, isCodeOverused: true },
    { createdAt, isChoiceMissing: true },
  ])
  const mails = await send()
  const subjects = mails.map(({ subject }) => subject)
  assert.deepEqual(
    new Set(subjects),
    new Set([
      'An order does not say which one to send',
      'An order was paid when its discount code was used up',
    ]),
  )
  assert.equal(subjects.length, 2)
  for (const { text } of mails) assert.match(text, /It is about #\d+\./)
})
