import { adminUser, invite } from '#contract/answers/admin.ts'
import { invitedAdminSchema, inviteTokenSchema, loginSchema } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { recordAudit } from '#server/http/audit.ts'
import { callsOf } from '#server/http/calls.ts'
import type { HashAddress } from '#server/http/client-address.ts'
import type { OwnCookie } from '#server/http/own-cookie.ts'
import { acceptInvite, getInvite } from './invites.ts'
import { examplePassword as password, passwordRefusals } from './passwords.ts'
import { createSession, deleteSession, findSession } from './sessions.ts'
import { lockVerified, signIn, type Devices } from './sign-in.ts'

type LoginDeps = {
  db: Db
  /** Signs device cookies and encrypts second factors. */
  secret: string
  cookie: OwnCookie
  devices: Devices
  hashAddress: HashAddress
}

const call = callsOf<LoginDeps>('Login', 'backoffice')

export const loginCalls = [
  call(`POST ${apiRoutes.adminLogin}`, {
    summary: 'Logs an admin in. The session is a cookie.',
    note: 'With a second factor the first call is refused with second-factor-needed; send `code` along then.',
    body: loginSchema,
    example: { username: 'owner', password },
    answers: { 200: adminUser },
    headers: { 'Set-Cookie': 'The session, and a second cookie that remembers the browser.' },
    refusals: [
      'wrong-credentials',
      'second-factor-needed',
      'wrong-code',
      'second-factor-unreadable',
      'account-disabled',
      'too-many-logins',
    ],
    async handle(deps, { body, request, reply }) {
      const { db, cookie, devices } = deps
      const { address } = request
      const verified = await signIn(deps, body, {
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
      devices.remember(request, reply, verified.device)
      return admin
    },
  }),

  call(`POST ${apiRoutes.adminLogout}`, {
    summary: 'Ends the session.',
    answers: { 204: null },
    async handle({ db, cookie }, { request, reply }) {
      const token = cookie.read(request)
      if (token) await signOut(db, token, request.address)
      cookie.clear(request, reply)
    },
  }),

  call(`GET ${apiRoutes.adminUser}`, {
    access: 'admin',
    summary: 'Tells who is logged in.',
    answers: { 200: adminUser },
    handle: (_deps, { request }) => signedInAdmin(request),
  }),

  call(`POST ${apiRoutes.checkInvite}`, {
    summary: 'Tells whether the link of an invitation still works, and for whom it is.',
    body: inviteTokenSchema,
    example: { token: 'the-part-of-the-link-after-invite=' },
    answers: { 200: invite },
    refusals: ['invite-missing', 'too-many-logins'],
    handle: ({ db, hashAddress }, { body, request }) =>
      getInvite(db, body.token, hashAddress(request)),
  }),

  call(`POST ${apiRoutes.acceptInvite}`, {
    summary: 'Makes an admin of an invited person, who chooses name and password.',
    body: invitedAdminSchema,
    example: { token: 'the-part-of-the-link-after-invite=', username: 'berta', password },
    answers: { 201: adminUser },
    refusals: [
      'invite-missing',
      'admin-taken',
      'too-many-admins',
      'too-many-logins',
      ...passwordRefusals,
    ],
    handle: ({ db, hashAddress }, { body, request }) =>
      acceptInvite(db, body, { address: request.address, addressKey: hashAddress(request) }),
  }),
]

async function signOut(db: Db, token: string, address: string): Promise<void> {
  await db.transaction(async (tx) => {
    const session = await findSession(tx, token)
    const isEnded = await deleteSession(tx, token)
    if (session && isEnded)
      await recordAudit(tx, { admin: session.admin, address }, { action: 'sign-out' })
  })
}
