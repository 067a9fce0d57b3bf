import type { FastifyInstance } from 'fastify'
import { loginSchema, type Notice } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import type { Proxies } from '#server/http/client-address.ts'
import type { OwnCookie } from '#server/http/own-cookie.ts'
import { createSession, deleteSession } from './sessions.ts'
import { signIn } from './sign-in.ts'

type AdminDeps = {
  db: Db
  cookie: OwnCookie
  payments: {
    standInUrl: string | undefined
    account: () => { isSandbox: boolean; problem: string | undefined }
  }
  geoLocations: { findProblem: () => Promise<string | undefined> }
  config: { customDomain: string | undefined; mail: { smtpUrl: string | undefined } }
  proxies: Pick<Proxies, 'listUntrusted'>
  isCardTestingAttack: () => Promise<boolean>
  /** SumUp's card form script changed at this time, and the owner has not read of it. */
  cardForm: { findChange: () => Promise<Date | undefined>; dismiss: () => Promise<void> }
}

export function mountAdmin(app: FastifyInstance, deps: AdminDeps): void {
  const { db, cookie } = deps

  app.get(apiRoutes.adminUser, { config: { access: 'admin' } }, async (request, reply) =>
    reply.header('cache-control', 'no-store').send(signedInAdmin(request)),
  )

  app.post(apiRoutes.adminLogin, { config: { access: 'backoffice' } }, async (request, reply) => {
    const login = loginSchema.parse(request.body)
    const admin = await signIn(db, login, request.limitKey)
    // A new session for every sign-in: one that an attacker planted in the browser becomes worthless.
    const oldToken = cookie.read(request)
    if (oldToken) await deleteSession(db, oldToken)
    cookie.set(request, reply, await createSession(db, admin.id))
    return reply.header('cache-control', 'no-store').send(admin)
  })

  app.post(apiRoutes.adminLogout, { config: { access: 'backoffice' } }, async (request, reply) => {
    const token = cookie.read(request)
    if (token) await deleteSession(db, token)
    cookie.clear(request, reply)
    return reply.code(204).send()
  })

  app.get(apiRoutes.notices, { config: { access: 'admin' } }, () => listNotices(deps))

  app.post<{ Params: { kind: string } }>(
    apiRoutes.noticeDismiss,
    { config: { access: 'admin' } },
    async (request, reply) => {
      const kind: Notice['kind'] = 'card-form'
      if (request.params.kind !== kind) throw new Refusal('notice-missing')
      await deps.cardForm.dismiss()
      return reply.code(204).send()
    },
  )
}

/** What the owner should know about how the shop is set up, shown on every page of the back-office. */
async function listNotices(deps: AdminDeps): Promise<Notice[]> {
  const { payments, config, geoLocations } = deps
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
  const isLive = !payments.standInUrl && !isSandbox
  if (isLive && !config.customDomain) {
    notices.push({
      kind: 'custom-domain',
      text: "The payment page runs SumUp's script on the same address as this back-office, where it could act in your name if it were ever tampered with. Point a second domain at the shop and set CUSTOM_DOMAIN to it, for example CUSTOM_DOMAIN=pay.example.com: payment pages then move there by themselves.",
    })
  }
  const changedAt = await deps.cardForm.findChange()
  if (changedAt) {
    notices.push({
      kind: 'card-form',
      text: `The script of SumUp’s card form changed on ${changedAt.toISOString().slice(0, 10)}. This happens with new releases of SumUp. Open one of your checkouts and look: if something looks odd, or it asks for more than the card, stop selling and ask SumUp’s support.`,
      isDismissible: true,
    })
  }
  const untrusted = deps.proxies.listUntrusted()
  if (untrusted.length > 0) {
    notices.push({
      kind: 'proxy',
      text: `Requests arrive through a proxy at ${untrusted.join(', ')}, which is not trusted, so all its visitors look like one and limits are loose. If it is yours, set TRUST_PROXY=${untrusted.join(',')} and start the shop again.`,
    })
  }
  if (!config.mail.smtpUrl) {
    notices.push({
      kind: 'mail',
      text: 'Mails are not sent but kept as files in the data folder. Set SMTP_URL to send them.',
    })
  }
  const geoLocationsProblem = await geoLocations.findProblem()
  if (geoLocationsProblem) notices.push({ kind: 'geo-locations', text: geoLocationsProblem })
  if (await deps.isCardTestingAttack()) {
    notices.push({
      kind: 'cards',
      text: 'Of the last 20 cards more than half were declined, as when somebody tries out stolen ones. Until that ends, an address whose cards were declined can begin 3 payments in 10 minutes; others are not affected.',
    })
  }
  return notices
}
