import type { FastifyInstance } from 'fastify'
import type { Notice } from '#contract/admin.ts'
import { calls } from '#contract/paths.ts'

/** What the owner should know about the way this shop is set up, on every page of the back-office. */
export function mountNotices(
  app: FastifyInstance,
  shop: {
    payments: { standInUrl: string | undefined; problem: string | undefined }
    config: { mail: { smtpUrl: string | undefined } }
  },
): void {
  const notices: Notice[] = []
  if (shop.payments.standInUrl) {
    notices.push({
      kind: 'test-mode',
      text: 'Test mode: no money is taken. Set SUMUP_API_KEY and SUMUP_MERCHANT_CODE to be paid.',
    })
  }
  if (shop.payments.problem) notices.push({ kind: 'payments', text: shop.payments.problem })
  if (!shop.config.mail.smtpUrl) {
    notices.push({
      kind: 'mail',
      text: 'Mails are not sent but kept as files in the data folder. Set SMTP_URL to send them.',
    })
  }
  app.get(calls.notices, { config: { access: 'admin' } }, async () => notices)
}
