import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerEnvelope } from 'smtp-server'
import { freePort } from './running-shop.ts'

export type ReceivedMail = { to: string[]; raw: string; mail: Email }

export type TestMailServer = {
  url: string
  received: ReceivedMail[]
  /** Answers mails to this address with an error. */
  reject: (address: string, code: number, text: string) => void
  goDown: () => Promise<void>
  comeBack: () => Promise<void>
}

/** A real SMTP server on this machine that keeps what it receives, until the tests of the file end. */
export async function openMailServer(): Promise<TestMailServer> {
  const server = await startMailServer()
  after(server.goDown)
  return server
}

export async function startMailServer(): Promise<TestMailServer> {
  const received: ReceivedMail[] = []
  const rejected = new Map<string, Error>()
  // One that no outgoing connection is given while the server is down.
  const port = await freePort()
  let server = await listen()

  async function keep(stream: Readable, { rcptTo }: SMTPServerEnvelope): Promise<undefined> {
    const raw = await buffer(stream)
    const to = rcptTo.map(({ address }) => address)
    received.push({ to, raw: raw.toString(), mail: await PostalMime.parse(raw) })
  }

  async function listen(): Promise<SMTPServer> {
    const opened = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      closeTimeout: 100,
      onRcptTo: ({ address }, _session, answer) => answer(rejected.get(address)),
      onData: (stream, { envelope }, answer) => void keep(stream, envelope).then(answer, answer),
    })
    // A client that is killed resets its connection.
    opened.on('error', () => {})
    opened.listen(port, '127.0.0.1')
    await once(opened.server, 'listening')
    return opened
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    reject(address, code, text) {
      rejected.set(address, Object.assign(new Error(text), { responseCode: code }))
    },
    goDown: () => close(server),
    async comeBack() {
      server = await listen()
    },
  }
}

function close(server: SMTPServer): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
