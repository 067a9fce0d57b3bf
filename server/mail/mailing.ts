import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import { repeat } from '#server/repeat.ts'
import { startAlerts } from './alerts.ts'
import { sendDueMails, type MailDeps } from './outbox.ts'
import { createTransport } from './transport.ts'

/** How soon a new mail is sent, and one that failed is tried again. */
const pollMs = 2_000

/** A mail server that does not answer must not delay the end of the shop for longer. */
const defaultStopTimeoutMs = 5_000

/** Sends due mails and alerts the owner, until it is stopped. */
export function startMailing(shop: {
  config: Parameters<typeof createTransport>[0] & {
    mail: { from: string }
    customDomain: string | undefined
    shop: { name: string | undefined; email: string | undefined }
  }
  db: Db
  secret: string
  /** The public URL of the shop. */
  origin: string
  log: Log
  /** Whether SumUp rejects our API key at the moment. */
  isKeyRefused: () => boolean
  isTestMode: () => boolean
  stopTimeoutMs?: number
}): { sendNow: () => void; stop: () => Promise<void> } {
  const { config, db, secret, origin, log, stopTimeoutMs = defaultStopTimeoutMs } = shop
  const transport = createTransport(config)
  const { name: shopName, email: shopEmail } = config.shop
  const { from, smtpUrl } = config.mail
  const hasMailServer = smtpUrl !== undefined
  const buyerOrigin = config.customDomain ?? origin
  const settings = { shopName, shopEmail, hasMailServer, from, origin, buyerOrigin, secret }
  const stopping = new AbortController()
  const deps: MailDeps = { db, transport, settings, log, stopping: stopping.signal }
  const sending = repeat(sendBatch, pollMs, log, 'Sending mails')
  const alerts = startAlerts({
    ...deps,
    isKeyRefused: shop.isKeyRefused,
    isTestMode: shop.isTestMode,
  })

  async function sendBatch(): Promise<void> {
    if ((await sendDueMails(deps)) > 0) sending.runNow()
  }

  return {
    sendNow: sending.runNow,
    async stop() {
      const timeout = setTimeout(() => {
        stopping.abort()
        transport.close()
      }, stopTimeoutMs)
      await Promise.all([sending.stop(), alerts.stop()])
      clearTimeout(timeout)
      transport.close()
    },
  }
}
