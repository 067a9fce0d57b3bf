import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { repeat } from '#server/repeat.ts'
import { sendDueMails, type MailDeps } from './outbox.ts'
import { readMailSettings, type MailConfig } from './compose.ts'
import { createTransport, type MailTransport } from './transport.ts'

/** How soon a new mail is sent, and one that failed is tried again. */
const pollMs = 2_000
const alertsEveryMs = 60_000

/** A mail server that does not answer must not delay the end of the shop for longer. */
const defaultStopTimeoutMs = 5_000

/** Sends due mails and alerts the owner, until it is stopped. */
export function startMailing(shop: {
  /** Its fields may change while the shop runs. */
  config: MailConfig & Pick<Config, 'dataDir'>
  db: Db
  secret: string
  /** For links while there is no public URL. */
  localOrigin: string
  log: Log
  /** Mails the owner what is wrong. */
  sendAlerts?: (deps: MailDeps) => Promise<void>
  stopTimeoutMs?: number
}): { sendNow: () => void; stop: () => Promise<void> } {
  const { config, db, secret, localOrigin, log, stopTimeoutMs = defaultStopTimeoutMs } = shop
  const stopping = new AbortController()
  let current: { smtpUrl: string | undefined; transport: MailTransport } | undefined
  const sending = repeat(sendBatch, pollMs, log, 'Sending mails')
  const sendAlerts = async () => shop.sendAlerts?.(readDeps())
  const alerting = repeat(sendAlerts, alertsEveryMs, log, 'Sending alerts')

  async function sendBatch(): Promise<void> {
    if ((await sendDueMails(readDeps())) > 0) sending.runNow()
  }

  function readDeps(): MailDeps {
    const settings = readMailSettings(config, { localOrigin, secret })
    return { db, transport: readTransport(), settings, log, stopping: stopping.signal }
  }

  /** Another one once the mail server changes. What the old one is sending then fails and is tried again. */
  function readTransport(): MailTransport {
    const { smtpUrl } = config.mail
    if (!current || current.smtpUrl !== smtpUrl) {
      current?.transport.close()
      current = { smtpUrl, transport: createTransport(config) }
    }
    return current.transport
  }

  return {
    sendNow: sending.runNow,
    async stop() {
      const timeout = setTimeout(() => {
        stopping.abort()
        current?.transport.close()
      }, stopTimeoutMs)
      await Promise.all([sending.stop(), alerting.stop()])
      clearTimeout(timeout)
      current?.transport.close()
    },
  }
}
