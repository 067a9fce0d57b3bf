import type { Pool } from 'pg'
import { ensureFirstAdmin } from './admin/first-admin.ts'
import { dropEndedSessions } from './admin/sessions.ts'
import { CannotStart } from './cannot-start.ts'
import { openProductCache, type ProductCache } from './catalog/product-cache.ts'
import type { Config } from './config.ts'
import { openDatabase, type Db } from './db/database.ts'
import { startEmbeddedPostgres } from './db/embedded/embedded-postgres.ts'
import { migrate, readMigrations } from './db/migrate.ts'
import type { Log } from './http/log.ts'
import { dropEndedWindows } from './http/shared-limits.ts'
import { readWebFiles, type WebFiles } from './http/web-files.ts'

/** Everything the shop holds open, opened once and closed in the opposite order. */
export type Shop = {
  config: Config
  log: Log
  db: Db
  pool: Pool
  schemaVersion: number
  productCache: ProductCache
  /** Refuses addresses of pictures that are not there. */
  checkPictures: (urls: (string | null)[]) => Promise<void>
  /** Absent where only calls are served, as in tests of a call. */
  web: WebFiles | undefined
  isClosing: () => boolean
}

export type OpenShop = Shop & {
  database: string
  firstLogin: { username: string; password: string } | undefined
  /** From now on the shop says that it is not ready. */
  startClosing: () => void
  close: () => Promise<void>
}

const tidyEveryMs = 15 * 60 * 1000
const oldestPostgres = 150_000

export async function openShop(
  config: Config,
  log: Log,
  say: (line: string) => void,
): Promise<OpenShop> {
  const web = await readWebFiles()
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({
        dataDir: config.dataDir,
        say,
        log: (line) => log.debug({ postgres: line }, 'database'),
      })
  const connection = embedded
    ? { ...embedded.connection, ssl: false }
    : { connectionString: config.databaseUrl }
  const database = openDatabase(connection, (error) =>
    log.warn({ err: error }, 'A database connection was lost'),
  )
  const { db, pool } = database
  let closing = false
  let tidy: NodeJS.Timeout | undefined
  let productCache: ProductCache | undefined
  const close = async () => {
    clearInterval(tidy)
    productCache?.close()
    await database.close()
    await embedded?.stop()
  }
  try {
    const version = await checkVersion(pool)
    const migrations = await readMigrations()
    await migrate(pool, migrations)
    productCache = openProductCache(db, pool, log)
    const firstLogin = await ensureFirstAdmin(db, config.firstAdmin, config.dataDir)
    tidy = setInterval(() => void tidyUp(db, log), tidyEveryMs)
    tidy.unref()
    return {
      config,
      log,
      db,
      pool,
      web,
      productCache,
      checkPictures: async () => {},
      schemaVersion: migrations.length,
      isClosing: () => closing,
      database: `PostgreSQL ${version} (${embedded ? 'built in' : 'DATABASE_URL'})`,
      firstLogin,
      startClosing: () => {
        closing = true
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function checkVersion(pool: Pool): Promise<string> {
  const { rows } = await pool
    .query(
      `select current_setting('server_version') as name, current_setting('server_version_num')::int as number`,
    )
    .catch((cause: Error) => {
      throw new CannotStart(`The database cannot be reached: ${cause.message || String(cause)}`, {
        cause,
      })
    })
  const [version] = rows
  if (version.number < oldestPostgres) {
    throw new CannotStart(`The database is PostgreSQL ${version.name}; Till needs 15 or newer.`)
  }
  return version.name
}

async function tidyUp(db: Db, log: Log): Promise<void> {
  try {
    await dropEndedSessions(db)
    await dropEndedWindows(db)
  } catch (error) {
    log.warn({ err: error }, 'Tidying up was put off')
  }
}
