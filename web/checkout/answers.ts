import type { refusals } from '#contract/refusals.ts'
import { FailedCall, refusalText } from '#web/api.ts'

/** The server's own sentence. Its type is held to the table of refusals, which is too heavy to load here for one of them. */
export const tooManyCardsText: (typeof refusals)['too-many-cards']['text'] =
  'Too many cards were declined. Please wait a while or contact the shop.'

/** The status of a refused call; nothing where no answer came at all. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof FailedCall ? error.status : undefined
}

/** Of all calls that were too many, the ones that no waiting page gets past. */
export function isTooManyCards(error: unknown): boolean {
  return error instanceof Error && refusalText(error) === tooManyCardsText
}

export type OrderRefusal =
  | 'declined'
  | 'too-many-cards'
  | 'review'
  | 'expired'
  | 'refused'
  | 'unknown'

/**
 * What it means that POST /api/orders did not bring an order. Only a definite no is one: a crowded server, a
 * fault or a lost connection leaves open whether money has moved.
 */
export function orderRefusal(error: unknown): OrderRefusal {
  if (isTooManyCards(error)) return 'too-many-cards'
  const status = statusOf(error)
  if (status === undefined || status >= 500 || status === 408 || status === 429) return 'unknown'
  if (status === 402) return 'declined'
  if (status === 409) return 'review'
  return status === 410 ? 'expired' : 'refused'
}

export type WidgetTrouble = {
  text: string | undefined
  /** SumUp answered and said no. Otherwise the answer was lost, and with it the outcome. */
  isAnswered: boolean
  /** SumUp says that this checkout was paid before, in another tab perhaps. */
  isProcessed: boolean
}

const processedCodes = ['CHECKOUT_PROCESSED', 'session-already-processed']

/** How widgets and browsers speak of a request that got no answer. */
const lostPattern =
  /^internal|server.?error|bad.?gateway|unavailable|network|failed to fetch|load failed|timed? ?out|aborted/i

/** What SumUp's widget means by an error. Its bodies come in three dialects, or as a list of them. */
export function readTrouble(body: unknown): WidgetTrouble {
  const said = recordOf(Array.isArray(body) ? body[0] : body)
  const code = textIn(said, 'error_code') ?? textIn(said, 'type')?.split('/').pop()
  const text = textIn(said, 'message') ?? textIn(said, 'error_message') ?? textIn(said, 'detail')
  // A fault of SumUp's is no answer about the card: it may have been charged before the fault.
  const isFault = Number(said['status'] ?? said['status_code']) >= 500
  const isLost = isFault || (code ?? text) === undefined || lostPattern.test(code ?? text ?? '')
  return {
    text: isLost ? undefined : text,
    isAnswered: !isLost,
    isProcessed: code !== undefined && processedCodes.includes(code),
  }
}

/** A challenge that was cancelled or ran out says nothing more; one whose answer was lost says so. */
export function readFail(body: unknown): WidgetTrouble {
  const nothingSaid = Object.keys(recordOf(body)).length === 0
  return nothingSaid ? { text: undefined, isAnswered: true, isProcessed: false } : readTrouble(body)
}

export function transactionIdIn(body: unknown): string | undefined {
  return textIn(recordOf(body), 'transaction_id')
}

function recordOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

function textIn(said: Record<string, unknown>, name: string): string | undefined {
  const text = said[name]
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}
