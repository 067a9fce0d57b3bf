import { z } from 'zod'
import {
  adminAccount,
  adminSession,
  adminUser,
  auditPage,
  invite,
  newInvite,
  notice,
  ownAccount,
  recoveryCodes,
  secondFactorOffer,
} from '#contract/answers/admin.ts'
import {
  emailChangeSchema,
  invitedAdminSchema,
  inviteHours,
  inviteTokenSchema,
  loginSchema,
  newInviteSchema,
  noticeDismissalSchema,
  noticeFoldingSchema,
  passwordChangeSchema,
  passwordProofSchema,
  secondFactorCodeSchema,
  secondFactorOffSchema,
} from '#contract/admin.ts'
import { auditPageSchema } from '#contract/audit.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { defineOperations } from '#server/http/openapi.ts'

const password = 'four words nobody guesses'
const proof: RefusalCode[] = ['wrong-password', 'too-many-logins']
const passwordFaults: RefusalCode[] = ['password-short', 'password-common', 'password-personal']
const ofAdmin: RefusalCode[] = [...proof, 'admin-missing', 'last-admin']

const signIn = defineOperations('Login', 'backoffice', {
  [`POST ${apiRoutes.adminLogin}`]: {
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
  },
  [`POST ${apiRoutes.adminLogout}`]: {
    summary: 'Ends the session.',
    answers: { 204: null },
  },
  [`GET ${apiRoutes.adminUser}`]: {
    access: 'admin',
    summary: 'Tells who is logged in.',
    answers: { 200: adminUser },
  },
  [`POST ${apiRoutes.checkInvite}`]: {
    summary: 'Tells whether the link of an invitation still works, and for whom it is.',
    body: inviteTokenSchema,
    example: { token: 'the-part-of-the-link-after-invite=' },
    answers: { 200: invite },
    refusals: ['invite-missing', 'too-many-logins'],
  },
  [`POST ${apiRoutes.acceptInvite}`]: {
    summary: 'Makes an admin of an invited person, who chooses name and password.',
    body: invitedAdminSchema,
    example: { token: 'the-part-of-the-link-after-invite=', username: 'berta', password },
    answers: { 201: adminUser },
    refusals: [
      'invite-missing',
      'admin-taken',
      'too-many-admins',
      'too-many-logins',
      ...passwordFaults,
    ],
  },
})

const account = defineOperations('Own account', 'admin', {
  [`GET ${apiRoutes.ownAccount}`]: {
    summary: 'Reads the own account.',
    answers: { 200: ownAccount },
  },
  [`PUT ${apiRoutes.ownPassword}`]: {
    summary: 'Changes the own password, and ends all other sessions.',
    body: passwordChangeSchema,
    example: { currentPassword: password, newPassword: 'five other words nobody guesses' },
    answers: { 204: null },
    refusals: [...proof, ...passwordFaults],
  },
  [`PUT ${apiRoutes.ownEmail}`]: {
    summary: 'Changes the own email address.',
    body: emailChangeSchema,
    example: { email: 'owner@example.com', password },
    answers: { 200: adminUser },
    refusals: [...proof, 'admin-taken', 'admin-missing'],
  },
  [`POST ${apiRoutes.secondFactor}`]: {
    summary: 'Offers a secret for an authenticator app.',
    body: passwordProofSchema,
    example: { password },
    answers: { 200: secondFactorOffer },
    refusals: [...proof, 'second-factor-on'],
  },
  [`POST ${apiRoutes.secondFactorConfirm}`]: {
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
  },
  [`POST ${apiRoutes.secondFactorOff}`]: {
    summary: 'Switches the second factor off.',
    body: secondFactorOffSchema,
    example: { password, code: '123456' },
    answers: { 204: null },
    refusals: [
      ...proof,
      'second-factor-missing',
      'wrong-second-factor',
      'second-factor-unreadable',
    ],
  },
  [`GET ${apiRoutes.adminSessions}`]: {
    summary: 'Lists the own sessions.',
    answers: { 200: z.array(adminSession) },
  },
  [`DELETE ${apiRoutes.adminSessions}`]: {
    summary: 'Ends all own sessions but the current one.',
    answers: { 204: null },
  },
  [`DELETE ${apiRoutes.adminSession}`]: {
    summary: 'Ends one of the own sessions.',
    answers: { 204: null },
    refusals: ['session-missing'],
  },
})

const people = defineOperations('People', 'admin', {
  [`GET ${apiRoutes.admins}`]: {
    summary: 'Lists all admins.',
    answers: { 200: z.array(adminAccount) },
  },
  [`POST ${apiRoutes.adminDisable}`]: {
    summary: 'Disables an admin, who is logged out.',
    body: passwordProofSchema,
    example: { password },
    answers: { 204: null },
    refusals: ofAdmin,
  },
  [`POST ${apiRoutes.adminEnable}`]: {
    summary: 'Enables a disabled admin.',
    body: passwordProofSchema,
    example: { password },
    answers: { 204: null },
    refusals: ofAdmin,
  },
  [`POST ${apiRoutes.adminRemove}`]: {
    summary: 'Removes an admin. What they did stays in the audit log.',
    body: passwordProofSchema,
    example: { password },
    answers: { 204: null },
    refusals: ofAdmin,
  },
  [`GET ${apiRoutes.invites}`]: {
    summary: 'Lists open invitations.',
    answers: { 200: z.array(invite) },
  },
  [`POST ${apiRoutes.invites}`]: {
    summary: `Invites somebody. The link is shown this once and valid for ${inviteHours} hours.`,
    body: newInviteSchema,
    example: { email: 'berta@example.com', password },
    answers: { 201: newInvite },
    refusals: [...proof, 'admin-taken', 'too-many-admins'],
  },
  [`DELETE ${apiRoutes.invite}`]: {
    summary: 'Withdraws an invitation.',
    answers: { 204: null },
    refusals: ['invite-missing'],
  },
  [`GET ${apiRoutes.auditLog}`]: {
    summary: 'Lists who did what, newest first.',
    query: auditPageSchema,
    answers: { 200: auditPage },
  },
})

const notices = defineOperations('Notices', 'admin', {
  [`GET ${apiRoutes.notices}`]: {
    summary: 'Lists what the owner should know about the set-up, urgent ones first.',
    answers: { 200: z.array(notice) },
  },
  [`POST ${apiRoutes.noticeDismiss}`]: {
    summary: 'Closes a notice that stays until it was read: card-form.',
    body: noticeDismissalSchema,
    example: { since: '2026-11-16T08:00:00.000Z' },
    answers: { 204: null },
    refusals: ['notice-missing'],
  },
  [`POST ${apiRoutes.noticesFold}`]: {
    summary: 'Hides notices for the logged-in admin.',
    note: 'Replaces what was folded before. A folded notice that goes away is unfolded if it comes back.',
    body: noticeFoldingSchema,
    example: { ids: ['mail-3f1c9a7be2d04856'] },
    answers: { 204: null },
  },
})

export const adminOperations = { ...signIn, ...account, ...people, ...notices }
