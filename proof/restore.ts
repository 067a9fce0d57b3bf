import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import {
  createBackup,
  openPatientClient,
  type Backup,
  type BackupSource,
  type Progress,
} from '#server/backup/create-backup.ts'
import { openDatabase, type Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { hashTables } from '#server/testing/backups.ts'
import { openSecondPool, toDatabaseUrl } from '#server/testing/test-database.ts'
import { openPictures } from '#server/uploads/open-pictures.ts'
import { freePort, startShop } from '#server/testing/running-shop.ts'
import { createDemo } from '#tools/seed/demo.ts'
import type { Bar } from '#tools/terminal.ts'
import { payWithCard } from './chaos/browser.ts'
import { buy, openOffer, saveDetails } from './chaos/buy.ts'
import { beginVisit, type ChaosContext } from './chaos/visit.ts'
import { addProducts } from './chaos/disturbances.ts'
import { openEnvironment, startDatabase } from './chaos/environment.ts'
import { emptyHistory, isCharged } from './chaos/history.ts'
import { createPlainVisitor } from './chaos/visitors.ts'

/** How a proof sells. */
export type Seller = {
  /** One sale from the first page to the order. */
  sell: () => Promise<unknown>
  /** A sale up to the card, which is sent by calling the result. */
  begin: () => Promise<() => Promise<unknown>>
}

const concurrency = 4
const salesAround = 8
const unfinishedSales = 5

export type LoadedBackup = {
  backup: Backup
  backupMs: number
  /** What every table was at the moment of the backup, by its hash. */
  hashes: Record<string, string>
  salesDuring: number
}

/**
 * Backs up while people buy, and computes what every table was at that moment. Some have filled in their details before
 * it and pay after it; others only come after it.
 */
export async function backUpUnderLoad(
  source: BackupSource,
  file: string,
  { sell, begin }: Seller,
  onProgress: Progress = () => {},
): Promise<LoadedBackup> {
  const unfinished = await Promise.all(Array.from({ length: unfinishedSales }, begin))
  const shop = { isOpen: true, sales: 0 }
  const selling = Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (shop.isOpen) {
        await sell()
        shop.sales += 1
      }
    }),
  )
  // Awaited below; a sale that fails meanwhile must not end the process.
  selling.catch(() => {})
  const untilSold = async (more: number) => {
    const wanted = shop.sales + more
    while (shop.sales < wanted) await Promise.race([delay(10), selling])
  }
  const client = openPatientClient(source.pool, 'till proof')
  try {
    await untilSold(salesAround)
    await client.connect()
    await client.query('begin isolation level repeatable read, read only')
    const { rows } = await client.query<{ snapshot: string }>(
      'select pg_export_snapshot() as snapshot',
    )
    const salesBefore = shop.sales
    const startedAt = performance.now()
    const snapshot = rows[0]?.snapshot ?? ''
    const timed = createBackup(source, file, { snapshot, onProgress }).then((backup) => ({
      backup,
      backupMs: performance.now() - startedAt,
    }))
    const [{ backup, backupMs }, hashes] = await Promise.all([timed, hashTables(client)])
    const salesDuring = shop.sales - salesBefore
    for (const pay of unfinished) await pay()
    await untilSold(salesAround)
    return { backup, backupMs, hashes, salesDuring }
  } finally {
    shop.isOpen = false
    await selling
    await client.end()
  }
}

/** Jobs are due at once in a restored shop, other processes run it, and everybody signs in again. */
const differing = ['node_jobs', 'nodes', 'restored_backups', 'sessions']

/** The tables that are not what they were. */
export async function findDifferences(
  hashes: Record<string, string>,
  restored: Pool,
): Promise<string[]> {
  const now = await hashTables(restored)
  return Object.keys({ ...hashes, ...now }).filter(
    (name) => !differing.includes(name) && hashes[name] !== now[name],
  )
}

export type Booked = { orders: number; review: number; lost: number; doubled: number }

/** What became of all money that SumUp has taken. */
export async function countBooked(
  db: Db,
  transactions: { id: string; status: string }[],
): Promise<Booked> {
  const { rows } = await db.execute<{ id: string; kind: 'orders' | 'review' }>(sql`
    select sumup_transaction_id as id, 'orders' as kind from orders
    union all select paid.transaction_id, 'review' from review_entries as entry
      join payments as paid on paid.id = entry.payment_id where entry.state in ('open', 'dismissed')`)
  const found = Map.groupBy(rows, ({ id }) => id)
  const booked: Booked = { orders: 0, review: 0, lost: 0, doubled: 0 }
  for (const { id } of transactions.filter(isCharged)) {
    const [entry, ...more] = found.get(id) ?? []
    booked[entry?.kind ?? 'lost'] += 1
    booked.doubled += more.length
  }
  return booked
}

/** From the start of a restored shop, which compares after one minute, until nothing is lost. */
const reconcileWithinMs = 150_000
/** Hashing all rows takes longer than a buyer would wait. */
const withoutTimeouts = { statement_timeout: 0, query_timeout: 0 }
/** For 100,000 orders. */
const maxRestoreMs = 120_000

