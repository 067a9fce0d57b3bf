import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { Client, Pool, type ClientConfig, type PoolClient, type PoolConfig } from 'pg'
import { drizzle, DrizzleQueryError, sql } from './drizzle.ts'

/** The database or a transaction. Functions take it first, so that nothing runs outside a transaction by mistake. */
export type Db = PgDatabase<NodePgQueryResultHKT>

export type Database = {
  db: Db
  pool: Pool
  /** Connections are shared with others between two transactions: what a session is told is lost. */
  isPooled: boolean
  close: () => Promise<void>
}

/**
 * Long enough for a busy moment, short enough that without a database the shop answers 503 instead of hanging. Replaced by
 * `connect_timeout` in DATABASE_URL.
 */
const connectTimeoutMs = 3_000
const maxConnectSeconds = 600
/** For a database that does not even report its own timeout. */
const queryTimeoutMs = 20_000
/** Closing does not wait for a database that no longer answers. */
const closeTimeoutMs = 2_000

/**
 * Enforced by the database, in milliseconds. A node that is frozen or lost within a transaction is disconnected, which
 * releases its locks; whoever waited for them goes on.
 */
const timeouts = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 5_000,
}

/** The database closes connections of lost machines after a minute. Options in DATABASE_URL replace these. */
const serverKeepAlive =
  '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3'

const defaults: PoolConfig = {
  max: 10,
  connectionTimeoutMillis: connectTimeoutMs,
  query_timeout: queryTimeoutMs,
  application_name: 'till',
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  options: serverKeepAlive,
  ...timeouts,
}

/** pg does not read `connect_timeout`, which is in seconds. */
function complete(connection: PoolConfig): PoolConfig {
  const { searchParams } = URL.parse(connection.connectionString ?? '') ?? {}
  const seconds = Number(searchParams?.get('connect_timeout'))
  const wanted =
    seconds > 0 && seconds <= maxConnectSeconds ? { connectionTimeoutMillis: seconds * 1000 } : {}
  return { ...defaults, ...wanted, ...connection }
}

/** Finds out whether there is a pooler in between. */
export async function connectDatabase(
  connection: PoolConfig,
  onIdleError: (error: Error) => void,
): Promise<Database> {
  const isPooled = await isBehindPooler(complete(connection))
  return openDatabase(connection, onIdleError, isPooled)
}

/** A pooler refuses the settings of a session, or has process ids of its own. */
async function isBehindPooler(connection: PoolConfig): Promise<boolean> {
  const client: Client & { processID?: number } = new Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return rows[0]?.pid !== client.processID
  } catch (error) {
    if (!isRefusedSetting(error)) throw error
    return true
  } finally {
    await client.end().catch(() => {})
  }
}

/** 08P01 is PgBouncer's, 0A000 that of RDS Proxy. */
function isRefusedSetting(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return /^(08P01|0A000)$/.test(String(error.code)) && /parameter|option/i.test(error.message)
}

export function openDatabase(
  connection: PoolConfig,
  onIdleError: (error: Error) => void,
  isPooled = false,
): Database {
  const settings = complete(connection)
  const pool = new Pool(isPooled ? withoutSessionSettings(settings) : settings)
  // Without a listener an idle connection that the database closes would end the process.
  pool.on('error', onIdleError)
  // The same within a transaction, whose next query fails anyway.
  pool.on('connect', (client) => {
    client.on('error', () => {})
  })
  const db = drizzle(pool)
  if (isPooled) unprepared.add(db)
  const setTimeouts = isPooled ? `; ${formatTimeouts(settings)}` : ''
  db.transaction = (work, config) =>
    runOnClient(pool, async (client) => {
      const tx = findOwnDb(client, db)
      const begin = formatBegin(config) + setTimeouts
      return runBetween(client, work, tx, [begin, 'commit', 'rollback'])
    })
  return { db, pool, isPooled, close: () => closePool(pool) }
}

/** Databases whose statements are written and planned each time: behind a pooler, prepared ones would be lost. */
const unprepared = new WeakSet<Db>()
/** The database that a connection of its own belongs to. */
const databaseOf = new WeakMap<Db, Db>()

export const canPrepare = (db: Db): boolean => !unprepared.has(databaseOf.get(db) ?? db)

