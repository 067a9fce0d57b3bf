import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '#server/db/drizzle.ts'
import { checkouts, orders } from '#server/db/schema.ts'
import { openSumup } from '#server/sumup/client.ts'
import { createBuyer, payByCard } from '#server/testing/buyer.ts'
import {
  openChallengedSale,
  listReview,
  getOnlyCheckout,
  openSaleShop,
  sweepAll,
  sendWebhook,
  type SaleShop,
} from '#server/testing/sale.ts'
import { patienceMs } from '#server/testing/wait-for.ts'
import { findBySumupId } from './record-rows.ts'
import { expediteOtherAccounts } from './ledger.ts'
import { openSales, sweep } from './sales.ts'

/** What becomes of sales while SumUp is silent, odd, or not the one it was. */

const ordersIn = ({ db }: SaleShop) => db.select().from(orders)

test('the SumUp account changes during a sale: the owner sees it at once', async () => {
  const shop = await openSaleShop()
  const { checkoutId } = await openChallengedSale(shop)
  await createBuyer(shop).open(shop.mug)
  shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'approve' })
  const apiKey = 'sup_sk_new'
  shop.sandbox.controls.switchAccount({ apiKey, merchant: { code: 'MNEW' } })
  const { url: apiUrl } = shop.sandbox
  const sumup = openSumup({ apiUrl, apiKey, merchantCode: 'MNEW', timeoutMs: patienceMs })
  await expediteOtherAccounts(shop.db, 'MNEW', 'test')
  await sweep({ ...shop.settling, sumup })
  const states = await shop.db.select({ state: checkouts.state }).from(checkouts)
  assert.deepEqual(states.map(({ state }) => state).toSorted(), ['closed', 'review'])
  const [entry] = await listReview(shop)
  assert.equal(entry?.reason, 'account-changed')
})

test('the shop returns to the SumUp account of a sale in review: the sale is settled at once', async () => {
  const shop = await openSaleShop()
  const { checkoutId } = await openChallengedSale(shop)
  shop.sandbox.controls.answerBank({ checkout: checkoutId, outcome: 'approve' })
  const { merchantCode } = shop.settling.sumup
  await expediteOtherAccounts(shop.db, 'MNEW', 'test')
  await sweep({ ...shop.settling, sumup: { ...shop.settling.sumup, merchantCode: 'MNEW' } })
  assert.equal((await listReview(shop))[0]?.reason, 'account-changed')
  await expediteOtherAccounts(shop.db, merchantCode, 'test')
  await sweep(shop.settling)
  assert.deepEqual([await listReview(shop), (await ordersIn(shop)).length], [[], 1])
})

test('a checkout that SumUp lost is looked up until a day after it expired, then the owner sees it', async () => {
  const shop = await openSaleShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  shop.sandbox.controls.addAccount({ apiKey: 'sup_sk_other', merchant: { code: 'MOTHER' } })
  const other = { apiUrl: shop.sandbox.url, apiKey: 'sup_sk_other', merchantCode: 'MOTHER' }
  const sumup = {
    ...openSumup({ ...other, timeoutMs: patienceMs }),
    merchantCode: shop.sandbox.merchantCode,
  }
  const look = async () => {
    await shop.db.update(checkouts).set({ nextCheckAt: sql`now()` })
    await sweep({ ...shop.settling, sumup })
    return getOnlyCheckout(shop)
  }
  assert.equal((await look()).state, 'submitted', checkoutId)
  await shop.db.update(checkouts).set({ validUntil: sql`now() - interval '25 hours'` })
  assert.equal((await look()).state, 'review')
  assert.equal((await listReview(shop))[0]?.reason, 'lost-at-sumup')
})

test('after an answer without a status SumUp is asked again, then the sale goes to review', async () => {
  const shop = await openSaleShop()
  await createBuyer(shop).arrive(shop.mug)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'odd-status' }] })
  await sweepAll(shop)
  await shop.db.update(checkouts).set({ unclearSince: sql`now() - interval '31 seconds'` })
  await sweepAll(shop)
  assert.equal((await listReview(shop))[0]?.reason, 'unreadable')
})

test('a sale named by a webhook is checked immediately, however many others are due', async () => {
  const shop = await openSaleShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  const backlog = 60
  await shop.db.execute(sql`
    insert into checkouts (product_id, shown_version, amount, currency, state, buyer_token_hash, merchant_code,
      sumup_checkout_id, details, valid_until, next_check_at, priority)
    select product_id, shown_version, amount, currency, 'submitted', lpad(n::text, 64, '0'), merchant_code,
      gen_random_uuid()::text, details, valid_until, now() - interval '1 hour', 3
    from checkouts cross join generate_series(1, ${backlog}) as n`)
  await shop.db.execute(sql`update checkouts set next_check_at = now() + interval '1 day'
    where sumup_checkout_id = ${checkoutId}`)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'delay', ms: 300 }] })
  const { payments, productCache, log, secret } = shop.shop
  const sales = openSales({ db: shop.db, payments, productCache, log, secret, maxParallel: 1 })
  after(() => sales.close())
  const read = await findBySumupId(shop.db, checkoutId)
  if (!read) throw new Error('the sale is gone')
  await sales.settleFromWebhook(read)
  assert.equal((await ordersIn(shop)).length, 1)
  const { rows } = await shop.db.execute(
    sql`select from checkouts where checks = 0 and state = 'submitted'`,
  )
  assert.ok(rows.length > backlog / 2, `${rows.length} were still waiting`)
})

