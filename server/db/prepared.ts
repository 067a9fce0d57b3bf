import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { findDatabaseCode, type Db } from './database.ts'
import { DrizzleQueryError, PgDialect, type SQL } from './drizzle.ts'

/*
 * Prepared statements for hot queries: each connection plans them once. Behind a pooler that switches connections
 * between statements they get lost; from then on they are planned each time. Not for transactions, which would not
 * survive the error that reports the loss.
 */

/** PostgreSQL's codes for a prepared statement that does not exist, or exists already. */
const lostCodes = new Set(['26000', '42P05'])
const withoutPreparing = new WeakSet<Db>()
const dialect = new PgDialect()

/** Runs raw SQL, prepared under the hash of its text. */
export async function runPrepared<Row extends Record<string, unknown>>(
  db: Db,
  query: SQL,
): Promise<Row[]> {
  const { sql: text, params: values } = dialect.sqlToQuery(query)
  const named = { name: `till_${hash('sha256', text).slice(0, 32)}`, text, values }
  const pool = getPool(db)
  try {
    const { rows } = await unlessLost(db, (isPrepared) =>
      pool.query<Row>(isPrepared ? named : { text, values }),
    )
    return rows
  } catch (error) {
    // Like Drizzle's own queries: a broken connection is known to be the database's.
    throw new DrizzleQueryError(text, values, error as Error)
  }
}

type PreparedQuery<Row> = { execute: (values?: Record<string, unknown>) => Promise<Row[]> }

/** A Drizzle query that is built and prepared once and run with other values each time. Names must be unique. */
export function prepareQuery<Row>(
  name: string,
  build: (db: Db) => { prepare: (name: string) => PreparedQuery<Row> },
) {
  const prepared = new WeakMap<Db, PreparedQuery<Row>>()
  return (db: Db, values: Record<string, unknown>): Promise<Row[]> =>
    unlessLost(db, (isPrepared) => {
      if (!isPrepared) return build(db).prepare('').execute(values)
      const query = prepared.get(db) ?? build(db).prepare(`till_${name}`)
      prepared.set(db, query)
      return query.execute(values)
    })
}

async function unlessLost<Result>(
  db: Db,
  run: (isPrepared: boolean) => Promise<Result>,
): Promise<Result> {
  if (withoutPreparing.has(db)) return run(false)
  try {
    return await run(true)
  } catch (error) {
    if (!lostCodes.has(findDatabaseCode(error))) throw error
    withoutPreparing.add(db)
    return run(false)
  }
}

function getPool(db: Db): Pool {
  if (!('$client' in db)) throw new Error('prepared statements do not run in transactions')
  return db.$client as Pool
}
