import { randomInt, randomUUID } from 'node:crypto'

/** Letters and digits that nobody confuses, as in SumUp's transaction codes. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const newId = (): string => randomUUID()

/** As TDMNUPS33H: a T and nine characters. */
export function newTransactionCode(): string {
  return `T${Array.from({ length: 9 }, () => alphabet[randomInt(alphabet.length)]).join('')}`
}

export const newInternalId = (): number => randomInt(1_000_000_000, 10_000_000_000)

export const newAuthCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

export function isUuid(text: string): boolean {
  return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)
}
