import type { EventType } from '#contract/analytics.ts'

import { buyerCalls } from './buyer-calls.ts'

type Tracked = {
  eventType: EventType
  productId: string
  orderId?: string
}

/** Told in passing: it outlives the page, and what becomes of it concerns no buyer. */
export function track(event: Tracked): void {
  // A page that the browser has only prepared is looked at later, if ever.
  if ('prerendering' in document && document.prerendering)
    document.addEventListener('prerenderingchange', () => send(event), { once: true })
  else send(event)
}

function send(event: Tracked): void {
  fetch(buyerCalls.track, {
    method: 'POST',
    credentials: 'include',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  }).catch(() => undefined)
}
