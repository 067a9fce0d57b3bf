import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import type { Pool } from 'pg'
import { openDatabase } from '#server/db/database.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { makeTestDatabase } from './test-database.ts'

/** The last release's schema: the migrations up to 0018. */
const lastRelease = 19

export type Columns = Record<string, unknown>

/** A shop of the last release, and how its nodes write. */
export async function openOldShop() {
  const database = openDatabase(await makeTestDatabase('template0'), () => {})
  after(() => database.close())
  const { pool } = database
  const migrations = await readMigrations()
  await migrate(pool, migrations.slice(0, lastRelease))
  const product = await insert(pool, 'products', {
    name: 'Mug',
    price: 49,
    header_logo_url: '/logo.png',
    created_by: 'admin',
  })
  const shared = { product_id: product, product: { name: 'Mug' }, amount: '49.00', currency: 'EUR' }
  return {
    ...database,
    product,
    update: () => migrate(pool, migrations),
    /** A sale; SumUp's ids are derived from its name. */
    addSale: (name: string, state: string, more: Columns = {}) =>
      insert(pool, 'checkouts', {
        ...shared,
        state,
        buyer_token_hash: name.padEnd(64, '0'),
        merchant_code: 'M',
        sumup_checkout_id: `c-${name}`,
        valid_until: '2026-01-01',
        ...more,
      }),
    addOrder: (name: string, more: Columns = {}) =>
      insert(pool, 'orders', {
        ...shared,
        shipping_address: { city: 'Berlin' },
        sumup_checkout_id: `c-${name}`,
        sumup_transaction_id: `t-${name}`,
        ...more,
      }),
    addStray: (name: string, state: string, more: Columns = {}) =>
      insert(pool, 'stray_payments', {
        reason: 'no-sale',
        state,
        sumup_transaction_id: `t-${name}`,
        merchant_code: 'M',
        amount: '49.00',
        currency: 'EUR',
        paid_at: '2026-01-01',
        ...more,
      }),
  }
}

export type OldShop = Awaited<ReturnType<typeof openOldShop>>

async function insert(pool: Pool, table: string, columns: Columns): Promise<string> {
  const id = randomUUID()
  const entries = Object.entries({ id, ...columns })
  const places = entries.map((_entry, index) => `$${index + 1}`)
  await pool.query(
    `insert into ${table} (${entries.map(([name]) => name).join()}) values (${places.join()})`,
    entries.map(([, value]) => value),
  )
  return id
}

export const isPaid = (name: string) => ({ sumup_transaction_id: `t-${name}` })
export const inReview = (reason: string) => ({ review_reason: reason, review_at: '2026-01-02' })
export const handled = { handled_at: '2026-01-03', handled_by: 'admin', note: 'Anna called' }
