import { z } from 'zod'
import type {
  adminAccount,
  adminSession,
  adminUser,
  invite,
  newInvite,
  notice,
  ownAccount,
  recoveryCodes,
  secondFactorOffer,
  settingsPlace,
} from './answers/admin.ts'
import type { SettingsSection } from './shop-settings.ts'

const maxUsernameLength = 255
const maxPasswordLength = 1024

const username = z
  .string('Username is required')
  .trim()
  .min(1, 'Username is required')
  .max(maxUsernameLength, `Username is too long: at most ${maxUsernameLength} characters`)

/** argon2 takes any length; the cap keeps hashing cheap for us, not for a guesser. */
const password = z
  .string('Password is required')
  .min(1, 'Password is required')
  .max(maxPasswordLength, `Password is too long: at most ${maxPasswordLength} characters`)

/** Six digits of an authenticator app, or a recovery code. Spaces and dashes are for reading. */
const code = z
  .string('Code is required')
  .max(100, 'Code is too long')
  .transform((text) => text.replaceAll(/[\s-]/g, '').toLowerCase())
  .pipe(z.string().min(1, 'Code is required').max(40, 'Code is too long'))

export const loginSchema = z.object({
  username,
  password,
  /** Only of admins with a second factor, once the server asked for it. */
  code: code.optional(),
})
export type Login = z.input<typeof loginSchema>

/** The signed-in admin as the screens see it. */
export type AdminUser = z.infer<typeof adminUser>

/** Parts of the account and settings dialogs. The place in the address is ?settings=people. */
export type SettingsPlace = z.infer<typeof settingsPlace>

export type AccountPlace = Exclude<SettingsPlace, SettingsSection>

/** How strong a new password must be is decided by the server (server/admin/passwords.ts). */
export const passwordChangeSchema = z.object({ currentPassword: password, newPassword: password })

/** What protects accounts, and who has one, is changed with the password only: a borrowed session is not enough. */
export const passwordProofSchema = z.object({ password })

export const secondFactorCodeSchema = z.object({ code })
export const secondFactorOffSchema = z.object({ password, code })

/** For the authenticator app. The secret is shown until a first code confirmed it. */
export type SecondFactorOffer = z.infer<typeof secondFactorOffer>

/** Each works once. They are shown when the second factor is switched on, and never again. */
export type RecoveryCodes = z.infer<typeof recoveryCodes>

/** What an admin may know about the own account. */
export type OwnAccount = z.infer<typeof ownAccount>

/** A browser in which the admin is signed in. The id is not the one in the cookie. */
export type AdminSession = z.infer<typeof adminSession>

/** An admin as other admins see it. */
export type AdminAccount = z.infer<typeof adminAccount>

export const inviteHours = 72

const email = z
  .email('Enter an email address')
  .max(255, 'Email address is too long: at most 255 characters')

/** With the password: admins sign in with their e-mail address too. */
export const emailChangeSchema = z.object({ email, password })

export const newInviteSchema = z.object({ email, password })

/** Somebody who may become an admin, by the link that only the inviting admin was shown. */
export type Invite = z.infer<typeof invite>
export type NewInvite = z.infer<typeof newInvite>

export const inviteTokenSchema = z.object({
  token: z.string('The link is incomplete').min(1, 'The link is incomplete').max(100),
})

export const invitedAdminSchema = inviteTokenSchema.extend({ username, password })

/** Something about the shop's set-up that its owner should know. */
export type Notice = z.infer<typeof notice>

/** Those that were read: one that came since, or has changed, is not hidden unread. */
export const noticeFoldingSchema = z.object({
  ids: z
    .array(z.string('An id is a text').max(100, 'An id is too long'), 'Which notices?')
    .max(50, 'There are not so many notices'),
})

/** The notice that was read; a later one of the same kind stays. */
export const noticeDismissalSchema = z.object({ since: z.iso.datetime('Since when is required') })
