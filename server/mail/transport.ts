import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'

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
  /** The message only ever becomes a file: anybody can type any address into a test order. */
  isFileOnly: boolean
}

export type MailTransport = {
  /** Resolves once the message is handed over, and always ends before the outbox's lease does. */
  send: (
    message: MailMessage,
    mail: { id: string; kind: string; createdAt: Date; isTest?: boolean | undefined },
  ) => Promise<void>
  /** Messages that are being sent fail; the outbox tries them again. */
  close: () => void
}

/** The recipient does not exist, so a retry cannot help. Its message is stored and must not quote an address. */
export class PermanentMailError extends Error {}

/** Without a mail server, mails become files that a mail program can open; some always do. */
export function createTransport(config: {
  dataDir: string
  mail: { smtpUrl: string | undefined }
}): MailTransport {
  const { smtpUrl } = config.mail
  const files = fileTransport(mailFolder(config.dataDir))
  if (!smtpUrl) return files
  const smtp = smtpTransport(smtpUrl)
  return {
    ...smtp,
    send: (message, mail) => (message.isFileOnly ? files : smtp).send(message, mail),
  }
}

function mailFolder(dataDir: string): string {
  return join(dataDir, 'mail')
}

const uuidLength = 36

/** Deletes mails that were kept as files: those of these ids, or all from before a time. Returns how many. */
export async function deleteMailFiles(
  dataDir: string,
  which: { ids: string[] } | { beforeMs: number },
): Promise<number> {
  const folder = mailFolder(dataDir)
  const files = await readdir(folder).catch(() => [])
  const ids = new Set('ids' in which ? which.ids : [])
  let deleted = 0
  for (const file of files.filter((name) => /\.eml(\.part)?$/.test(name))) {
    const path = join(folder, file)
    const isChosen =
      'ids' in which
        ? ids.has(file.replace(/\.eml(\.part)?$/, '').slice(-uuidLength))
        : ((await stat(path).catch(() => undefined))?.mtimeMs ?? Infinity) < which.beforeMs
    if (!isChosen) continue
    await rm(path, { force: true })
    deleted += 1
  }
  return deleted
}

/** For the whole delivery: a server that answers byte by byte stays within every other timeout. Less than a lease. */
const maxDeliveryMs = 90_000

/** Encrypted as the URL says: smtps://, or smtp:// with STARTTLS where the server offers it. */
export function smtpTransport(url: string, timeoutMs = maxDeliveryMs): MailTransport {
  let current: ReturnType<typeof openPool> | undefined
  let isClosed = false

  return {
    async send(message) {
      if (isClosed) throw new Error('the mail transport is closed')
      if (message.isFileOnly) throw new Error('this mail must not leave the shop')
      const opened = (current ??= openPool(url))
      const forget = () => {
        if (current === opened) current = undefined
      }
      const pool = await opened.catch((error: unknown) => {
        forget()
        throw error
      })
      const timer = setTimeout(() => {
        forget()
        pool.close({ force: true })
      }, timeoutMs)
      try {
        await pool.sendMail(toNodemailer(message))
      } catch (error) {
        if (!isRecipientRejected(error as SmtpError)) throw error
        throw new PermanentMailError(describeMailError(error), { cause: error })
      } finally {
        clearTimeout(timer)
      }
    },
    close() {
      isClosed = true
      // One that could not be opened has told so to whoever was sending.
      current?.then(
        (pool) => pool.close({ force: true }),
        () => {},
      )
    },
  }
}

/** Addresses as objects are never parsed, so a name cannot add a recipient. */
function toNodemailer({ isFileOnly: _never, replyTo, ...message }: MailMessage): SendMailOptions {
  return { ...message, ...(replyTo && { replyTo }), textEncoding: 'quoted-printable' }
}

