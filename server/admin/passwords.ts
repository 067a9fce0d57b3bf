import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal, type RefusalCode } from '#contract/refusals.ts'
import { createInTurnQueue, type Turn } from '#server/in-turn-queue.ts'

/** Three times OWASP's minimum; memory in KiB. */
const strength = { memory: 65_536, passes: 3, parallelism: 1 }
const hashPrefix = `$argon2id$v=19$m=${strength.memory},t=${strength.passes},p=${strength.parallelism}$`
/** In bytes, as RFC 9106 recommends. */
const saltLength = 16
const keyLength = 32

/** Computed on a thread of Node's pool, so requests are answered meanwhile. */
const computeKey = promisify(argon2)

/**
 * Hashing is slow by design, so a flood of sign-ins must not take the machine. One address cannot fill the queue, and
 * known devices do not wait behind strangers.
 */
const inTurn = createInTurnQueue({
  maxRunning: 2,
  maxWaiting: 20,
  maxPerKey: 10,
  refuse: () => tooManyLogins(10),
})

/** Says how long to wait: an hour looks like forever to an owner who is told "a moment". */
export function tooManyLogins(seconds: number): Refusal {
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes <= 1 ? 'a minute' : `${minutes} minutes`
  const text = `Too many login attempts. Please try again in ${wait}.`
  return new Refusal('too-many-logins', { text, retryAfter: seconds })
}

/** Strangers never cause this: a new password comes from an admin, an invited person or the server's command line. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(
    async () => {
      const salt = randomBytes(saltLength)
      const parameters = { ...strength, nonce: salt, tagLength: keyLength }
      const key = await computeKey('argon2id', { ...parameters, message: password })
      return `${hashPrefix}${formatBytes(salt)}$${formatBytes(key)}`
    },
    { isKnown: true },
  )
}

/** Base64 without padding, as hashes are written. */
function formatBytes(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

/** Hashes are in the PHC format, `$argon2id$v=19$m=65536,t=3,p=1$salt$key`: those made with other parameters verify too. */
async function isPasswordOf(passwordHash: string, password: string): Promise<boolean> {
  const [, algorithm, version, parameters = '', salt = '', keyText = ''] = passwordHash.split('$')
  if (algorithm !== 'argon2id' || version !== 'v=19')
    throw new Error(`Passwords are hashed with argon2id, version 19, not ${algorithm} ${version}`)
  const { m, t, p } = Object.fromEntries(
    parameters.split(',').map((parameter) => parameter.split('=')),
  )
  const key = Buffer.from(keyText, 'base64')
  const computed = await computeKey(algorithm, {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: key.length,
  })
  return timingSafeEqual(computed, key)
}

/** Made with parameters that are weaker than the current ones. */
export function isOutdatedHash(passwordHash: string): boolean {
  return !passwordHash.startsWith(hashPrefix)
}

/** The hash of a random password that was thrown away, at the strength above. */
export const dummyHash =
  '$argon2id$v=19$m=65536,t=3,p=1$ddDUVFoYRqpS4GNDgNwWxw$DvlG8tRdMYMgFkYGiO6xN/DWpTY+5nt+W1lWFY9hHvk'

/** Takes the same time without a hash, so that an attacker cannot tell which admins exist. */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
  turn: Turn,
): Promise<boolean> {
  const isMatch = await inTurn(() => isPasswordOf(passwordHash ?? dummyHash, password), turn)
  return isMatch && passwordHash !== undefined
}

/** Without characters that look alike; 20 of them have 98 bits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

export function generatePassword(): string {
  return generateCode(4, 5)
}

/** Random characters that are easy to type, in groups: generateCode(4, 5) is like abcde-fghjk-mnpqr-stuvw. */
export function generateCode(groups: number, length: number): string {
  const group = () =>
    Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('')
  return Array.from({ length: groups }, group).join('-')
}

/** In characters; the text of the refusal names it too. */
const minLength = 10
/** The lowest accepted zxcvbn score, from 0 to 4: 3 takes an attacker more than 10^8 guesses. */
const minScore = 3
/** What zxcvbn looks at: it takes seconds for long texts, and who has a strong beginning has a strong password. */
const maxCheckedLength = 40

/** What a new password is refused with. */
export const passwordRefusals = [
  'password-short',
  'password-common',
  'password-personal',
] as const satisfies RefusalCode[]

/** For the API reference. */
export const examplePassword = 'four words nobody guesses'

type Names = { username: string; email: string }

/** What is wrong with a new password, if anything. */
export async function findPasswordFault(
  password: string,
  { username, email }: Names,
): Promise<(typeof passwordRefusals)[number] | undefined> {
  if (password.length < minLength) return 'password-short'
  const names = [username, email, email.split('@')[0] ?? '']
  if (names.some((name) => name.toLowerCase() === password.trim().toLowerCase()))
    return 'password-personal'
  const estimator = await loadEstimator()
  const { score } = estimator.check(password.slice(0, maxCheckedLength), names)
  return score < minScore ? 'password-common' : undefined
}

/** For every password that a person chooses. */
export async function assertStrongPassword(password: string, names: Names): Promise<void> {
  const fault = await findPasswordFault(password, names)
  if (fault) throw new Refusal(fault)
}

let estimator: Promise<{ check: (password: string, names: string[]) => { score: number } }>

/** Loaded when it is first needed: its list of common passwords takes 30 MB of memory. */
function loadEstimator() {
  estimator ??= (async () => {
    const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
      import('@zxcvbn-ts/core'),
      import('@zxcvbn-ts/language-common'),
    ])
    // The default of 100 takes a fifth of a second for a text of such substitutes.
    return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 8 })
  })()
  return estimator
}
