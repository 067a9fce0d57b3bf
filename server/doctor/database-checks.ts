import type { Pool } from 'pg'
import { findWeakAdmin } from '#server/admin/admins.ts'
import { findUnreadRestore } from '#server/admin/restored.ts'
import { findBackupProblem, findLastBackup } from '#server/backup/scheduled-backups.ts'
import { madeBeforeFirstRelease } from '#server/cannot-start.ts'
import type { Database, Db } from '#server/db/database.ts'
import { readMigrations } from '#server/db/migrate.ts'
import { countConnections, readConnections } from '#server/db/nodes.ts'
import { minPostgresVersion } from '#server/db/open-shop-database.ts'
import { attempt, describeFault, fail, ok, warn, type Check } from './check.ts'

/** How much the clocks of two machines that agree on the time may differ. */
const maxClockDifferenceMs = 2_000
/** Connections beyond those of the shop, for people and for backups. */
const spareConnections = 5

/** What can be learnt by asking the database. The first check that fails may be the reason for all others. */
export async function checkDatabase(
  { db, pool, isPooled }: Pick<Database, 'db' | 'pool' | 'isPooled'>,
  shop: { isBuiltIn: boolean; isLive: boolean; hasBackups: boolean; poolSize: number },
): Promise<Check[]> {
  const reachable = await checkReachable(pool, shop.isBuiltIn)
  if (reachable.status === 'fail') return [reachable]
  const migrations = await attempt('migrations', () => checkMigrations(pool))
  const checks = [
    reachable,
    migrations,
    await attempt('pooler', () => checkPooler(pool, isPooled)),
    await attempt('connections', () => checkConnections(db, shop.poolSize, isPooled)),
  ]
  if (!shop.isBuiltIn)
    checks.push(await attempt('clock of the database', () => checkDatabaseClock(pool)))
  if (migrations.status === 'fail') return checks
  return [
    ...checks,
    await checkWritable(pool),
    await attempt('passwords', () => checkPasswords(db, shop.isLive)),
    await attempt('backup', () => checkBackup(db, shop)),
    await attempt('restore', () => checkRestored(db)),
  ]
}

async function checkRestored(db: Db): Promise<Check> {
  const name = 'restore'
  const restored = await findUnreadRestore(db)
  if (!restored) return ok(name, 'No restored backup is left to look through.')
  const { backupAt, comparedAt, isHeld } = restored
  const known = comparedAt ? 'were compared with SumUp' : 'were not compared with SumUp yet'
  const held = isHeld ? ', and products whose pieces are counted are not sold' : ''
  return warn(
    name,
    `The shop was restored from the backup of ${backupAt.toISOString()}. Payments since then ${known}${held}.`,
    'Follow the notice in the back-office, and close it there.',
  )
}

/** A daily backup that was missed once. */
const maxBackupHours = 36

async function checkBackup(
  db: Db,
  { isLive, hasBackups }: { isLive: boolean; hasBackups: boolean },
): Promise<Check> {
  const name = 'backup'
  const problem = await findBackupProblem(db)
  if (problem?.isWritten)
    return warn(
      name,
      `The last one is incomplete: ${problem.error}`,
      'Check DATA_DIR or S3_…; upload pictures again that are lost.',
    )
  if (problem)
    return fail(name, `The last one failed: ${problem.error}`, 'It is tried again every hour.')
  const last = await findLastBackup(db)
  const todo = hasBackups
    ? 'npm run backup -- FILE writes one now.'
    : 'Set BACKUP_DIR to a folder on another disk: the shop then writes one every day.'
  if (!last) return isLive ? warn(name, 'There is none yet.', todo) : ok(name, 'There is none.')
  const hours = Math.floor((Date.now() - last.at.getTime()) / 3_600_000)
  const found = `The last one is ${hours} hours old: ${last.file}`
  return isLive && hours >= maxBackupHours ? warn(name, found, todo) : ok(name, found)
}

