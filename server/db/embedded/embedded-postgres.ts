import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from '#server/cannot-start.ts'
import { getBinaries, getRunnableBinaries } from './binaries.ts'
import { findUnprivilegedUser, type Cluster, type DatabaseLog } from './cluster.ts'
import { describeConnection, prepareRoles, type Connection } from './credentials.ts'
import { prepareDataFolder, resolveClusterPath } from './data-folder.ts'
import { openSocketFolder, takeOwnership, type Ownership } from './ownership.ts'
import { findPostmaster, stopPostmaster } from './postmaster.ts'

export type EmbeddedPostgres = {
  /** For pg.Pool. `host` is the folder of the unix socket. */
  connection: Connection
  /** The current postmaster's process id: it changes when the database had to be started again. */
  readonly pid: number
  stop(): Promise<void>
}

/** A PostgreSQL of our own in DATA_DIR/postgres: created at the first start, and started again when it dies. */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  /** Progress for humans. */
  say?: (line: string) => void
  /** PostgreSQL's own output, and what its supervisor had to do. */
  log?: DatabaseLog
  /** Extra PostgreSQL settings, for example { fsync: 'off' } for tests. */
  settings?: Record<string, string>
  onLaunch?: () => void
}): Promise<EmbeddedPostgres> {
  const { dataDir, say = ignore, log = ignore, settings = {}, onLaunch = ignore } = options
  const path = await resolveClusterPath(dataDir)
  const user = await findUnprivilegedUser(path)
  const binaries = await getRunnableBinaries(await getBinaries(), user, say)
  const sync = settings.fsync !== 'off'
  await prepareDataFolder({ path, binaries, user, say, sync, onLaunch })
  const { host, close: closeSocketFolder } = await openSocketFolder(path, user)
  const cluster: Cluster = { path, dataDir, host, binaries, user, settings, say, log, onLaunch }

  try {
    const ownership = await takeOwnership(cluster)
    if (ownership.adopted) say('The database of an earlier run is still running; going on with it.')
    const secret = await prepareRoles(ownership.client, path, user).catch(async (cause) => {
      await stopPostmaster(cluster, ownership.pid)
      if (cause instanceof CannotStart) throw cause
      throw new CannotStart(`The database in ${path} could not be set up: ${String(cause)}`, {
        cause,
      })
    })
    const running = keepRunning(cluster, ownership)
    return {
      connection: describeConnection(host, secret),
      get pid() {
        return running.pid()
      },
      async stop() {
        await running.stop()
        await closeSocketFolder()
      },
    }
  } catch (error) {
    await closeSocketFolder()
    throw error
  }
}

const firstDelayMs = 100
const maxDelayMs = 2_000
/** A database that lived this long did not die of its start, so the next one need not wait. */
const healthyMs = 10_000

/**
 * Starts the database again whenever the owner's connection ends: that is how killed postmasters, our own or adopted,
 * and crashes from which PostgreSQL restarts by itself show.
 */
function keepRunning(cluster: Cluster, first: Ownership): { pid(): number; stop(): Promise<void> } {
  let ownership: Ownership | undefined
  let { pid } = first
  let delayMs = 0
  let restarting: Promise<void> | undefined
  let stopping: Promise<void> | undefined
  void watch(first)

  return {
    pid: () => pid,
    stop: () => (stopping ??= stop()),
  }

  async function watch(current: Ownership): Promise<void> {
    const since = performance.now()
    ownership = current
    pid = current.pid
    await current.lost
    ownership = undefined
    if (performance.now() - since > healthyMs) delayMs = 0
    if (stopping === undefined) restarting = restart()
  }

  async function restart(): Promise<void> {
    cluster.log('The database connection was lost; restarting the database.', 'error')
    for (;;) {
      await sleep(delayMs)
      if (stopping !== undefined) return
      delayMs = Math.min(Math.max(delayMs * 2, firstDelayMs), maxDelayMs)
      try {
        void watch(await takeOwnership(cluster))
        cluster.log(`The database is back (pid ${pid}).`, 'warn')
        return
      } catch (error) {
        cluster.log(`The database is not back yet: ${String(error)}`, 'error')
      }
    }
  }

  async function stop(): Promise<void> {
    await restarting
    const owned = ownership ?? (await retakeOwnership())
    if (owned === undefined) return
    await stopPostmaster(cluster, owned.pid)
    await owned.client.end()
  }

  /** Stopping in the middle of a crash: only the owner of the database may stop it. */
  async function retakeOwnership(): Promise<Ownership | undefined> {
    if ((await findPostmaster(cluster.path)) === undefined) return undefined
    return takeOwnership(cluster).catch(() => undefined)
  }
}

function ignore(): void {}
