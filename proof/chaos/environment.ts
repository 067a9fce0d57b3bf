import { fork, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { refusals } from '#contract/refusals.ts'
import type { FaultPlan, FaultReport } from '#sandbox/faults.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { addAdmin } from '#server/admin/admins.ts'
import { shellActor } from '#server/http/audit.ts'
import { openDatabase, type Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { StartReport } from '#server/testing/killable-database.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { patience, toDatabaseUrl } from '#server/testing/test-database.ts'
import { compileCache, freePort } from '#server/testing/running-shop.ts'

export type ShopKind = 'real' | 'naive'

/** The processes of a chaos run: a database, the SumUp sandbox and servers. */
export type Environment = {
  kind: ShopKind
  databaseFolder: string
  db: Db
  pool: Pool
  sumup: Sumup
  servers: SupervisedServer[]
  /** The session secret of all servers. */
  secret: string
}

export type Credentials = { username: string; password: string }

const root = join(import.meta.dirname, '..', '..')
const databaseProgram = join(root, 'server', 'testing', 'killable-database.ts')
const sandboxProgram = join(root, 'sandbox', 'main.ts')
export const serverPrograms: Record<ShopKind, string> = {
  real: join(root, 'server', 'main.ts'),
  naive: join(import.meta.dirname, 'naive-shop.ts'),
}

/** Opens everything; `opened` closes it again. */
export async function openEnvironment(
  kind: ShopKind,
  opened: AsyncDisposableStack,
  nodes = 1,
): Promise<Environment & { owner: Credentials }> {
  const folder = await mkdtemp(join(tmpdir(), 'till-proof-'))
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const database = await startDatabase(folder)
  opened.defer(() => database.stop())
  const connection = { ...database.connection, ssl: false, ...patience }
  const { db, pool, close } = openDatabase(connection, () => {})
  opened.defer(close)
  await migrate(pool, await readMigrations())
  const owner = { username: 'owner', email: 'owner@example.com', password: createSecret() }
  await addAdmin(db, owner, shellActor)
  // It has no protection against double payments.
  if (kind === 'naive')
    await db.execute(
      sql`drop index orders_sumup_checkout_id_key, orders_sumup_transaction_id_key, mails_once_per_order_key`,
    )
  const sumup = await startSumup(folder)
  opened.defer(() => sumup.stop())
  const secret = createSecret()
  const { account } = sumup
  const settings = {
    DATABASE_URL: toDatabaseUrl(database.connection),
    SUMUP_API_URL: account.url,
    SUMUP_API_KEY: account.apiKey,
    SUMUP_MERCHANT_CODE: account.merchantCode,
    SUMUP_SDK_URL: account.sdkUrl,
    SESSION_SECRET: secret,
    // Nodes of one database share their pictures.
    DATA_DIR: join(folder, 'shop'),
    DRAIN_SECONDS: '0',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'error',
    // The launcher's cache, so that a killed server restarts as fast as in production.
    NODE_COMPILE_CACHE: compileCache,
  }
  const servers = []
  for (let number = 0; number < nodes; number += 1) {
    const server = superviseServer(serverPrograms[kind], settings, await freePort())
    opened.defer(() => server.stop())
    servers.push(server)
  }
  const databaseFolder = join(folder, 'postgres')
  return { kind, databaseFolder, db, pool, sumup, servers, owner, secret }
}

export const createSecret = () => randomBytes(32).toString('hex')

/** The shop's own PostgreSQL with durable writes, in a process that ends with this one. */
export async function startDatabase(folder: string) {
  const { child, ended, message } = await startProgram(databaseProgram, [folder])
  const report = message as StartReport
  if ('cannotStart' in report) throw new Error(report.cannotStart)
  return {
    connection: report.connection,
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** Shorter than SumUp's minutes and hours, so that a proof sees webhooks retried. */
const webhookDelaysMs = [500, 1_000, 2_000, 4_000]

export type Sumup = Awaited<ReturnType<typeof startSumup>>
export type Ledger = ReturnType<Sandbox['ledger']>

/** The SumUp sandbox as a process, controlled over HTTP. */
export async function startSumup(folder: string, settings: Record<string, string> = {}) {
  const { child, ended, message } = await startProgram(sandboxProgram, [], {
    PORT: '0',
    STATE_FILE: join(folder, 'sumup.jsonl'),
    WEBHOOK_DELAYS_MS: webhookDelaysMs.join(','),
    ...settings,
  })
  const account = message as Pick<Sandbox, 'url' | 'apiKey' | 'merchantCode' | 'sdkUrl'>

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${account.url}/sandbox/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${account.apiKey}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const { status } = response
    if (!response.ok)
      throw new Error(`SumUp sandbox: ${status} ${await response.text()}`, { cause: status })
    return status === 204 ? undefined : response.json()
  }

  const formerRules: FaultReport['rules'] = []
  const readFaults = async () => (await call('GET', 'faults')) as FaultReport

  return {
    account,
    readLedger: async () => (await call('GET', 'ledger')) as Ledger,
    async setFaults(plan: FaultPlan): Promise<void> {
      formerRules.push(...(await readFaults()).rules)
      await call('POST', 'faults', plan)
    },
    /** Also those that were replaced since. */
    async readFaults(): Promise<FaultReport> {
      const { seed, rules } = await readFaults()
      return { seed, rules: [...formerRules, ...rules] }
    },
    /** The controls of sandbox/README.md. */
    control: (name: string, input: object) => call('POST', name, input),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Starts a program that sends one message when it is ready. */
async function startProgram(program: string, args: string[], env: NodeJS.ProcessEnv = process.env) {
  const child = fork(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env })
  const ended = once(child, 'exit')
  const failed = ended.then(() => Promise.reject(new Error(`${program} did not start`)))
  const [message] = (await Promise.race([once(child, 'message'), failed])) as [unknown]
  failed.catch(() => {})
  return { child, ended, message }
}

const restartDelayMs = 200
const maxOutputLength = 4_000

/** The exit of a server that nobody killed. */
type ServerExit = { wasReady: boolean; message: string }

export type SupervisedServer = ReturnType<typeof superviseServer>

/** A server that is restarted whenever it ends, as hosts do. */
export function superviseServer(
  program: string,
  environment: Record<string, string>,
  port: number,
) {
  const address = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let isReady = false
  let isRestarting = false
  let output = ''
  const unexpectedErrors: string[] = []
  const stopping = new AbortController()
  const exits: ServerExit[] = []
  const running = run()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const server = spawn(process.execPath, [program], {
        // Through the IPC channel a server notices the end of this process and ends too.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: { PORT: String(port), PUBLIC_URL: address, ...environment },
      })
      child = server
      output = ''
      const onOutput = (text: unknown) => {
        output = `${output}${String(text)}`.slice(-maxOutputLength)
        const lines = String(text).split('\n')
        unexpectedErrors.push(...lines.filter((line) => line.includes(refusals.unexpected.text)))
        // It prints its address when it listens.
        if (String(text).includes(address)) isReady = true
      }
      server.stdout?.on('data', onOutput)
      server.stderr?.on('data', onOutput)
      const [, signal] = (await once(server, 'exit')) as [number | null, string | null]
      const wasReady = isReady
      isReady = false
      if (signal === 'SIGKILL' || isRestarting || stopping.signal.aborted) continue
      exits.push({ wasReady, message: findErrorLine(output) })
      await delay(restartDelayMs)
    }
  }

  return {
    address,
    exits,
    unexpectedErrors,
    isReady: () => isReady,
    /** Only a ready server: one that never gets ready would prove nothing. */
    kill(): boolean {
      if (!isReady || !child) return false
      isReady = false
      return child.kill('SIGKILL')
    },
    /** Such as SIGSTOP. */
    signal: (name: NodeJS.Signals) => child?.kill(name) ?? false,
    /** As in a rolling update; resolves when it has ended and is ready again. */
    async restart(): Promise<void> {
      if (!child) return
      isRestarting = true
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      isRestarting = false
      await waitUntilReady()
    },
    waitUntilReady,
    async stop(): Promise<void> {
      stopping.abort()
      child?.kill('SIGCONT')
      child?.kill('SIGTERM')
      await running
    },
  }

  async function waitUntilReady(): Promise<void> {
    const giveUpAt = Date.now() + 60_000
    const isWaiting = () => !isReady
    for (; isWaiting(); await delay(20))
      if (Date.now() > giveUpAt) throw new Error(`A server did not start:\n${output}`)
  }
}

function findErrorLine(output: string): string {
  const lines = output.trim().split('\n')
  return lines.find((line) => /Error|cannot/i.test(line)) ?? lines.at(-1) ?? ''
}
