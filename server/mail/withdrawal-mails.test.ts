import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { sql } from '#server/db/drizzle.ts'
import { withdrawals } from '#server/db/order-schema.ts'
import { mails } from '#server/db/schema.ts'
import { recordWithdrawal } from '#server/orders/withdrawals.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { addOrder, mailSettings } from '#server/testing/mails.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { sendAlerts } from '#server/checks/alerts.ts'
import { sendDueMails } from './outbox.ts'
import { smtpTransport } from './transport.ts'

const { db } = await openTestDatabase()
const server = await openMailServer()
const transport = smtpTransport(server.url)
after(() => transport.close())
const deps = {
  db,
  transport,
  settings: mailSettings,
  log: pino({ level: 'silent' }),
  isKeyRefused: () => false,
  findMode: () => 'live' as const,
}
const live = { addressKey: 'a', isShared: false, isTestMode: false, timeZone: 'UTC' }

/** What arrived since the last time, each with its recipient. */
const takeArrived = () =>
  server.received.splice(0).map(({ to, mail }) => [to.join(), mail.subject ?? ''])

async function letDaysPass(days: number): Promise<void> {
  const earlier = sql`make_interval(days => ${days})`
  await db.execute(sql`update owner_alerts set told_at = told_at - ${earlier}`)
  await db.execute(sql`update withdrawals set created_at = created_at - ${earlier}`)
}

test('the buyer gets an acknowledgement, whether or not there is such an order', async () => {
  const { number } = await addOrder(db)
  const statement = { name: 'Anna', orderNumber: `#${number}`, email: 'anna@example.com' }
  await recordWithdrawal(db, statement, live)
  await recordWithdrawal(db, { ...statement, email: 'otto@example.com' }, live)
  await sendDueMails(deps)
  const subject = 'We have received your withdrawal: The Mug Shop'
  assert.deepEqual(
    takeArrived().toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
    [
      ['anna@example.com', subject],
      ['otto@example.com', subject],
    ],
  )
})

test('strangers cannot make the shop write to many addresses; all is saved, and buyers still get theirs', async () => {
  await db.delete(withdrawals)
  const { number } = await addOrder(db)
  const name = 'Anna'
  for (let sent = 0; sent < 70; sent += 1) {
    const email = `stranger-${sent}@example.com`
    const sender = { ...live, addressKey: `address ${sent}` }
    await recordWithdrawal(db, { name, orderNumber: '1', email }, sender)
  }
  const buyer = { name, orderNumber: String(number), email: 'anna@example.com' }
  await recordWithdrawal(db, buyer, live)
  const saved = await db.select().from(withdrawals)
  assert.equal(saved.length, 71)
  const acknowledged = saved.filter(({ mailId }) => mailId !== null)
  assert.ok(acknowledged.length <= 61, `${acknowledged.length} mails`)
  assert.ok(acknowledged.some(({ email }) => email === 'anna@example.com'))
  await db.execute(sql`update withdrawals set created_at = created_at - interval '2 minutes'`)
  await sendAlerts(deps)
  const told = 'A customer withdraws from a purchase'
  assert.match(server.received[0]?.mail.text ?? '', /70 more fit no order/)
  assert.deepEqual(takeArrived(), [['owner@mugs.example', told]])
  await db.delete(mails)
  await db.execute(sql`delete from owner_alerts`)
})

test('the owner is told once of a withdrawal, and reminded daily from three days before the deadline', async () => {
  await db.delete(withdrawals)
  const { number } = await addOrder(db)
  const statement = { name: 'Anna', orderNumber: String(number), email: 'anna@example.com' }
  await recordWithdrawal(db, statement, live)
  await recordWithdrawal(db, statement, live)
  await db.execute(sql`update withdrawals set created_at = created_at - interval '2 minutes'`)
  await sendAlerts(deps)
  await sendAlerts(deps)
  const told = ['owner@mugs.example', 'A customer withdraws from a purchase']
  assert.deepEqual(takeArrived(), [told])
  await letDaysPass(10)
  await sendAlerts(deps)
  assert.deepEqual(takeArrived(), [], 'there is time left')
  const reminded = ['owner@mugs.example', 'A withdrawal still waits for you']
  for (const days of [2, 5]) {
    await letDaysPass(days)
    await sendAlerts(deps)
    await sendAlerts(deps)
    assert.deepEqual(takeArrived(), [reminded])
  }
  await db.update(withdrawals).set({ handledAt: new Date() })
  await letDaysPass(2)
  await sendAlerts(deps)
  assert.deepEqual(takeArrived(), [])
})

test('statements that fit no order are told and reminded of apart from those that do', async () => {
  await db.delete(withdrawals)
  await db.execute(sql`delete from owner_alerts`)
  const { number } = await addOrder(db)
  const readMail = () => {
    const [{ mail } = { mail: undefined }] = server.received.splice(0)
    return { subject: mail?.subject, text: mail?.text?.replaceAll(/\s+/g, ' ') ?? '' }
  }
  for (const name of ['Junk', 'Nonsense'])
    await recordWithdrawal(db, { name, orderNumber: '1', email: 'junk@example.com' }, live)
  await db.execute(sql`update withdrawals set created_at = created_at - interval '2 minutes'`)
  await sendAlerts(deps)
  const alone = readMail()
  assert.equal(alone.subject, '2 withdrawals fit no order')
  assert.match(alone.text, /Anybody can state that, but it may be a customer/)
  assert.doesNotMatch(alone.text, /Refund the order/)
  await letDaysPass(12)
  await sendAlerts(deps)
  assert.equal(readMail().subject, '2 withdrawals without an order still wait for you')

  const statement = { name: 'Anna', orderNumber: String(number), email: 'anna@example.com' }
  await recordWithdrawal(db, statement, live)
  await letDaysPass(12)
  // The alert of it first.
  await sendAlerts(deps)
  const [, reminder] = server.received.splice(0)
  assert.equal(reminder?.mail.subject, 'A withdrawal still waits for you')
  assert.match(reminder.mail.text ?? '', /2 more fit no order/)
})
