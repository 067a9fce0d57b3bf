import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { productSchema } from '#contract/products.ts'
import { defaultDelivery } from '#contract/quotes.ts'
import { createProduct, updateProduct } from '#server/catalog/products.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { discountCodes } from '#server/db/order-schema.ts'
import { findPostmaster } from '#server/db/embedded/postmaster.ts'
import { createRandom, type Random } from '#tools/random.ts'
import type { Environment } from './environment.ts'
import { isRefundedInApp, recordPrice, type History, type Stock } from './history.ts'
import { openCode, scarceCode } from './visitors.ts'

/* What happens while people buy: kills, price changes, and events on the SumUp account. */

export type RangeMs = readonly [number, number]

/**
 * When disturbances happen: at random times, or each time a share of all visitors has finished. A short run goes by
 * its visitors: on a slow machine, kills at fixed times would leave no time to sell anything.
 */
export type Pace = 'by time' | 'by visitors'

export type Rhythm = ReturnType<typeof createRhythm>

export function createRhythm(pace: Pace, visitorCount: number) {
  const progress = new EventEmitter()
  let finished = 0
  return {
    onVisitorFinished(): void {
      finished += 1
      progress.emit('finished')
    },
    async wait(random: Random, rangeMs: RangeMs, share: number, signal: AbortSignal) {
      if (pace === 'by time') return delay(random.between(...rangeMs), undefined, { signal })
      const target = finished + Math.max(1, Math.round(visitorCount * share))
      const isReached = () => finished >= target
      while (!isReached()) await once(progress, 'finished', { signal })
    },
  }
}

export function repeatUntilStopped(
  wait: (signal: AbortSignal) => Promise<void>,
  work: () => void | Promise<void>,
) {
  const stopping = new AbortController()
  async function run(): Promise<void> {
    for (;;) {
      await wait(stopping.signal)
      await work()
    }
  }
  const running = run()
  return {
    stop: async (): Promise<void> => {
      stopping.abort()
      await Promise.allSettled([running])
    },
  }
}

const serverKillsMs: RangeMs = [600, 2_500]
/** A shop of one server sells nothing while it starts. */
const onlyServerKillsMs: RangeMs = [4_000, 9_000]
const firstDatabaseKillMs: RangeMs = [3_000, 5_000]
const databaseKillsMs: RangeMs = [12_000, 18_000]
const allServersShare = 0.25
const visitorsPerServerKill = 0.4
const visitorsPerDatabaseKill = 0.55

/** Kills servers and the database. */
export function startKills({ servers, databaseFolder }: Environment, rhythm: Rhythm, seed: number) {
  const random = createRandom(seed)
  const counts = { servers: 0, databases: 0 }
  let isKillingAll = false
  const serverKills = repeatUntilStopped(
    (signal) => {
      const rangeMs = servers.length > 1 ? serverKillsMs : onlyServerKillsMs
      return rhythm.wait(random, rangeMs, visitorsPerServerKill, signal)
    },
    () => {
      const ready = servers.filter((server) => server.isReady())
      // Mostly one server stays up until the others are back, however slow the machine is.
      if (ready.length === servers.length) isKillingAll = random.chance(allServersShare)
      else if (!isKillingAll) return
      if (random.pick(ready)?.kill()) counts.servers += 1
    },
  )
  const databaseKills = repeatUntilStopped(
    (signal) => {
      const rangeMs = counts.databases === 0 ? firstDatabaseKillMs : databaseKillsMs
      return rhythm.wait(random, rangeMs, visitorsPerDatabaseKill, signal)
    },
    async () => {
      // Nobody could buy between two kills if servers were still starting.
      if (counts.databases > 0 && !servers.every((server) => server.isReady())) return
      // Undefined during a restart, when the pid in the file may already belong to another process.
      const pid = await findPostmaster(databaseFolder)
      if (pid === undefined) return
      process.kill(pid, 'SIGKILL')
      counts.databases += 1
    },
  )
  const stop = () => Promise.all([serverKills.stop(), databaseKills.stop()])
  return { counts, stop }
}

/** Prices that the owner gives. The sandbox declines none of these amounts by rule. */
const prices = ['49.00', '19.90', '7.35', '129.00', '1.10', '64.99', '0.29', '1999.99'] as const
const percents = [10, 20, 25] as const
const priceChangesMs: RangeMs = [400, 1_500]
const createdBy = 'owner'

const parseProduct = (name: string, price: string, more: object = {}) =>
  productSchema.parse({ name, price, headerLogoUrl: 'https://example.com/logo.png', ...more })

async function addProduct(db: Db, history: History, name: string, price: string, more?: object) {
  const product = await createProduct(db, parseProduct(name, price, more), createdBy)
  recordPrice(history, product.id, price)
  return product
}

export async function addProducts(db: Db, history: History): Promise<string[]> {
  history.deliveries.push(defaultDelivery)
  const ids = []
  for (const [index, name] of ['Mug', 'Lamp', 'Chair'].entries())
    ids.push((await addProduct(db, history, name, prices[index] ?? prices[0])).id)
  return ids
}