async function checkReachable(pool: Pool, isBuiltIn: boolean): Promise<Check> {
  const name = 'database'
  try {
    const { rows } = await pool.query(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
        pg_size_pretty(pg_database_size(current_database())) as size`,
    )
    const [{ version, number, size }] = rows
    const found = `PostgreSQL ${version}, ${isBuiltIn ? 'built in' : 'of DATABASE_URL'}, ${size}`
    return number < minPostgresVersion
      ? fail(name, found, 'Till needs PostgreSQL 15 or newer: upgrade it.')
      : ok(name, found)
  } catch (error) {
    return fail(
      name,
      `It cannot be used: ${describeFault(error)}`,
      'Check that it runs, and the address, user and password in DATABASE_URL.',
    )
  }
}

async function checkMigrations(pool: Pool): Promise<Check> {
  const name = 'migrations'
  const known = await readMigrations()
  const applied = await pool
    .query<{ version: number; checksum: string }>(
      'select version, checksum from till_migrations order by version',
    )
    .then(({ rows }) => rows)
    .catch(() => [])
  const found = `${applied.length} of ${known.length} applied`
  if (applied.length === 0)
    return fail(name, 'This database has no shop in it yet.', 'npm start creates the tables.')
  if (applied[0]?.checksum !== known[0]?.checksum) return fail(name, found, madeBeforeFirstRelease)
  if (applied.length > known.length)
    return fail(name, found, 'The database is newer than this code: start the newer Till.')
  if (applied.some(({ version, checksum }) => known[version - 1]?.checksum !== checksum))
    return fail(name, `${found}, one of them in another form`, 'Restore the migration files.')
  return applied.length < known.length
    ? warn(name, found, 'The next start applies them.')
    : ok(name, found)
}

/** A read-only replica, or a disk that is full, answers questions all the same. */
async function checkWritable(pool: Pool): Promise<Check> {
  const name = 'writing'
  try {
    await pool.query(`insert into node_jobs (name) values ('doctor')
      on conflict (name) do update set held_until = now()`)
    return ok(name, 'A row was written.')
  } catch (error) {
    return fail(
      name,
      `No row can be written: ${describeFault(error)}`,
      'Is its disk full, is it a read-only replica, may the user in DATABASE_URL write?',
    )
  }
}

/** A pooler shares connections if two clients that are both connected work with the same process. */
async function checkPooler(pool: Pool, isPooled: boolean): Promise<Check> {
  const name = 'pooler'
  if (!isPooled) return ok(name, 'None: connections go to the database itself.')
  const [one, other] = [await pool.connect(), await pool.connect()]
  try {
    const pidOf = async (client: typeof one): Promise<number> =>
      (await client.query('select pg_backend_pid() as pid')).rows[0].pid
    return (await pidOf(one)) === (await pidOf(other))
      ? ok(name, 'One that switches connections between transactions. Statements are not prepared.')
      : ok(name, 'One that keeps a connection for each client.')
  } finally {
    one.release()
    other.release()
  }
}

async function checkConnections(db: Db, poolSize: number, isPooled: boolean): Promise<Check> {
  const name = 'connections'
  const { usable, used } = await readConnections(db)
  // Behind a pooler it decides how many of them nodes use.
  if (isPooled) return ok(name, `${used} of ${usable} used`)
  const perNode = countConnections(poolSize)
  const nodes = Math.floor((usable - spareConnections) / perNode)
  const found = `${used} of ${usable} used; enough for ${nodes} ${nodes === 1 ? 'node' : 'nodes'} of ${perNode}`
  if (nodes < 1)
    return fail(name, found, 'Lower DATABASE_POOL, or raise max_connections of the database.')
  return used > usable * 0.8
    ? warn(name, found, 'Raise max_connections, put a pooler in front, or run fewer nodes.')
    : ok(name, found)
}

async function checkDatabaseClock(pool: Pool): Promise<Check> {
  const before = Date.now()
  const { rows } = await pool.query('select extract(epoch from clock_timestamp()) * 1000 as ms')
  const differenceMs = findClockDifference(Number(rows[0].ms), before)
  return judgeClock('clock of the database', differenceMs, maxClockDifferenceMs)
}

/** By how much a clock that was asked since `before` differs at least, however long its answer was on the way. */
export function findClockDifference(theirs: number, before: number): number {
  return theirs - Math.min(Math.max(theirs, before), Date.now())
}

/** What the shop decides by time it decides by the database's clock; mails, logs and sign-in codes go by its own. */
export function judgeClock(name: string, differenceMs: number, maxMs: number): Check {
  const seconds = Math.abs(differenceMs / 1000).toFixed(1)
  const found =
    Math.abs(differenceMs) <= maxMs
      ? 'The same time as here.'
      : `${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'} this machine`
  return Math.abs(differenceMs) <= maxMs
    ? ok(name, found)
    : warn(name, found, 'Let both machines set their clocks by NTP (timedatectl status).')
}

async function checkPasswords(db: Db, isLive: boolean): Promise<Check> {
  const name = 'passwords'
  const weak = await findWeakAdmin(db)
  if (!weak) return ok(name, 'None is known to be easy to guess.')
  const found = `That of ${weak} is easy to guess.`
  return (isLive ? fail : warn)(name, found, `npm run admin -- reset ${weak}`)
}
