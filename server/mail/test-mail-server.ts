import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerEnvelope } from 'smtp-server'

export type Received = { to: string[]; raw: string; mail: Email }

export type TestMailServer = {
  url: string
  received: Received[]
  /** What is said to a recipient instead of 250. */
  refuse: (address: string, code: number, words: string) => void
  goAway: () => Promise<void>
  comeBack: () => Promise<void>
}

/** For tests: a real mail server on this machine that keeps what it gets. */
export async function openMailServer(): Promise<TestMailServer> {
  const received: Received[] = []
  const refused = new Map<string, Error>()
  let server = await listen(0)
  const { port } = server.server.address() as AddressInfo
  after(() => close(server))

  async function keep(stream: Readable, { rcptTo }: SMTPServerEnvelope): Promise<undefined> {
    const raw = await buffer(stream)
    const to = rcptTo.map(({ address }) => address)
    received.push({ to, raw: raw.toString(), mail: await PostalMime.parse(raw) })
  }

  async function listen(on: number): Promise<SMTPServer> {
    const opened = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      closeTimeout: 100,
      onRcptTo: ({ address }, _session, answer) => answer(refused.get(address)),
      onData: (stream, { envelope }, answer) => void keep(stream, envelope).then(answer, answer),
    })
    // A client that is killed resets its connection.
    opened.on('error', () => {})
    opened.listen(on, '127.0.0.1')
    await once(opened.server, 'listening')
    return opened
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse(address, code, words) {
      refused.set(address, Object.assign(new Error(words), { responseCode: code }))
    },
    goAway: () => close(server),
    async comeBack() {
      server = await listen(port)
    },
  }
}

function close(server: SMTPServer): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
