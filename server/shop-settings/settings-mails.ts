import { randomUUID } from 'node:crypto'
import { pages } from '#contract/paths.ts'
import type { SettingsCheck } from '#contract/shop-settings.ts'
import { nobodysEmail, type Config } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import {
  createNotice,
  nameShop,
  oneLine,
  readMailSettings,
  type Notice,
} from '#server/mail/compose.ts'
import { createTransport, describeMailError, explainMailError } from '#server/mail/transport.ts'

/* Mails about the settings themselves. They are sent at once and once, not by the outbox, which belongs to orders. */

type Sender = { config: Config; secret: string; localOrigin: string }
type SettingsMail = Pick<Notice, 'to' | 'title' | 'lead' | 'steps'> & {
  kind: 'test' | 'email-changed'
  subject: (shopName: string) => string
}

async function send({ config, ...sender }: Sender, mail: SettingsMail): Promise<void> {
  const { kind, subject, ...notice } = mail
  const settings = readMailSettings(config, sender)
  const id = randomUUID()
  const message = createNotice(id, settings, {
    ...notice,
    subject: subject(nameShop(settings)),
    button: { label: 'Open the back-office', path: pages.products },
    closing: undefined,
  })
  const transport = createTransport(config)
  try {
    await transport.send(message, { id, kind, createdAt: new Date() })
  } finally {
    transport.close()
  }
}

/** To the admin who asks: nobody else can be written to from here. */
export async function sendTestMail(sender: Sender, to: string): Promise<SettingsCheck> {
  if (!sender.config.mail.smtpUrl)
    return {
      status: 'warn',
      found: 'There is no mail server, so nothing was sent.',
      todo: 'Enter one first.',
    }
  if (to === nobodysEmail)
    return {
      status: 'warn',
      found: `Your own email address is still ${nobodysEmail}, where nobody would read it, so nothing was sent.`,
      todo: 'Enter yours under Account.',
    }
  try {
    await send(sender, {
      kind: 'test',
      to,
      subject: (shopName) => `A test mail of ${shopName}`,
      title: 'It works',
      lead: 'Your shop can send mails: this is one. Nobody else got it.',
      steps: [
        'Look whether it is in the spam folder; if so, ask your mail provider about SPF and DKIM.',
      ],
    })
    return {
      status: 'ok',
      found: `The mail server took a mail to ${to}. Please look whether it arrives.`,
    }
  } catch (error) {
    return {
      status: 'fail',
      found: `The mail server did not take it: ${explainMailError(error)}.`,
      todo: 'Check the server, its port and encryption, and the user name and password.',
    }
  }
}

type EmailChange = { from: string; to: string | undefined; adminName: string; log: Log }

/** Whoever reads the old address hears of the change, and who made it. Sent as the shop was before. */
export async function tellOldAddress(sender: Sender, change: EmailChange): Promise<void> {
  const { from, to, adminName, log } = change
  try {
    await send(sender, {
      kind: 'email-changed',
      to: from,
      subject: (shopName) => `The contact email of ${shopName} was changed`,
      title: 'Your contact email was changed',
      lead: to
        ? `${oneLine(adminName)} changed it from ${from} to ${to}. Mails about sales go there from now on, and mails to buyers name it.`
        : `${oneLine(adminName)} removed ${from}. Mails about sales no longer go there.`,
      steps: [
        'If you know about it, there is nothing to do.',
        'If not, change it back under Settings, and the password of this admin under Account. The log there says what else was done.',
      ],
    })
  } catch (error) {
    log.error({ reason: describeMailError(error) }, 'The old contact address could not be told')
  }
}
