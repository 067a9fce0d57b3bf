import type { FastifyInstance } from 'fastify'
import { nextCursorHeader, statusBeforeHeader } from '#contract/order-list.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { signedInAdmin } from '#server/http/access.ts'
import { jsonStream, sendStream } from '#server/http/send-stream.ts'
import { isUuid } from '#server/http/uuid.ts'
import { changeStatus } from './change-status.ts'
import { exportOrders } from './export-orders.ts'
import { findPage } from './find-page.ts'
import { countOrders } from './order-counts.ts'
import {
  asksForPage,
  orderPageSchema,
  orderSearchSchema,
  statusChangeSchema,
} from './order-search.ts'
import { streamMarks, streamOrders } from './stream-orders.ts'
import { readTimeline } from './timeline.ts'

type WithId = { Params: { id: string } }
type WithQuery = { Querystring: Record<string, unknown> }

/** Everything is streamed, so asking for the headers alone would make it all for nothing. */
const streamed = { config: { access: 'admin' }, exposeHeadRoute: false } as const

/** The orders in the back-office. */
export function mountOrderList(app: FastifyInstance, db: Db): void {
  app.get<WithQuery>(apiRoutes.orders, streamed, async (request, reply) => {
    if (!asksForPage(request.query)) {
      const everything = orderSearchSchema.parse({})
      return sendStream(reply, jsonStream, streamOrders(db, everything))
    }
    const { orders, next } = await findPage(db, orderPageSchema.parse(request.query))
    if (next) reply.header(nextCursorHeader, next)
    return reply.header('cache-control', 'no-store').send(orders)
  })

  app.get<WithQuery>(apiRoutes.orderMarks, streamed, async (request, reply) => {
    const search = orderSearchSchema.parse(request.query)
    return sendStream(reply, jsonStream, streamMarks(db, search))
  })

  app.get<WithQuery>(apiRoutes.orderExport, streamed, async (request, reply) => {
    const search = orderSearchSchema.parse(request.query)
    const today = new Date().toISOString().slice(0, 10)
    const file = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="orders-${today}.csv"`,
    }
    return sendStream(reply, file, exportOrders(db, search))
  })

  app.get(apiRoutes.orderCounts, { config: { access: 'admin' } }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(await countOrders(db)),
  )

  const bulk = { config: { access: 'admin', isBulk: true } } as const
  app.patch<WithId>(apiRoutes.orderStatus, bulk, async (request, reply) => {
    const { status } = statusChangeSchema.parse(request.body)
    const admin = signedInAdmin(request)
    const { order, before } = await changeStatus(db, findId(request.params), status, admin)
    return reply.headers({ 'cache-control': 'no-store', [statusBeforeHeader]: before }).send(order)
  })

  app.get<WithId>(
    apiRoutes.orderTimeline,
    { config: { access: 'admin' } },
    async (request, reply) =>
      reply
        .header('cache-control', 'no-store')
        .send(await readTimeline(db, findId(request.params))),
  )
}

function findId({ id }: { id: string }): string {
  if (!isUuid(id)) throw new Refusal('order-missing')
  return id
}
