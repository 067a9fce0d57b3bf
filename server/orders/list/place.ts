import { Refusal } from '#contract/refusals.ts'
import { isUuid } from '#server/http/uuid.ts'

/** A place in the list of orders, newest first: after the order with this id, placed at this microsecond. */
export type Place = { micros: string; id: string }

/** For the browser a place is a word without a meaning, that it hands back to go on there. */
export function writePlace({ micros, id }: Place): string {
  return Buffer.from(`${micros} ${id}`).toString('base64url')
}

export function readPlace(cursor: string): Place {
  const [micros = '', id = '', ...more] = Buffer.from(cursor, 'base64url').toString().split(' ')
  // 15 or 16 digits: from 1973 to 2286, and exact in JSON and in PostgreSQL alike.
  if (!/^\d{15,16}$/.test(micros) || !isUuid(id) || more.length > 0)
    throw new Refusal('bad-request', { text: 'This cursor is not one of ours.' })
  return { micros, id }
}
