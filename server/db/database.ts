import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { Pool, type PoolConfig } from 'pg'
import { drizzle } from './drizzle.ts'
import * as schema from './schema.ts'

/** The database or a transaction in it. Functions take it first, so nothing slips out of a transaction. */
export type Db = PgDatabase<NodePgQueryResultHKT, typeof schema>

export type Database = { db: Db; pool: Pool; close: () => Promise<void> }

/** Long enough for a busy moment, short enough that a dead database answers 503 instead of hanging. */
const waitForConnectionMs = 3_000
const longestStatementMs = 15_000

export function openDatabase(
  connection: PoolConfig,
  onIdleError: (error: Error) => void,
): Database {
  const pool = new Pool({
    max: 10,
    connectionTimeoutMillis: waitForConnectionMs,
    statement_timeout: longestStatementMs,
    application_name: 'till',
    ...connection,
  })
  // Without a listener an idle connection that the database drops would end the whole process.
  pool.on('error', onIdleError)
  return { db: drizzle(pool, { schema }), pool, close: () => pool.end() }
}
