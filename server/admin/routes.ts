import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  emailChangeSchema,
  invitedAdminSchema,
  inviteTokenSchema,
  loginSchema,
  newInviteSchema,
  noticeDismissalSchema,
  noticeFoldingSchema,
  passwordChangeSchema,
  secondFactorCodeSchema,
  secondFactorOffSchema,
  type NewInvite,
  type Notice,
  type OwnAccount,
} from '#contract/admin.ts'
import { auditPageSchema } from '#contract/audit.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { getActor, signedInAdmin } from '#server/http/access.ts'
import type { HashAddress } from '#server/http/client-address.ts'
import { listAuditLog, recordAudit, type Actor } from '#server/http/audit.ts'
import { ownCookie, type OwnCookie } from '#server/http/own-cookie.ts'
import { isUuid } from '#server/http/uuid.ts'
import {
  changeEmail,
  listAdmins,
  removeAdmin,
  setDisabled,
  setPassword,
  type ProvenActor,
} from './admins.ts'
import { acceptInvite, createInvite, getInvite, listInvites, withdrawInvite } from './invites.ts'
import { foldNotices, listNotices, type NoticeDeps } from './notices.ts'
import {
  assertSecondFactor,
  confirmSecondFactor,
  offerSecondFactor,
  readSecondFactor,
  removeSecondFactor,
} from './second-factor.ts'
import {
  createSession,
  deleteSession,
  deleteSessionById,
  deleteSessionsOf,
  findSessionAdmin,
  listSessions,
} from './sessions.ts'
import {
  assertPassword,
  assertProof,
  createDeviceToken,
  findDevice,
  lockVerified,
  signIn,
} from './sign-in.ts'

type AdminDeps = NoticeDeps & {
  /** Signs device cookies and encrypts second factors. */
  secret: string
  cookie: OwnCookie
  hashAddress: HashAddress
  dismissCardForm: (changedAt: string, actor: Actor) => Promise<void>
}

type WithId = { Params: { id: string } }

const adminOnly = { config: { access: 'admin' } } as const
const backoffice = { config: { access: 'backoffice' } } as const

/** How long a browser is remembered after its last sign-in. */
const deviceSeconds = 180 * 24 * 60 * 60

export function mountAdmin(app: FastifyInstance, deps: AdminDeps): void {
  const devices = openDevices(deps)
  mountSignIn(app, deps, devices)
  mountOwnAccount(app, deps, devices)
  mountPeople(app, deps)
  app.get(apiRoutes.notices, adminOnly, (request) => listNotices(deps, signedInAdmin(request)))
  app.post<{ Params: { kind: string } }>(
    apiRoutes.noticeDismiss,
    adminOnly,
    async (request, reply) => {
      const kind: Notice['kind'] = 'card-form'
      if (request.params.kind !== kind) throw new Refusal('notice-missing')
      const { since } = noticeDismissalSchema.parse(request.body)
      await deps.dismissCardForm(since, request)
      return reply.code(204).send()
    },
  )
  app.post(apiRoutes.noticesFold, adminOnly, async (request, reply) => {
    const { ids } = noticeFoldingSchema.parse(request.body)
    await foldNotices(deps.db, signedInAdmin(request).id, ids)
    return reply.code(204).send()
  })
}

type Devices = ReturnType<typeof openDevices>

/** Browsers in which an admin has signed in before, by a cookie. */
function openDevices({ secret, config }: AdminDeps) {
  const cookie = ownCookie('till_device', () => [config.publicUrl], deviceSeconds)
  return {
    read: cookie.read,
    remember(
      request: FastifyRequest,
      reply: FastifyReply,
      device: { userId: string; hasSecondFactor: boolean },
    ): void {
      const { userId, hasSecondFactor } = device
      const token = cookie.read(request)
      const known = findDevice(secret, token, userId)
      const isEnough = known && (known.hasSecondFactor || !hasSecondFactor)
      const kept = isEnough ? token : undefined
      cookie.set(request, reply, kept ?? createDeviceToken(secret, userId, { hasSecondFactor }))
    },
  }
}

