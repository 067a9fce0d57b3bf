import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import PostalMime from 'postal-mime'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { createTransport, type MailMessage } from './transport.ts'

const message: MailMessage = {
  from: { name: 'My Shop', address: 'shop@example.com' },
  to: { name: 'Anna', address: 'anna@example.com' },
  replyTo: undefined,
  subject: 'Your order',
  text: 'Hello',
  html: '<p>Hello</p>',
  messageId: '<1@example.com>',
  headers: { 'Auto-Submitted': 'auto-generated' },
  isFileOnly: false,
}

const dataDir = temporaryFolder()
const transport = createTransport({ dataDir, mail: { smtpUrl: undefined } })

async function write(change: Partial<MailMessage>): Promise<Buffer> {
  const mail = { id: 'id', kind: 'confirmation', createdAt: new Date(0) }
  await transport.send({ ...message, ...change }, mail)
  return readFileSync(join(dataDir, 'mail', '1970-01-01-confirmation-id.eml'))
}

const read = async (change: Partial<MailMessage>) => PostalMime.parse(await write(change))

test('a mail program reads what the shop wrote, whatever names and texts are in it', async () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 120 }).map((text) =>
    // As createMailbox and createMessage leave it.
    text
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .replaceAll('=?', '= ?')
      .trim(),
  )
  const text = fc
    .string({ unit: 'grapheme', maxLength: 400 })
    .map((part) => part.replaceAll(/[\r\n\0]/g, ' ').trim())
  await fc.assert(
    fc.asyncProperty(name, name, text, text, async (toName, subject, line, other) => {
      const body = `${line}.\n\n${other}.`
      const mail = await read({
        to: { name: toName, address: 'anna@example.com' },
        subject,
        text: body,
        html: `<p>${body}</p>`,
      })
      assert.equal(mail.subject ?? '', subject)
      assert.deepEqual(mail.to, [{ name: toName, address: 'anna@example.com' }])
      assert.equal(mail.text?.trimEnd(), body)
      assert.equal(mail.html?.trimEnd(), `<p>${body}</p>`)
    }),
    { numRuns: 100 },
  )
})

test('no line of a mail is longer than mail servers take, or anything but ASCII', async () => {
  const long = 'Ein sehr langer Name mit Übergröße, "Zitat" und \\ '.repeat(5).trim()
  const bytes = await write({
    to: { name: long, address: 'anna@bücher.example' },
    replyTo: { name: 'Käufer', address: 'b@example.com' },
    subject: long,
    text: `${'x'.repeat(500)}\n${'ü'.repeat(300)}\nends with space \n=\ttab\t`,
  })
  const lines = bytes.toString('latin1').split('\r\n')
  assert.deepEqual(
    lines.filter((line) => line.length > 100 || /[^\t\x20-\x7e]/.test(line)),
    [],
  )
  assert.deepEqual(
    lines.filter((line) => line.includes('=?UTF-8?') && line.length > 76),
    [],
    'RFC 2047: a line with an encoded word has at most 76 characters',
  )
  assert.ok(bytes.includes('<anna@xn--bcher-kva.example>'))
})

test('quotes and backslashes in a name stay part of it', async () => {
  const name = String.raw`Anna "the \ Great" <evil@example.com>, x`
  const mail = await read({ to: { name, address: 'anna@example.com' } })
  assert.deepEqual(mail.to, [{ name, address: 'anna@example.com' }])
})

test('a line end in a name or a subject adds no header', async () => {
  const text = 'Anna\r\nBcc: all@example.com'
  const bytes = await write({ to: { name: text, address: 'anna@example.com' }, subject: text })
  assert.doesNotMatch(bytes.toString(), /^Bcc:/im)
})