/**
 * A shop with many orders is backed up while it sells, goes on selling, and is lost. It is restored with the command
 * into the database of another PostgreSQL and started there.
 */
export async function proveRestore(orders: number, { onProgress, print }: Bar): Promise<boolean> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'till-restore-'))
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const environment = await openEnvironment('real', opened)
  const { pool, sumup, secret } = environment
  const sourceDir = join(folder, 'source')
  const config = { dataDir: sourceDir, pictureStore: undefined }
  const pictures = await openPictures(config, secret)
  print(`making a shop with ${orders.toLocaleString('en')} orders`)
  const patient = openSecondPool(pool, withoutTimeouts)
  await createDemo(
    patient,
    pictures,
    { orders, events: orders * 3, seed: 1, timeZone: 'UTC' },
    { onProgress, print: () => {} },
  )
  await patient.close()
  await Promise.all(environment.servers.map((server) => server.waitUntilReady()))

  const file = join(folder, 'shop.backup')
  const source = { pool, store: pictures.store, secret: { value: secret, isGenerated: false } }
  const loaded = await backUpUnderLoad(source, file, await createSeller(environment), onProgress)
  const { backup, backupMs, hashes, salesDuring } = loaded
  const rows = backup.manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  print(
    `backup: ${rows.toLocaleString('en')} rows, ${backup.end.pictures} pictures, ` +
      `${(backup.bytes / 1e6).toFixed(1)} MB in ${seconds(backupMs)} s, with ${salesDuring} sales meanwhile`,
  )
  for (const server of environment.servers) await server.stop()
  const { transactions } = await sumup.readLedger()

  const targetDir = join(folder, 'target')
  const other = await startDatabase(join(folder, 'other'))
  opened.defer(() => other.stop())
  const settings = {
    DATA_DIR: targetDir,
    DATABASE_URL: toDatabaseUrl(other.connection),
    SESSION_SECRET: secret,
  }
  const restoreMs = await runRestore(file, settings)
  const connection = { ...other.connection, ssl: false, ...withoutTimeouts }
  const restored = openDatabase(connection, () => {})
  opened.defer(restored.close)
  const differences = await findDifferences(hashes, restored.pool)
  const tables = Object.keys(hashes).length
  print(
    `restore: ${seconds(restoreMs)} s (at most ${maxRestoreMs / 1000}), ` +
      `${tables - differences.length} of ${tables} tables equal, row by row` +
      (differences.length > 0 ? `; not equal: ${differences.join(', ')}` : ''),
  )
  const before = await countBooked(restored.db, transactions)
  const { url, apiKey, merchantCode, sdkUrl } = sumup.account
  const account = {
    SUMUP_API_URL: url,
    SUMUP_API_KEY: apiKey,
    SUMUP_MERCHANT_CODE: merchantCode,
    SUMUP_SDK_URL: sdkUrl,
  }
  const shop = startShop('server/main.ts', { ...settings, ...account }, await freePort())
  await shop.ready()
  const startedAt = performance.now()
  let booked = before
  while (booked.lost > 0 && performance.now() - startedAt < reconcileWithinMs) {
    await delay(500)
    booked = await countBooked(restored.db, transactions)
  }
  shop.process.kill('SIGTERM')
  await shop.ended
  print(
    `payments since the backup: ${before.lost}, of which ${booked.orders - before.orders} came back as orders and ` +
      `${booked.review - before.review} stand in review, ${seconds(performance.now() - startedAt)} s after the start; ` +
      `lost ${booked.lost}, doubled ${booked.doubled}`,
  )
  return (
    differences.length === 0 &&
    restoreMs <= maxRestoreMs &&
    before.lost > 0 &&
    booked.lost + booked.doubled === 0
  )
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)

type Shop = Awaited<ReturnType<typeof openEnvironment>>

async function createSeller({ db, servers, sumup }: Shop): Promise<Seller> {
  const history = emptyHistory()
  const products = await addProducts(db, history)
  const addresses = servers.map(({ address }) => address)
  const context: ChaosContext = { addresses, sumup, products, history }
  let number = 0
  const arrive = () => beginVisit(context, createPlainVisitor((number += 1)))
  return {
    sell: () => buy(arrive()),
    async begin() {
      const visit = arrive()
      const offer = await openOffer(visit)
      if (!offer || offer === 'ended') throw new Error('no checkout could be opened')
      await saveDetails(visit, offer)
      return () => payWithCard(sumup.account.url, offer.checkoutId, 'good')
    },
  }
}

/** The command as on a new machine, which shows its own progress. */
async function runRestore(file: string, settings: Record<string, string>): Promise<number> {
  const startedAt = performance.now()
  const program = join(import.meta.dirname, '..', 'tools', 'restore.ts')
  const child = spawn(process.execPath, [program, file], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the restore failed')
  return performance.now() - startedAt
}
