import { z } from 'zod'
import { slip } from '#contract/answers/paper.ts'
import { printedOrdersSchema } from '#contract/order-schemas.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { Db } from '#server/db/database.ts'
import { callsOf } from '#server/http/calls.ts'
import { readSlips, type PaperSettings } from './slips.ts'

type PaperDeps = { db: Db; config: PaperSettings }

const call = callsOf<PaperDeps>('Orders', 'admin')

export const paperCalls = [
  call(`GET ${apiRoutes.paper}`, {
    summary: 'Lists what is printed about some orders.',
    note: 'The orders are named by their ids, in the order in which they are printed.',
    query: printedOrdersSchema,
    answers: { 200: z.array(slip) },
    refusals: ['order-missing'],
    handle: ({ db, config }, { query }) => readSlips(db, config, query.ids),
  }),
]
