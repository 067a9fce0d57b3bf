import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { openDatabase } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { mails } from '#server/db/schema.ts'
import { makeTestDatabase } from '#server/testing/test-database.ts'
import { sendDueMails, type MailRoom } from './outbox.ts'
import { smtpPost } from './smtp-post.ts'
import { openMailServer } from './test-mail-server.ts'
import { addMail, findMail, letterhead, letTimePass } from './test-orders.ts'

const connection = await makeTestDatabase()
const { db, close } = openDatabase(connection, () => {})
after(close)
const server = await openMailServer()

function openNode(change: Partial<MailRoom> = {}): MailRoom {
  const post = smtpPost(server.url)
  after(() => post.close())
  return { db, post, letterhead, log: pino({ level: 'silent' }), ...change }
}
const node = openNode()

beforeEach(async () => {
  await db.delete(mails)
  server.received.length = 0
})

test('the buyer gets a confirmation as HTML and as text, with what was charged', async () => {
  const { mail, order } = await addMail(db, { amount: '1234.50', currency: 'GBP' })
  assert.equal(await sendDueMails(node), 1)
  const [got] = server.received
  assert.deepEqual(got?.to, ['anna@example.com'])
  assert.equal(got?.mail.subject, 'Your order from The Mug Shop is confirmed')
  assert.equal(got?.mail.messageId, `<${mail.id}@mugs.example>`)
  assert.deepEqual(got?.mail.replyTo?.[0]?.address, 'owner@mugs.example')
  for (const words of [order.id, 'Stoneware mug', '£1234.50', 'GBP', 'Free', 'Lange Straße 12']) {
    assert.ok(got?.mail.html?.includes(words), `${words} in HTML`)
    assert.ok(got?.mail.text?.includes(words), `${words} in text`)
  }
  const { sentAt, nextTryAt, attempts } = await findMail(db, mail.id)
  assert.ok(sentAt)
  assert.equal(nextTryAt, null)
  assert.equal(attempts, 1)
  assert.equal(await sendDueMails(node), 0)
})

test('the owner hears of a sale, and can answer the buyer', async () => {
  await addMail(db, { kind: 'new-sale' })
  await sendDueMails(node)
  const [got] = server.received
  assert.deepEqual(got?.to, ['owner@mugs.example'])
  assert.equal(got?.mail.subject, 'New sale: Stoneware mug for €49.00')
  assert.equal(got?.mail.replyTo?.[0]?.address, 'anna@example.com')
  assert.match(got?.mail.text ?? '', /https:\/\/shop\.mugs\.example\/orders\n/)
})

test('where the owner left no address, nobody is told and nothing fails', async () => {
  const { mail } = await addMail(db, { kind: 'new-sale' })
  const quiet = { ...letterhead, shopEmail: undefined }
  assert.equal(await sendDueMails({ ...node, letterhead: quiet }), 1)
  assert.equal(server.received.length, 0)
  const { sentAt, nextTryAt } = await findMail(db, mail.id)
  assert.ok(sentAt)
  assert.equal(nextTryAt, null)
})

test('each mail is sent once, however many nodes send at the same time', async () => {
  const added = await Promise.all(Array.from({ length: 50 }, () => addMail(db)))
  const nodes = Array.from({ length: 8 }, () => openNode())
  const counts = await atTheSameMoment(nodes.map((one) => () => sendDueMails(one)))
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    50,
  )
  const ids = server.received.map(({ mail }) => mail.messageId)
  assert.equal(ids.length, 50)
  assert.deepEqual(new Set(ids), new Set(added.map(({ mail }) => `<${mail.id}@mugs.example>`)))
})

