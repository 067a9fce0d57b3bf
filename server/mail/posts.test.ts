import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import PostalMime from 'postal-mime'
import { readConfig } from '#server/config.ts'
import { mails } from '#server/db/schema.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { maybeConfirmation } from './compose-confirmation.ts'
import { startMailing } from './mailing.ts'
import { openPost } from './open-post.ts'
import { sendDueMails } from './outbox.ts'
import { smtpPost } from './smtp-post.ts'
import { openMailServer } from './test-mail-server.ts'
import { addMail, findMail, letterhead } from './test-orders.ts'

const { db } = await openTestDatabase()
const silent = pino({ level: 'silent' })

test('without a mail server a mail is a file that only its owner reads, and a repeat replaces it', async () => {
  const dataDir = temporaryFolder()
  const post = openPost(readConfig({ DATA_DIR: dataDir }))
  const { mail, order } = await addMail(db)
  const room = { db, post, letterhead, log: silent }
  await sendDueMails(room)
  await db.update(mails).set({ sentAt: null, nextTryAt: new Date(0) })
  await sendDueMails(room)
  const folder = join(dataDir, 'mail')
  const name = `${mail.createdAt.toISOString().slice(0, 10)}-confirmation-${mail.id}.eml`
  assert.deepEqual(readdirSync(folder), [name])
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
  const read = await PostalMime.parse(readFileSync(join(folder, name)))
  assert.equal(read.to?.[0]?.address, 'anna@example.com')
  assert.ok(read.html?.includes(order.id) && read.text?.includes(order.id))
})

/** Says hello and nothing more. */
async function openSilentServer(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}).write('220 hello\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a mail server that falls silent is given up on, again and again', async () => {
  const post = smtpPost(await openSilentServer(), 50)
  const { mail, order } = await addMail(db)
  const letter = maybeConfirmation(mail.id, order, letterhead)
  assert.ok(letter)
  for (const _try of [1, 2]) await assert.rejects(post.send(letter, mail), { code: 'ECONNECTION' })
  post.close()
})

test('logs and the database know no address and no name, whatever becomes of a mail', async () => {
  await db.delete(mails)
  const server = await openMailServer()
  let logged = ''
  const log = pino({ level: 'trace' }, { write: (line: string) => (logged += line) })
  const post = smtpPost(server.url)
  const room = { db, post, letterhead, log }
  server.refuse('gone@example.com', 550, '5.1.1 <gone@example.com> Anna Müller is unknown')
  const marked = [
    await addMail(db),
    await addMail(db, { customerEmail: 'gone@example.com' }),
    await addMail(db, { customerEmail: 'not an address' }),
    await addMail(db, { kind: 'new-sale' }),
  ]
  await sendDueMails(room)
  const waiting = await addMail(db)
  await server.goAway()
  await sendDueMails(room)
  const broken = await addMail(db, { amount: 'NaN' })
  await sendDueMails(room)
  const odd = await addMail(db)
  const send = () => Promise.reject(new Error('no way to anna@example.com'))
  await sendDueMails({ ...room, post: { ...post, send } })
  post.close()
  const rows = await Promise.all(
    [...marked, waiting, broken, odd].map((one) => findMail(db, one.mail.id)),
  )
  const written = logged + JSON.stringify(rows)
  assert.doesNotMatch(written, /@(?!mugs\.example>)|Anna|Müller|Lange|gone|123456/)
  for (const words of ['A mail was sent', 'A mail was given up', 'will be tried again'])
    assert.ok(logged.includes(words), words)
})

const shop = {
  db,
  secret: letterhead.secret,
  origin: letterhead.origin,
  log: silent,
  isKeyRefused: () => false,
}

test('the mail room sends what comes in, in the name of the shop', async () => {
  await db.delete(mails)
  const server = await openMailServer()
  const settings = { SMTP_URL: server.url, SHOP_NAME: 'Mugs, Ltd', SHOP_EMAIL: 'a@b.example' }
  const mailing = startMailing({ ...shop, config: readConfig(settings) })
  await addMail(db)
  mailing.soon()
  await mailing.stop()
  assert.equal(server.received.length, 1)
  assert.deepEqual(server.received[0]?.mail.from, { name: 'Mugs, Ltd', address: 'a@b.example' })
})

test(
  'a mail server that falls silent does not keep the shop from closing',
  { timeout: 20_000 },
  async () => {
    await db.delete(mails)
    const settings = { SMTP_URL: await openSilentServer(), MAIL_FROM: 'a@b.example' }
    const mailing = startMailing({ ...shop, config: readConfig(settings), patienceMs: 50 })
    const { mail } = await addMail(db)
    mailing.soon()
    await mailing.stop()
    const { attempts, nextTryAt } = await findMail(db, mail.id)
    assert.equal(attempts, 1)
    assert.ok(nextTryAt, 'it will be tried again')
  },
)

test('the sender is MAIL_FROM, else the shop, else Till', () => {
  const sender = (environment: Record<string, string>) => readConfig(environment).mail.from
  assert.equal(
    sender({ MAIL_FROM: 'Us <us@b.example>', SHOP_EMAIL: 'a@b.example' }),
    'Us <us@b.example>',
  )
  assert.equal(sender({ SHOP_NAME: 'Mugs', SHOP_EMAIL: 'a@b.example' }), 'Mugs <a@b.example>')
  assert.equal(sender({ SHOP_EMAIL: 'a@b.example' }), 'a@b.example')
  assert.equal(sender({}), 'Till <till@localhost>')
})
