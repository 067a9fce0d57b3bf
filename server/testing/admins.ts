import { credentials } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { testAdminHash } from './test-shop.ts'

/** As before the first sign-in, so that a test can guess fifty times. */
export async function makeHashCheap(db: Db): Promise<void> {
  await db.update(credentials).set({ passwordHash: testAdminHash })
}

/** What an authenticator app reads. */
export function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
