import { createCipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Recipient } from 'age-encryption'
import { CannotStart } from '#server/cannot-start.ts'

/*
 * age with a passphrase, or with the public key of its owner (https://age-encryption.org/v1): then only who has the secret
 * key can read the file, which the shop cannot. A public key says nothing about who wrote a file. The package is loaded only
 * where a file is encrypted.
 */

/** What every encrypted file begins with. */
export const encryptedStart = 'age-encryption.org/v1\n'

/** A public key, in place of a passphrase. */
export function isPublicKey(key: string): boolean {
  return key.startsWith('age1')
}

/** What opens a file that is encrypted to a public key. */
export function isSecretKey(key: string): boolean {
  return key.startsWith('AGE-SECRET-KEY-')
}

export async function* encrypt(
  content: ReadableStream<Uint8Array>,
  key: string,
): AsyncGenerator<Uint8Array> {
  if (isSecretKey(key))
    throw new CannotStart('BACKUP_PASSPHRASE is a secret key of age. Set its public key (age1…).')
  const { Encrypter, Stanza } = await import('age-encryption')
  const byPassphrase: Recipient = {
    async wrapFileKey(fileKey) {
      const { args, body } = await sealFileKey(fileKey, key)
      return [new Stanza(args, body)]
    },
  }
  const encrypter = new Encrypter()
  encrypter.addRecipient(isPublicKey(key) ? key : byPassphrase)
  yield* await encrypter.encrypt(content)
}

/** Hands on only bytes that are proven to be what was encrypted. Who did that, only a passphrase shows. */
export async function* decrypt(
  path: string,
  content: ReadableStream<Uint8Array>,
  key: string,
): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  const open = async () => {
    if (isSecretKey(key)) decrypter.addIdentity(key)
    else decrypter.addPassphrase(normalize(key))
    return decrypter.decrypt(content)
  }
  yield* await open().catch((cause: unknown) => {
    const name = isSecretKey(key) ? 'secret key' : 'passphrase'
    throw new CannotStart(`The ${name} does not open ${path}, or its beginning is damaged.`, {
      cause,
    })
  })
}

/** What keyboards type; text from a file may be composed differently. */
function normalize(passphrase: string): string {
  return passphrase.normalize('NFC')
}

/** 128 MB and some tenths of a second: little for the shop, much for somebody who guesses. */
const scryptLogN = 17

/** As age's own recipient for a passphrase does, but off the main thread: a shop that sells must not stop meanwhile. */
async function sealFileKey(fileKey: Uint8Array, passphrase: string) {
  const salt = randomBytes(16)
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
  const cost = { N: 2 ** scryptLogN, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }
  const label = Buffer.from('age-encryption.org/v1/scrypt')
  const key = await derive(normalize(passphrase), Buffer.concat([label, salt]), 32, cost)
  const nonce = Buffer.alloc(12)
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 })
  const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
  const args = ['scrypt', salt.toString('base64').replaceAll('=', ''), String(scryptLogN)]
  return { args, body }
}
