import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { pino } from 'pino'
import { findSale } from '#server/checkouts/case-rows.ts'
import { sweep } from '#server/checkouts/sales.ts'
import { settle, type CheckoutDeps } from '#server/checkouts/settle.ts'
import { attempt, checkoutOf, transactionOf } from '#server/testing/cases.ts'
import { handled, inReview, isPaid, openOldShop, type OldShop } from '#server/testing/old-shop.ts'
import { carryOverPayments } from './carry-over.ts'

/** What happens while nodes of two releases run side by side. */

/** SumUp as a node of this release reads it: every checkout is paid, and this much was charged back. */
function openNode({ db, pool }: OldShop, chargedBack = '0.00'): CheckoutDeps {
  const madeAt = new Date()
  const sumup: Partial<CheckoutDeps['sumup']> = {
    merchantCode: 'M',
    findMode: () => 'live',
    isOpen: () => false,
    isOnTrial: () => false,
    async findCheckout(id) {
      const paid = attempt(id.replace('c-', 't-'), 'SUCCESSFUL', { madeAt })
      const { rows } = await pool.query('select id from checkouts where sumup_checkout_id = $1', [
        id,
      ])
      return checkoutOf('PAID', [paid], { id, reference: rows[0].id, merchantCode: 'M' })
    },
    async findTransaction(id) {
      const { result } = transactionOf(id, { chargedBack, madeAt })
      return typeof result === 'string' ? undefined : result
    },
  }
  return { db, log: pino({ level: 'silent' }), sumup: sumup as CheckoutDeps['sumup'] }
}

async function readPayment({ pool }: OldShop) {
  const { rows } = await pool.query(`select charged_back, is_chargeback_guessed as is_guessed,
    next_read_at is not null as is_due from payments`)
  return rows[0]
}

for (const known of ['10.00', '0.00'])
  test(`of a chargeback that was carried over SumUp says how much it was: ${known}`, async () => {
    const shop = await openOldShop()
    await shop.addSale('back', 'paid', isPaid('back'))
    await shop.addOrder('back', { charged_back_at: '2026-01-04' })
    await shop.update()
    await carryOverPayments(shop.pool)
    const guessed = { charged_back: '49.00', is_guessed: true, is_due: true }
    assert.deepEqual(await readPayment(shop), guessed)
    await sweep(openNode(shop, known))
    const read = { charged_back: known, is_guessed: false, is_due: false }
    assert.deepEqual(await readPayment(shop), read)
    assert.equal(await carryOverPayments(shop.pool), 0)
    assert.deepEqual(await readPayment(shop), read)
  })

test('a chargeback that a node of the last release sees later is read as well', async () => {
  const shop = await openOldShop()
  await shop.addSale('back', 'paid', isPaid('back'))
  const order = await shop.addOrder('back')
  await shop.update()
  await carryOverPayments(shop.pool)
  await shop.pool.query(
    'update orders set charged_back_at = now(), updated_at = now() where id = $1',
    [order],
  )
  assert.equal(await carryOverPayments(shop.pool), 1)
  assert.equal(await carryOverPayments(shop.pool), 0)
  await sweep(openNode(shop, '10.00'))
  assert.equal((await readPayment(shop)).charged_back, '10.00')
})

test('a sale that was dismissed with its payment is not reopened by a node that does not know it', async () => {
  const shop = await openOldShop()
  const { pool } = shop
  const id = await shop.addSale('late', 'review', { ...isPaid('late'), ...inReview('mismatch') })
  await shop.update()
  await carryOverPayments(pool)
  // A node of this release found the payment by itself, and an admin dismissed it there.
  await pool.query(`update checkouts set state = 'dismissed', sumup_transaction_id = null,
    review_reason = null, review_at = null, updated_at = now()`)
  await pool.query("update review_entries set state = 'dismissed', note = 'x', handled_at = now()")
  const readStates = async () => {
    const { rows } = await pool.query(`select sale.state, entry.state as entry, entry.note
      from checkouts as sale join review_entries as entry on entry.id = sale.id`)
    return rows
  }
  const dismissed = [{ state: 'dismissed', entry: 'dismissed', note: 'x' }]
  await carryOverPayments(pool)
  assert.deepEqual(await readStates(), dismissed)
  // The other node sees the same payment, which is new to it.
  const reopen = `update checkouts set state = 'review', review_reason = 'paid-late', review_at = now(),
    sumup_transaction_id = $1, next_check_at = now(), updated_at = now() where id = $2`
  await pool.query(reopen, ['t-late', id])
  await carryOverPayments(pool)
  assert.deepEqual(await readStates(), dismissed)
  assert.equal(await carryOverPayments(pool), 0)
  // Money that nobody knew of brings it back.
  await pool.query(reopen, ['t-other', id])
  await carryOverPayments(pool)
  assert.deepEqual(await readStates(), [{ state: 'review', entry: 'open', note: null }])
})

