import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#server/config.ts'
import { describeMailError, explainMailError } from '#server/mail/transport.ts'
import { isLive, ok, type Check, type Finding } from './check.ts'

const timeoutMs = 10_000

export const mailChecks: Check[] = [
  {
    code: 'mail',
    shownIn: { doctor: true, notice: 'mail', step: 'mail' },
    async find(facts) {
      const { config, askMail } = facts
      if (config.mail.smtpUrl) return askMail?.()
      return {
        level: (await isLive(facts)) ? 'warn' : 'note',
        title: 'Mails are not sent.',
        text: 'Receipts and other mails reach nobody: they are kept as files on the server of the shop.',
        todo: 'Enter a mail server.',
        place: 'mail',
        setting: 'SMTP_URL and MAIL_FROM',
        detail: 'DATA_DIR/mail',
      }
    },
  },
]

/** Connects, says hello and signs in. No mail is sent. */
export async function askMailServer({ mail: { smtpUrl } }: Config): Promise<Finding> {
  const nodemailer = await import('nodemailer')
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  try {
    const verified = await Promise.race([
      transport.verify(),
      sleep(timeoutMs, undefined, { ref: false }),
    ])
    return verified
      ? ok('The mail server accepts us.')
      : describeRefusal('The mail server does not answer in time.')
  } catch (error) {
    const title = `The mail server does not accept us: ${explainMailError(error)}.`
    return { ...describeRefusal(title), detail: describeMailError(error) }
  } finally {
    transport.close()
  }
}

function describeRefusal(title: string): Finding {
  return {
    level: 'fail',
    title,
    text: 'Mails wait meanwhile, for three days.',
    todo: 'Check the mail server.',
    place: 'mail',
    setting: 'SMTP_URL',
  }
}
