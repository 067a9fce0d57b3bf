import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CannotStart } from './cannot-start.ts'

const generatedPattern = /^[0-9a-f]{64}$/

/** Signs links and encrypts second factors. From the settings, or generated once and stored where only its owner can read it. */
export async function readSecret(config: {
  sessionSecret: string | undefined
  dataDir: string
}): Promise<string> {
  if (config.sessionSecret) return config.sessionSecret
  const file = join(config.dataDir, 'secret')
  const secret = (await findFile(file)) ?? (await createSecret(config.dataDir, file))
  if (!generatedPattern.test(secret)) {
    throw new CannotStart(
      `${file} is damaged. Restore it from a backup, or delete it: links that were signed with it end.`,
    )
  }
  return secret
}

/** Written under another name and then linked: of two nodes that start at once, one wins. */
async function createSecret(folder: string, file: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx', flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(file, 'utf8')
}

async function findFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
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
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
