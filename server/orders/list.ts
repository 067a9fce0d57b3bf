import { z } from 'zod'
import { isDay } from '#contract/days.ts'
import {
  maxFoundOrders,
  maxSearchLength,
  orderPageSize,
  orderSorts,
  orderStatuses,
  type AdminOrder,
  type FoundOrders,
  type OrderMark,
} from '#contract/orders.ts'
import { Refusal } from '#contract/refusals.ts'
import { isTimeZone } from '#contract/time-zones.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { streamJson } from '#server/http/send-stream.ts'
import { isUuid } from '#server/http/uuid.ts'
import { listAdminOrders } from './orders.ts'
import {
  countMatches,
  findNumbered,
  isByAmount,
  searchOrders,
  type Cursor,
  type OrderSearch,
} from './search.ts'
import { parseStatus } from './show-order.ts'
import { statusMessage } from './status.ts'

const limitMessage = `A page has 1 to ${orderPageSize.max} orders.`

const day = z
  .string('A day is one text.')
  .refine((text) => text === '' || isDay(text), 'Please give days as YYYY-MM-DD.')
  .transform((text) => text || undefined)
  .optional()

/** The sign of a currency before an amount, that of a number before an order's, and what a scanned slip begins with. */
const unsearched = /^\p{Sc}(?=\d)|^#(?=\d{4,}$|[0-9a-f]{8})|^till(?=\d{4,9}$)/iu

const searchFields = {
  q: z
    .string('Please search for one text.')
    .max(maxSearchLength, `A search has at most ${maxSearchLength} characters.`)
    // A tab between two copied words is a space; line ends separate the fields of `search_text`. '€49.00' is stored as 49.00.
    .transform((text) => {
      const words = text.split(/[\s\p{Cc}]+/u).map((word) => word.replace(unsearched, ''))
      return [...new Set(words)].filter(Boolean)
    })
    .default([]),
  status: z
    .enum(['', ...orderStatuses], statusMessage)
    .transform((status) => status || undefined)
    .optional(),
  product: z
    .string('A product is named by one id.')
    .refine((id) => id === '' || isUuid(id), 'A product is named by its id.')
    .transform((id) => id || undefined)
    .optional(),
  withdrawn: z
    .enum(['true', 'false'], 'Orders are either withdrawn from (true) or not asked for it (false).')
    .optional(),
  from: day,
  to: day,
  tz: z
    .string('A time zone is one text.')
    .refine(isTimeZone, 'There is no such time zone.')
    .default('UTC'),
  sort: z
    .enum(orderSorts, `Orders are sorted by one of: ${orderSorts.join(', ')}.`)
    .default('newest'),
  /** Whether test orders are listed in a live shop; in test mode they always are. */
  tests: z
    .enum(['true', 'false'], 'Test orders are either listed (true) or not (false).')
    .optional(),
}

type SearchFields = z.output<z.ZodObject<typeof searchFields>>

function toSearch(fields: SearchFields): OrderSearch {
  const { q, product, from, to, tz, status, sort } = fields
  return {
    words: q,
    status,
    productId: product,
    isWithdrawn: fields.withdrawn === 'true',
    days: from || to ? { from, to, tz } : undefined,
    includesTest: fields.tests === 'true',
    sort,
  }
}

export const orderSearchSchema = z.object(searchFields).transform(toSearch)

export const orderPageSchema = z
  .object({
    ...searchFields,
    limit: z
      .string(limitMessage)
      .regex(/^\d{1,3}$/, limitMessage)
      .transform(Number)
      .pipe(z.number().min(1, limitMessage).max(orderPageSize.max, limitMessage))
      .default(orderPageSize.default),
    cursor: z.string('A cursor is one text.').optional(),
  })
  .transform(({ limit, cursor, ...fields }) => {
    const search = toSearch(fields)
    const after = cursor === undefined ? undefined : parseCursor(cursor, isByAmount(search.sort))
    return { search, limit, after }
  })