/** Statements were lost on one connection, so they may be on all others. */
export function stopPreparing(db: Db): void {
  unprepared.add(databaseOf.get(db) ?? db)
}

type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0]
type TransactionConfig = Parameters<Db['transaction']>[1]

/** What Drizzle knows of each connection. It is kept, and so are the statements that were prepared on it. */
const ownDbs = new WeakMap<PoolClient, Transaction>()

function findOwnDb(client: PoolClient, db: Db): Transaction {
  const known = ownDbs.get(client)
  if (known) return known
  // Without `rollback`, which nobody uses: an error rolls back.
  const own = drizzle(client) as Db as Transaction
  own.transaction = (work) =>
    runBetween(client, work, own, ['savepoint nested', 'release nested', 'rollback to nested'])
  ownDbs.set(client, own)
  databaseOf.set(own, db)
  return own
}

async function runBetween<Result>(
  client: PoolClient,
  work: (tx: Transaction) => Promise<Result>,
  tx: Transaction,
  [begin, end, undo]: [begin: string, end: string, undo: string],
): Promise<Result> {
  await send(client, begin)
  try {
    const result = await work(tx)
    await send(client, end)
    return result
  } catch (error) {
    await send(client, undo)
    throw error
  }
}

function formatBegin({ isolationLevel, accessMode }: TransactionConfig = {}): string {
  const level = isolationLevel && `isolation level ${isolationLevel}`
  return ['begin', level, accessMode].filter(Boolean).join(' ')
}

/** An error is known to be the database's, as of Drizzle's queries. */
async function send(client: PoolClient, text: string): Promise<void> {
  try {
    await client.query(text)
  } catch (error) {
    throw new DrizzleQueryError(text, [], error as Error)
  }
}

/** Behind a pooler each transaction sets its own timeouts; a single statement has none but the client's. */
function withoutSessionSettings({ options, ...settings }: PoolConfig): PoolConfig {
  const kept = Object.entries(settings).filter(([name]) => !(name in timeouts))
  return {
    ...Object.fromEntries(kept),
    ...(options !== undefined && options !== serverKeepAlive && { options }),
  }
}

function formatTimeouts(settings: PoolConfig): string {
  const names = Object.keys(timeouts) as (keyof typeof timeouts)[]
  return names.map((name) => `set local ${name} = ${settings[name] || 0}`).join('; ')
}

/** A connection of its own with the settings of the pool, none of those that buyers wait for. To be connected. */
export function openClient(pool: Pool, settings: ClientConfig = {}): Client {
  // pg hides the password from a spread.
  const { password } = pool.options
  const client = new Client({
    ...pool.options,
    ...(password !== undefined && { password }),
    ...settings,
  })
  // A lost connection fails the query; without a listener it would end the process.
  client.on('error', () => {})
  return client
}

/** Drizzle itself would keep a connection for ever on which a transaction could not begin. */
async function runOnClient<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let isBroken = true
  try {
    const result = await work(client)
    isBroken = false
    return result
  } catch (error) {
    isBroken = isDatabaseUnavailable(error)
    throw error
  } finally {
    client.release(isBroken)
  }
}

/**
 * For a transaction that waits for other work, such as a picture that is scaled, and holds nothing that a sale needs. All
 * others are ended after some seconds without a statement.
 */
export async function allowIdleTransaction(tx: Db, seconds: number): Promise<void> {
  await tx.execute(sql.raw(`set local idle_in_transaction_session_timeout = '${seconds}s'`))
}

async function closePool(pool: Pool): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, closeTimeoutMs)
  await Promise.race([pool.end(), timeout])
  clearTimeout(timer)
}

/**
 * Connection errors, shutdown (57P), too many connections (53), broken connection (08), read-only (25006), a transaction
 * that was ended for its silence (25P03), a lock that others held for too long (55P03) or in another order (40P01), a
 * prepared statement that a pooler has lost (26000, 42P05).
 */
const unavailableCodes =
  /^(ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|57P\d\d|57014|53\d\d\d|08\d\d\d|25006|25P03|40P01|55P03|26000|42P05)$/
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

/** PostgreSQL's code, of the error or of what it wraps; otherwise empty. */
export function findDatabaseCode(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('severity' in cause && 'code' in cause) return String(cause.code)
  return ''
}
