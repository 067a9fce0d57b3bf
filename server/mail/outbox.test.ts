import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { openDatabase } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { mails } from '#server/db/schema.ts'
import { makeTestDatabase } from '#server/testing/test-database.ts'
import { sendDueMails, type MailDeps } from './outbox.ts'
import { createTransport, smtpTransport, type MailMessage } from './transport.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { addMail, getMail, mailSettings, makeMailsDue } from '#server/testing/mails.ts'

const connection = await makeTestDatabase()
const { db, close } = openDatabase(connection, () => {})
after(close)
const server = await openMailServer()

function openNode(change: Partial<MailDeps> = {}): MailDeps {
  const transport = smtpTransport(server.url)
  after(() => transport.close())
  return { db, transport, settings: mailSettings, log: pino({ level: 'silent' }), ...change }
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
  for (const text of [order.id, 'Stoneware mug', '£1234.50', 'GBP', 'Free', 'Lange Straße 12']) {
    assert.ok(got?.mail.html?.includes(text), `${text} in HTML`)
    assert.ok(got?.mail.text?.includes(text), `${text} in text`)
  }
  const { sentAt, nextTryAt, attempts } = await getMail(db, mail.id)
  assert.ok(sentAt)
  assert.equal(nextTryAt, null)
  assert.equal(attempts, 1)
  assert.equal(await sendDueMails(node), 0)
})

test('the owner is told about a sale, and can reply to the buyer', async () => {
  await addMail(db, { kind: 'new-sale' })
  await sendDueMails(node)
  const [got] = server.received
  assert.deepEqual(got?.to, ['owner@mugs.example'])
  assert.equal(got?.mail.subject, 'New sale: Stoneware mug for €49.00')
  assert.equal(got?.mail.replyTo?.[0]?.address, 'anna@example.com')
  assert.match(got?.mail.text ?? '', /https:\/\/shop\.mugs\.example\/orders\?order=[\da-f-]{36}\n/)
})

test('without an address of the owner no mail about the sale is sent', async () => {
  const { mail } = await addMail(db, { kind: 'new-sale' })
  const settings = { ...mailSettings, alertEmail: undefined }
  assert.equal(await sendDueMails({ ...node, settings }), 1)
  assert.equal(server.received.length, 0)
  const { sentAt, nextTryAt } = await getMail(db, mail.id)
  assert.ok(sentAt)
  assert.equal(nextTryAt, null)
})

test('each mail is sent once, however many nodes send at the same time', async () => {
  const added: Awaited<ReturnType<typeof addMail>>[] = []
  while (added.length < 50) added.push(await addMail(db))
  const nodes = Array.from({ length: 8 }, () => openNode())
  const counts = await runAtOnce(nodes.map((one) => () => sendDueMails(one)))
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    50,
  )
  const ids = server.received.map(({ mail }) => mail.messageId)
  assert.equal(ids.length, 50)
  assert.deepEqual(new Set(ids), new Set(added.map(({ mail }) => `<${mail.id}@mugs.example>`)))
})

