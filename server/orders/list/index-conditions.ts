import { sql, type SQL } from '#server/db/drizzle.ts'
import type { Sample } from './sample.ts'

/** So many pieces of the words narrow a search down well; more only take longer to compare. */
const mostPieces = 4

/**
 * What orders with these words must have, in a form that an index answers; nothing, for words so short that every
 * few ids have them. Not the words themselves: of a long e-mail address PostgreSQL would compare all pieces, those
 * that nearly every order has too (its '.com'), so only the rarest in a sample are named.
 */
export function indexConditions(words: string, sample: Sample): SQL | undefined {
  const trigrams = piecesOf(words, 3).filter(isInTrigramIndex)
  if (trigrams.length > 0) {
    const likes = rarest(trigrams, sample).map(
      (piece) => sql`search_text like ${`%${piece.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
    )
    return sql.join(likes, sql` and `)
  }
  if (isInManyIds(words)) return undefined
  const pairs = rarest(piecesOf(words, Math.min(2, Array.from(words).length)), sample)
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

/** The rarest pieces, as far as each narrows down what the ones before it leave. */
function rarest(pieces: string[], sample: Sample): string[] {
  const seen = (piece: string) => sample.filter(({ text }) => text.includes(piece)).length
  const byRarity = pieces
    .map((piece) => ({ piece, times: seen(piece) }))
    .toSorted((a, b) => a.times - b.times)
    .map(({ piece }) => piece)
  const chosen: string[] = []
  let left = sample
  for (const piece of byRarity.slice(0, mostPieces)) {
    const fewer = left.filter(({ text }) => text.includes(piece))
    // Where the sample has none left, it cannot tell.
    if (chosen.length === 0 || left.length === 0 || fewer.length < left.length) chosen.push(piece)
    left = fewer
  }
  return chosen
}
