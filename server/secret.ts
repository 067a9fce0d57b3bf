import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CannotStart } from './cannot-start.ts'
import { createDataDir } from './data-dir.ts'
import { moveDurably } from './durable-files.ts'

const generatedPattern = /^[0-9a-f]{64}$/

type SecretConfig = { sessionSecret: string | undefined; dataDir: string }

/** Signs links and encrypts second factors. From the settings, or generated once and stored where only its owner can read it. */
export async function readSecret(config: SecretConfig): Promise<string> {
  return (await findSecret(config)) ?? createSecret(config.dataDir)
}

/** Undefined if it is neither in the settings nor generated yet. */
export async function findSecret({ sessionSecret, dataDir }: SecretConfig) {
  if (sessionSecret) return sessionSecret
  const file = secretFile(dataDir)
  const secret = await findFile(file)
  if (secret !== undefined && !isGeneratedSecret(secret)) {
    throw new CannotStart(
      `${file} is damaged. Restore it from a backup, or delete it: links that were signed with it end.`,
    )
  }
  return secret
}

export function isGeneratedSecret(secret: string): boolean {
  return generatedPattern.test(secret)
}

const secretName = 'secret'

function secretFile(dataDir: string): string {
  return join(dataDir, secretName)
}

/** Written under another name and then linked: of two nodes that start at once, one wins. */
async function createSecret(dataDir: string): Promise<string> {
  const file = secretFile(dataDir)
  const draft = await writeDraft(dataDir, randomBytes(32).toString('hex'))
  try {
    await link(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(file, 'utf8')
}

/** Replaces the generated secret by one of a backup. */
export async function replaceSecret(dataDir: string, secret: string): Promise<void> {
  await moveDurably(await writeDraft(dataDir, secret), dataDir, secretName)
}

async function writeDraft(dataDir: string, secret: string): Promise<string> {
  await createDataDir(dataDir)
  const draft = `${secretFile(dataDir)}.${randomBytes(8).toString('hex')}`
  await writeFile(draft, secret, { mode: 0o600, flag: 'wx', flush: true })
  return draft
}

async function findFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    if (hasCode(error, 'EACCES'))
      throw new CannotStart(
        `${file} may not be read by this user. Run the command as the user whom the shop runs as (ls -l shows who owns it).`,
      )
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

const ivBytes = 12
const tagBytes = 16

/** One key for each purpose: what is made with one is worth nothing for another. */
function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `till ${purpose}`, 32))
}

/** AES-256-GCM. Only readable with the same secret, for the same purpose and the same owner. */
export function encrypt(
  secret: string,
  { purpose, owner }: { purpose: string; owner: string },
  text: string,
): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, purpose), iv)
  cipher.setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Undefined if it was changed, or encrypted with another secret. */
export function decrypt(
  secret: string,
  { purpose, owner }: { purpose: string; owner: string },
  encrypted: string,
): string | undefined {
  const bytes = Buffer.from(encrypted, 'base64url')
  if (bytes.length < ivBytes + tagBytes) return undefined
  const key = deriveKey(secret, purpose)
  const options = { authTagLength: tagBytes }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), options)
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  try {
    const start = decipher.update(bytes.subarray(ivBytes + tagBytes))
    return Buffer.concat([start, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

export function sign(secret: string, purpose: string, text: string): string {
  return createHmac('sha256', deriveKey(secret, purpose)).update(text).digest('base64url')
}

export function hmac(secret: string, text: string, encoding: 'base64url' | 'binary'): string {
  return createHmac('sha256', secret).update(text).digest(encoding)
}

/** Tells whether two secrets are the same, and nothing about them. */
export function fingerprintOf(secret: string): string {
  return sign(secret, 'fingerprint', 'backup')
}

export function isSignature(
  secret: string,
  purpose: string,
  text: string,
  signature: string,
): boolean {
  return isSameText(sign(secret, purpose, text), signature)
}

/** Takes the same time wherever they differ. */
export function isSameText(expected: string, given: string): boolean {
  // Hashes have one length, so that not even the length of the secret can be measured.
  const [one, other] = [expected, given].map((text) => hash('sha256', text, 'buffer'))
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
