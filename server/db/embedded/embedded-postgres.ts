import { CannotStart } from '#server/cannot-start.ts'
import { findBinaries } from './binaries.ts'
import { openClientAddress } from './client-address.ts'
import type { Cluster } from './cluster.ts'
import { createDatabaseIfMissing } from './create-database.ts'
import { prepareCluster } from './prepare-cluster.ts'
import { reachableBinaries } from './reachable-binaries.ts'
import { databasePort, databaseUser } from './settings.ts'
import { keepRunning } from './keep-running.ts'
import { stopPostmaster } from './stop-postmaster.ts'
import { holdDatabase } from './hold-database.ts'
import { maybeUnprivilegedUser } from './unprivileged-user.ts'

export type EmbeddedPostgres = {
  /** For pg.Pool. `host` is the folder of the unix socket; there is no password. */
  connection: { host: string; port: number; user: string; database: string }
  /** The postmaster of this moment: another one after the database had to be started again. */
  readonly pid: number
  stop(): Promise<void>
}

/** A PostgreSQL of our own in DATA_DIR/postgres: made at the first start, watched, started again when it dies. */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  /** Progress for humans. */
  say?: (line: string) => void
  /** PostgreSQL's own output, and what its supervisor had to do. */
  log?: (line: string) => void
  /** Extra PostgreSQL settings, for example { fsync: 'off' } for tests. */
  settings?: Record<string, string>
}): Promise<EmbeddedPostgres> {
  const { dataDir, say = ignore, log = ignore, settings = {} } = options
  const user = await maybeUnprivilegedUser()
  const binaries = await reachableBinaries(await findBinaries(), user, say)
  const path = await prepareCluster({
    dataDir,
    binaries,
    user,
    say,
    sync: settings.fsync !== 'off',
  })
  const address = await openClientAddress(path, user)
  const cluster: Cluster = { path, dataDir, host: address.host, binaries, user, settings, say, log }

  try {
    const hold = await holdDatabase(cluster)
    if (hold.adopted) say('The database of an earlier run is still running; going on with it.')
    try {
      await createDatabaseIfMissing(hold.client, databaseName)
    } catch (cause) {
      await stopPostmaster(cluster, hold.pid)
      throw new CannotStart(`The database in ${path} could not be set up: ${String(cause)}`, {
        cause,
      })
    }
    const running = keepRunning(cluster, hold)
    return {
      connection: {
        host: address.host,
        port: databasePort,
        user: databaseUser,
        database: databaseName,
      },
      get pid() {
        return running.pid()
      },
      async stop() {
        await running.stop()
        await address.close()
      },
    }
  } catch (error) {
    await address.close()
    throw error
  }
}

export const databaseName = 'till'

function ignore(): void {}
