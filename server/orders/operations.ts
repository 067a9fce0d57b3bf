import { z } from 'zod'
import {
  adminOrder,
  bulkChange,
  foundOrders,
  orderCounts,
  orderEvent,
  orderMark,
  orderOfAdmin,
  publicOrder,
  undoneBulkChange,
} from '#contract/answers/orders.ts'
import { nextCursorHeader, statusBeforeHeader } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { defineOperations } from '#server/http/openapi.ts'
import { orderPageSchema, orderSearchSchema } from './list.ts'
import { statusChangeSchema } from './status.ts'

export const orderOperations = defineOperations('Orders', 'admin', {
  [`GET ${apiRoutes.orders}`]: {
    summary: 'Lists orders, newest first.',
    note: 'With any of the parameters one page, without all orders at once, which the audit log records as an export.',
    query: orderPageSchema,
    answers: { 200: z.array(adminOrder) },
    headers: {
      [nextCursorHeader]:
        'The `cursor` of the next page; absent on the last page and of all orders.',
    },
  },
  [`GET ${apiRoutes.orderCounts}`]: {
    summary: 'Counts orders by status.',
    answers: { 200: orderCounts },
  },
  [`GET ${apiRoutes.foundOrders}`]: {
    summary: 'Counts the orders of a search.',
    query: orderSearchSchema,
    answers: { 200: foundOrders },
  },
  [`GET ${apiRoutes.orderMarks}`]: {
    summary: 'Lists all orders of a search, as little of each as selecting them needs.',
    query: orderSearchSchema,
    answers: { 200: z.array(orderMark) },
  },
  [`GET ${apiRoutes.orderExport}`]: {
    summary: 'Exports all orders of a search as CSV.',
    note: 'The audit log records it.',
    query: orderSearchSchema,
    answers: { 200: 'text/csv' },
  },
  [`GET ${apiRoutes.order}`]: {
    access: 'public',
    summary: 'Reads an order with as much as the caller may see.',
    note: 'All for admins and the buyer’s browser, little for anyone else who knows the id.',
    query: z.object({
      key: z.string().optional().describe('From the link in the buyer’s mail'),
    }),
    answers: { 200: z.union([publicOrder, orderOfAdmin]) },
    refusals: ['order-missing'],
  },
  [`PATCH ${apiRoutes.orderStatus}`]: {
    summary: 'Changes the status of an order. Any may follow any other.',
    body: statusChangeSchema,
    example: { status: 'shipped' },
    answers: { 200: adminOrder },
    headers: { [statusBeforeHeader]: 'The status before, for undo.' },
    refusals: ['order-missing'],
  },
  [`GET ${apiRoutes.bulkChanges}`]: {
    summary: 'Lists the latest changes of several orders at once.',
    answers: { 200: z.array(bulkChange) },
  },
  [`POST ${apiRoutes.bulkChangeUndo}`]: {
    summary: 'Takes a bulk change back, but for orders that were changed since.',
    answers: { 200: undoneBulkChange },
    refusals: ['bulk-change-missing'],
  },
  [`GET ${apiRoutes.orderTimeline}`]: {
    summary: 'Lists what happened to an order, oldest first.',
    answers: { 200: z.array(orderEvent) },
    refusals: ['order-missing'],
  },
})
