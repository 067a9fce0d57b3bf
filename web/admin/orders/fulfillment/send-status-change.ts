import { type OrderStatus, orderStatuses, statusBeforeHeader } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { parseOrder } from '#web/admin/answers.ts'
import { fetchOrder } from '#web/admin/orders/order-queries.ts'
import type { StatusChange } from '#web/admin/orders/changed-statuses.ts'
import { callServer, ApiError } from '#web/api.ts'

/** The last update of each order that is running. Updates of one order are sent one after the other. */
const running = new Map<string, Promise<StatusChange>>()

/** The status that the server is known to have, for orders that were updated here. */
const confirmed = new Map<string, OrderStatus>()

/** Returns the change as the server made it: somebody else may have changed the order before. */
export async function sendStatusChange(
  change: StatusChange & { bulkId?: string },
): Promise<StatusChange> {
  const { id, from } = change
  const previous = running.get(id)
  if (!previous) confirmed.set(id, from)
  const update = sendAfter(previous, change)
  running.set(id, update)
  try {
    return await update
  } finally {
    if (running.get(id) === update) running.delete(id)
  }
}

async function sendAfter(
  previous: Promise<StatusChange> | undefined,
  change: StatusChange & { bulkId?: string },
): Promise<StatusChange> {
  await previous?.catch(() => {})
  const made = await send(change)
  confirmed.set(made.id, made.to)
  return made
}

async function send(change: StatusChange & { bulkId?: string }): Promise<StatusChange> {
  const { id, from, to, bulkId } = change
  try {
    const answer = await callServer('PATCH', pathOf(apiRoutes.orderStatus, { id }), {
      status: to,
      bulkId,
    })
    const before = answer.headers.get(statusBeforeHeader)
    const order = parseOrder((await answer.json()) as object)
    return { id, from: orderStatuses.find((status) => status === before) ?? from, to: order.status }
  } catch (error) {
    // Without a response the update may still have been made.
    if (error instanceof ApiError || (await readStatus(change)).status !== to) throw error
    return { id, from, to }
  }
}

type KnownStatus = { status: OrderStatus; isRead: boolean }

/** The status of an order after a failed update. Undefined while a later update is running. */
export async function findStatusAfterFailure(
  change: StatusChange,
): Promise<KnownStatus | undefined> {
  if (running.has(change.id)) return undefined
  const known = await readStatus(change)
  return running.has(change.id) ? undefined : known
}

/** From the server, or the last known status if it cannot be reached. */
async function readStatus({ id, from }: StatusChange): Promise<KnownStatus> {
  const order = await fetchOrder(id).catch(() => undefined)
  const status = order?.status ?? confirmed.get(id) ?? from
  return { status, isRead: order !== undefined }
}
