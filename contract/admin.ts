import { z } from 'zod'

export const loginSchema = z.object({
  username: z.string('Username is required').trim().min(1, 'Username is required').max(255),
  /** argon2 takes any length; the cap keeps hashing cheap for us, not for a guesser. */
  password: z.string('Password is required').min(1, 'Password is required').max(1024),
})
export type Login = z.infer<typeof loginSchema>

/** The signed-in admin as the screens see it. */
export type AdminUser = { id: string; email: string; username: string }

/** Something about the shop's set-up that its owner should know. */
export type Notice = {
  kind:
    | 'test-mode'
    | 'payments'
    | 'custom-domain'
    | 'proxy'
    | 'card-form'
    | 'mail'
    | 'cards'
    | 'geo-locations'
  text: string
  /** Stays until the owner says that they have read it. */
  isDismissible?: true
}
