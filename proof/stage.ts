import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addAdmin } from '#server/admin/admins.ts'
import { openDatabase, type Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import type { EmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { freePort } from '#tools/running-shop.ts'
import { keepFigures } from './find-miscounted.ts'
import { keepShop, type KeptShop } from './keep-shop.ts'
import { startDatabase } from './start-database.ts'
import { startSumup, type Sumup } from './start-sumup.ts'

export type ShopKind = 'real' | 'naive'

/** Everything a run of chaos plays on: a database, SumUp's stand-in and two servers, all of them processes. */
export type Stage = {
  kind: ShopKind
  databaseFolder: string
  db: Db
  sumup: Sumup
  shops: KeptShop[]
  /** What all servers sign with. */
  secret: string
}

const root = join(import.meta.dirname, '..')
const programs: Record<ShopKind, string> = {
  real: join(root, 'server', 'main.ts'),
  naive: join(import.meta.dirname, 'naive-shop.ts'),
}
const servers = 2

export async function openStage(kind: ShopKind, opened: AsyncDisposableStack): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'till-proof-'))
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const database = await startDatabase(folder)
  opened.defer(() => database.stop())
  const { db, pool, close } = openDatabase({ ...database.connection, ssl: false }, () => {})
  opened.defer(close)
  await migrate(pool, await readMigrations())
  await addAdmin(db, { username: 'owner', email: 'owner@example.com', password: newSecret() })
  if (kind === 'real') await keepFigures(db)
  // A shop that never thought of paying twice has no index against it.
  if (kind === 'naive')
    await db.execute(
      sql`drop index orders_sumup_checkout_id_key, orders_sumup_transaction_id_key, mails_once_per_order_key`,
    )
  const sumup = await startSumup(folder)
  opened.defer(() => sumup.stop())
  const secret = newSecret()
  const environment = {
    ...addressesOf(database, sumup),
    SESSION_SECRET: secret,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'fatal',
    // Where the launcher keeps it, so that a killed server is back as soon as it would be in life.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
  }
  const shops = []
  for (let number = 0; number < servers; number += 1) {
    const own = { ...environment, DATA_DIR: join(folder, `server-${number}`) }
    const shop = keepShop(programs[kind], own, await freePort())
    opened.defer(() => shop.stop())
    shops.push(shop)
  }
  return { kind, databaseFolder: join(folder, 'postgres'), db, sumup, shops, secret }
}

function addressesOf({ connection }: Pick<EmbeddedPostgres, 'connection'>, { account }: Sumup) {
  const { user, database, host } = connection
  return {
    DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    SUMUP_API_URL: account.url,
    SUMUP_API_KEY: account.apiKey,
    SUMUP_MERCHANT_CODE: account.merchantCode,
    SUMUP_SDK_URL: account.sdkUrl,
  }
}

const newSecret = () => randomBytes(32).toString('hex')
