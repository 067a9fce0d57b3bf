import { setTimeout as pause } from 'node:timers/promises'
import { orders } from '#server/db/schema.ts'
import { chanceOf } from './chance.ts'
import type { Stage } from './stage.ts'

/** What happens on the account beside the sales. */
export const eventKinds = [
  'key refused',
  'charged twice',
  'refunded',
  'others paid',
  'history sparse',
] as const
export type EventCounts = Record<(typeof eventKinds)[number], number>

const betweenEventsMs = [400, 1_200] as const
const keyRefusedMs = 400
const otherAccount = { apiKey: 'sup_sk_other', merchant: { code: 'MOTHER' } }
const sparseFields = ['currency', 'amount', 'product_summary', 'timestamp', 'transaction_code']

/** The owner refunds, others are paid, the key is refused for a moment, a card is charged twice: until told to stop. */
export function startSumupEvents({ sumup, db }: Pick<Stage, 'sumup' | 'db'>, seed: number) {
  const chance = chanceOf(seed)
  const stopping = new AbortController()
  const counts: EventCounts = {
    'key refused': 0,
    'charged twice': 0,
    refunded: 0,
    'others paid': 0,
    'history sparse': 0,
  }
  const { apiKey, merchantCode } = sumup.account

  const happenings: Record<keyof EventCounts, () => Promise<unknown>> = {
    async 'key refused'() {
      await sumup.control('switch-account', otherAccount)
      await pause(keyRefusedMs)
      await sumup.control('switch-account', { apiKey, merchant: { code: merchantCode } })
    },
    async 'charged twice'() {
      const paid = (await sumup.books()).checkouts.filter(({ status }) => status === 'PAID')
      const one = chance.pick(paid)
      if (!one || one.transactions.length > 1) throw new NothingToDo()
      await sumup.control('pay-again', { checkout: one.id })
    },
    async refunded() {
      // Only what is an order: so young a payment nobody else could have seen.
      const order = chance.pick(await db.select().from(orders))
      if (!order?.sumupTransactionId || order.refundedAmount !== '0.00') throw new NothingToDo()
      await sumup.control('refund', { payment: order.sumupTransactionId })
    },
    'others paid': () =>
      sumup.control('add-foreign-payments', {
        count: 30,
        paymentType: chance.pick(['ECOM', 'POS']) ?? 'POS',
      }),
    'history sparse': () =>
      sumup.control('set-switches', {
        bareLinks: chance.happens(0.5),
        sparseHistory: { fields: [chance.pick(sparseFields) ?? 'currency'], every: 2 },
      }),
  }

  async function go(): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      await pause(chance.between(...betweenEventsMs), undefined, { signal: stopping.signal })
      const kind = eventKinds[turn % eventKinds.length] ?? 'others paid'
      try {
        await happenings[kind]()
        counts[kind] += 1
      } catch {
        // Nothing to do it with yet, or the database was killed under it: the next comes soon.
      }
    }
  }

  const going = go()
  return {
    counts,
    async stop() {
      stopping.abort()
      await Promise.allSettled([going])
    },
  }
}

class NothingToDo extends Error {
  override readonly name = 'NothingToDo'
}
