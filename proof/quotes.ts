import { rename, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Country } from '#contract/countries.ts'
import { quote, type DeliverySettings, type Discount } from '#contract/quotes.ts'
import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { discountCodes } from '#server/db/order-schema.ts'
import { createRandom, type Random } from '#tools/random.ts'
import { repeat, type RangeMs } from './disturbances.ts'
import { recordPrice, type History } from './history.ts'
import { pickupPlace, type Visitor } from './visitors.ts'

/* Prices with parts, in `npm run proof -- prices`: what pages show of them, and how the owner changes them meanwhile. */

const countries = ['Belgium', 'France', 'Germany', 'Italy', 'Netherlands'] as const
/** None makes an amount that SumUp's sandbox always declines. */
const shippingPrices = ['4.90', '9.50', '12.30'] as const
const percents = [10, 20, 25] as const
const changesMs: RangeMs = [600, 2_000]

/** One without a limit, and one that few can use. */
const openCode = 'TENTH'
export const scarceCode = 'SCARCE'
export const maxScarceUses = 8

export type ShownPrice = {
  amount: string
  currency: string
  country?: Country
  isPickup?: true
  code?: string
}

export type Quotes = Awaited<ReturnType<typeof openQuotes>>

export async function openQuotes(db: Db, file: string, history: History, seed: number) {
  const random = createRandom(seed)
  let delivery = chooseDelivery(random)
  let percent: number = percents[0]
  const counts = { deliveries: 0, codes: 0 }
  await writeDelivery(file, delivery)
  history.codeLimits.set(scarceCode, maxScarceUses)
  const createdBy = 'owner'
  await db.insert(discountCodes).values([
    { code: openCode, percent, createdBy },
    { code: scarceCode, percent: 50, maxUses: maxScarceUses, createdBy },
  ])

  /** A page knows what was true when it was loaded: all that the owner had said by then. */
  function show(
    { bank }: Visitor,
    own: Random,
    productId: string,
    { price, currency }: { price: string; currency: string },
  ): ShownPrice {
    const wish = own.chance(0.2)
      ? { isPickup: true as const }
      : { country: own.pick(countries) ?? countries[0] }
    const [scarce, open] = [own.chance(0.3), own.chance(0.4)]
    // A bank that answers after the form has ended makes an order beyond the limit, as it must.
    const discount: Discount | null =
      scarce && !bank
        ? { code: scarceCode, kind: 'percent', percent: 50 }
        : open
          ? { code: openCode, kind: 'percent', percent }
          : null
    const quoted = quote({ price, hasCents: true, discount, delivery }, wish)
    if (typeof quoted === 'string') throw new Error(`A page shows no price: ${quoted}`)
    recordPrice(history, productId, quoted.amount)
    return {
      amount: quoted.amount,
      currency,
      ...wish,
      ...(discount && { code: discount.code }),
    }
  }

  const { stop } = repeat(
    (signal) => delay(random.between(...changesMs), undefined, { signal }),
    async () => {
      if (random.chance(0.5)) {
        delivery = chooseDelivery(random)
        await writeDelivery(file, delivery)
        counts.deliveries += 1
        return
      }
      percent = random.pick(percents) ?? percents[0]
      const changing = db
        .update(discountCodes)
        .set({ percent })
        .where(eq(discountCodes.code, openCode))
      // The database may have been killed: until the next change pages show a price that is refused.
      await changing.then(
        () => (counts.codes += 1),
        () => undefined,
      )
    },
  )
  return { show, stop, counts }
}

function chooseDelivery(random: Random): DeliverySettings {
  const pick = () => random.pick(shippingPrices) ?? shippingPrices[0]
  return {
    countries: [...countries],
    prices: [
      { countries: ['Germany'], price: pick(), freeFrom: random.chance(0.5) ? '60.00' : null },
      { countries: ['France', 'Belgium'], price: pick(), freeFrom: null },
    ],
    pickup: pickupPlace,
  }
}

/** As a whole: servers read it at any moment. */
async function writeDelivery(file: string, delivery: DeliverySettings): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(delivery))
  await rename(`${file}.new`, file)
}