const address = { country: 'Germany', lastName: 'M', address: '', city: 'Berlin', postcode: '' }
const details = { customerEmail: 'anna@example.com', shippingAddress: address, acceptsNews: false }

/** A sale with all that its order needs. */
const ready = ({ product }: OldShop) => ({ details, product: { id: product, name: 'Mug' } })

/** Sales as nodes of the last release and of this one make them. Each ends with one order. */
const sellers = {
  'the last release': async (shop: OldShop, name: string) => {
    const id = await shop.addSale(name, 'submitted', ready(shop))
    await shop.pool.query(
      `with changed as (update checkouts set state = 'paid', sumup_transaction_id = $1, version = version + 1,
          updated_at = now() where id = $2 returning *)
        insert into orders (product_id, product, amount, currency, shipping_address, sumup_checkout_id, sumup_transaction_id)
        select product_id, product, amount, currency, '{"city": "Berlin"}', sumup_checkout_id, sumup_transaction_id
        from changed`,
      [`t-${name}`, id],
    )
  },
  'this release': (shop: OldShop, name: string) =>
    shop.addSale(name, 'submitted', ready(shop)).then((id) => settleSale(shop, id)),
  'the last release, and this one out of review': (shop: OldShop, name: string) =>
    shop
      .addSale(name, 'review', {
        ...ready(shop),
        ...isPaid(name),
        ...inReview('contradiction'),
        next_check_at: '2026-01-02',
      })
      .then((id) => settleSale(shop, id)),
}

async function settleSale(shop: OldShop, id: string): Promise<void> {
  const loaded = await findSale(shop.db, id)
  if (!loaded) throw new Error('the sale is gone')
  await settle(openNode(shop), loaded)
}

test('nodes of both releases sell all the while payments are carried over', async () => {
  const shop = await openOldShop()
  await shop.addSale('handled', 'refunded', { ...isPaid('handled'), ...inReview('x'), ...handled })
  await shop.update()
  const each = 25
  const sold = new AbortController()
  const carry = async () => {
    while (!sold.signal.aborted) await carryOverPayments(shop.pool)
  }
  const sell = async (sellOne: (shop: OldShop, name: string) => Promise<void>) => {
    for (let sale = 0; sale < each; sale += 1) await sellOne(shop, randomUUID())
  }
  const carrying = Promise.all([carry(), carry()])
  await Promise.all(Object.values(sellers).map(sell)).finally(() => sold.abort())
  await carrying
  await carryOverPayments(shop.pool)
  const { rows } = await shop.pool.query(`
    select count(distinct sale.id)::int as sales, count(distinct placed.id)::int as orders,
      count(paid.id)::int as payments, count(*) filter (where entry.state = 'open')::int as open
    from checkouts as sale
    left join orders as placed on placed.sumup_checkout_id = sale.sumup_checkout_id
    left join payments as paid on paid.sale_id = sale.id and paid.transaction_id = placed.sumup_transaction_id
    left join review_entries as entry on entry.sale_id = sale.id
    where sale.state = 'paid'`)
  const all = each * Object.keys(sellers).length
  assert.deepEqual(rows, [{ sales: all, orders: all, payments: all, open: 0 }])
  assert.equal(await carryOverPayments(shop.pool), 0)
})
