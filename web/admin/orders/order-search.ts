import { maxSearchLength, type OrderStatus, orderStatuses } from '#contract/orders.ts'

/** Which orders are asked for. */
export type OrderSearch = { q: string; status: OrderStatus | undefined }

/** What a list's address says: the search, and what lies open beside it, an order or the archive of payments. */
export type OrderAddress = OrderSearch & { openId: string | undefined; isArchiveOpen: boolean }

/** What an address does not say, or says wrongly, is not asked for. */
export function readAddress(query: string): OrderAddress {
  const words = new URLSearchParams(query)
  const said = words.get('status')
  const openId = words.get('order') || undefined
  return {
    q: words.get('q')?.trim().slice(0, maxSearchLength) ?? '',
    status: orderStatuses.find((status) => status === said),
    openId,
    isArchiveOpen: !openId && words.get('review') === 'archive',
  }
}

/** The other way round, beginning with the question mark; empty when nothing is asked for. */
export function writeAddress({ q, status, openId, isArchiveOpen }: Partial<OrderAddress>): string {
  const review = isArchiveOpen ? 'archive' : undefined
  return withQuestionMark({ q: q?.trim(), status, order: openId, review })
}

/** The part of a call that says which orders are meant. */
export function searchParameters(
  { q, status }: OrderSearch,
  more: Record<string, string | undefined> = {},
): string {
  return withQuestionMark({ ...more, q, status })
}

function withQuestionMark(words: Record<string, string | undefined>): string {
  const said = Object.entries(words).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return said.length > 0 ? `?${new URLSearchParams(said)}` : ''
}
