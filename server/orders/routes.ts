import type { FastifyInstance } from 'fastify'
import { nextCursorHeader, statusBeforeHeader } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { getZoneName } from '#server/db/time-zones.ts'
import type { Db } from '#server/db/database.ts'
import { getActor } from '#server/http/access.ts'
import { recordAudit } from '#server/http/audit.ts'
import { jsonStream, sendStream } from '#server/http/send-stream.ts'
import { isUuid } from '#server/http/uuid.ts'
import { listBulkChanges, undoBulkChange } from './bulk-changes.ts'
import { exportOrders } from './export.ts'
import {
  countFound,
  isPageQuery,
  listPage,
  orderPageSchema,
  orderSearchSchema,
  streamMarks,
  streamOrders,
} from './list.ts'
import type { OrderSearch } from './search.ts'
import type { OrderReader } from './read-order.ts'
import { countOrders, listEvents, statusChangeSchema, updateStatus } from './status.ts'

type WithId = { Params: { id: string } }
type WithQuery = { Querystring: Record<string, unknown> }

/** More than anyone looks at an order; beyond it somebody is guessing ids. */
export const maxReadsPerMinute = 60

const adminOnly = { config: { access: 'admin' } } as const
const bulk = { config: { access: 'admin', isBulk: true } } as const
const publicOrder = {
  config: { access: 'public', knowsAdmins: true, maxPerMinute: maxReadsPerMinute },
} as const

export function mountOrders(
  app: FastifyInstance,
  { db, readOrder, isTestMode }: { db: Db; readOrder: OrderReader; isTestMode: () => boolean },
): void {
  /** In test mode test orders are what the owner works with. Days are in a time zone that PostgreSQL knows. */
  const resolve = async ({ days, ...search }: OrderSearch): Promise<OrderSearch> => ({
    ...search,
    days: days && { ...days, tz: await getZoneName(db, days.tz) },
    includesTest: search.includesTest || isTestMode(),
  })

  app.get<WithId & { Querystring: { key?: string } }>(
    apiRoutes.order,
    publicOrder,
    async (request, reply) => {
      const found = await readOrder(request, request.params.id, request.query.key)
      if (!found) throw new Refusal('order-missing')
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
      return reply.header('x-robots-tag', 'noindex').send(found.order)
    },
  )

  app.get<WithQuery>(apiRoutes.orders, adminOnly, async (request, reply) => {
    if (!isPageQuery(request.query)) {
      // Our screens read pages; who reads everything takes it along.
      const detail = { status: 'all', isSearch: false }
      await recordAudit(db, request, { action: 'orders-exported', detail })
      const search = await resolve(orderSearchSchema.parse({}))
      return sendStream(reply, jsonStream, streamOrders(db, search))
    }
    const { search, ...page } = orderPageSchema.parse(request.query)
    const { orders, next } = await listPage(db, { ...page, search: await resolve(search) })
    if (next) reply.header(nextCursorHeader, next)
    return reply.header('cache-control', 'no-store').send(orders)
  })

  app.get<WithQuery>(apiRoutes.foundOrders, adminOnly, async (request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .send(await countFound(db, await resolve(orderSearchSchema.parse(request.query)))),
  )

  app.get<WithQuery>(apiRoutes.orderMarks, adminOnly, async (request, reply) =>
    sendStream(
      reply,
      jsonStream,
      streamMarks(db, await resolve(orderSearchSchema.parse(request.query))),
    ),
  )

  app.get<WithQuery>(apiRoutes.orderExport, adminOnly, async (request, reply) => {
    const search = await resolve(orderSearchSchema.parse(request.query))
    const today = new Date().toISOString().slice(0, 10)
    const file = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="orders-${today}.csv"`,
    }
    // Not what was searched for, which may be a buyer's name.
    const { words, productId, days, status = 'all' } = search
    const detail = { status, isSearch: words.length > 0 || Boolean(productId ?? days) }
    await recordAudit(db, request, { action: 'orders-exported', detail })
    return sendStream(reply, file, exportOrders(db, search))
  })

  app.get(apiRoutes.orderCounts, adminOnly, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(await countOrders(db, isTestMode())),
  )

  app.patch<WithId>(apiRoutes.orderStatus, bulk, async (request, reply) => {
    const change = statusChangeSchema.parse(request.body)
    const id = parseOrderId(request.params)
    const { order, before } = await updateStatus(db, id, change, getActor(request))
    return reply.headers({ 'cache-control': 'no-store', [statusBeforeHeader]: before }).send(order)
  })

  app.get(apiRoutes.bulkChanges, adminOnly, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(await listBulkChanges(db)),
  )

  app.post<WithId>(apiRoutes.bulkChangeUndo, adminOnly, async (request, reply) => {
    const { id } = request.params
    if (!isUuid(id)) throw new Refusal('bulk-change-missing')
    return reply
      .header('cache-control', 'no-store')
      .send(await undoBulkChange(db, id, getActor(request)))
  })

  app.get<WithId>(apiRoutes.orderTimeline, adminOnly, async (request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .send(await listEvents(db, parseOrderId(request.params))),
  )
}

function parseOrderId({ id }: { id: string }): string {
  if (!isUuid(id)) throw new Refusal('order-missing')
  return id
}
