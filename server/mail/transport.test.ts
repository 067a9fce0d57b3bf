import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { after, test } from 'node:test'
import { pino } from 'pino'
import PostalMime from 'postal-mime'
import { readConfig } from '#server/config.ts'
import { mails } from '#server/db/schema.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { startMailing } from './mailing.ts'
import { composeMail } from './messages.ts'
import { sendDueMails } from './outbox.ts'
import { createTransport, explainMailError, smtpTransport } from './transport.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { addMail, getMail, mailSettings } from '#server/testing/mails.ts'
import { patienceMs } from '#server/testing/wait-for.ts'

const { db } = await openTestDatabase()
const silent = pino({ level: 'silent' })

test('without a mail server a mail is a file that only its owner can read, and a duplicate replaces it', async () => {
  const dataDir = temporaryFolder()
  const transport = createTransport(readConfig({ DATA_DIR: dataDir }))
  const { mail, order } = await addMail(db)
  const deps = { db, transport, settings: mailSettings, log: silent }
  await sendDueMails(deps)
  await db.update(mails).set({ sentAt: null, nextTryAt: new Date(0) })
  await sendDueMails(deps)
  const folder = join(dataDir, 'mail')
  const name = `${mail.createdAt.toISOString().slice(0, 10)}-confirmation-${mail.id}.eml`
  assert.deepEqual(readdirSync(folder), [name])
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
  const read = await PostalMime.parse(readFileSync(join(folder, name)))
  assert.equal(read.to?.[0]?.address, 'anna@example.com')
  assert.ok(read.html?.includes(order.id) && read.text?.includes(order.id))
})

test('of three hundred test mails the newest two hundred are kept as files; others stay', async () => {
  const dataDir = temporaryFolder()
  const transport = createTransport(readConfig({ DATA_DIR: dataDir }))
  const { order } = await addMail(db)
  const message = composeMail({ id: 'm', kind: 'confirmation' }, order, mailSettings)
  assert.ok(message)
  const send = (id: string, isTest: boolean) =>
    transport.send(message, { id, kind: 'confirmation', createdAt: new Date(0), isTest })
  const folder = join(dataDir, 'mail')
  await send('real', false)
  for (let index = 0; index < 299; index += 1) await send(`test-${index}`, true)
  const [oldest = ''] = readdirSync(folder).filter((name) => name.endsWith('-test-7.eml'))
  utimesSync(join(folder, oldest), 0, 0)
  await send('newest', true)
  const left = readdirSync(folder)
  assert.equal(left.length, 201)
  assert.ok(!left.includes(oldest))
  assert.ok(left.includes('1970-01-01-confirmation-real.eml'))
  assert.ok(left.includes('1970-01-01-test-confirmation-newest.eml'))
})

/** Sends its greeting and never answers. */
async function openSilentServer(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}).write('220 hello\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('sending to a mail server that stops answering times out every time', async () => {
  const transport = smtpTransport(await openSilentServer(), 50)
  const { mail, order } = await addMail(db)
  const message = composeMail(mail, order, mailSettings)
  assert.ok(message)
  for (const _attempt of [1, 2])
    await assert.rejects(transport.send(message, mail), { code: 'ECONNECTION' })
  transport.close()
})

test('a mail server with a name that is none fails every mail, and does not end the shop', async () => {
  const url = 'smtp://[mail.example.com:587]:587?requireTLS=true'
  const transport = smtpTransport(url)
  const { mail, order } = await addMail(db)
  const message = composeMail(mail, order, mailSettings)
  assert.ok(message)
  for (const _attempt of [1, 2])
    await assert.rejects(transport.send(message, mail), { code: 'ERR_INVALID_URL' })
  transport.close()
  // Closed while it is being opened.
  const closing = smtpTransport(url)
  const sending = closing.send(message, mail).catch(explainMailError)
  closing.close()
  assert.equal(await sending, 'this is no name of a server')
  // A rejection that nobody handles would be told now, and fail this test.
  await nextTurn()
})

test('the owner is told in plain words why a mail was not taken', async () => {
  const { mail, order } = await addMail(db)
  const message = composeMail(mail, order, mailSettings)
  assert.ok(message)
  const explain = async (url: string, timeoutMs?: number) => {
    const transport = smtpTransport(url, timeoutMs)
    const reason = await transport.send(message, mail).catch(explainMailError)
    transport.close()
    return reason
  }
  const { port } = new URL(await openSilentServer())
  assert.equal(await explain('smtp://127.0.0.1:1'), 'nothing answers at this name and port')
  assert.match(String(await explain(`smtps://127.0.0.1:${port}`)), /no encrypted connection/)
  assert.match(String(await explain(`smtp://127.0.0.1:${port}`, 200)), /does not answer in time/)
  const refused = Object.assign(new Error('535'), { code: 'EAUTH', command: 'AUTH PLAIN' })
  assert.equal(explainMailError(refused), 'it does not accept the user name and password')
})

