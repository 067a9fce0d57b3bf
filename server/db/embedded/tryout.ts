import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import type { StartReport } from './killable-server.ts'
import { maybePostmaster } from './running-postmaster.ts'

type Connection = EmbeddedPostgres['connection']

/** A shop that has run before; the same as a new one, without waiting for its first start. */
export async function oldShop(t: TestContext, dataDirBelow?: string) {
  const shop = await newShop(t, dataDirBelow)
  preparedOnce ??= prepare()
  await copy(await preparedOnce, shop.dataDir)
  return shop
}

/** A data folder for one test, with every process in it gone when the test ends. */
export async function newShop(t: TestContext, dataDirBelow = 'data') {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'till-embedded-')))
  const dataDir = join(folder, dataDirBelow)
  const databases: EmbeddedPostgres[] = []
  const servers: ChildProcess[] = []

  t.after(async () => {
    await Promise.all(servers.map(killServer))
    await Promise.all(databases.map((database) => database.stop()))
    await stopWhatIsLeft(join(dataDir, 'postgres'))
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  return {
    folder,
    dataDir,
    path: join(dataDir, 'postgres'),

    /** A start within the test itself, without waiting for disks. */
    async start(options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) {
      const database = await startEmbeddedPostgres({
        dataDir,
        settings: { fsync: 'off' },
        ...options,
      })
      databases.push(database)
      return database
    },

    /** A server in a process of its own. */
    serve({
      app = appFolder,
      ...how
    }: {
      app?: string
      uid?: number
      gid?: number
      env?: NodeJS.ProcessEnv
      execPath?: string
    } = {}) {
      const server = fork(join(app, 'server/db/embedded/killable-server.ts'), [dataDir], {
        ...how,
        cwd: '/',
      })
      servers.push(server)
      return { process: server, report: reportOf(server) }
    },
  }
}

/** The house that this file stands in. */
export const appFolder = join(import.meta.dirname, '..', '..', '..')

let preparedOnce: Promise<string> | undefined
const preparedFolders: string[] = []
after(() => Promise.all(preparedFolders.map((folder) => rm(folder, { recursive: true }))))

async function prepare(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'till-embedded-'))
  preparedFolders.push(dataDir)
  const database = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
  await database.stop()
  return dataDir
}

export function started(report: StartReport): { connection: Connection; pid: number } {
  if ('cannotStart' in report) throw new Error(report.cannotStart)
  return report
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

/** The first answer that is not a refusal, an error or undefined. */
export async function eventually<Answer>(
  what: string,
  look: () => Promise<Answer | undefined>,
  withinMs = 10_000,
): Promise<Answer> {
  const giveUpAt = performance.now() + withinMs
  let trouble: unknown
  for (;;) {
    const answer = await look().catch((error: unknown) => {
      trouble = error
    })
    if (answer !== undefined) return answer
    if (performance.now() > giveUpAt) throw new Error(`waited in vain: ${what}`, { cause: trouble })
    await pause(10)
  }
}

/** Three times as fast as node:fs for a thousand small files, and owners stay who they are. */
export async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await promisify(execFile)('cp', ['-a', from, to])
}

async function reportOf(server: ChildProcess): Promise<StartReport> {
  const died = once(server, 'exit').then(([code, signal]: unknown[]) => {
    throw new Error(`the server ended (${String(code ?? signal)}) without a word`)
  })
  const [report] = (await Promise.race([once(server, 'message'), died])) as [StartReport]
  died.catch(() => {})
  return report
}

async function stopWhatIsLeft(path: string): Promise<void> {
  const pid = await maybePostmaster(path)
  if (pid === undefined) return
  process.kill(pid, 'SIGQUIT')
  await eventually('the postmaster ends', async () =>
    (await maybePostmaster(path)) ? undefined : true,
  )
}
