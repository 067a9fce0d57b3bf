import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { maxMissedMs, readAtHeader } from '#contract/live.ts'
import { apiRoutes } from '#contract/paths.ts'
import { sessionIdOf } from '#server/admin/sessions.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { callsOf } from '#server/http/calls.ts'
import type { OwnCookie } from '#server/http/own-cookie.ts'
import type { LiveStreams } from './streams.ts'

type LiveCallDeps = { live: LiveStreams; cookie: OwnCookie }

const call = callsOf<LiveCallDeps>('Live', 'admin')

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // For nginx, which would otherwise collect some kilobytes first.
  'x-accel-buffering': 'no',
}

const millisecondsSchema = z.coerce.number().int().min(0).max(8.64e15)

export const liveCalls = [
  call(`GET ${apiRoutes.liveEvents}`, {
    summary: 'Tells of new orders, withdrawals and other admins’ changes, as they happen.',
    note: 'Server-sent events. Each message is a list of `{ key, kind, id, seenAt }`; an answer with a `till-read-at` header at or after `seenAt` has it. The message’s `id` is sent back as Last-Event-ID to go on where a stream broke off, after which a key may come twice. An event `end` says why the server ends it: `logged-out`, `replaced` or `closing`.',
    query: z.object({
      shownSince: millisecondsSchema
        .optional()
        .catch(undefined)
        .describe(
          `The \`${readAtHeader}\` of what a page shows, the earliest: what happened since is told`,
        ),
    }),
    answers: { 200: 'text/event-stream' },
    options: { config: { isStream: true, isBackground: true } },
    async handle({ live, cookie }, { query, request, reply }) {
      if (request.method === 'HEAD') return reply.headers(headers).send()
      const stream = await live.open({
        adminId: signedInAdmin(request).id,
        sessionId: sessionIdOf(cookie.read(request) ?? ''),
        lastEventAt: parseEventId(request.headers['last-event-id']),
        shownSince: query.shownSince === undefined ? undefined : limitAge(query.shownSince),
      })
      // Also if the browser was gone before anything was sent.
      if (reply.raw.destroyed) stream.destroy()
      reply.raw.once('close', () => stream.destroy())
      return reply.headers(headers).send(stream)
    },
  }),
]

/** Milliseconds since 1970, by the database's clock. Another id, or one that is too old, is none. */
function parseEventId(header: string | string[] | undefined): Date | undefined {
  const text = String(header ?? '')
  if (!/^\d{1,15}$/.test(text)) return undefined
  return limitAge(Number(text))
}

function limitAge(milliseconds: number): Date {
  return new Date(Math.max(milliseconds, Date.now() - maxMissedMs))
}

/** Whatever ends sessions is a call below this path; the streams of this node need not wait for their next check. */
const accountPath = '/api/admin/'

export function endStreams(app: FastifyInstance, live: LiveStreams): void {
  app.addHook('onResponse', async ({ method, routeOptions, log }) => {
    if (method === 'GET' || !routeOptions.url?.startsWith(accountPath)) return
    // The next check comes anyway.
    await live.checkSessions().catch((error: unknown) => log.debug({ err: error }, 'No check'))
  })
  // Before the server waits for open requests.
  app.addHook('preClose', async () => live.close())
}
