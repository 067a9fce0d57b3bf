import { z } from 'zod'
import { adminAccount, auditPage, invite, newInvite } from '#contract/answers/admin.ts'
import {
  inviteHours,
  newInviteSchema,
  passwordProofSchema,
  type NewInvite,
} from '#contract/admin.ts'
import { auditPageSchema } from '#contract/audit.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { Db } from '#server/db/database.ts'
import { getActor } from '#server/http/access.ts'
import { listAuditLog } from '#server/http/audit.ts'
import { callsOf } from '#server/http/calls.ts'
import { listAdmins, removeAdmin, setDisabled, type ProvenActor } from './admins.ts'
import { createInvite, listInvites, withdrawInvite } from './invites.ts'
import { examplePassword as password } from './passwords.ts'
import { assertPassword, proofRefusals } from './sign-in.ts'

type PeopleDeps = { db: Db; config: { publicUrl: string | undefined } }

const call = callsOf<PeopleDeps>('People', 'admin')

/** Other admins, invitations, and what everybody did. */
export const peopleCalls = [
  call(`GET ${apiRoutes.admins}`, {
    summary: 'Lists all admins.',
    answers: { 200: z.array(adminAccount) },
    handle: ({ db }) => listAdmins(db),
  }),

  changing(apiRoutes.adminDisable, 'Disables an admin, who is logged out.', (db, id, actor) =>
    setDisabled(db, id, true, actor),
  ),
  changing(apiRoutes.adminEnable, 'Enables a disabled admin.', (db, id, actor) =>
    setDisabled(db, id, false, actor),
  ),
  changing(
    apiRoutes.adminRemove,
    'Removes an admin. What they did stays in the audit log.',
    removeAdmin,
  ),

  call(`GET ${apiRoutes.invites}`, {
    summary: 'Lists open invitations.',
    answers: { 200: z.array(invite) },
    handle: ({ db }) => listInvites(db),
  }),

  call(`POST ${apiRoutes.invites}`, {
    summary: `Invites somebody. The link is shown this once and valid for ${inviteHours} hours.`,
    body: newInviteSchema,
    example: { email: 'berta@example.com', password },
    answers: { 201: newInvite },
    refusals: [...proofRefusals, 'admin-taken', 'too-many-admins'],
    async handle({ db, config }, { body, request }): Promise<NewInvite> {
      const actor = await assertPassword(db, getActor(request), body.password)
      const { invite: created, linkPath } = await createInvite(db, body.email, actor)
      const origin = config.publicUrl ?? `${request.protocol}://${request.host}`
      return { ...created, link: `${origin}${linkPath}` }
    },
  }),

  call(`DELETE ${apiRoutes.invite}`, {
    summary: 'Withdraws an invitation.',
    answers: { 204: null },
    refusals: ['invite-missing'],
    unknownId: 'invite-missing',
    handle: ({ db }, { params, request }) => withdrawInvite(db, params.id, request),
  }),

  call(`GET ${apiRoutes.auditLog}`, {
    summary: 'Lists who did what, newest first.',
    query: auditPageSchema,
    answers: { 200: auditPage },
    handle: ({ db }, { query }) => listAuditLog(db, query),
  }),
]

/** Changing an admin takes the password: otherwise a borrowed session could add an admin who locks the others out. */
function changing(
  url: (typeof apiRoutes)['adminDisable' | 'adminEnable' | 'adminRemove'],
  summary: string,
  change: (db: Db, id: string, actor: ProvenActor) => Promise<void>,
) {
  return call(`POST ${url}`, {
    summary,
    body: passwordProofSchema,
    example: { password },
    answers: { 204: null },
    refusals: [...proofRefusals, 'admin-missing', 'last-admin'],
    unknownId: 'admin-missing',
    async handle({ db }, { params, body, request }) {
      await change(db, params.id, await assertPassword(db, getActor(request), body.password))
    },
  })
}
