import { describeFailure, enhancedCode, type SmtpError } from './describe-failure.ts'
import type { Post } from './post.ts'
import { RefusedForGood } from './refused-for-good.ts'

/** For the whole way, since a server that trickles its answers keeps within every other limit. Less than a lease. */
const longestWayMs = 90_000

/** Through a mail server, encrypted as its address says: smtps://, or smtp:// with STARTTLS where that is offered. */
export function smtpPost(url: string, longestMs = longestWayMs): Post {
  let transport: ReturnType<typeof openTransport> | undefined
  let isClosed = false

  return {
    async send(letter) {
      if (isClosed) throw new Error('the post is closed')
      const opened = (transport ??= openTransport(url))
      const used = await opened
      const timer = setTimeout(() => {
        if (transport === opened) transport = undefined
        used.close({ force: true })
      }, longestMs)
      try {
        await used.sendMail(letter)
      } catch (error) {
        if (!isRecipientRefused(error as SmtpError)) throw error
        throw new RefusedForGood(describeFailure(error), { cause: error })
      } finally {
        clearTimeout(timer)
      }
    },
    close() {
      isClosed = true
      void transport?.then((used) => used.close({ force: true }))
    },
  }
}

/** Loaded with the first letter: 0.1 s and 20 MB that a start does not need. */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    pool: true,
    url,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    idleTimeout: 30_000,
    // Our own outbox knows better when to try again; once is for a connection that had gone stale.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** 5.7 is about us (no sign-in, no relaying): the owner can cure that, so those mails are kept. */
function isRecipientRefused({ code, command, permanent, response }: SmtpError): boolean {
  if (command === 'API') return code === 'EENVELOPE'
  return command === 'RCPT TO' && permanent === true && !enhancedCode(response)?.startsWith('5.7.')
}
