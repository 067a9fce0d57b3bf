import { useEffect, useRef } from 'react'

import type { MatchedOrders } from '#contract/orders.ts'
import { parseOrderCode } from '#contract/paper.ts'
import { apiRoutes } from '#contract/paths.ts'
import { entryShapes, parseList } from '#web/admin/answers.ts'
import { callServer, formatQuery } from '#web/api.ts'

import type { OrderNavigation } from './order-url.ts'

/**
 * Opens the order that a text names: its number, its id, or the scanned code of its slip. Others are only searched for.
 * Whatever is typed or scanned next replaces what was asked for before.
 */
export function useOpenNamed({ openFound }: OrderNavigation) {
  const asking = useRef(new AbortController())
  useEffect(() => () => asking.current.abort(), [])

  async function open(text: string, name: string, signal: AbortSignal): Promise<void> {
    const path = `${apiRoutes.matchedOrders}${formatQuery({ numbers: name })}`
    const answer = await callServer('GET', path, undefined, signal)
    const [match] = parseList<MatchedOrders>(entryShapes.matched, await answer.json())
    const [order, other] = match?.orders ?? []
    if (order && !other && !signal.aborted) openFound(text.trim(), order.id)
  }

  return {
    open: (text: string): void => {
      asking.current.abort()
      asking.current = new AbortController()
      const name = parseOrderCode(text)
      // The list says what went wrong: it is searched for the same text.
      if (name) open(text, name, asking.current.signal).catch(() => {})
    },
    cancel: (): void => asking.current.abort(),
  }
}
