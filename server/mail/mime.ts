import { randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'

/*
 * A message as mail servers take it (RFC 5322, 2045 and 2047). nodemailer delivers messages but does not write them: its
 * streams took as much time as the rest of a sale.
 */

export type Mailbox = { name: string; address: string }

/** A mail as it is sent: the same content as HTML and as plain text. */
export type MailMessage = {
  from: Mailbox
  to: Mailbox
  replyTo: Mailbox | undefined
  subject: string
  text: string
  html: string
  /** The same however often it is sent, so that receivers can drop a duplicate. */
  messageId: string
  headers: Record<string, string>
  /** It only ever becomes a file: anybody can type any address into a test order. */
  isFileOnly: boolean
}

/** The text as the first alternative, the HTML as the last, which is the one that mail programs prefer. */
export function writeMessage(message: MailMessage, date = new Date()): Buffer {
  const { from, to, replyTo, subject, messageId, headers, text, html } = message
  const boundary = `=_till-${randomBytes(12).toString('hex')}`
  const head = {
    From: formatMailbox(from),
    To: formatMailbox(to),
    ...(replyTo && { 'Reply-To': formatMailbox(replyTo) }),
    Subject: isPlain(subject) ? subject : encodeWords(subject),
    'Message-ID': messageId,
    Date: date.toUTCString().replace('GMT', '+0000'),
    ...headers,
    'MIME-Version': '1.0',
    'Content-Type': `multipart/alternative; boundary="${boundary}"`,
  }
  const lines = [
    ...Object.entries(head).map(([name, value]) => `${name}: ${value}`),
    '',
    ...writePart(boundary, 'plain', text),
    ...writePart(boundary, 'html', html),
    `--${boundary}--`,
    '',
  ]
  return Buffer.from(lines.join('\r\n'))
}

function writePart(boundary: string, kind: 'plain' | 'html', content: string): string[] {
  return [
    `--${boundary}`,
    `Content-Type: text/${kind}; charset=utf-8`,
    'Content-Transfer-Encoding: quoted-printable',
    '',
    encodeQuotedPrintable(content),
  ]
}

/** Not international, and short enough for one line. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]{0,60}$/.test(text)
}

function formatMailbox({ name, address }: Mailbox): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  // Names of domains have an ASCII form; what is none stays as it is and is for the mail server to refuse.
  const plain = `${address.slice(0, at)}${domainToASCII(domain) || domain}`
  if (name === '') return plain
  return isPlain(name)
    ? `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}" <${plain}>`
    : `${encodeWords(name)}\r\n <${plain}>`
}

/** In base64, with 12 characters around it: a line with an encoded word has up to 76, also that of `Reply-To: `. */
const maxWordBytes = 39

/** Words of whole characters, each on a line of its own. */
function encodeWords(text: string): string {
  const words: string[] = []
  let word = ''
  for (const character of text) {
    if (Buffer.byteLength(word + character) > maxWordBytes) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word]
    .map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`)
    .join('\r\n ')
}

const maxLineLength = 76

/** Of text with any line ends. */
export function encodeQuotedPrintable(text: string): string {
  return (
    text
      .replaceAll('=', '=3D')
      .replaceAll(/[^\x20-\x7e\t\r\n]/gu, encodeCharacter)
      // White space at the end of a line gets lost on the way.
      .replaceAll(/[\t ](?=[\r\n]|$)/g, encodeCharacter)
      .split(/\r\n|\r|\n/)
      .map(breakLine)
      .join('\r\n')
  )
}

function encodeCharacter(character: string): string {
  return Buffer.from(character).toString('hex').toUpperCase().replaceAll(/../g, '=$&')
}

/** With soft line breaks, none of them within an encoded byte. */
function breakLine(line: string): string {
  if (line.length <= maxLineLength) return line
  const pieces: string[] = []
  let start = 0
  while (line.length - start > maxLineLength) {
    const end = start + maxLineLength - 1
    const escape = line.lastIndexOf('=', end - 1)
    const isCut = escape > end - 3
    pieces.push(line.slice(start, isCut ? escape : end))
    start = isCut ? escape : end
  }
  return [...pieces, line.slice(start)].join('=\r\n')
}
