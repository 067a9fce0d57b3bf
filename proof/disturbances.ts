import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { productSchema } from '#contract/products.ts'
import { createProduct, updateProduct } from '#server/catalog/products.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { findPostmaster } from '#server/db/embedded/postmaster.ts'
import { createRandom, type Random } from '#tools/random.ts'
import type { Environment } from './environment.ts'
import { recordPrice, type History } from './history.ts'
import { isRefundedInApp } from './refund-faults.ts'

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

/** Repeats `work` until it is stopped. */
export function repeat(
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
  const serverKills = repeat(
    (signal) => rhythm.wait(random, serverKillsMs, visitorsPerServerKill, signal),
    () => {
      const ready = servers.filter((server) => server.isReady())
      // Mostly one server stays up until the others are back, however slow the machine is.
      if (ready.length === servers.length) isKillingAll = random.chance(allServersShare)
      else if (!isKillingAll) return
      if (random.pick(ready)?.kill()) counts.servers += 1
    },
  )
  const databaseKills = repeat(
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

/** None of them is an amount that SumUp's sandbox always declines. */
const prices = ['49.00', '19.90', '7.35', '129.00', '1.10', '64.99', '0.29', '1999.99'] as const
const priceChangesMs: RangeMs = [150, 600]

const parseProduct = (name: string, price: string) =>
  productSchema.parse({ name, price, headerLogoUrl: 'https://example.com/logo.png' })

export async function addProducts(db: Db, history: History): Promise<string[]> {
  const ids = []
  for (const [index, name] of ['Mug', 'Lamp', 'Chair'].entries()) {
    const price = prices[index] ?? prices[0]
    const { id } = await createProduct(db, parseProduct(name, price), 'owner')
    recordPrice(history, id, price)
    ids.push(id)
  }
  return ids
}

/** Changes prices as an owner does. A price is recorded before it is set, because a page may show it at once. */
export function startPriceChanges(db: Db, products: string[], history: History, seed: number) {
  const random = createRandom(seed)
  const counts = { changes: 0 }
  const { stop } = repeat(
    (signal) => delay(random.between(...priceChangesMs), undefined, { signal }),
    async () => {
      const id = random.pick(products) ?? ''
      const price = random.pick(prices)
      recordPrice(history, id, price)
      try {
        await updateProduct(db, id, parseProduct('Thing', price))
        counts.changes += 1
      } catch {
        // The database was killed; the next change comes soon.
      }
    },
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
  const { stop } = repeat(
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
