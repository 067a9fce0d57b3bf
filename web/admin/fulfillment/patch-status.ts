import type { AdminOrder } from '#contract/order-list.ts'
import { calls, pathOf } from '#contract/paths.ts'
import type { StatusChange } from '#web/admin/orders/status-change.ts'
import { callServer } from '#web/api.ts'

/** Changes of one order are sent one after the other, so that the last one is the last to arrive. */
const underWay = new Map<string, Promise<AdminOrder>>()

export async function patchStatus({ id, to }: StatusChange): Promise<AdminOrder> {
  const before = underWay.get(id)
  const mine = (async () => {
    await before?.catch(() => {})
    const answer = await callServer('PATCH', pathOf(calls.orderStatus, { id }), { status: to })
    return (await answer.json()) as AdminOrder
  })()
  underWay.set(id, mine)
  try {
    return await mine
  } finally {
    if (underWay.get(id) === mine) underWay.delete(id)
  }
}
