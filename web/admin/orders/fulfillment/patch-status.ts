import {
  type AdminOrder,
  type OrderStatus,
  orderStatuses,
  statusBeforeHeader,
} from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { readOrder } from '#web/admin/orders/read-order.ts'
import type { StatusChange } from '#web/admin/orders/status-change.ts'
import { callServer, FailedCall } from '#web/api.ts'

/** Changes of one order are sent one after the other, so that the last one is the last to arrive. */
const underWay = new Map<string, { last: StatusChange; answer: Promise<StatusChange> }>()

/** What the server is known to have, where it was changed from here. */
const confirmed = new Map<string, OrderStatus>()

/** Answers with the change as it was made: another admin may have moved the order since it was read here. */
export async function patchStatus(change: StatusChange): Promise<StatusChange> {
  const { id, from } = change
  const before = underWay.get(id)
  if (!before) confirmed.set(id, from)
  const answer = (async () => {
    await before?.answer.catch(() => {})
    const made = await send(change)
    confirmed.set(id, made.to)
    return made
  })()
  underWay.set(id, { last: change, answer })
  try {
    return await answer
  } finally {
    if (underWay.get(id)?.last === change) underWay.delete(id)
  }
}

/** What an order is after a change of it has failed, unless a later one has the word. */
export async function maybeStatusAfter(change: StatusChange): Promise<OrderStatus | undefined> {
  if (underWay.has(change.id)) return undefined
  const now = await statusNow(change)
  return underWay.has(change.id) ? undefined : now
}

async function send(change: StatusChange): Promise<StatusChange> {
  const { id, from, to } = change
  try {
    const answer = await callServer('PATCH', pathOf(apiRoutes.orderStatus, { id }), { status: to })
    const told = answer.headers.get(statusBeforeHeader)
    const order = (await answer.json()) as AdminOrder
    return { id, from: orderStatuses.find((status) => status === told) ?? from, to: order.status }
  } catch (error) {
    // No answer is not a no: the change may have arrived and only its answer been lost.
    if (error instanceof FailedCall || (await statusNow(change)) !== to) throw error
    return change
  }
}

/** As the server says; where it cannot be asked, as it said last. */
async function statusNow({ id, from }: StatusChange): Promise<OrderStatus> {
  const order = await readOrder(id).catch(() => null)
  return order?.status ?? confirmed.get(id) ?? from
}