/** A product, and one with two values to choose from, of which there are so many pieces in all. */
export async function addScarceProducts(
  db: Db,
  history: History,
  pieces: number,
): Promise<Stock[]> {
  const [ofPrint, ofMedium] = [Math.ceil(pieces / 2), Math.ceil(pieces / 4)]
  const sizes = [
    { name: 'M', stock: ofMedium },
    { name: 'L', stock: Math.max(1, pieces - ofPrint - ofMedium) },
  ]
  const print = await addProduct(db, history, 'Print', prices[0], { stock: ofPrint })
  const choice = { name: 'Size', values: sizes }
  const shirt = await addProduct(db, history, 'Shirt', prices[0], { choice })
  return [
    { productId: print.id, valueId: undefined, pieces: ofPrint },
    ...(shirt.choice?.values ?? []).map(({ id }, at) => ({
      productId: shirt.id,
      valueId: id,
      pieces: sizes[at]?.stock ?? 0,
    })),
  ]
}

/** A code without a limit, and one that may be used so many times. */
export async function addCodes(db: Db, history: History, maxUses: number): Promise<void> {
  history.codeLimits.set(scarceCode, maxUses)
  history.discounts.push(discountOf(scarceCode, 50), discountOf(openCode, percents[0]))
  await db.insert(discountCodes).values([
    { code: openCode, percent: percents[0], createdBy },
    { code: scarceCode, percent: 50, maxUses, createdBy },
  ])
}

const discountOf = (code: string, percent: number) => ({ code, kind: 'percent' as const, percent })

/** Changes prices and codes as an owner does. Both are recorded before they are set, because a page may show them at once. */
export function startPriceChanges(db: Db, products: string[], history: History, seed: number) {
  const random = createRandom(seed)
  const counts = { prices: 0, codes: 0 }

  async function changePrice(): Promise<void> {
    const id = random.pick(products) ?? ''
    const price = random.pick(prices)
    recordPrice(history, id, price)
    await updateProduct(db, id, parseProduct('Thing', price))
    counts.prices += 1
  }

  async function changeCode(): Promise<void> {
    const percent = random.pick(percents)
    history.discounts.push(discountOf(openCode, percent))
    await db.update(discountCodes).set({ percent }).where(eq(discountCodes.code, openCode))
    counts.codes += 1
  }

  const { stop } = repeatUntilStopped(
    (signal) => delay(random.between(...priceChangesMs), undefined, { signal }),
    // The database may be down; the next change comes soon.
    () => (random.chance(0.7) ? changePrice() : changeCode()).catch(() => undefined),
  )
  return { counts, stop }
}

export const accountEventKinds = [
  'key refused',
  'charged twice',
  'refunded',
  'others paid',
  'history sparse',
] as const
export type AccountEventCounts = Record<(typeof accountEventKinds)[number], number>

const accountEventsMs: RangeMs = [400, 1_200]
const visitorsPerAccountEvent = 0.04
const keyRefusedMs = 400
const otherAccount = { apiKey: 'sup_sk_other', merchant: { code: 'MOTHER' } }
const sparseFields = [
  'currency',
  'amount',
  'product_summary',
  'timestamp',
  'transaction_code',
] as const

/** The owner refunds, others are paid, the key is refused for a moment, a card is charged twice. */
export function startAccountEvents({ sumup, db }: Environment, rhythm: Rhythm, seed: number) {
  const random = createRandom(seed)
  const { apiKey, merchantCode } = sumup.account
  const counts: AccountEventCounts = {
    'key refused': 0,
    'charged twice': 0,
    refunded: 0,
    'others paid': 0,
    'history sparse': 0,
  }

  /** They throw if there is nothing to do it with yet. */
  const events: Record<keyof AccountEventCounts, () => Promise<unknown>> = {
    async 'key refused'() {
      await sumup.control('switch-account', otherAccount)
      await delay(keyRefusedMs)
      await sumup.control('switch-account', { apiKey, merchant: { code: merchantCode } })
    },
    async 'charged twice'() {
      const { checkouts } = await sumup.readLedger()
      const paid = random.pick(checkouts.filter(({ status }) => status === 'PAID'))
      if (!paid || paid.transactions.length > 1) throw new Error('no checkout was paid once')
      await sumup.control('pay-again', { checkout: paid.id })
    },
    async refunded() {
      // Only what is an order already: nobody could have seen a younger payment.
      const { rows } = await db.execute<{ id: string; checkoutId: string }>(sql`
        select sumup_transaction_id as id, sumup_checkout_id as "checkoutId" from orders
        join payments on transaction_id = sumup_transaction_id where refunded = 0`)
      const payment = random.pick(rows.filter(isRefundedInApp))
      if (!payment) throw new Error('no order to refund')
      await sumup.control('refund', { payment: payment.id })
    },
    'others paid': () =>
      sumup.control('add-foreign-payments', {
        count: 30,
        paymentType: random.pick(['ECOM', 'POS']),
      }),
    'history sparse': () =>
      sumup.control('set-switches', {
        bareLinks: random.chance(0.5),
        sparseHistory: { fields: [random.pick(sparseFields)], every: 2 },
      }),
  }

  let index = 0
  const { stop } = repeatUntilStopped(
    (signal) => rhythm.wait(random, accountEventsMs, visitorsPerAccountEvent, signal),
    async () => {
      const kind = accountEventKinds[index % accountEventKinds.length] ?? 'others paid'
      index += 1
      try {
        await events[kind]()
        counts[kind] += 1
      } catch {
        // Nothing to do it with yet, or the database was killed; the next event comes soon.
      }
    },
  )
  return { counts, stop }
}
