import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { Pool, type PoolConfig } from 'pg'
import { drizzle } from './drizzle.ts'

/** The database or a transaction in it. Functions take it first, so nothing slips out of a transaction. */
export type Db = PgDatabase<NodePgQueryResultHKT>

export type Database = { db: Db; pool: Pool; close: () => Promise<void> }

/** Long enough for a busy moment, short enough that a dead database answers 503 instead of hanging. */
const waitForConnectionMs = 3_000
const longestStatementMs = 15_000
/** For a database that does not even say that the time is up. */
const longestAnswerMs = 20_000
/** Closing does not wait for a database that no longer answers. */
const closeWithinMs = 2_000

export function openDatabase(
  connection: PoolConfig,
  onIdleError: (error: Error) => void,
): Database {
  const pool = new Pool({
    max: 10,
    connectionTimeoutMillis: waitForConnectionMs,
    statement_timeout: longestStatementMs,
    query_timeout: longestAnswerMs,
    application_name: 'till',
    ...connection,
  })
  // Without a listener an idle connection that the database drops would end the whole process.
  pool.on('error', onIdleError)
  // Nor may one that is dropped in the middle of a transaction: whoever uses it hears of it by its next query.
  pool.on('connect', (client) => client.on('error', () => {}))
  return { db: drizzle(pool), pool, close: () => closePool(pool) }
}

async function closePool(pool: Pool): Promise<void> {
  const { promise: impatience, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, closeWithinMs)
  await Promise.race([pool.end(), impatience])
  clearTimeout(timer)
}