function mountSignIn(app: FastifyInstance, deps: AdminDeps, devices: Devices): void {
  const { db, cookie } = deps

  app.get(apiRoutes.adminUser, adminOnly, async (request, reply) =>
    reply.header('cache-control', 'no-store').send(signedInAdmin(request)),
  )

  app.post(apiRoutes.adminLogin, backoffice, async (request, reply) => {
    const login = loginSchema.parse(request.body)
    const { address } = request
    const verified = await signIn(deps, login, {
      address,
      addressKey: deps.hashAddress(request),
      deviceToken: devices.read(request),
    })
    const { admin, factor } = verified
    const oldToken = cookie.read(request)
    const token = await db.transaction(async (tx) => {
      await lockVerified(tx, verified)
      // A new session for every sign-in: one that an attacker planted in the browser becomes worthless.
      if (oldToken) await deleteSession(tx, oldToken)
      const userAgent = request.headers['user-agent']
      const actor = { admin, address }
      await recordAudit(tx, actor, { action: 'sign-in', ...(factor && { detail: { factor } }) })
      if (factor === 'recovery') await recordAudit(tx, actor, { action: 'recovery-code-used' })
      return createSession(tx, admin.id, { address, userAgent })
    })
    cookie.set(request, reply, token)
    devices.remember(request, reply, { userId: admin.id, hasSecondFactor: factor !== undefined })
    return reply.header('cache-control', 'no-store').send(admin)
  })

  app.post(apiRoutes.adminLogout, backoffice, async (request, reply) => {
    const token = cookie.read(request)
    if (token) await signOut(token, request.address)
    cookie.clear(request, reply)
    return reply.code(204).send()
  })

  async function signOut(token: string, address: string): Promise<void> {
    await db.transaction(async (tx) => {
      const admin = await findSessionAdmin(tx, token)
      const isEnded = await deleteSession(tx, token)
      if (admin && isEnded) await recordAudit(tx, { admin, address }, { action: 'sign-out' })
    })
  }
}

/** Password, second factor and sessions of the signed-in admin. */
function mountOwnAccount(app: FastifyInstance, deps: AdminDeps, devices: Devices): void {
  const { db, secret, cookie, config } = deps
  const currentToken = (request: FastifyRequest) => cookie.read(request) ?? ''

  app.get(apiRoutes.ownAccount, adminOnly, async (request, reply) => {
    const admin = signedInAdmin(request)
    const account: OwnAccount = { ...admin, ...(await readSecondFactor(db, admin.id)) }
    return reply.header('cache-control', 'no-store').send(account)
  })

  app.put(apiRoutes.ownPassword, adminOnly, async (request, reply) => {
    const { currentPassword, newPassword } = passwordChangeSchema.parse(request.body)
    const actor = await assertPassword(db, getActor(request), currentPassword)
    await setPassword(db, actor.admin, newPassword, actor, currentToken(request))
    return reply.code(204).send()
  })

  app.put(apiRoutes.ownEmail, adminOnly, async (request, reply) => {
    const { email, password } = emailChangeSchema.parse(request.body)
    const actor = getActor(request)
    await assertPassword(db, actor, password)
    const admin = await changeEmail(db, actor.admin, email, actor)
    return reply.header('cache-control', 'no-store').send(admin)
  })

  app.post(apiRoutes.secondFactor, adminOnly, async (request, reply) => {
    const actor = await assertProof(db, getActor(request), request.body)
    const offer = await offerSecondFactor(db, secret, actor.admin, config.shop.name ?? 'Till')
    return reply.header('cache-control', 'no-store').send(offer)
  })

  app.post(apiRoutes.secondFactorConfirm, adminOnly, async (request, reply) => {
    const { code } = secondFactorCodeSchema.parse(request.body)
    const actor = getActor(request)
    const codes = await confirmSecondFactor(db, secret, actor, code, currentToken(request))
    devices.remember(request, reply, { userId: actor.admin.id, hasSecondFactor: true })
    return reply.header('cache-control', 'no-store').send(codes)
  })

  app.post(apiRoutes.secondFactorOff, adminOnly, async (request, reply) => {
    const { password, code } = secondFactorOffSchema.parse(request.body)
    const actor = getActor(request)
    const { id } = actor.admin
    if (!(await readSecondFactor(db, id)).hasSecondFactor)
      throw new Refusal('second-factor-missing')
    await assertPassword(db, actor, password)
    await assertSecondFactor(db, secret, actor, code)
    await removeSecondFactor(db, id, actor)
    return reply.code(204).send()
  })

  app.get(apiRoutes.adminSessions, adminOnly, async (request, reply) => {
    const list = await listSessions(db, signedInAdmin(request).id, currentToken(request))
    return reply.header('cache-control', 'no-store').send(list)
  })

  app.delete(apiRoutes.adminSessions, adminOnly, async (request, reply) => {
    const { id } = signedInAdmin(request)
    await db.transaction(async (tx) => {
      const ended = await deleteSessionsOf(tx, id, currentToken(request))
      const entry = { action: 'sessions-ended', subject: id, detail: { ended } } as const
      if (ended > 0) await recordAudit(tx, request, entry)
    })
    return reply.code(204).send()
  })

  app.delete<WithId>(apiRoutes.adminSession, adminOnly, async (request, reply) => {
    const { id } = signedInAdmin(request)
    await db.transaction(async (tx) => {
      if (!(await deleteSessionById(tx, id, request.params.id)))
        throw new Refusal('session-missing')
      await recordAudit(tx, request, { action: 'session-ended', subject: id })
    })
    return reply.code(204).send()
  })
}

