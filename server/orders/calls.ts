import { z } from 'zod'
import type { Mode } from '#contract/mode.ts'
import {
  adminOrder,
  bulkChange,
  foundOrders,
  matchedOrders,
  orderCounts,
  orderMark,
  orderOfAdmin,
  publicOrder,
  undoneBulkChange,
} from '#contract/answers/orders.ts'
import { orderNumbersSchema, shipmentSchema } from '#contract/order-schemas.ts'
import { nextCursorHeader, statusBeforeHeader } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { getZoneName } from '#server/db/time-zones.ts'
import { getActor } from '#server/http/access.ts'
import { recordAudit } from '#server/http/audit.ts'
import { callsOf } from '#server/http/calls.ts'
import { jsonStream, sendStream } from '#server/http/send-stream.ts'
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
import type { OrderReader } from './read-order.ts'
import type { OrderSearch } from './search.ts'
import { matchOrders } from './orders.ts'
import { deleteShipment, saveShipment } from './shipments.ts'
import { countOrders, statusChangeSchema, updateStatus } from './status.ts'

type OrderDeps = { db: Db; readOrder: OrderReader; findMode: () => Mode | undefined }

/** More than anyone looks at an order; beyond it somebody is guessing ids. */
export const maxReadsPerMinute = 60

const call = callsOf<OrderDeps>('Orders', 'admin')

