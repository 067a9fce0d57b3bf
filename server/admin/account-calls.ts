import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  adminSession,
  adminUser,
  ownAccount,
  recoveryCodes,
  secondFactorOffer,
} from '#contract/answers/admin.ts'
import {
  emailChangeSchema,
  passwordChangeSchema,
  passwordProofSchema,
  secondFactorCodeSchema,
  secondFactorOffSchema,
  type OwnAccount,
} from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { getActor, signedInAdmin } from '#server/http/access.ts'
import { recordAudit } from '#server/http/audit.ts'
import { callsOf } from '#server/http/calls.ts'
import type { OwnCookie } from '#server/http/own-cookie.ts'
import { changeEmail, setPassword } from './admins.ts'
import { examplePassword as password, passwordRefusals } from './passwords.ts'
import {
  assertSecondFactor,
  confirmSecondFactor,
  offerSecondFactor,
  readSecondFactor,
  removeSecondFactor,
} from './second-factor.ts'
import { deleteSessionById, deleteSessionsOf, listSessions } from './sessions.ts'
import { assertPassword, proofRefusals, readDeviceOwner, type Devices } from './sign-in.ts'

type AccountDeps = {
  db: Db
  /** Encrypts second factors. */
  secret: string
  config: { shop: { name: string | undefined } }
  cookie: OwnCookie
  devices: Devices
}

const call = callsOf<AccountDeps>('Own account', 'admin')

/** Password, second factor and sessions of the signed-in admin. */
export const accountCalls = [
  call(`GET ${apiRoutes.ownAccount}`, {
    summary: 'Reads the own account.',
    answers: { 200: ownAccount },
    async handle({ db }, { request }): Promise<OwnAccount> {
      const admin = signedInAdmin(request)
      return { ...admin, ...(await readSecondFactor(db, admin.id)) }
    },
  }),

  call(`PUT ${apiRoutes.ownPassword}`, {
    summary: 'Changes the own password, and ends all other sessions.',
    body: passwordChangeSchema,
    example: { currentPassword: password, newPassword: 'five other words nobody guesses' },
    answers: { 204: null },
    refusals: [...proofRefusals, ...passwordRefusals],
    async handle({ db, cookie, devices }, { body, request, reply }) {
      const actor = await assertPassword(db, getActor(request), body.currentPassword)
      await setPassword(db, actor.admin, body.newPassword, actor, currentToken(cookie, request))
      devices.remember(request, reply, await readDeviceOwner(db, actor.admin.id))
    },
  }),

  call(`PUT ${apiRoutes.ownEmail}`, {
    summary: 'Changes the own email address.',
    body: emailChangeSchema,
    example: { email: 'owner@example.com', password },
    answers: { 200: adminUser },
    refusals: [...proofRefusals, 'admin-taken', 'admin-missing'],
    async handle({ db }, { body, request }) {
      const actor = getActor(request)
      await assertPassword(db, actor, body.password)
      return changeEmail(db, actor.admin, body.email, actor)
    },
  }),

  call(`POST ${apiRoutes.secondFactor}`, {
    summary: 'Offers a secret for an authenticator app.',
    body: passwordProofSchema,
    example: { password },
    answers: { 200: secondFactorOffer },
    refusals: [...proofRefusals, 'second-factor-on'],
    async handle({ db, secret, config }, { body, request }) {
      const { admin } = await assertPassword(db, getActor(request), body.password)
      return offerSecondFactor(db, secret, admin, config.shop.name ?? 'Till')
    },
  }),

  call(`POST ${apiRoutes.secondFactorConfirm}`, {
    summary: 'Switches the second factor on, with a first code of the app.',
    body: secondFactorCodeSchema,
    example: { code: '123456' },
    answers: { 200: recoveryCodes },
    refusals: [
      'second-factor-on',
      'second-factor-not-begun',
      'second-factor-unreadable',
      'wrong-second-factor',
      'too-many-logins',
    ],
    async handle({ db, secret, cookie, devices }, { body: { code }, request, reply }) {
      const actor = getActor(request)
      const token = currentToken(cookie, request)
      const codes = await confirmSecondFactor(db, secret, actor, code, token)
      devices.remember(request, reply, await readDeviceOwner(db, actor.admin.id))
      return codes
    },
  }),

  call(`POST ${apiRoutes.secondFactorOff}`, {
    summary: 'Switches the second factor off.',
    body: secondFactorOffSchema,
    example: { password, code: '123456' },
    answers: { 204: null },
    refusals: [
      ...proofRefusals,
      'second-factor-missing',
      'wrong-second-factor',
      'second-factor-unreadable',
    ],
    async handle({ db, secret }, { body, request }) {
      const actor = getActor(request)
      const { id } = actor.admin
      if (!(await readSecondFactor(db, id)).hasSecondFactor)
        throw new Refusal('second-factor-missing')
      await assertPassword(db, actor, body.password)
      await assertSecondFactor(db, secret, actor, body.code)
      await removeSecondFactor(db, id, actor)
    },
  }),

  call(`GET ${apiRoutes.adminSessions}`, {
    summary: 'Lists the own sessions.',
    answers: { 200: z.array(adminSession) },
    handle: ({ db, cookie }, { request }) =>
      listSessions(db, signedInAdmin(request).id, currentToken(cookie, request)),
  }),

  call(`DELETE ${apiRoutes.adminSessions}`, {
    summary: 'Ends all own sessions but the current one.',
    answers: { 204: null },
    async handle({ db, cookie }, { request }) {
      const { id } = signedInAdmin(request)
      await db.transaction(async (tx) => {
        const ended = await deleteSessionsOf(tx, id, currentToken(cookie, request))
        const entry = { action: 'sessions-ended', subject: id, detail: { ended } } as const
        if (ended > 0) await recordAudit(tx, request, entry)
      })
    },
  }),

  call(`DELETE ${apiRoutes.adminSession}`, {
    summary: 'Ends one of the own sessions.',
    answers: { 204: null },
    refusals: ['session-missing'],
    async handle({ db }, { params, request }) {
      const { id } = signedInAdmin(request)
      await db.transaction(async (tx) => {
        if (!(await deleteSessionById(tx, id, params.id))) throw new Refusal('session-missing')
        await recordAudit(tx, request, { action: 'session-ended', subject: id })
      })
    },
  }),
]

function currentToken(cookie: OwnCookie, request: FastifyRequest): string {
  return cookie.read(request) ?? ''
}