test('while SumUp is down no sale is claimed, and a single trial call is made', async () => {
  const shop = await openSaleShop()
  for (let sale = 0; sale < 7; sale += 1) await createBuyer(shop).arrive(shop.mug)
  await shop.db.update(checkouts).set({ nextCheckAt: sql`now()` })
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-500' }] })
  assert.equal(await sweep(shop.settling, 5), 5)
  assert.equal(await sweep(shop.settling, 5), 0, 'SumUp was asked on')
  const due = await shop.db.execute(sql`select from checkouts where next_check_at <= now()`)
  assert.equal(due.rows.length, 2, 'sales were put off without a look')
})

test('SUCCESSFUL under PENDING without details is never closed: the owner sees it, and the buyer’s details make it an order', async () => {
  const shop = await openSaleShop()
  const buyer = createBuyer(shop)
  const { checkoutId } = (await buyer.open(shop.mug)).json()
  await payByCard(shop.sandbox, checkoutId)
  shop.sandbox.controls.lag({ checkout: checkoutId, shows: 'successful-under-pending' })
  await sendWebhook(shop, checkoutId)
  await shop.db.update(checkouts).set({
    validUntil: sql`now() - interval '1 day'`,
    unclearSince: sql`now() - interval '31 seconds'`,
  })
  await sweepAll(shop)
  assert.equal((await listReview(shop))[0]?.reason, 'contradiction')
  shop.sandbox.controls.release({})
  await sweepAll(shop)
  assert.equal((await listReview(shop))[0]?.reason, 'no-details')
  assert.equal((await buyer.saveDetails(checkoutId)).statusCode, 204)
  assert.equal((await buyer.order(checkoutId)).statusCode, 201)
})

test('checks that SumUp did not answer do not count, so the next check is soon', async () => {
  const shop = await openSaleShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  shop.sandbox.faults.set({ rules: [{ on: 'get', kind: 'error-500', count: 4 }] })
  for (let look = 0; look < 4; look += 1) await sweepAll(shop)
  const { checks, nextCheckAt, lastError } = await getOnlyCheckout(shop)
  assert.equal(checks, 0)
  assert.ok(lastError)
  assert.ok((nextCheckAt?.getTime() ?? Infinity) - Date.now() < 15_000)
  await sweepAll(shop)
  assert.equal((await ordersIn(shop)).length, 1)
})

for (const kind of ['unauthorized', 'forbidden'] as const) {
  test(`SumUp refuses the key (${kind}): buyers get a clear message, nothing is lost`, async () => {
    const shop = await openSaleShop()
    const checkoutId = await createBuyer(shop).arrive(shop.mug)
    await payByCard(shop.sandbox, checkoutId)
    shop.sandbox.faults.set({ rules: [{ on: '*', kind }] })
    const answer = await createBuyer(shop).open(shop.mug)
    assert.deepEqual([answer.statusCode, answer.json().code], [503, 'payments-away'])
    await sweepAll(shop)
    shop.sandbox.faults.clear()
    await sweepAll(shop)
    assert.equal((await ordersIn(shop)).length, 1)
  })
}

test('thousands of unused forms are closed in one step without a request to SumUp, and delay no paid sale', async () => {
  const shop = await openSaleShop()
  const checkoutId = await createBuyer(shop).arrive(shop.mug)
  await payByCard(shop.sandbox, checkoutId)
  const [row] = await shop.db.select().from(checkouts)
  if (!row) throw new Error('no checkout was opened')
  await shop.db.execute(sql`
    insert into checkouts (product_id, shown_version, amount, currency, state, buyer_token_hash, merchant_code,
      is_test, sumup_checkout_id, valid_until)
    select product_id, shown_version, amount, currency, 'open', lpad(n::text, 64, '0'), merchant_code,
      is_test, gen_random_uuid()::text, now() - interval '1 minute'
    from checkouts cross join generate_series(1, 3000) as n`)
  await shop.db.execute(sql`
    insert into checkouts (product_id, shown_version, amount, currency, state, buyer_token_hash, merchant_code,
      is_test, sumup_checkout_id, details, valid_until, next_check_at, priority, checks)
    select product_id, shown_version, amount, currency, 'submitted', lpad((n + 5000)::text, 64, '0'), merchant_code,
      is_test, gen_random_uuid()::text, details, valid_until, now() - interval '1 hour', 1, 9
    from checkouts cross join generate_series(1, 500) as n where checkouts.id = ${row.id}`)
  const asked: string[] = []
  const findCheckout: typeof shop.settling.sumup.findCheckout = (id) => {
    asked.push(id)
    return shop.settling.sumup.findCheckout(id)
  }
  await shop.db
    .update(checkouts)
    .set({ nextCheckAt: sql`now()` })
    .where(sql`id = ${row.id}`)
  await sweep({ ...shop.settling, sumup: { ...shop.settling.sumup, findCheckout } }, 1)
  assert.equal(asked[0], checkoutId, 'a fresh sale waited behind old ones')
  const { rows } = await shop.db.execute(sql`select from checkouts where state = 'closed'`)
  assert.equal(rows.length, 3000)
  assert.equal(asked.length, 501)
})
