import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { slip } from '#contract/answers/paper.ts'
import { printedOrdersSchema } from '#contract/order-schemas.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { callsOf } from '#server/http/calls.ts'
import { createInTurnQueue } from '#server/in-turn-queue.ts'
import { renderPickList } from './pick-list-pdf.ts'
import { renderSlips } from './slips-pdf.ts'
import { readSlips, type PaperSettings } from './slips.ts'

type PaperDeps = { db: Db; config: PaperSettings }

const call = callsOf<PaperDeps>('Orders', 'admin')

/** A PDF takes a core for up to two seconds. */
const inTurn = createInTurnQueue({
  maxRunning: 1,
  maxWaiting: 10,
  refuse: () => new Refusal('paper-busy', { retryAfter: 5 }),
})

const note = `The orders are named by their ids, in the order in which they are printed.`

export const paperCalls = [
  call(`GET ${apiRoutes.paper}`, {
    summary: 'Lists what is printed about some orders.',
    note,
    query: printedOrdersSchema,
    answers: { 200: z.array(slip) },
    refusals: ['order-missing'],
    handle: ({ db, config }, { query }) => readSlips(db, config, query.ids),
  }),

  call(`GET ${apiRoutes.packingSlips}`, {
    summary: 'Makes a PDF with a packing slip for each of some orders.',
    note,
    query: printedOrdersSchema,
    answers: { 200: 'application/pdf' },
    refusals: ['order-missing', 'paper-busy'],
    async handle({ db, config }, { query, reply }) {
      const bytes = await inTurn(async () => renderSlips(await readSlips(db, config, query.ids)))
      return sendPdf(reply, 'packing-slips', bytes)
    },
  }),

  call(`GET ${apiRoutes.pickList}`, {
    summary: 'Makes a PDF that says how many of each product some orders need.',
    note,
    query: printedOrdersSchema,
    answers: { 200: 'application/pdf' },
    refusals: ['order-missing', 'paper-busy'],
    async handle({ db, config }, { query, reply }) {
      const bytes = await inTurn(async () => renderPickList(await readSlips(db, config, query.ids)))
      return sendPdf(reply, 'pick-list', bytes)
    },
  }),
]

/** The viewer of the browser is a plugin with styles of its own. */
const viewerPolicy =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

function sendPdf(reply: FastifyReply, name: string, bytes: Buffer): FastifyReply {
  const today = new Date().toISOString().slice(0, 10)
  return reply
    .headers({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${name}-${today}.pdf"`,
      'content-security-policy': viewerPolicy,
    })
    .send(bytes)
}