/** Holds the table until all of them wait for it, so that they begin as one. */
async function atTheSameMoment<Result>(tasks: (() => Promise<Result>)[]): Promise<Result[]> {
  const waiting = sql`select from pg_locks where not granted and database =
    (select oid from pg_database where datname = current_database())`
  const results = await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${mails} in share row exclusive mode`)
    const begun = tasks.map((task) => task())
    while ((await db.execute(waiting)).rowCount !== tasks.length);
    return begun
  })
  return Promise.all(results)
}

test('a mail server that is away for a while loses no mail', async () => {
  const { mail } = await addMail(db)
  await server.goAway()
  try {
    for (const [attempts, seconds] of [
      [1, 10],
      [2, 30],
    ]) {
      await sendDueMails(node)
      const waiting = await findMail(db, mail.id)
      assert.equal(waiting.attempts, attempts)
      assert.equal(waiting.sentAt, null)
      assert.match(waiting.lastError ?? '', /ECONNREFUSED/)
      const pause = (waiting.nextTryAt?.getTime() ?? 0) - Date.now()
      assert.ok(pause > 0 && pause <= (seconds ?? 0) * 1000, `${pause} ms`)
      assert.equal(await sendDueMails(node), 0, 'it is not due yet')
      await letTimePass(db)
    }
  } finally {
    await server.comeBack()
  }
  await sendDueMails(node)
  assert.equal(server.received.length, 1)
  const sent = await findMail(db, mail.id)
  assert.ok(sent.sentAt)
  assert.equal(sent.attempts, 3)
  assert.equal(sent.lastError, null)
})

test('a recipient who does not exist is given up at once, and the others get theirs', async () => {
  const gone = await addMail(db, { customerEmail: 'gone@example.com' })
  const other = await addMail(db)
  server.refuse('gone@example.com', 550, '5.1.1 <gone@example.com> unknown user')
  await sendDueMails(node)
  const { sentAt, nextTryAt, lastError } = await findMail(db, gone.mail.id)
  assert.equal(sentAt, null)
  assert.equal(nextTryAt, null)
  assert.equal(lastError, 'EENVELOPE, RCPT TO, 550, 5.1.1')
  assert.ok((await findMail(db, other.mail.id)).sentAt)
})

test('a refusal that passes, or that the owner can cure, is no reason to give up', async () => {
  server.refuse('busy@example.com', 451, '4.7.1 greylisted, try again')
  server.refuse('far@example.com', 554, '5.7.1 relay access denied')
  for (const customerEmail of ['busy@example.com', 'far@example.com']) {
    const { mail } = await addMail(db, { customerEmail })
    await sendDueMails(node)
    assert.ok((await findMail(db, mail.id)).nextTryAt, customerEmail)
  }
})

test('after three days of tries a mail is given up', async () => {
  const { mail } = await addMail(db)
  await db.update(mails).set({ attempts: 78 })
  const failing = { ...node.post, send: () => Promise.reject(new Error('no')) }
  await sendDueMails({ ...node, post: failing })
  assert.equal((await findMail(db, mail.id)).nextTryAt, null)
  await db.update(mails).set({ attempts: 77, nextTryAt: new Date(0) })
  await sendDueMails({ ...node, post: failing })
  assert.ok((await findMail(db, mail.id)).nextTryAt)
})

test('a node killed between sending and noting it costs a repeat that receivers can recognise', async () => {
  const { mail } = await addMail(db)
  const killed = fork(join(import.meta.dirname, 'killed-node.ts'), [
    JSON.stringify(connection),
    server.url,
  ])
  const [, signal] = await once(killed, 'exit')
  assert.equal(signal, 'SIGKILL')
  assert.equal((await findMail(db, mail.id)).sentAt, null)
  assert.equal(await sendDueMails(node), 0, 'its lease still holds')
  await letTimePass(db)
  await sendDueMails(node)
  const id = `<${mail.id}@mugs.example>`
  assert.deepEqual(
    server.received.map((got) => got.mail.messageId),
    [id, id],
  )
})

test('a database that is away for a moment makes no second mail', async () => {
  const { mail } = await addMail(db)
  let faults = 0
  const shaky = new Proxy(db, {
    get(target, name, receiver) {
      // The first update is the claim, the second the note.
      if (name === 'update' && (faults += 1) === 2) throw new Error('connection lost')
      return Reflect.get(target, name, receiver)
    },
  })
  await sendDueMails({ ...node, db: shaky })
  assert.equal(faults, 3)
  assert.ok((await findMail(db, mail.id)).sentAt)
  assert.equal(server.received.length, 1)
})