test('logs and mail records contain no address and no name, however delivery ends', async () => {
  await db.delete(mails)
  const server = await openMailServer()
  let logged = ''
  const log = pino({ level: 'trace' }, { write: (line: string) => (logged += line) })
  const transport = smtpTransport(server.url)
  const deps = { db, transport, settings: mailSettings, log }
  server.reject('gone@example.com', 550, '5.1.1 <gone@example.com> Anna Müller is unknown')
  const marked = [
    await addMail(db),
    await addMail(db, { customerEmail: 'gone@example.com' }),
    await addMail(db, { customerEmail: 'not an address' }),
    await addMail(db, { kind: 'new-sale' }),
  ]
  await sendDueMails(deps)
  const waiting = await addMail(db)
  await server.goDown()
  await sendDueMails(deps)
  const broken = await addMail(db, { amount: 'NaN' })
  await sendDueMails(deps)
  const odd = await addMail(db)
  const send = () => Promise.reject(new Error('no way to anna@example.com'))
  await sendDueMails({ ...deps, transport: { ...transport, send } })
  transport.close()
  const rows = await Promise.all(
    [...marked, waiting, broken, odd].map((one) => getMail(db, one.mail.id)),
  )
  const written = logged + JSON.stringify(rows)
  assert.doesNotMatch(written, /@(?!mugs\.example>)|Anna|Müller|Lange|gone|123456/)
  for (const text of ['A mail was sent', 'A mail was given up', 'will be tried again'])
    assert.ok(logged.includes(text), text)
})

const shop = {
  stopTimeoutMs: patienceMs,
  db,
  secret: mailSettings.secret,
  localOrigin: mailSettings.origin,
  log: silent,
}

test('new mails are sent in the name of the shop', async () => {
  await db.delete(mails)
  const server = await openMailServer()
  const settings = {
    SMTP_URL: server.url,
    SHOP_NAME: 'Mugs, Ltd',
    SHOP_EMAIL: 'a@b.example',
    CUSTOM_DOMAIN: 'pay.b.example',
  }
  await addMail(db)
  const mailing = startMailing({ ...shop, config: readConfig(settings) })
  mailing.sendNow()
  await mailing.stop()
  assert.equal(server.received.length, 1)
  assert.deepEqual(server.received[0]?.mail.from, { name: 'Mugs, Ltd', address: 'a@b.example' })
  assert.match(server.received[0]?.mail.text ?? '', /https:\/\/pay\.b\.example\/thank-you\//)
})

test('nothing is ever sent to the buyer of a test order', async () => {
  for (const owner of ['owner@b.example', undefined]) {
    await db.delete(mails)
    const server = await openMailServer()
    const dataDir = temporaryFolder()
    const config = readConfig({
      DATA_DIR: dataDir,
      SMTP_URL: server.url,
      MAIL_FROM: 'shop@b.example',
      ...(owner && { SHOP_EMAIL: owner }),
    })
    await addMail(db, { isTest: true, customerEmail: 'victim@example.com' })
    await addMail(db, { customerEmail: 'customer@example.com' })
    const mailing = startMailing({ ...shop, config })
    mailing.sendNow()
    await mailing.stop()
    const recipients = server.received.flatMap(({ to }) => to)
    const expected = ['customer@example.com', ...(owner ? [owner] : [])]
    assert.deepEqual(recipients.toSorted(), expected)
    if (!owner) assert.equal(readdirSync(join(dataDir, 'mail')).length, 1, 'it is kept as a file')
  }
})

test(
  'a mail server that stops answering does not keep the shop from closing',
  { timeout: 60_000 },
  async () => {
    await db.delete(mails)
    const settings = { SMTP_URL: await openSilentServer(), MAIL_FROM: 'a@b.example' }
    const { mail } = await addMail(db)
    const mailing = startMailing({ ...shop, config: readConfig(settings), stopTimeoutMs: 50 })
    mailing.sendNow()
    await mailing.stop()
    const { attempts, nextTryAt } = await getMail(db, mail.id)
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
