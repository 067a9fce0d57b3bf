import { setTimeout as pause } from 'node:timers/promises'
import { productSchema } from '#contract/products.ts'
import { createProduct, updateProduct } from '#server/catalog/products.ts'
import type { Db } from '#server/db/database.ts'
import { chanceOf } from './chance.ts'
import { notePrice, type History } from './history.ts'

/** None of them is an amount that SumUp's sandbox never takes. */
const priceTags = ['49.00', '19.90', '7.35', '129.00', '1.10', '64.99', '0.29', '1999.99']
const betweenChangesMs = [150, 600] as const
const names = ['Mug', 'Lamp', 'Chair']

export async function stockShelves(db: Db, history: History): Promise<string[]> {
  const ids = []
  for (const [turn, name] of names.entries()) {
    const price = priceTags[turn] ?? '49.00'
    const { id } = await createProduct(db, describe(name, price), 'owner')
    notePrice(history, id, price)
    ids.push(id)
  }
  return ids
}

/** The owner edits prices while people buy. A price is noted before it is set: a page may show it at once. */
export function startChangingPrices(db: Db, products: string[], history: History, seed: number) {
  const chance = chanceOf(seed)
  const stopping = new AbortController()
  const counts = { changes: 0 }

  async function change(): Promise<void> {
    for (;;) {
      await pause(chance.between(...betweenChangesMs), undefined, { signal: stopping.signal })
      const id = chance.pick(products) ?? ''
      const price = chance.pick(priceTags) ?? '49.00'
      notePrice(history, id, price)
      try {
        await updateProduct(db, id, describe('Thing', price))
        counts.changes += 1
      } catch {
        // The database was killed under it; the next change comes soon.
      }
    }
  }

  const changing = change()
  return {
    counts,
    async stop() {
      stopping.abort()
      await Promise.allSettled([changing])
    },
  }
}

function describe(name: string, price: string) {
  return productSchema.parse({ name, price, headerLogoUrl: 'https://example.com/logo.png' })
}