/** Locks the table until all tasks wait for it, so that they start together. */
async function runAtOnce<Result>(tasks: (() => Promise<Result>)[]): Promise<Result[]> {
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

test('no mail is lost while the mail server is down', async () => {
  const { mail } = await addMail(db)
  await server.goDown()
  try {
    for (const [attempts, seconds] of [
      [1, 10],
      [2, 30],
    ]) {
      await sendDueMails(node)
      const waiting = await getMail(db, mail.id)
      assert.equal(waiting.attempts, attempts)
      assert.equal(waiting.sentAt, null)
      assert.match(waiting.lastError ?? '', /ECONNREFUSED/)
      const pause = (waiting.nextTryAt?.getTime() ?? 0) - Date.now()
      assert.ok(pause > 0 && pause <= (seconds ?? 0) * 1000, `${pause} ms`)
      assert.equal(await sendDueMails(node), 0, 'it is not due yet')
      await makeMailsDue(db)
    }
  } finally {
    await server.comeBack()
  }
  await sendDueMails(node)
  assert.equal(server.received.length, 1)
  const sent = await getMail(db, mail.id)
  assert.ok(sent.sentAt)
  assert.equal(sent.attempts, 3)
  assert.equal(sent.lastError, null)
})

test('a recipient who does not exist is given up at once, and the others get theirs', async () => {
  const gone = await addMail(db, { customerEmail: 'gone@example.com' })
  const other = await addMail(db)
  server.reject('gone@example.com', 550, '5.1.1 <gone@example.com> unknown user')
  await sendDueMails(node)
  const { sentAt, nextTryAt, lastError } = await getMail(db, gone.mail.id)
  assert.equal(sentAt, null)
  assert.equal(nextTryAt, null)
  assert.equal(lastError, 'EENVELOPE, RCPT TO, 550, 5.1.1')
  assert.ok((await getMail(db, other.mail.id)).sentAt)
})

test('a temporary rejection, or one that the owner can fix, is tried again', async () => {
  server.reject('busy@example.com', 451, '4.7.1 greylisted, try again')
  server.reject('far@example.com', 554, '5.7.1 relay access denied')
  for (const customerEmail of ['busy@example.com', 'far@example.com']) {
    const { mail } = await addMail(db, { customerEmail })
    await sendDueMails(node)
    assert.ok((await getMail(db, mail.id)).nextTryAt, customerEmail)
  }
})

test('after three days of attempts a mail is given up', async () => {
  const { mail } = await addMail(db)
  await db.update(mails).set({ attempts: 78 })
  const transport = { ...node.transport, send: () => Promise.reject(new Error('no')) }
  await sendDueMails({ ...node, transport })
  assert.equal((await getMail(db, mail.id)).nextTryAt, null)
  await db.update(mails).set({ attempts: 77, nextTryAt: new Date(0) })
  await sendDueMails({ ...node, transport })
  assert.ok((await getMail(db, mail.id)).nextTryAt)
})

test('a node killed before it recorded a sent mail causes a duplicate that receivers can recognise', async () => {
  const { mail } = await addMail(db)
  const killed = fork(join(import.meta.dirname, '..', 'testing', 'killed-mail-node.ts'), [
    JSON.stringify(connection),
    server.url,
  ])
  const [, signal] = await once(killed, 'exit')
  assert.equal(signal, 'SIGKILL')
  assert.equal((await getMail(db, mail.id)).sentAt, null)
  assert.equal(await sendDueMails(node), 0, 'its lease still holds')
  await makeMailsDue(db)
  await sendDueMails(node)
  const id = `<${mail.id}@mugs.example>`
  assert.deepEqual(
    server.received.map((got) => got.mail.messageId),
    [id, id],
  )
})

/** Deliveries are recorded once the mail has left. */
const isRecording = (name: string | symbol) => name === 'update' && server.received.length > 0

test('a short database outage causes no duplicate', async () => {
  const { mail } = await addMail(db)
  let faults = 0
  const shaky = new Proxy(db, {
    get(target, name, receiver) {
      if (isRecording(name) && (faults += 1) === 1) throw new Error('connection lost')
      return Reflect.get(target, name, receiver)
    },
  })
  await sendDueMails({ ...node, db: shaky })
  assert.equal(faults, 2)
  assert.ok((await getMail(db, mail.id)).sentAt)
  assert.equal(server.received.length, 1)
})

test('a mail that was sent while the database went away is not sent again when it is back', async () => {
  const { mail } = await addMail(db)
  let failures = 0
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const restarting = new Proxy(db, {
    get(target, name) {
      const isDown = isRecording(name) && failures < 20
      if (isDown) {
        failures += 1
        throw away
      }
      return Reflect.get(target, name)
    },
  })
  await sendDueMails(openNode({ db: restarting, recordDelaysMs: [0] }))
  assert.equal(failures, 20)
  await makeMailsDue(db)
  assert.equal(await sendDueMails(node), 0)
  assert.equal(server.received.length, 1)
  assert.ok((await getMail(db, mail.id)).sentAt)
})

test('a node that stops does not wait for a database that is away', async () => {
  await addMail(db)
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const gone = new Proxy(db, {
    get(target, name) {
      if (isRecording(name)) throw away
      return Reflect.get(target, name)
    },
  })
  const stopping = new AbortController()
  const sending = sendDueMails(
    openNode({ db: gone, recordDelaysMs: [60_000], stopping: stopping.signal }),
  )
  stopping.abort()
  assert.equal(await sending, 1)
})

test('without a mail server a mail is kept as a file, and nobody is told that it was sent', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'till-mails-'))
  const settings = {
    ...mailSettings,
    hasMailServer: false,
    shopEmail: undefined,
    alertEmail: undefined,
  }
  const transport = createTransport({ dataDir, mail: { smtpUrl: undefined } })
  const { mail: toBuyer } = await addMail(db)
  const { mail: toNobody } = await addMail(db, { kind: 'new-sale' })
  assert.equal(await sendDueMails(openNode({ transport, settings })), 2)
  const errors = [toBuyer, toNobody].map(async ({ id }) => (await getMail(db, id)).lastError)
  assert.deepEqual(await Promise.all(errors), ['kept as a file', 'no recipient'])
  assert.equal((await readdir(join(dataDir, 'mail'))).length, 1)
})

test('who buys a hundred times in test mode does not fill the owner’s mailbox', async () => {
  const sent: boolean[] = []
  const transport = {
    send: async ({ isFileOnly }: MailMessage) => void sent.push(isFileOnly),
    close() {},
  }
  const counting = openNode({ transport })
  for (let time = 0; time < 21; time += 1) {
    await addMail(db, { isTest: true })
    await addMail(db, { isTest: true, kind: 'new-sale' })
    await addMail(db)
  }
  while ((await sendDueMails(counting)) > 0);
  assert.equal(sent.filter((isFileOnly) => !isFileOnly).length, 40 + 21, 'real mails are all sent')
  assert.equal(sent.filter(Boolean).length, 2)
  await db.execute(sql`delete from rate_limits`)
})
