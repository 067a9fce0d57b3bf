import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CrashPoint } from '#server/crash-point.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkouts, mails, orders } from '#server/db/schema.ts'
import {
  isFullProof,
  openCrashTest,
  untilAnswered,
  type CrashTest,
} from '#server/testing/arm-crash-point.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { payByCard } from '#server/testing/buyer.ts'

/*
 * K0 to K6, before any card: a server process is killed, another one starts on what is left, and the buyer
 * comes back to the same page or never does. The points after the card are in crash-points.test.ts.
 * `npm test` kills once at each point, `npm run proof -- crashes` tells both stories of each.
 */

const openings: [string, CrashPoint, { atSumup: number; unattended: string | undefined }][] = [
  [
    'K0: killed before anything was written',
    'checkout-asked',
    { atSumup: 0, unattended: undefined },
  ],
  [
    'K1: killed with the row kept and SumUp not asked',
    'row-inserted',
    { atSumup: 0, unattended: 'closed' },
  ],
  [
    'K3: killed after SumUp answered and before the id was kept',
    'sumup-answered',
    { atSumup: 1, unattended: 'open' },
  ],
  [
    'K4: killed with the checkout open and its answer lost',
    'checkout-opened',
    { atSumup: 1, unattended: 'open' },
  ],
]

const keepings: [string, CrashPoint, string][] = [
  ['K5: killed before the details were kept', 'details-read', 'open'],
  ['K6: killed with the details kept and the answer lost', 'details-saved', 'submitted'],
]

describe('a server is killed before the card', { concurrency: 2 }, () => {
  for (const [what, point, { atSumup, unattended }] of openings) {
    test(`${what}: the buyer who asks again gets that checkout and buys once`, async () => {
      const sale = await openAndDie(point)
      assert.equal(sale.sandbox.ledger().checkouts.length, atSumup)
      await sale.start()
      await buyOnce(sale)
    })

    if (!isFullProof) continue
    test(`${what}: nobody comes back, and nothing is sold`, async () => {
      const sale = await openAndDie(point)
      await sale.start()
      await letTimePass(sale)
      await waitFor(`it is ${unattended}`, async () => (await findRow(sale))?.state === unattended)
      assert.equal(sale.sandbox.ledger().checkouts.length, atSumup)
      const known = sale.sandbox.ledger().checkouts[0]?.id ?? null
      assert.equal((await findRow(sale))?.sumupCheckoutId ?? null, known)
      await assertNothingSold(sale)
    })
  }

  test('K2: killed while SumUp answered: the checkout it had made is found again', async () => {
    const sale = await openCrashTest()
    sale.buyer.goOnline()
    sale.sandbox.faults.set({ rules: [{ on: 'create', kind: 'stall', count: 1 }] })
    const doomed = await sale.start()
    const asking = doomed.dies(() => sale.buyer.open(sale.mug))
    await waitFor('SumUp has made it', () => sale.sandbox.ledger().checkouts.length === 1)
    await doomed.kill()
    await asking
    await sale.start()
    await buyOnce(sale)
  })

  for (const [what, point, state] of keepings) {
    test(`${what}: the card waits until the page has asked again`, async () => {
      const sale = await keepAndDie(point)
      assert.equal((await findRow(sale))?.state, state)
      await sale.start()
      await buyOnce(sale)
    })

    if (!isFullProof) continue
    test(`${what}: nobody comes back, and the sale expires unpaid`, async () => {
      const sale = await keepAndDie(point)
      await sale.db.update(checkouts).set({ validUntil: sql`now() - interval '25 hours'` })
      await letTimePass(sale)
      await sale.start()
      await waitFor('it is closed', async () => (await findRow(sale))?.state === 'closed')
      await assertNothingSold(sale)
    })
  }
})

async function openAndDie(point: CrashPoint): Promise<CrashTest> {
  const sale = await openCrashTest()
  sale.buyer.goOnline()
  const doomed = await sale.start(point)
  const { answered } = await doomed.dies(() => sale.buyer.open(sale.mug))
  assert.equal(answered, false)
  return sale
}

async function keepAndDie(point: CrashPoint): Promise<CrashTest> {
  const sale = await openCrashTest()
  const { checkoutId } = (await untilAnswered(() => sale.buyer.open(sale.mug))).json()
  sale.buyer.goOnline()
  const doomed = await sale.start(point)
  const { answered } = await doomed.dies(() => sale.buyer.saveDetails(checkoutId))
  assert.equal(answered, false)
  return sale
}

/** All that the sweep would look at some day it looks at now. */
const letTimePass = ({ db }: CrashTest) =>
  db
    .update(checkouts)
    .set({ nextCheckAt: sql`now()` })
    .where(sql`next_check_at is not null`)

async function findRow({ db }: CrashTest) {
  const rows = await db.select().from(checkouts)
  assert.ok(rows.length <= 1, 'more than one checkout on the ledger')
  return rows[0]
}

/** The page asks again, from the beginning to the order. */
async function buyOnce(sale: CrashTest): Promise<void> {
  const { buyer, db, sandbox } = sale
  const opened = await untilAnswered(() => buyer.open(sale.mug))
  assert.equal(opened.statusCode, 200, opened.body)
  const { checkoutId } = opened.json()
  assert.deepEqual(
    sandbox.ledger().checkouts.map(({ id }) => id),
    [checkoutId],
    'one checkout at SumUp',
  )
  assert.equal((await untilAnswered(() => buyer.saveDetails(checkoutId))).statusCode, 204)
  assert.equal((await payByCard(sandbox, checkoutId)).status, 'PAID')
  const answer = await untilAnswered(() => buyer.order(checkoutId))
  assert.ok([200, 201].includes(answer.statusCode), answer.body)
  const booked = await db.select().from(orders)
  assert.deepEqual(
    booked.map(({ amount, sumupCheckoutId }) => [amount, sumupCheckoutId]),
    [['49.00', checkoutId]],
  )
  assert.equal((await findRow(sale))?.state, 'paid')
}

async function assertNothingSold({ db }: CrashTest): Promise<void> {
  assert.deepEqual(await db.select().from(orders), [])
  assert.deepEqual(await db.select().from(mails), [])
}
