import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, getTableColumns, sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { createBuyer, payByCard, type Buyer } from '#server/testing/buyer.ts'
import { getOnlyCheckout, openSaleShop, sendWebhook, type SaleShop } from '#server/testing/sale.ts'
import { sweep } from './sales.ts'

/** How often SumUp is asked about a buyer who leaves without a card. */

const maxReads = 15
const minuteMs = 60_000
/** When a page asks whose widget stays silent after 'Pay now'; then it shows the form again. */
const pagePollsMs = [10_000, 20_000, 30_000]

const timeColumns = Object.values(getTableColumns(checkouts)).filter(
  ({ dataType }) => dataType === 'date',
)

async function openCountedShop() {
  const shop = await openSaleShop()
  let reads = 0
  const { findCheckout } = shop.settling.sumup
  // The same client serves the sweep and the buyer's page.
  shop.settling.sumup.findCheckout = (id) => {
    reads += 1
    return findCheckout(id)
  }
  return { ...shop, countReads: () => reads }
}

/** Lets time pass from check to check until nothing more is planned; the sweep would not find anything in between. */
async function liveThrough(
  shop: SaleShop,
  { polls = [], onPassed = () => {} }: { polls?: Poll[]; onPassed?: (ms: number) => void },
): Promise<number> {
  let passedMs = 0
  const due = [...polls]
  for (let turn = 0; turn < 500; turn += 1) {
    const { nextCheckAt } = await getOnlyCheckout(shop)
    if (!nextCheckAt) return passedMs
    const toCheckMs = Math.max(0, nextCheckAt.getTime() - Date.now())
    const [poll] = due
    const isPoll = poll !== undefined && poll.atMs <= passedMs + toCheckMs
    const ms = isPoll ? poll.atMs - passedMs : toCheckMs
    await shiftTime(shop, ms)
    passedMs += ms
    onPassed(passedMs)
    if (isPoll) await due.shift()?.look()
    else await sweep(shop.settling)
  }
  throw new Error('the sale never ends')
}

type Poll = { atMs: number; look: () => Promise<unknown> }

function pagePolls(buyer: Buyer, checkoutId: string): Poll[] {
  return pagePollsMs.map((atMs) => ({ atMs, look: () => buyer.look(checkoutId) }))
}

async function shiftTime({ db }: SaleShop, ms: number): Promise<void> {
  const shifted = timeColumns.map(
    ({ name }) =>
      sql`${sql.identifier(name)} = ${sql.identifier(name)} - make_interval(secs => ${ms / 1000})`,
  )
  await db.execute(sql`update checkouts set ${sql.join(shifted, sql`, `)}`)
}

test('a buyer who leaves after Pay now without a card costs few reads, and the sale ends when SumUp expires it', async () => {
  const shop = await openCountedShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  let isExpired = false
  const passedMs = await liveThrough(shop, {
    polls: pagePolls(buyer, checkoutId),
    onPassed: (ms) => {
      if (isExpired || ms < 30 * minuteMs) return
      isExpired = true
      shop.sandbox.controls.expire({ checkout: checkoutId })
    },
  })
  assert.equal((await getOnlyCheckout(shop)).state, 'closed')
  assert.ok(shop.countReads() <= maxReads, `${shop.countReads()} reads`)
  // Of its 30 minutes, and a quarter of an hour after its end.
  assert.ok(passedMs >= 44 * minuteMs && passedMs <= 46 * minuteMs, `${passedMs / minuteMs} min`)
})

test('where SumUp never expires it, the sale is ended there soon after its time', async () => {
  const shop = await openCountedShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  const passedMs = await liveThrough(shop, { polls: pagePolls(buyer, checkoutId) })
  assert.equal((await getOnlyCheckout(shop)).state, 'closed')
  assert.ok(shop.countReads() <= maxReads, `${shop.countReads()} reads`)
  assert.ok(passedMs <= 60 * minuteMs, `${passedMs / minuteMs} min`)
  const refused = await payByCard(shop.sandbox, checkoutId)
  assert.notEqual(refused.status, 'PAID')
})

test('a form that was only opened is never asked about', async () => {
  const shop = await openCountedShop()
  await createBuyer(shop).open(shop.mug)
  await shiftTime(shop, 31 * minuteMs)
  await sweep(shop.settling)
  assert.equal((await getOnlyCheckout(shop)).state, 'closed')
  assert.equal(shop.countReads(), 0)
})

test('a payment that SumUp reports after all of that still becomes an order', async () => {
  const shop = await openCountedShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  // As after the last check: the payment was not seen while it was asked for.
  await shop.db
    .update(checkouts)
    .set({ state: 'closed', nextCheckAt: null })
    .where(eq(checkouts.sumupCheckoutId, checkoutId))
  await sendWebhook(shop, checkoutId)
  assert.equal((await getOnlyCheckout(shop)).state, 'paid')
})
