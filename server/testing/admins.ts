import { hash } from '@node-rs/argon2'
import { credentials } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { testAdmin } from './test-shop.ts'

const cheapHash = hash(testAdmin.password, { memoryCost: 8, timeCost: 1 })

/** Comparing with this hash takes no time, so that a test can guess fifty times. The next sign-in replaces it. */
export async function makeHashCheap(db: Db): Promise<void> {
  await db.update(credentials).set({ passwordHash: await cheapHash })
}

/** What an authenticator app reads. */
export function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
