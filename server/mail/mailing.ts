import type { Db } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import { repeat } from '#server/repeat.ts'
import { startAlerts } from './alerts.ts'
import { openPost } from './open-post.ts'
import { sendDueMails, type MailRoom } from './outbox.ts'

/** Mails of this node go out at once by `soon`; this is for those of others and for second tries. */
const lookEveryMs = 2_000

/** A mail server that does not answer must not hold up the closing of the shop. */
const usualPatienceMs = 5_000

export type Mailing = {
  /** There is a new mail. */
  soon: () => void
  stop: () => Promise<void>
}

/** The mail room at work: opens the post, sends what is due and tells the owner of trouble, again and again. */
export function startMailing(shop: {
  config: Parameters<typeof openPost>[0] & {
    mail: { from: string }
    shop: { name: string | undefined; email: string | undefined }
  }
  db: Db
  secret: string
  /** The address of the shop as seen from outside. */
  origin: string
  log: Log
  /** Whether SumUp refuses our key right now. */
  isKeyRefused: () => boolean
  patienceMs?: number
}): Mailing {
  const { config, db, secret, origin, log, isKeyRefused, patienceMs = usualPatienceMs } = shop
  const post = openPost(config)
  const { name: shopName, email: shopEmail } = config.shop
  const letterhead = { shopName, shopEmail, from: config.mail.from, origin, secret }
  const room: MailRoom = { db, post, letterhead, log }
  const turns = repeat(sendSome, lookEveryMs, log, 'Sending mails')
  const alerts = startAlerts({ ...room, isKeyRefused })

  async function sendSome(): Promise<void> {
    if ((await sendDueMails(room)) > 0) turns.soon()
  }

  return {
    soon: turns.soon,
    async stop() {
      const late = setTimeout(post.close, patienceMs)
      await Promise.all([turns.stop(), alerts.stop()])
      clearTimeout(late)
      post.close()
    },
  }
}
