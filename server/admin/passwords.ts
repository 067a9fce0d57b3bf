import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '#contract/refusals.ts'

/** argon2id, the library's default, at three times the least that OWASP asks for. */
const strength = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }

/** Hashing is meant to be slow, so a flood of sign-ins must not take the machine: two at once, few waiting. */
const atOnce = 2
const longestQueue = 20

let running = 0
const waiting: (() => void)[] = []

/** Of a password that nobody ever knew, at the strength above: compared with where there is no admin. */
export const hashOfNobody =
  '$argon2id$v=19$m=65536,t=3,p=1$ddDUVFoYRqpS4GNDgNwWxw$DvlG8tRdMYMgFkYGiO6xN/DWpTY+5nt+W1lWFY9hHvk'

const parameters = `$argon2id$v=19$m=${strength.memoryCost},t=${strength.timeCost},p=${strength.parallelism}$`

/** Made when hashing was cheaper than it is today. */
export function isOutdated(passwordHash: string): boolean {
  return !passwordHash.startsWith(parameters)
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, strength))
}

/** With no hash to compare, does the same work against one of nobody's: time tells a guesser nothing. */
export async function isPassword(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  const known = passwordHash ?? hashOfNobody
  const matches = await inTurn(() => verify(known, password))
  return matches && passwordHash !== undefined
}

/** Letters and digits that nobody mistakes for each other; 20 of them hold 98 bits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

export function makePassword(): string {
  const letters = Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)])
  return [0, 5, 10, 15].map((start) => letters.slice(start, start + 5).join('')).join('-')
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= atOnce) {
    if (waiting.length >= longestQueue) throw new Refusal('too-many-logins', { retryAfter: 10 })
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
