import type { Page, Route } from 'playwright-core'
import { apiRoutes } from '#contract/paths.ts'
import { orderNotes, withdrawals } from '#server/db/order-schema.ts'
import { mails, orderTimeline, orders } from '#server/db/schema.ts'
import { addOrders } from '#server/testing/orders.ts'
import type { BrowserShop } from '#e2e/testing/browser-shop.ts'

type NewOrder = Parameters<typeof addOrders>[1][number]

/** Replaces all orders of the shop, the newest first. Returns their ids. */
export async function replaceOrders({ db }: BrowserShop, ...news: NewOrder[]): Promise<string[]> {
  await db.delete(mails)
  await db.delete(orderTimeline)
  await db.delete(orderNotes)
  await db.delete(withdrawals)
  await db.delete(orders)
  if (news.length === 0) return []
  const latest = Date.parse('2026-11-15T08:05:00Z')
  const hourMs = 3_600_000
  const added = await addOrders(
    db,
    news.map((order, index) => ({ createdAt: new Date(latest - index * hourMs), ...order })),
  )
  return added.map(({ id }) => id)
}

export function repeatOrder(count: number, order: NewOrder = {}): NewOrder[] {
  return Array.from({ length: count }, () => order)
}

export async function readStatuses({ db }: BrowserShop, ids: string[]): Promise<string[]> {
  const rows = await db.select({ id: orders.id, status: orders.status }).from(orders)
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  return ids.map((id) => statuses.get(id) ?? 'missing')
}

export const shortId = (id: string | undefined) => `${id?.slice(0, 8)}…`
export const orderRow = (page: Page, id: string | undefined) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: shortId(id) }) })
export const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first()

export const waitForToast = (page: Page, text: string) => toast(page, text).waitFor()

export const listedRows = (page: Page) => page.locator('tbody tr[aria-rowindex]')

export const statusChangeUrl = `**${apiRoutes.orders}/*/status`

/** Answers status changes of one order and lets the others pass. */
export async function interceptStatusChanges(
  page: Page,
  id: string | undefined,
  answer: (route: Route) => Promise<void>,
) {
  await page.route(statusChangeUrl, (route) =>
    route
      .request()
      .url()
      .includes(id ?? '')
      ? answer(route)
      : route.continue(),
  )
}

/** The controls for bulk changes on the fulfillment page. */
export function bulkControls(page: Page) {
  return {
    mark: (status: string) => page.getByRole('button', { name: `Mark as ${status}` }),
    boxOf: (id: string | undefined) =>
      page.getByRole('checkbox', { name: `Select order ${shortId(id)}` }),
    all: page.getByRole('checkbox', { name: 'Select all' }),
    async visitFulfillment(this: void, query = '') {
      await page.goto(`/fulfillment${query}`)
      await listedRows(page).first().waitFor()
    },
  }
}
