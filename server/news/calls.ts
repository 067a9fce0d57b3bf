import { z } from 'zod'
import { news } from '#contract/answers/admin.ts'
import type { Mode } from '#contract/mode.ts'
import { readAtHeader } from '#contract/news.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { callsOf } from '#server/http/calls.ts'
import { readNews } from './events.ts'

const call = callsOf<{ db: Db; findMode: () => Mode | undefined }>('News', 'admin')

const millisecondsSchema = z.coerce.number().int().min(0).max(8.64e15)

export const newsCalls = [
  call(`GET ${apiRoutes.news}`, {
    summary: 'Tells of new orders, withdrawals and other admins’ changes.',
    note: 'Events of 30 seconds before `since` come again, since a change may become visible after a later one: drop those whose `key` the last answer had. Asking does not keep a session from ending.',
    query: z.object({
      since: millisecondsSchema
        .optional()
        .describe(
          `The \`until\` of the last answer, or at first the \`${readAtHeader}\` of what the page shows`,
        ),
    }),
    answers: { 200: news },
    options: { config: { isBackground: true } },
    handle: ({ db, findMode }, { query, request }) =>
      readNews(db, {
        adminId: signedInAdmin(request).id,
        mode: findMode(),
        since: query.since,
      }),
  }),
]
