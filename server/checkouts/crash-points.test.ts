import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { crashPoints, type CrashPoint } from '#server/crash-point.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkouts, mails, orders, orderTimeline } from '#server/db/schema.ts'
import {
  isFullProof,
  openCrashTest,
  untilAnswered,
  type CrashTest,
} from '#server/testing/arm-crash-point.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { payByCard } from '#server/testing/buyer.ts'

/*
 * K7 to K16, after the card: a server process is killed, another one starts on what is left, and the one
 * order comes, with the buyer or without. Before the card: crash-points-opening.test.ts. Elsewhere: K15 (a
 * mail sent and not noted: sent again under the same Message-ID) in server/mail, K17 (a migration) in
 * server/db/migrate.test.ts, K18 (the database) in crash-points-database.test.ts and server/db/embedded.
 * `npm test` kills once at each point, `npm run proof -- crashes` for each caller that can reach it.
 */

const settlings: [string, CrashPoint, { booked: 0 | 1; shortTest?: Caller }][] = [
  ['K11: killed after SumUp said PAID', 'payment-seen', { booked: 0, shortTest: 'browser' }],
  // In the short form K14 kills at this point.
  ['K13: killed with the order committed and the answer lost', 'order-committed', { booked: 1 }],
]
const callers = ['browser', 'webhook', 'sweep'] as const
type Caller = (typeof callers)[number]

const webhooks: [string, CrashPoint][] = [
  ['K9: killed with a webhook read and nothing noted', 'webhook-read'],
  ['K10: killed with a webhook noted and SumUp not asked', 'webhook-recorded'],
]

describe('a server is killed after the card', { concurrency: 2 }, () => {
  for (const [what, point, { booked, shortTest }] of settlings) {
    for (const caller of callers) {
      if (!isFullProof && caller !== shortTest) continue
      test(`${what} (called by the ${caller}): the order comes by itself, once`, async () => {
        const { sale, checkoutId } = await settleAndDie(point, caller)
        assert.deepEqual(await countBooked(sale), { orders: booked, mails: booked * 2 })
        await letTimePass(sale)
        await sale.start()
        await untilSold(sale)
        assert.equal((await sale.buyer.order(checkoutId)).statusCode, 200)
        await assertSoldOnce(sale)
      })
    }

    if (!isFullProof) continue
    test(`${what} (called by the browser): the page asks again and gets the one order`, async () => {
      const { sale, checkoutId } = await settleAndDie(point, 'browser')
      await sale.start()
      const { buyer } = sale
      const ask = () => untilAnswered(() => buyer.order(checkoutId))
      const answers = await Promise.all([ask(), ask()])
      assert.equal(new Set(answers.map((answer) => answer.json().id)).size, 1)
      await assertSoldOnce(sale)
    })
  }

  for (const [what, point] of webhooks) {
    test(`${what}: the order comes, though nobody comes back`, async () => {
      const { sale } = await settleAndDie(point, 'webhook')
      assert.deepEqual(await countBooked(sale), { orders: 0, mails: 0 })
      // A noted webhook needs no time to pass: it is due already.
      if (point === 'webhook-read') await letTimePass(sale)
      await sale.start()
      await untilSold(sale)
      await assertSoldOnce(sale)
    })
  }

  test('K7: the tab dies with the card charged: the server finishes alone', async () => {
    const sale = await openCrashTest()
    sale.buyer.goOnline()
    await sale.start()
    await payByCard(sale.sandbox, await sale.buyer.arrive(sale.mug))
    await untilSold(sale)
    await assertSoldOnce(sale)
  })

  test('K8: charged while no server is there and no webhook arrives: the next start finds it', async () => {
    const sale = await openCrashTest()
    const { db, sandbox, buyer } = sale
    await payByCard(sandbox, await buyer.arrive(sale.mug))
    await waitFor('SumUp has given up', () => sandbox.ledger().deliveries.length === 0)
    await db.update(checkouts).set({
      validUntil: sql`now() - interval '4 hours'`,
      nextCheckAt: sql`now() - interval '4 hours'`,
    })
    await sale.start()
    await untilSold(sale)
    await assertSoldOnce(sale)
  })

  test('K14: killed with the order committed and no mail sent: both go out after the start', async () => {
    const { sale } = await settleAndDie('order-committed', 'sweep')
    const letters = () => sale.db.select().from(mails)
    assert.ok((await letters()).every(({ sentAt }) => sentAt === null))
    await sale.start()
    await waitFor('they are sent', async () =>
      (await letters()).every(({ sentAt, attempts }) => sentAt !== null && attempts === 1),
    )
    await assertSoldOnce(sale)
  })

  test('K16: killed with the order answered: it is there for its buyer, and its mails wait', async () => {
    const { sale, checkoutId } = await openPaidSale()
    const doomed = await sale.start()
    const { id } = (await untilAnswered(() => sale.buyer.order(checkoutId))).json()
    await doomed.kill()
    await sale.start()
    const seen = await sale.buyer.call('GET', pathOf(apiRoutes.order, { id }))
    assert.equal(seen.json().customerEmail, 'anna@example.com')
    await assertSoldOnce(sale)
  })
})

