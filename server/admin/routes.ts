import type { FastifyInstance } from 'fastify'
import { loginSchema, type Notice } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import type { HashAddress } from '#server/http/client-address.ts'
import type { OwnCookie } from '#server/http/own-cookie.ts'
import { createSession, deleteSession } from './sessions.ts'
import { signIn } from './sign-in.ts'

type AdminDeps = {
  db: Db
  cookie: OwnCookie
  hashAddress: HashAddress
  payments: {
    standInUrl: string | undefined
    account: () => { isSandbox: boolean | undefined; problem: string | undefined }
  }
  geoLocations: { findProblem: () => Promise<string | undefined> }
  config: { mail: { smtpUrl: string | undefined } }
  isCardTestingAttack: () => Promise<boolean>
}

export function mountAdmin(app: FastifyInstance, deps: AdminDeps): void {
  const { db, cookie } = deps

  app.get(apiRoutes.adminUser, { config: { access: 'admin' } }, async (request, reply) =>
    reply.header('cache-control', 'no-store').send(signedInAdmin(request)),
  )

  app.post(apiRoutes.adminLogin, { config: { access: 'backoffice' } }, async (request, reply) => {
    const login = loginSchema.parse(request.body)
    const admin = await signIn(db, login, deps.hashAddress(request.address))
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