/** Other admins, invitations, and what everybody did. */
function mountPeople(app: FastifyInstance, { db, config, hashAddress }: AdminDeps): void {
  app.get(apiRoutes.admins, adminOnly, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(await listAdmins(db)),
  )

  /** With the password: otherwise a borrowed session could add an admin who locks the others out. */
  const changes = {
    [apiRoutes.adminDisable]: (id: string, actor: ProvenActor) => setDisabled(db, id, true, actor),
    [apiRoutes.adminEnable]: (id: string, actor: ProvenActor) => setDisabled(db, id, false, actor),
    [apiRoutes.adminRemove]: (id: string, actor: ProvenActor) => removeAdmin(db, id, actor),
  }
  for (const [url, change] of Object.entries(changes)) {
    app.post<WithId>(url, adminOnly, async (request, reply) => {
      const id = parseId(request.params, 'admin-missing')
      await change(id, await assertProof(db, getActor(request), request.body))
      return reply.code(204).send()
    })
  }

  app.get(apiRoutes.invites, adminOnly, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(await listInvites(db)),
  )

  app.post(apiRoutes.invites, adminOnly, async (request, reply) => {
    const { email, password } = newInviteSchema.parse(request.body)
    const actor = await assertPassword(db, getActor(request), password)
    const { invite, linkPath } = await createInvite(db, email, actor)
    const origin = config.publicUrl ?? `${request.protocol}://${request.host}`
    const created: NewInvite = { ...invite, link: `${origin}${linkPath}` }
    return reply.code(201).header('cache-control', 'no-store').send(created)
  })

  app.delete<WithId>(apiRoutes.invite, adminOnly, async (request, reply) => {
    await withdrawInvite(db, parseId(request.params, 'invite-missing'), request)
    return reply.code(204).send()
  })

  app.post(apiRoutes.checkInvite, backoffice, async (request, reply) => {
    const { token } = inviteTokenSchema.parse(request.body)
    const invite = await getInvite(db, token, hashAddress(request))
    return reply.header('cache-control', 'no-store').send(invite)
  })

  app.post(apiRoutes.acceptInvite, backoffice, async (request, reply) => {
    const from = { address: request.address, addressKey: hashAddress(request) }
    const admin = await acceptInvite(db, invitedAdminSchema.parse(request.body), from)
    return reply.code(201).header('cache-control', 'no-store').send(admin)
  })

  app.get(apiRoutes.auditLog, adminOnly, async (request, reply) => {
    const page = await listAuditLog(db, auditPageSchema.parse(request.query))
    return reply.header('cache-control', 'no-store').send(page)
  })
}

function parseId({ id }: { id: string }, missing: 'admin-missing' | 'invite-missing'): string {
  if (!isUuid(id)) throw new Refusal(missing)
  return id
}
