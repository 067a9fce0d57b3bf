import type { Pool } from 'pg'
import { madeBeforeFirstRelease } from '#server/cannot-start.ts'
import type { Config } from '#server/config.ts'
import { findDatabaseCode, type Db } from '#server/db/database.ts'
import { readMigrations } from '#server/db/migrate.ts'
import { readConnections } from '#server/db/nodes.ts'
import { minPostgresVersion } from '#server/db/open-shop-database.ts'
import {
  describeFault,
  fail,
  ok,
  warn,
  type Check,
  type Facts,
  type Finding,
  type OpenDatabase,
} from './check.ts'
import { findClockDifference, judgeClock } from './clocks.ts'

/** How much the clocks of two machines that agree on the time may differ. */
const maxClockDifferenceMs = 2_000
/** Connections beyond those of the shop, for people and for backups. */
const spareConnections = 5

/** PostgreSQL's codes for a database that answers, but takes no sales. */
export const refusedWrites: Record<string, Finding> = {
  '53100': fail(
    'The disk of the database is full.',
    'Make room there: the shop goes on by itself.',
  ),
  '25006': fail(
    'The database is read-only.',
    'Is it a replica? DATABASE_URL has to lead to the one that takes writes.',
  ),
  '42501': fail(
    'The user of the database may not write to it.',
    'Let the user in DATABASE_URL write, or use another one.',
  ),
}

const inDatabase =
  (find: (database: OpenDatabase, config: Config) => Promise<Finding | undefined>) =>
  ({ machine, config }: Facts) =>
    machine?.database && find(machine.database, config)

export const databaseChecks: Check[] = [
  {
    code: 'database',
    shownIn: { doctor: true },
    find: ({ machine, config }) =>
      machine?.database
        ? findDatabase(machine.database.pool, config.databaseUrl === undefined)
        : machine?.databaseFault,
  },
  {
    code: 'migrations',
    shownIn: { doctor: true },
    after: 'database',
    find: inDatabase(({ pool }) => findMigrations(pool)),
  },
  {
    code: 'pooler',
    shownIn: { doctor: true },
    after: 'database',
    find: inDatabase(({ pool, isPooled }) => findPooler(pool, isPooled)),
  },
  {
    code: 'connections',
    shownIn: { doctor: true },
    after: 'database',
    find: inDatabase(({ db, isPooled }, { databasePool }) =>
      findConnections(db, databasePool, isPooled),
    ),
  },
  {
    code: 'clock of the database',
    shownIn: { doctor: true },
    after: 'database',
    find: inDatabase(async ({ pool }, { databaseUrl }) => {
      // The built-in one has the clock of this machine.
      if (databaseUrl === undefined) return undefined
      const before = Date.now()
      const { rows } = await pool.query('select extract(epoch from clock_timestamp()) * 1000 as ms')
      return judgeClock(findClockDifference(Number(rows[0].ms), before), maxClockDifferenceMs)
    }),
  },
  // A read-only replica, or a disk that is full, answers questions all the same.
  {
    code: 'writing',
    shownIn: { doctor: true },
    after: 'migrations',
    find: inDatabase(async ({ pool }) => {
      try {
        await pool.query(`insert into node_jobs (name) values ('doctor')
          on conflict (name) do update set held_until = now()`)
        return ok('A row was written.')
      } catch (error) {
        const title = `No row can be written: ${describeFault(error)}`
        return refusedWrites[findDatabaseCode(error)] ?? fail(title, 'See the log of the database.')
      }
    }),
  },
]

async function findDatabase(pool: Pool, isBuiltIn: boolean): Promise<Finding> {
  try {
    const { rows } = await pool.query(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
        pg_size_pretty(pg_database_size(current_database())) as size`,
    )
    const [{ version, number, size }] = rows
    const title = `PostgreSQL ${version}, ${isBuiltIn ? 'built in' : 'of DATABASE_URL'}, ${size}`
    return number < minPostgresVersion
      ? fail(title, 'Till needs PostgreSQL 15 or newer: upgrade it.')
      : ok(title)
  } catch (error) {
    return fail(
      `It cannot be used: ${describeFault(error)}`,
      'Check that it runs, and the address, user and password in DATABASE_URL.',
    )
  }
}

async function findMigrations(pool: Pool): Promise<Finding> {
  const known = await readMigrations()
  const applied = await pool
    .query<{ version: number; checksum: string }>(
      'select version, checksum from till_migrations order by version',
    )
    .then(({ rows }) => rows)
    .catch(() => [])
  const title = `${applied.length} of ${known.length} applied`
  if (applied.length === 0)
    return fail('This database has no shop in it yet.', 'npm start creates the tables.')
  if (applied[0]?.checksum !== known[0]?.checksum) return fail(title, madeBeforeFirstRelease)
  if (applied.length > known.length)
    return fail(title, 'The database is newer than this code: start the newer Till.')
  if (applied.some(({ version, checksum }) => known[version - 1]?.checksum !== checksum))
    return fail(`${title}, one of them in another form`, 'Restore the migration files.')
  return applied.length < known.length ? warn(title, 'The next start applies them.') : ok(title)
}

/** A pooler shares connections if two clients that are both connected work with the same process. */
async function findPooler(pool: Pool, isPooled: boolean): Promise<Finding> {
  if (!isPooled) return ok('None: connections go to the database itself.')
  const [one, other] = [await pool.connect(), await pool.connect()]
  try {
    const pidOf = async (client: typeof one): Promise<number> =>
      (await client.query('select pg_backend_pid() as pid')).rows[0].pid
    return (await pidOf(one)) === (await pidOf(other))
      ? ok('One that switches connections between transactions. Statements are not prepared.')
      : ok('One that keeps a connection for each client.')
  } finally {
    one.release()
    other.release()
  }
}

async function findConnections(db: Db, poolSize: number, isPooled: boolean): Promise<Finding> {
  const { usable, used } = await readConnections(db)
  // Behind a pooler it decides how many of them nodes use.
  if (isPooled) return ok(`${used} of ${usable} used`)
  const nodes = Math.floor((usable - spareConnections) / poolSize)
  const title = `${used} of ${usable} used; enough for ${nodes} ${nodes === 1 ? 'node' : 'nodes'} of ${poolSize}`
  if (nodes < 1)
    return fail(title, 'Lower DATABASE_POOL, or raise max_connections of the database.')
  return used > usable * 0.8
    ? warn(title, 'Raise max_connections, put a pooler in front, or run fewer nodes.')
    : ok(title)
}
