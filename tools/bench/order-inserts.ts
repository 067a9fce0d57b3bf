import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { readConfig } from '#server/config.ts'
import type { BenchShop } from '#tools/bench/shop.ts'
import { withShopDatabase } from '#tools/command.ts'

/** Each with the column that says whose row it is. */
const tables = {
  orders: 'id',
  order_timeline: 'order_id',
  mails: 'order_id',
  order_search: 'order_id',
}

/**
 * The limit of this machine for sales: how many orders a second its database keeps if nothing else is done for them. A bare loop
 * of what a sale inserts in the end (the order, its timeline, its mails, its words for the search), one durable commit each,
 * into copies of the tables with all their indexes.
 */
export async function measureOrderInserts(
  { dataDir }: BenchShop,
  atOnce: number,
  seconds: number,
): Promise<number> {
  let orders = 0
  const config = readConfig({ DATA_DIR: dataDir })
  const loop = async (pool: Pool) => {
    const insert = await prepareInsert(pool)
    const client = async (endsAt: number) => {
      while (performance.now() < endsAt) {
        await insert()
        orders += 1
      }
    }
    const run = (forSeconds: number) => {
      const endsAt = performance.now() + forSeconds * 1000
      return Promise.all(Array.from({ length: atOnce }, () => client(endsAt)))
    }
    await run(0.5)
    orders = 0
    await run(seconds)
    await pool.query('drop schema bench cascade')
  }
  await withShopDatabase(config, (_db, pool) => loop(pool), { max: atOnce })
  return orders / seconds
}

/** Inserts the last order once more, under another id. */
async function prepareInsert(pool: Pool): Promise<() => Promise<unknown>> {
  await pool.query('drop schema if exists bench cascade; create schema bench')
  const { rows } = await pool.query<{ id: string }>(
    'select id from orders order by created_at desc limit 1',
  )
  const values: string[] = []
  const steps: string[] = []
  for (const [table, key] of Object.entries(tables)) {
    await pool.query(`create table bench.${table} (like public.${table} including all)`)
    const { rows: found } = await pool.query<{ row: object }>(
      `select to_jsonb(found) as row from ${table} as found where ${key} = $1`,
      [rows[0]?.id],
    )
    values.push(JSON.stringify(found.map(({ row }) => row)))
    const own =
      table === 'orders'
        ? `'sumup_checkout_id', $1::text, 'sumup_transaction_id', $1::text, 'number', nextval('order_numbers')`
        : ''
    const id = key === 'id' ? '' : `'id', gen_random_uuid()`
    const changed = [`'${key}', $1::text`, own, id].filter(Boolean).join(', ')
    steps.push(`inserted_${table} as (insert into bench.${table}
      select filled.* from jsonb_array_elements($${values.length + 1}::jsonb) as copied,
        jsonb_populate_record(null::bench.${table}, copied || jsonb_build_object(${changed})) as filled)`)
  }
  const text = `with ${steps.join(', ')} select`
  return () => pool.query({ name: 'bench_order', text, values: [randomUUID(), ...values] })
}
