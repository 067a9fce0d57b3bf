import type { AdminOrder } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { callServer, FailedCall } from '#web/api.ts'

/** One order as it is now, or null where there is none. */
export async function readOrder(id: string, signal?: AbortSignal): Promise<AdminOrder | null> {
  try {
    const answer = await callServer('GET', pathOf(apiRoutes.order, { id }), undefined, signal)
    const order = (await answer.json()) as object
    if (isForAdmins(order)) return order
  } catch (error) {
    if (error instanceof FailedCall && error.status === 404) return null
    throw error
  }
  // Anyone may ask for an order and is shown little of it: whoever gets no more is signed out.
  throw new FailedCall(401, 'Unauthorized', 'Unauthorized')
}

function isForAdmins(order: object): order is AdminOrder {
  return 'maybeDuplicateOf' in order
}
