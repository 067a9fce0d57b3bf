import { listAdmins } from '#server/admin/admins.ts'
import { deleteFigures } from '#server/analytics/zones.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { Pictures } from '#server/uploads/picture-store.ts'
import { addCheckouts } from '#tools/seed/add-checkouts.ts'
import { addEvents } from '#tools/seed/add-events.ts'
import { addOrders } from '#tools/seed/add-orders.ts'
import { addProducts } from '#tools/seed/add-products.ts'
import { addReviewed } from '#tools/seed/add-reviewed.ts'
import { clearDemo, requireNoSales } from '#tools/seed/clear-demo.ts'
import type { Wishes } from '#tools/seed/wishes.ts'

/** Makes the shop a demo, or the demo anew. */
export async function makeDemo(
  db: Db,
  pictures: Pictures,
  { orders, events, seed }: Wishes,
  say: (line: string) => void,
): Promise<void> {
  const now = new Date()
  const [admin] = await listAdmins(db)
  const actor = admin?.id ?? 'admin'
  const step = async (title: string, work: Promise<unknown>) => {
    const started = performance.now()
    await work
    say(`${title} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  }
  await requireNoSales(db)
  await step('Products with their pictures', addProducts(db, pictures, actor))
  // All of the demo or the one before: a seed that is stopped half-way leaves the orders as they were.
  await db.transaction(async (tx) => {
    await clearDemo(tx)
    await step(`${count(orders)} orders`, addOrders(tx, { seed, count: orders, actor, now }))
    await step('Their payments', addCheckouts(tx))
    await step(`${count(events)} events`, addEvents(tx, { seed, count: events, now }))
    await addReviewed(tx)
    await deleteFigures(tx)
  })
  await step('Tidying up', db.execute(sql`vacuum (analyze)`))
}

function count(number: number): string {
  return number.toLocaleString('en')
}
