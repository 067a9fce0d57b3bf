import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payments } from '#server/db/payment-schema.ts'
import { orders } from '#server/db/schema.ts'
import {
  badCard,
  challengedCard,
  createBuyer,
  delivery,
  payByCard,
  type Buyer,
} from '#server/testing/buyer.ts'
import {
  listReview,
  openSaleShop,
  sendWebhook,
  sweepAll,
  type SaleShop,
} from '#server/testing/sale.ts'
import { compareWithHistory } from './compare.ts'

/** Whole sales that went wrong once: what SumUp said arrives late, twice or wrongly, and the books still agree. */

/** Holds back the answers of SumUp about a checkout that are asked for from now on. They say what was true then. */
function holdAnswers({ settling: { sumup } }: SaleShop) {
  const before = { ...sumup }
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const held =
    <Answer>(find: (id: string) => Promise<Answer>) =>
    async (id: string) => {
      const answer = await find(id)
      asked.resolve()
      await gate.promise
      return answer
    }
  Object.assign(sumup, {
    findCheckout: held((id) => before.findCheckout(id)),
    findCheckoutByReference: held((reference) => before.findCheckoutByReference(reference)),
  })
  return {
    /** Resolves when an answer is held; later questions are answered at once. */
    async untilAsked(): Promise<void> {
      await asked.promise
      Object.assign(sumup, before)
    },
    release: gate.resolve,
  }
}

type Story = (shop: SaleShop, buyer: Buyer) => Promise<{ overtake: () => Promise<string> }>

/** SumUp is asked about a sale, and the buyer pays before its answer arrives. */
const stories: Record<string, Story> = {
  async 'that five cards were declined'(shop, buyer) {
    const checkoutId = await buyer.arrive(shop.mug)
    for (let card = 0; card < 5; card += 1) await payByCard(shop.sandbox, checkoutId, badCard)
    return {
      async overtake() {
        await payByCard(shop.sandbox, checkoutId)
        return checkoutId
      },
    }
  },
  async 'that there is no checkout'(shop, buyer) {
    shop.sandbox.faults.set({ rules: [{ on: 'create', kind: 'error-500' }] })
    assert.equal((await buyer.open(shop.mug)).statusCode, 503)
    shop.sandbox.faults.clear()
    return {
      async overtake() {
        const checkoutId = await buyer.arrive(shop.mug)
        await payByCard(shop.sandbox, checkoutId)
        return checkoutId
      },
    }
  },
  async 'that the checkout expired while its card was at the bank'(shop, buyer) {
    const checkoutId = await buyer.arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId, challengedCard)
    shop.sandbox.controls.expire({ checkout: checkoutId })
    return {
      async overtake() {
        shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'approve' })
        return checkoutId
      },
    }
  },
}

for (const [answer, tell] of Object.entries(stories)) {
  test(`paid before the answer arrives ${answer}: one order, which stays`, async () => {
    const shop = await openSaleShop()
    const buyer = createBuyer(shop)
    const { overtake } = await tell(shop, buyer)
    const held = holdAnswers(shop)
    const sweeping = sweepAll(shop)
    await held.untilAsked()
    const checkoutId = await overtake()
    const ordered = await buyer.order(checkoutId)
    assert.equal(ordered.statusCode, 201)
    held.release()
    await sweeping
    await sendWebhook(shop, checkoutId)
    const [order, ...more] = await shop.db.select().from(orders)
    assert.deepEqual([order?.sumupCheckoutId, more.length], [checkoutId, 0])
    assert.deepEqual(await listReview(shop), [])
  })
}

test('both payments of an order are refunded at SumUp: the shop says that all of it went back', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const checkoutId = await buyer.arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  await buyer.order(checkoutId, delivery)
  shop.sandbox.controls.payAgain({ checkout: checkoutId })
  const compare = () => compareWithHistory({ ...shop.settling, ...latest(shop) })
  await compare()
  for (const { id } of shop.sandbox.ledger().transactions) {
    shop.sandbox.controls.refund({ payment: id })
    await compare()
  }
  const paid = await shop.db.select().from(payments)
  assert.deepEqual(
    paid.map(({ refunded }) => refunded),
    ['49.00', '49.00'],
  )
  assert.equal((await shop.db.select().from(orders)).length, 1)
  assert.deepEqual(await listReview(shop), [])
})

/** A comparison that also sees the last minutes, which it normally leaves out. */
function latest({ settling: { sumup } }: SaleShop) {
  const listHistory: typeof sumup.listHistory = (query) => {
    const filters = new URLSearchParams(query)
    filters.set('newest_time', new Date(Date.now() + 86_400_000).toISOString())
    return sumup.listHistory(String(filters))
  }
  return { sumup: { ...sumup, listHistory } }
}
