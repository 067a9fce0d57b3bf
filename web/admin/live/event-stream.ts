import { heartbeatMs, type LiveEvent, type StreamEnd } from '#contract/live.ts'
import { apiRoutes } from '#contract/paths.ts'
import { ApiError, callServer, formatQuery } from '#web/api.ts'

const firstRetryMs = 1_000
const maxRetryMs = 60_000

type Handlers = {
  /** When what is shown was read: who listens for the first time is told what happened since. */
  findShownSince: () => number | undefined
  onEvents: (events: LiveEvent[], id: string) => void
  signal: AbortSignal
}

/**
 * Listens until the signal or the session ends. With fetch instead of EventSource, which does not tell a session that is
 * over from a server that is away, and does not notice a connection that died while the computer slept.
 */
export async function listen(lastId: string | undefined, handlers: Handlers): Promise<void> {
  const { signal } = handlers
  let id = lastId
  let retryMs = firstRetryMs
  while (!signal.aborted) {
    try {
      const end = await readStream(id, {
        ...handlers,
        onId: (newId) => {
          id = newId
          retryMs = firstRetryMs
        },
      })
      if (end === 'logged-out' || end === 'replaced') return
    } catch (error) {
      // Anything else may pass: also a 404, of a node of the version before.
      if (error instanceof ApiError && [401, 403].includes(error.status)) return
    }
    // Not all browsers at once when a node has stopped.
    await waitFor(retryMs * (0.5 + Math.random()), signal)
    retryMs = Math.min(2 * retryMs, maxRetryMs)
  }
}

export type Listen = typeof listen

type ReadHandlers = Handlers & { onId: (id: string) => void }

/** Resolves when the server ends the stream, with its reason if it gave one. Throws if it broke off. */
async function readStream(
  lastId: string | undefined,
  { signal, findShownSince, onEvents, onId }: ReadHandlers,
): Promise<StreamEnd | undefined> {
  const stalled = new AbortController()
  let timer = setTimeout(() => stalled.abort(), 3 * heartbeatMs)
  try {
    const shownSince = lastId ? undefined : findShownSince()
    const answer = await callServer(
      'GET',
      `${apiRoutes.liveEvents}${formatQuery({ shownSince: shownSince?.toString() })}`,
      undefined,
      AbortSignal.any([signal, stalled.signal]),
      lastId ? { 'last-event-id': lastId } : {},
    )
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return undefined
      clearTimeout(timer)
      timer = setTimeout(() => stalled.abort(), 3 * heartbeatMs)
      const messages = (rest + value).split('\n\n')
      rest = messages.pop() ?? ''
      for (const { event, id, data } of messages.map(parseMessage)) {
        if (event === 'end') return (JSON.parse(data) as { reason: StreamEnd }).reason
        if (id) onId(id)
        if (id && data) onEvents(JSON.parse(data) as LiveEvent[], id)
      }
    }
  } finally {
    clearTimeout(timer)
  }
}

function parseMessage(text: string) {
  const fields = new Map(
    text.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)] as const
    }),
  )
  return { event: fields.get('event'), id: fields.get('id'), data: fields.get('data') ?? '' }
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