test('no crash point is left out', async () => {
  const files = [
    'crash-points.test.ts',
    'crash-points-opening.test.ts',
    '../db/embedded/embedded-postgres-crash.test.ts',
  ]
  const texts = await Promise.all(
    files.map((file) => readFile(join(import.meta.dirname, file), 'utf8')),
  )
  assert.deepEqual(
    crashPoints.filter((point) => !texts.some((text) => text.includes(`'${point}'`))),
    [],
  )
})

/** Paid at SumUp, with its details, and looked at by nobody yet. */
async function openPaidSale() {
  const sale = await openCrashTest()
  const checkoutId = await sale.buyer.arrive(sale.mug)
  sale.buyer.goOnline()
  await sale.db.update(checkouts).set({ nextCheckAt: sql`now() + interval '1 hour'` })
  sale.sandbox.faults.set({ rules: [{ on: 'webhook', kind: 'webhook-lost' }] })
  await payByCard(sale.sandbox, checkoutId)
  return { sale, checkoutId }
}

async function settleAndDie(point: CrashPoint, caller: Caller) {
  const { sale, checkoutId } = await openPaidSale()
  const doomed = await sale.start(point)
  const { answered } = await doomed.dies(() => callSettle(sale, checkoutId, caller))
  if (caller === 'browser') assert.equal(answered, false)
  return { sale, checkoutId }
}

async function callSettle(sale: CrashTest, checkoutId: string, caller: Caller): Promise<unknown> {
  switch (caller) {
    case 'browser':
      return sale.buyer.order(checkoutId)
    case 'webhook': {
      const told = { event_type: 'CHECKOUT_STATUS_CHANGED', id: checkoutId }
      const atSumup = sale.sandbox.ledger().checkouts.find(({ id }) => id === checkoutId)
      const { pathname, search } = new URL(atSumup?.returnUrl ?? '')
      return sale.buyer.call('POST', pathname + search, told)
    }
    case 'sweep':
      return letTimePass(sale)
  }
}

/** All that the sweep would look at some day it looks at now. */
const letTimePass = ({ db }: CrashTest) =>
  db
    .update(checkouts)
    .set({ nextCheckAt: sql`now()` })
    .where(sql`next_check_at is not null`)

async function countBooked({ db }: CrashTest) {
  return {
    orders: (await db.select().from(orders)).length,
    mails: (await db.select().from(mails)).length,
  }
}

const untilSold = (sale: CrashTest) =>
  waitFor('the order is there', async () => (await countBooked(sale)).orders > 0)

/** One checkout at SumUp, paid once; one order of it, at its price; one set of mails. */
async function assertSoldOnce({ db, sandbox }: CrashTest): Promise<void> {
  const { checkouts: atSumup, transactions } = sandbox.ledger()
  assert.deepEqual(
    transactions.map(({ status, amountMinor }) => [status, amountMinor]),
    [['SUCCESSFUL', 4900]],
  )
  const booked = await db.select().from(orders)
  assert.equal(booked.length, 1)
  assert.partialDeepStrictEqual(booked[0], {
    amount: '49.00',
    currency: 'EUR',
    sumupCheckoutId: atSumup[0]?.id,
    sumupTransactionId: transactions[0]?.id,
    customerEmail: 'anna@example.com',
  })
  const letters = await db.select().from(mails)
  assert.deepEqual(letters.map(({ kind }) => kind).toSorted(), ['confirmation', 'new-sale'])
  assert.equal((await db.select().from(orderTimeline)).length, 1)
  const rows = await db.select().from(checkouts)
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['paid'],
  )
}
