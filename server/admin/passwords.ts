import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '#contract/refusals.ts'
import { createInTurnQueue } from '#server/in-turn-queue.ts'

/** argon2id, the library's default, at three times OWASP's minimum. */
const strength = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }
const hashPrefix = `$argon2id$v=19$m=${strength.memoryCost},t=${strength.timeCost},p=${strength.parallelism}$`

/** Hashing is slow by design, so a flood of sign-ins must not take the machine. */
const inTurn = createInTurnQueue({
  maxRunning: 2,
  maxWaiting: 20,
  refuse: () => new Refusal('too-many-logins', { retryAfter: 10 }),
})

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, strength))
}

/** Made with parameters that are weaker than the current ones. */
export function isOutdatedHash(passwordHash: string): boolean {
  return !passwordHash.startsWith(hashPrefix)
}

/** Of a random password that was thrown away, at the strength above. */
export const dummyHash =
  '$argon2id$v=19$m=65536,t=3,p=1$ddDUVFoYRqpS4GNDgNwWxw$DvlG8tRdMYMgFkYGiO6xN/DWpTY+5nt+W1lWFY9hHvk'

/** Takes the same time without a hash, so that an attacker cannot tell which admins exist. */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  const isMatch = await inTurn(() => verify(passwordHash ?? dummyHash, password))
  return isMatch && passwordHash !== undefined
}

/** Without characters that look alike; 20 of them have 98 bits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

export function generatePassword(): string {
  const characters = Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)])
  return [0, 5, 10, 15].map((start) => characters.slice(start, start + 5).join('')).join('-')
}
