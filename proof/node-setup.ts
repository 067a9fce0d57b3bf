import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { addAdmin } from '#server/admin/admins.ts'
import { openDatabase } from '#server/db/database.ts'
import { shellActor } from '#server/http/audit.ts'
import { startMailServer } from '#server/testing/mail-server.ts'
import { openS3Server } from '#server/testing/s3-server.ts'
import { compileCache, freePort } from '#server/testing/running-shop.ts'
import { noAnswer } from './chaos/browser.ts'
import { buy } from './chaos/buy.ts'
import { beginVisit, type ChaosContext } from './chaos/visit.ts'
import { addProducts } from './chaos/disturbances.ts'
import { createSecret, serverPrograms, startSumup, superviseServer } from './chaos/environment.ts'
import { emptyHistory } from './chaos/history.ts'
import { startHaproxy, startPgbouncer, startPostgres, type Programs } from './machines.ts'
import { planVisitors } from './chaos/visitors.ts'

export const nodeCount = 3
const drainSeconds = 3
const buyers = 8
/** Between two purchases of one buyer. */
const pauseMs = 150
const visitorCount = 100_000

export type Setup = Awaited<ReturnType<typeof openSetup>>

/** Three nodes with all that is around them; `opened` closes it again. */
export async function openSetup(programs: Programs, opened: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'till-nodes-'))
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  // PostgreSQL runs as another user.
  await chmod(folder, 0o711)
  const postgres = await startPostgres(programs, join(folder, 'postgres'))
  opened.defer(() => postgres.stop())
  await createDatabase(postgres.connection)
  const { port } = postgres.connection
  const pgbouncer = await startPgbouncer(programs, join(folder, 'pgbouncer'), port)
  opened.defer(() => pgbouncer.stop())
  const s3 = await openS3Server()
  opened.defer(() => s3.stop())
  const mailServer = await startMailServer()
  opened.defer(() => mailServer.goDown())
  // An account that takes money: of test mode only a few mails are sent.
  const sumup = await startSumup(folder, { MERCHANT_SANDBOX: 'false' })
  opened.defer(() => sumup.stop())
  const ports = await Promise.all(Array.from({ length: nodeCount }, freePort))
  const haproxy = await startHaproxy(programs, join(folder, 'haproxy'), ports)
  opened.defer(() => haproxy.stop())
  const secret = createSecret()
  const { account } = sumup
  const settings = {
    DATABASE_URL: pgbouncer.url,
    PUBLIC_URL: haproxy.address,
    SESSION_SECRET: secret,
    ...s3.environment,
    SMTP_URL: mailServer.url,
    SHOP_EMAIL: 'shop@example.com',
    SUMUP_API_URL: account.url,
    SUMUP_API_KEY: account.apiKey,
    SUMUP_MERCHANT_CODE: account.merchantCode,
    SUMUP_SDK_URL: account.sdkUrl,
    TRUST_PROXY: '1',
    DRAIN_SECONDS: String(drainSeconds),
    LOG_LEVEL: 'error',
    NODE_COMPILE_CACHE: compileCache,
  }
  const nodes = ports.map((port, index) => {
    const environment = { ...settings, DATA_DIR: join(folder, `node-${index + 1}`) }
    const node = superviseServer(serverPrograms.real, environment, port)
    opened.defer(() => node.stop())
    return node
  })
  // All at once: one of them migrates, through the pooler.
  await Promise.all(nodes.map((node) => node.waitUntilReady()))
  const { db, pool, close } = openDatabase({ ...postgres.connection, database: 'till' }, () => {})
  opened.defer(close)
  const owner = { username: 'owner', email: 'owner@example.com', password: createSecret() }
  await addAdmin(db, owner, shellActor)
  const history = emptyHistory()
  const products = await addProducts(db, history)
  /** The mails sent around a restart of PostgreSQL, by their index among the received ones. */
  const restartMails = { from: 0, to: 0 }
  const { received } = mailServer
  return {
    received,
    restartMails,
    folder,
    settings,
    postgres,
    sumup,
    nodes,
    db,
    pool,
    secret,
    history,
    products,
    haproxy,
  }
}

/** It listens before it is ready. */
async function createDatabase(connection: object): Promise<void> {
  for (const giveUpAt = Date.now() + 30_000; ; await delay(100)) {
    const client = new Client({ ...connection, database: 'postgres' })
    try {
      await client.connect()
      await client.query('create database till')
      return
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
    } finally {
      await client.end().catch(() => {})
    }
  }
}

export type Load = ReturnType<typeof startLoad>

/** Buyers who buy without end, through HAProxy. */
export function startLoad({ haproxy, sumup, products, history }: Setup, seed: number) {
  const requests = { count: 0, failed: [] as string[] }
  const context: ChaosContext = {
    addresses: [haproxy.address],
    sumup,
    products,
    history,
    onAnswer(call, status) {
      requests.count += 1
      if (status === noAnswer || status >= 500)
        requests.failed.push(`${status || 'no answer'} to ${call}`)
    },
  }
  const visitors = planVisitors(visitorCount, seed)
  let isStopped = false
  let next = 0

  async function work(): Promise<void> {
    while (isOpen()) {
      const visitor = visitors[next % visitors.length]
      next += 1
      if (!visitor) return
      const calm = {
        ...visitor,
        closesTabAt: undefined,
        bank: undefined,
        attack: undefined,
        doubleClicks: false,
        firstCardFails: false,
      }
      await buy(beginVisit(context, calm))
      await delay(pauseMs)
    }
  }
  const isOpen = () => !isStopped
  const working = Array.from({ length: buyers }, work)
  const sold = () => history.confirmedOrders.length

  return {
    sold,
    async untilSelling(): Promise<void> {
      for (const giveUpAt = Date.now() + 30_000; sold() < 2 * buyers; await delay(50))
        if (Date.now() > giveUpAt)
          throw new Error(`Nothing is sold: ${requests.failed.slice(0, 5).join(', ')}`)
    },
    /** Requests during some work. */
    async during<Result>(task: () => Promise<Result>) {
      const [count, failed, soldBefore, startedAt] = [
        requests.count,
        requests.failed.length,
        sold(),
        performance.now(),
      ]
      const result = await task()
      const seconds = (performance.now() - startedAt) / 1000
      return {
        result,
        requests: requests.count - count,
        failed: requests.failed.slice(failed),
        sales: sold() - soldBefore,
        salesPerSecond: (sold() - soldBefore) / seconds,
      }
    },
    async stop(): Promise<void> {
      isStopped = true
      await Promise.all(working)
    },
  }
}
