import type { FastifyInstance } from 'fastify'
import type { Notice } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'

type NoticedShop = {
  payments: {
    standInUrl: string | undefined
    account: () => { isSandbox: boolean; problem: string | undefined }
  }
  geoLocations: { findProblem: () => Promise<string | undefined> }
  config: { mail: { smtpUrl: string | undefined } }
}

/** What the owner should know about the way this shop is set up, on every page of the back-office. */
export function mountNotices(
  app: FastifyInstance,
  shop: NoticedShop,
  areCardsTried: () => Promise<boolean>,
): void {
  app.get(apiRoutes.notices, { config: { access: 'admin' } }, async () => [
    ...findNotices(shop),
    ...placesTrouble(await shop.geoLocations.findProblem()),
    ...((await areCardsTried()) ? [cardsTried] : []),
  ])
}

function placesTrouble(text: string | undefined): Notice[] {
  return text ? [{ kind: 'places', text }] : []
}

const cardsTried: Notice = {
  kind: 'cards',
  text: 'Of the last 20 cards more than half were declined, as when somebody tries out stolen ones. Until that ends, an address whose cards were declined can begin 3 payments in 10 minutes; others are not affected.',
}

function findNotices({ payments, config }: NoticedShop): Notice[] {
  const notices: Notice[] = []
  const { isSandbox, problem } = payments.account()
  if (payments.standInUrl) {
    notices.push({
      kind: 'test-mode',
      text: 'Test mode: no money is taken. Set SUMUP_API_KEY and SUMUP_MERCHANT_CODE to be paid.',
    })
  } else if (isSandbox) {
    notices.push({
      kind: 'test-mode',
      text: 'Test mode: this is a sandbox account of SumUp. Orders are paid with test cards, not with money.',
    })
  }
  if (problem) notices.push({ kind: 'payments', text: problem })
  if (!config.mail.smtpUrl) {
    notices.push({
      kind: 'mail',
      text: 'Mails are not sent but kept as files in the data folder. Set SMTP_URL to send them.',
    })
  }
  return notices
}
