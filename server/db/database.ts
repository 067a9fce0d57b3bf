import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { Pool, type PoolConfig } from 'pg'
import { drizzle } from './drizzle.ts'

/** The database or a transaction. Functions take it first, so that nothing runs outside a transaction by mistake. */
export type Db = PgDatabase<NodePgQueryResultHKT>

export type Database = { db: Db; pool: Pool; close: () => Promise<void> }

/** Long enough for a busy moment, short enough that without a database the shop answers 503 instead of hanging. */
const connectTimeoutMs = 3_000
const statementTimeoutMs = 15_000
/** For a database that does not even report its own timeout. */
const queryTimeoutMs = 20_000
/** Closing does not wait for a database that no longer answers. */
const closeTimeoutMs = 2_000

export function openDatabase(
  connection: PoolConfig,
  onIdleError: (error: Error) => void,
): Database {
  const pool = new Pool({
    max: 10,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: queryTimeoutMs,
    application_name: 'till',
    ...connection,
  })
  // Without a listener an idle connection that the database closes would end the process.
  pool.on('error', onIdleError)
  // The same within a transaction, whose next query fails anyway.
  pool.on('connect', (client) => client.on('error', () => {}))
  return { db: drizzle(pool), pool, close: () => closePool(pool) }
}

async function closePool(pool: Pool): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, closeTimeoutMs)
  await Promise.race([pool.end(), timeout])
  clearTimeout(timer)
}

/**
 * Connection errors, shutdown (57P), too many connections (53), broken connection (08), read-only (25006), a lock that
 * others held for too long (55P03).
 */
const unavailableCodes =
  /^(ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|57P\d\d|57014|53\d\d\d|08\d\d\d|25006|55P03)$/
const unavailableMessages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered|Query read timeout/

/** Only for errors of the database: other connections break too, such as a visitor's or SumUp's. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (unavailableMessages.test(error.message)) return true
  // Drizzle's error for a failed query wraps that of the driver.
  if ('query' in error && 'params' in error)
    return (
      error.cause instanceof Error &&
      (unavailableMessages.test(error.cause.message) || hasUnavailableCode(error.cause))
    )
  const isConnectError = 'syscall' in error && error.syscall === 'connect'
  return ('severity' in error || isConnectError) && hasUnavailableCode(error)
}

function hasUnavailableCode(error: Error): boolean {
  return 'code' in error && unavailableCodes.test(String(error.code))
}
