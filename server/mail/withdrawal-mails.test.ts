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
import { sendAlerts } from './alerts.ts'
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
  assert.deepEqual(takeArrived(), [['owner@mugs.example', '71 customers withdraw from purchases']])
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
