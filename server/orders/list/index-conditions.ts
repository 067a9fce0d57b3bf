import type { Db } from '#server/db/database.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'

/** So many pieces of the words narrow a search down well; more only take longer to compare. */
const mostPieces = 4
const sampleSize = 200

/**
 * What orders with these words must have, in a form that an index answers; nothing, for words so short that every
 * few ids have them. Not the words themselves: of a long e-mail address PostgreSQL would compare all pieces, those
 * that nearly every order has too (its '.com'), so only the rarest are named.
 */
export async function indexConditions(db: Db, words: string): Promise<SQL | undefined> {
  const trigrams = piecesOf(words, 3).filter(isInTrigramIndex)
  if (trigrams.length > 0) {
    const likes = (await rarest(db, trigrams)).map(
      (piece) => sql`search_text like ${`%${piece.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
    )
    return sql.join(likes, sql` and `)
  }
  if (isInManyIds(words)) return undefined
  const pairs = await rarest(db, piecesOf(words, Math.min(2, Array.from(words).length)))
  return sql`order_pairs(search_text) @> ${sql.param(pairs)}::text[]`
}

function piecesOf(words: string, size: number): string[] {
  const letters = Array.from(words)
  const pieces = letters.map((_letter, start) => letters.slice(start, start + size).join(''))
  return [...new Set(pieces.slice(0, letters.length - size + 1))]
}

/**
 * The index of trigrams knows words only: three letters of one, or two at its end, or one at its beginning. Which signs
 * beyond ASCII are letters depends on the database, so we count on none of them.
 */
function isInTrigramIndex(piece: string): boolean {
  return /^[a-z0-9]{2}[ -~]|[ -/:-@[-`{-~][a-z0-9]/.test(piece)
}

/** In one id of nine at least: going through the newest orders finds enough of them. */
function isInManyIds(words: string): boolean {
  return /^(?!--)[0-9a-f-]{1,2}$/.test(words)
}

async function rarest(db: Db, pieces: string[]): Promise<string[]> {
  if (pieces.length <= mostPieces) return pieces
  const { rows } = await db.execute<{ text: string }>(
    sql`select search_text as text from order_search order by created_at desc, order_id desc limit ${sampleSize}`,
  )
  const seen = (piece: string) => rows.filter(({ text }) => text.includes(piece)).length
  return pieces
    .map((piece) => ({ piece, times: seen(piece) }))
    .toSorted((a, b) => a.times - b.times)
    .slice(0, mostPieces)
    .map(({ piece }) => piece)
}