/** nodemailer is loaded with the first mail: it would add 0.1 s and 20 MB to every start. */
async function openPool(url: string) {
  const nodemailer = await import('nodemailer')
  return nodemailer.createTransport({
    pool: true,
    url,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    idleTimeout: 30_000,
    // The outbox decides when to retry; once is for a connection that had gone stale.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** The file is named after the mail's id, so a duplicate replaces the first. Only the owner can read it. */
function fileTransport(folder: string): MailTransport {
  return {
    async send(message, { id, kind, createdAt, isTest }) {
      const day = createdAt.toISOString().slice(0, 10)
      const file = join(folder, `${day}${isTest ? testMark : '-'}${kind}-${id}.eml`)
      const text = await compose(message)
      const write = () => writeFile(`${file}.part`, text, { mode: 0o600, flush: true })
      await write().catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await write()
      })
      await rename(`${file}.part`, file)
      if (isTest) await deleteOldestTests(folder)
    },
    close() {},
  }
}

const testMark = '-test-'
/** Anybody can buy in test mode. A hundred more may be there, since looking at all of them takes longer than a mail. */
const maxTestFiles = 200
const deletedAtOnce = 100

async function deleteOldestTests(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.includes(testMark))
  if (files.length < maxTestFiles + deletedAtOnce) return
  const written = await Promise.all(
    files.map(async (name) => {
      const path = join(folder, name)
      return { path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 }
    }),
  )
  const oldest = written.toSorted((one, other) => one.at - other.at).slice(0, -maxTestFiles)
  for (const { path } of oldest) await rm(path, { force: true })
}

/** The whole message with line ends as mail has them. It is ASCII, since everything else is encoded. */
async function compose(message: MailMessage): Promise<string> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const bytes = await new MailComposer(toNodemailer(message)).compile().build()
  return bytes.toString('latin1').replace(/\r?\n/g, '\r\n')
}

/** What nodemailer and Node add to their errors. */
type SmtpError = Error & {
  code?: string
  originalCode?: string
  command?: string
  responseCode?: number
  response?: string
  permanent?: boolean
}

/** 5.7 is about the shop (no sign-in, no relaying): the owner can fix that, so those mails are kept. */
function isRecipientRejected({ code, command, permanent, response }: SmtpError): boolean {
  if (command === 'API') return code === 'EENVELOPE'
  return command === 'RCPT TO' && permanent === true && !enhancedCode(response)?.startsWith('5.7.')
}

/**
 * Safe for logs and the database: mail servers repeat addresses in their answers, so only codes are kept,
 * such as 'EENVELOPE, RCPT TO, 550, 5.1.1' or 'ESOCKET, ECONNREFUSED, CONN'.
 */
export function describeMailError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof PermanentMailError) return error.message
  const { code, originalCode, command, responseCode, response } = error as SmtpError
  // Our own errors have no code, and their message could quote what a buyer typed.
  if (code === undefined) return `${error.name} ${firstStackFrame(error)}`.trim()
  const codes = [code, originalCode, command, responseCode, enhancedCode(response)]
  return codes.filter(Boolean).join(', ')
}

/** The 5.1.1 in '550 5.1.1 unknown user'. */
function enhancedCode(response: string | undefined): string | undefined {
  return /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1]
}

function firstStackFrame({ stack }: Error): string {
  const lines = stack?.split('\n').map((line) => line.trim())
  return lines?.find((line) => line.startsWith('at ')) ?? ''
}

/** What went wrong in the words of the owner, who cannot look into the log. */
export function explainMailError(error: unknown): string {
  if (error instanceof PermanentMailError) return 'it knows no such recipient'
  const { code, command, responseCode } = (error instanceof Error ? error : {}) as SmtpError
  if (code === 'EAUTH' || command?.startsWith('AUTH') || responseCode === 535)
    return 'it does not accept the user name and password'
  if (code === 'EDNS' || isOneOf(error, ['ENOTFOUND', 'EAI_AGAIN']))
    return 'no server has this name'
  if (isOneOf(error, ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']))
    return 'nothing answers at this name and port'
  if (code === 'ETLS' || /certificate|CERT|SSL|TLS/.test(String(error)))
    return 'no encrypted connection could be made; another encryption or port may fit'
  if (code === 'ETIMEDOUT' || isOneOf(error, ['ETIMEDOUT', 'ECONNRESET']) || code === 'ECONNECTION')
    return 'it does not answer in time, or ends the connection'
  if (command === 'MAIL FROM') return 'it does not accept the sender'
  if (command === 'RCPT TO') return 'it does not accept the recipient'
  return code === 'ERR_INVALID_URL' ? 'this is no name of a server' : 'it refused the mail'
}

function isOneOf(error: unknown, codes: string[]): boolean {
  const { code, originalCode, cause } = (error instanceof Error ? error : {}) as SmtpError
  return (
    codes.includes(code ?? '') ||
    codes.includes(originalCode ?? '') ||
    (cause instanceof Error && isOneOf(cause, codes))
  )
}
