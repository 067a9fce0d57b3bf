import { setTimeout as pause } from 'node:timers/promises'
import { productSchema } from '#contract/products.ts'
import { changeProduct } from '#server/catalog/products.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkouts } from '#server/db/schema.ts'
import { sweep } from '#server/orders/sweep.ts'
import { addMug, buyerOf, type Buyer } from '#server/testing/buyer.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { makeMoody } from './moody-sumup.ts'

export type ModelShop = Awaited<ReturnType<typeof openModelShop>>

/** One real shop for all stories: its code, its database, SumUp's stand-in. */
export async function openModelShop() {
  const shop = await openTestShop({ environment: { TRUST_PROXY: '1' } })
  const { sumup } = shop.shop.payments
  const moods = makeMoody(sumup)
  return { ...shop, sumup, moods, mug: await addMug(shop) }
}

/** One buyer's way through the shop, as far as it has come. */
export type Sale = { browser: Buyer; checkoutId: string }

export type Story = Awaited<ReturnType<typeof beginStory>>

/** Long enough for a call to get as far as the answer it waits for. */
const aMomentMs = 100
const firstPrice = '49.00'

/** A story plays on empty books, so that what it leaves is its own. */
export async function beginStory(shop: ModelShop) {
  const { db, moods, sandbox, mug } = shop
  moods.calm()
  await db.execute(sql`truncate order_timeline, mails, orders, checkouts, rate_limits cascade`)
  let price = firstPrice
  await setPrice(firstPrice)
  const knownAtSumup = new Set(sandbox.ledger().checkouts.map(({ id }) => id))
  const sales: Sale[] = [1, 2, 3].map((number) => ({
    browser: buyerOf(shop, `203.0.113.${number}`),
    checkoutId: '',
  }))
  /** What each checkout was offered at, and which orders were answered, by the buyers' own notes. */
  const offers = new Map<string, string>()
  const promises: { checkoutId: string; orderId: string }[] = []
  const underWay: Promise<unknown>[] = []

  async function setPrice(next: string): Promise<void> {
    price = next
    const headerLogoUrl = 'https://example.com/logo.png'
    await changeProduct(db, mug, productSchema.parse({ name: 'Mug', price, headerLogoUrl }))
  }

  return {
    shop,
    sales,
    offers,
    promises,
    setPrice,
    price: () => price,
    /** Only what this story had made: the stand-in forgets nothing. */
    atSumup: () => sandbox.ledger().checkouts.filter(({ id }) => !knownAtSumup.has(id)),

    async open(sale: Sale): Promise<void> {
      const answer = await sale.browser.open(mug, price)
      if (answer.statusCode !== 200) return
      const { checkoutId, amount } = answer.json()
      sale.checkoutId = checkoutId
      if (!offers.has(checkoutId)) offers.set(checkoutId, amount)
    },

    async order({ browser, checkoutId }: Sale): Promise<void> {
      const answer = await browser.order(checkoutId)
      if (answer.statusCode !== 200 && answer.statusCode !== 201) return
      promises.push({ checkoutId, orderId: answer.json().id })
    },

    /** What the sweep would look at some day it looks at now; what it would never look at it does not. */
    async sweep(): Promise<void> {
      await db
        .update(checkouts)
        .set({ nextCheckAt: sql`now()` })
        .where(sql`next_check_at is not null`)
      await sweep({ db, sumup: shop.sumup, log: shop.shop.log })
    },

    /** A call whose answer from SumUp waits until `arrive`. */
    async beginSlowly(call: () => Promise<unknown>): Promise<void> {
      const held = moods.hold()
      const calling = call()
      underWay.push(calling)
      await Promise.race([calling, held, pause(aMomentMs)])
      moods.stopHolding()
    },

    /** Beside calls that wait, a call may have to wait with them. */
    async run(calling: Promise<unknown>): Promise<void> {
      if (underWay.length === 0) return void (await calling)
      underWay.push(calling)
      await Promise.race([calling, pause(aMomentMs)])
    },

    async arrive(): Promise<void> {
      moods.release()
      await Promise.all(underWay.splice(0))
    },
  }
}