/** Without any of these parameters the whole list is sent. */
export function isPageQuery(query: object): boolean {
  return ['limit', 'cursor', ...Object.keys(searchFields)].some((name) => name in query)
}

/** An opaque cursor for the browser. */
function formatCursor({ micros, id, sortAmount }: Cursor): string {
  return Buffer.from([micros, id, ...(sortAmount === null ? [] : [sortAmount])].join(' ')).toString(
    'base64url',
  )
}

function parseCursor(cursor: string, hasAmount: boolean): Cursor {
  const parts = Buffer.from(cursor, 'base64url').toString().split(' ')
  const [micros = '', id = '', amount = '0'] = parts
  // 15 or 16 digits: from 1973 to 2286, and exact as a JSON number and a PostgreSQL float.
  const isValid = /^\d{15,16}$/.test(micros) && isUuid(id) && /^\d{1,10}(\.\d\d)?$/.test(amount)
  if (!isValid || parts.length !== (hasAmount ? 3 : 2))
    throw new Refusal('bad-request', { text: 'This cursor is not one of ours.' })
  return { micros, id, sortAmount: hasAmount ? amount : null }
}

/**
 * One page of a search, and the cursor of the next page if there is one. The order whose number was searched for comes first,
 * wherever it would stand otherwise.
 */
export async function listPage(
  db: Db,
  { search, after, limit }: { search: OrderSearch; after: Cursor | undefined; limit: number },
): Promise<{ orders: AdminOrder[]; next: string | undefined }> {
  // A page of one order would be that order again and again.
  const meantId = limit > 1 ? await findNumbered(db, search) : undefined
  const first = meantId !== undefined && !after ? [meantId] : []
  const room = limit - first.length
  const matches: Cursor[] = []
  // One more than is shown tells whether there is a next page.
  for await (const batch of searchOrders(db, search, after, room + 1)) {
    matches.push(...batch.filter(({ id }) => id !== meantId))
    if (matches.length > room) break
  }
  const shown = matches.slice(0, room)
  const last = shown.at(-1)
  const ids = [...first, ...shown.map(({ id }) => id)]
  return {
    orders: await listAdminOrders(db, ids),
    next: matches.length > room && last ? formatCursor(last) : undefined,
  }
}

export async function countFound(
  db: Db,
  search: OrderSearch,
  max = maxFoundOrders,
): Promise<FoundOrders> {
  // One more than is told shows whether there are more.
  const count = await countMatches(db, search, max + 1)
  return { count: Math.min(count, max), isMore: count > max }
}

/** Orders in memory at a time, however many there are. */
const batchSize = 500
/** Orders sent as one chunk: V8 keeps long strings longer. */
const chunkSize = 25

/** All orders of a search in chunks, at least one, which may be empty. */
export async function* streamChunks<Shown>(
  db: Db,
  search: OrderSearch,
  load: (db: Db, ids: string[]) => Promise<Shown[]>,
): AsyncGenerator<Shown[]> {
  for await (const matches of searchOrders(db, search, undefined, batchSize)) {
    const ids = matches.map(({ id }) => id)
    const shown = ids.length === 0 ? [] : await load(db, ids)
    let start = 0
    do yield shown.slice(start, (start += chunkSize))
    while (start < shown.length)
  }
}

export function streamOrders(db: Db, search: OrderSearch): AsyncGenerator<string> {
  return streamJson(streamChunks(db, search, listAdminOrders))
}

export function streamMarks(db: Db, search: OrderSearch): AsyncGenerator<string> {
  return streamJson(streamChunks(db, search, listMarks))
}

async function listMarks(db: Db, ids: string[]): Promise<OrderMark[]> {
  const { rows } = await db.execute<{ id: string; status: string }>(
    sql`select id, status from orders where id = any(${sql.param(ids)}::uuid[])`,
  )
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  return ids.flatMap((id) => {
    const status = statuses.get(id)
    return status === undefined ? [] : { id, status: parseStatus(status) }
  })
}
