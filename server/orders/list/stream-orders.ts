import type { Db } from '#server/db/database.ts'
import { findHits } from './find-hits.ts'
import { writeMarks, writeOrders, type Writer } from './load-orders.ts'
import type { OrderSearch } from './order-search.ts'

/** So many orders are in memory at once, however many there are. */
const ordersAtOnce = 250
/** And so many are sent as one piece: short texts cost V8 little, long ones are put aside and pile up. */
const ordersPerPiece = 25

/** All orders of a search as the pieces of one JSON array. */
export function streamOrders(db: Db, search: OrderSearch): AsyncGenerator<string> {
  return jsonArray(piecesOf(db, search, writeOrders))
}

export function streamMarks(db: Db, search: OrderSearch): AsyncGenerator<string> {
  return jsonArray(piecesOf(db, search, writeMarks))
}

/** All orders of a search as texts, a few at a time; at least once, be it none. */
export async function* piecesOf(
  db: Db,
  search: OrderSearch,
  write: Writer,
): AsyncGenerator<string[]> {
  for await (const hits of findHits(db, search, undefined, ordersAtOnce)) {
    const ids = hits.map(({ id }) => id)
    const written = ids.length === 0 ? [] : await write(db, ids)
    let start = 0
    do yield written.slice(start, (start += ordersPerPiece))
    while (start < written.length)
  }
}

async function* jsonArray(pieces: AsyncIterable<string[]>): AsyncGenerator<string> {
  let before = '['
  for await (const piece of pieces) {
    if (piece.length === 0) continue
    yield before + piece.join(',')
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