export const orderCalls = [
  call(`GET ${apiRoutes.orders}`, {
    summary: 'Lists orders, newest first.',
    note: 'With any of the parameters one page, without all orders at once, which the audit log records as an export.',
    query: orderPageSchema,
    answers: { 200: z.array(adminOrder) },
    headers: {
      [nextCursorHeader]:
        'The `cursor` of the next page; absent on the last page and of all orders.',
    },
    async handle(deps, { query: { search: asked, ...page }, request, reply }) {
      const { db } = deps
      const search = await resolveSearch(deps, asked)
      if (!isPageQuery(request.query as object)) {
        // Our screens read pages; who reads everything takes it along.
        const detail = { status: 'all', isSearch: false }
        await recordAudit(db, request, { action: 'orders-exported', detail })
        return sendStream(reply, jsonStream, streamOrders(db, search))
      }
      const { orders, next } = await listPage(db, { ...page, search })
      if (next) reply.header(nextCursorHeader, next)
      return orders
    },
  }),

  call(`GET ${apiRoutes.orderCounts}`, {
    summary: 'Counts orders by status.',
    answers: { 200: orderCounts },
    handle: ({ db, findMode }) => countOrders(db, findMode() === 'test'),
  }),

  call(`GET ${apiRoutes.foundOrders}`, {
    summary: 'Counts the orders of a search.',
    query: orderSearchSchema,
    answers: { 200: foundOrders },
    handle: async (deps, { query }) => countFound(deps.db, await resolveSearch(deps, query)),
  }),

  call(`GET ${apiRoutes.orderMarks}`, {
    summary: 'Lists all orders of a search, as little of each as selecting them needs.',
    query: orderSearchSchema,
    answers: { 200: z.array(orderMark) },
    async handle(deps, { query, reply }) {
      const marks = streamMarks(deps.db, await resolveSearch(deps, query))
      return sendStream(reply, jsonStream, marks)
    },
  }),

  call(`GET ${apiRoutes.matchedOrders}`, {
    summary: 'Finds orders by their numbers or the beginning of their ids, test orders too.',
    query: orderNumbersSchema,
    answers: { 200: z.array(matchedOrders) },
    handle: ({ db }, { query }) => matchOrders(db, query.numbers),
  }),

  call(`GET ${apiRoutes.orderExport}`, {
    summary: 'Exports all orders of a search as CSV.',
    note: 'The audit log records it.',
    query: orderSearchSchema,
    answers: { 200: 'text/csv' },
    async handle(deps, { query, request, reply }) {
      const { db } = deps
      const search = await resolveSearch(deps, query)
      const today = new Date().toISOString().slice(0, 10)
      const file = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="orders-${today}.csv"`,
      }
      // Not what was searched for, which may be a buyer's name.
      const { words, productId, isWithdrawn, days, status = 'all' } = search
      const isSearch = words.length > 0 || isWithdrawn || Boolean(productId ?? days)
      const detail = { status, isSearch }
      await recordAudit(db, request, { action: 'orders-exported', detail })
      return sendStream(reply, file, exportOrders(db, search))
    },
  }),

  call(`GET ${apiRoutes.order}`, {
    access: 'public',
    summary: 'Reads an order with as much as the caller may see.',
    note: 'All for admins and the buyer’s browser, little for anyone else who knows the id.',
    query: z.object({
      // A key that cannot be one is none: the caller then sees less.
      key: z.string().optional().catch(undefined).describe('From the link in the buyer’s mail'),
    }),
    answers: { 200: z.union([publicOrder, orderOfAdmin]) },
    refusals: ['order-missing'],
    options: { config: { knowsAdmins: true, maxPerMinute: maxReadsPerMinute } },
    async handle({ readOrder }, { params, query, request, reply }) {
      const found = await readOrder(request, params.id, query.key)
      if (!found) throw new Refusal('order-missing')
      reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
      return found.order
    },
  }),

  call(`PATCH ${apiRoutes.orderStatus}`, {
    summary: 'Changes the status of an order. Any may follow any other.',
    body: statusChangeSchema,
    example: { status: 'shipped' },
    answers: { 200: adminOrder },
    headers: { [statusBeforeHeader]: 'The status before, for undo.' },
    refusals: ['order-missing'],
    unknownId: 'order-missing',
    options: { config: { isBulk: true } },
    async handle({ db }, { params, body, request, reply }) {
      const { order, before } = await updateStatus(db, params.id, body, getActor(request))
      reply.header(statusBeforeHeader, before)
      return order
    },
  }),

  call(`PUT ${apiRoutes.orderShipment}`, {
    summary: 'Sets carrier and tracking of an order, and marks it as shipped if it was not.',
    note: 'The buyer gets a mail with the first tracking, unless the order is completed or `tellsCustomer` is false.',
    body: shipmentSchema,
    example: { carrier: 'dhl', trackingNumber: '00340434161094042557' },
    answers: { 200: adminOrder },
    refusals: ['order-missing', 'order-erased', 'order-picked-up'],
    unknownId: 'order-missing',
    options: { config: { isBulk: true } },
    handle: ({ db }, { params, body, request }) =>
      saveShipment(db, params.id, body, getActor(request)),
  }),

  call(`DELETE ${apiRoutes.orderShipment}`, {
    summary: 'Removes carrier and tracking of an order. Its status stays.',
    answers: { 200: adminOrder },
    refusals: ['order-missing'],
    unknownId: 'order-missing',
    handle: ({ db }, { params, request }) => deleteShipment(db, params.id, getActor(request)),
  }),

  call(`GET ${apiRoutes.bulkChanges}`, {
    summary: 'Lists the latest changes of several orders at once.',
    answers: { 200: z.array(bulkChange) },
    handle: ({ db }) => listBulkChanges(db),
  }),

  call(`POST ${apiRoutes.bulkChangeUndo}`, {
    summary: 'Takes a bulk change back, but for orders that were changed since.',
    answers: { 200: undoneBulkChange },
    refusals: ['bulk-change-missing'],
    unknownId: 'bulk-change-missing',
    handle: ({ db }, { params, request }) => undoBulkChange(db, params.id, getActor(request)),
  }),
]

/** In test mode test orders are what the owner works with. Days are in a time zone that PostgreSQL knows. */
async function resolveSearch(
  { db, findMode }: OrderDeps,
  { days, ...search }: OrderSearch,
): Promise<OrderSearch> {
  return {
    ...search,
    days: days && { ...days, tz: await getZoneName(db, days.tz) },
    includesTest: search.includesTest || findMode() === 'test',
  }
}
