import type { Pool } from 'pg'
import type { PictureUse } from '#contract/pictures.ts'
import { ensureFirstAdmin } from './admin/first-admin.ts'
import { dropEndedSessions } from './admin/sessions.ts'
import { openPlaces, type Places } from './analytics/places.ts'
import { openTracking, type Tracking } from './analytics/tracking.ts'
import { dropOldVisits } from './analytics/visits.ts'
import { openProductCache, type ProductCache } from './catalog/product-cache.ts'
import type { Config } from './config.ts'
import type { Db } from './db/database.ts'
import { openShopDatabase } from './db/open-shop-database.ts'
import type { Log } from './http/log.ts'
import { dropEndedWindows } from './http/shared-limits.ts'
import { readWebFiles, type WebFiles } from './http/web-files.ts'
import { startMailing } from './mail/mailing.ts'
import { deleteUnpaidDetails } from './checkouts/ledger.ts'
import { openSales, type Sales } from './checkouts/sales.ts'
import { openPayments, type Payments } from './sumup/payments.ts'
import { repeat } from './repeat.ts'
import { readSecret } from './secret.ts'
import { checkPictures } from './uploads/check-pictures.ts'
import { openPictures, type OpenPictures } from './uploads/open-pictures.ts'
import { dropOrphans } from './uploads/orphans.ts'

/** Everything the shop holds open. */
export type Shop = {
  config: Config
  log: Log
  db: Db
  pool: Pool
  schemaVersion: number
  /** What links and addresses of ours are signed with. */
  secret: string
  productCache: ProductCache
  pictures: OpenPictures
  /** Refuses uploads that a product cannot show. */
  checkPictures: (uses: PictureUse[]) => Promise<void>
  payments: Payments
  sales: Sales
  /** Where visitors come from. */
  places: Places
  tracking: Tracking
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

/** Opens everything once. What was opened is closed in the opposite order, also when something later fails. */
export async function openShop(
  config: Config,
  log: Log,
  say: (line: string) => void,
): Promise<OpenShop> {
  await using opened = new AsyncDisposableStack()
  const web = await readWebFiles()
  const { db, pool, schemaVersion, description } = await openShopDatabase(config, log, say, opened)
  const firstLogin = await ensureFirstAdmin(db, config.firstAdmin, config.dataDir)
  const secret = await readSecret(config)
  const productCache = openProductCache(db, pool, log)
  opened.defer(() => productCache.close())
  const pictures = await openPictures(config, secret)
  void warnOfTrouble(pictures, log)
  const payments = await openPayments(config, log, opened)
  const sales = openSales({
    db,
    createClient: payments.createClient,
    log,
    secret,
    maxParallel: config.payments.parallelLooks,
  })
  opened.defer(() => sales.close())
  const places = openPlaces(config.geoipFile)
  void warnOfUnknownPlaces(places, log)
  const tracking = openTracking(db, log)
  opened.defer(() => tracking.close())
  const mailing = startMailing({
    config,
    db,
    secret,
    log,
    origin: originOf(config),
    isKeyRefused: () => payments.isKeyRefused(),
  })
  opened.defer(() => mailing.stop())
  const tidying = repeat(() => tidyUp(db, pictures), tidyEveryMs, log, 'Tidying up')
  opened.defer(() => tidying.stop())

  let closing = false
  const stack = opened.move()
  return {
    config,
    log,
    db,
    pool,
    schemaVersion,
    secret,
    productCache,
    pictures,
    checkPictures: (uses) => checkPictures(db, pictures, uses),
    payments,
    sales,
    places,
    tracking,
    web,
    isClosing: () => closing,
    database: description,
    firstLogin,
    startClosing: () => {
      closing = true
    },
    close: () => stack.disposeAsync(),
  }
}

/** The address that mails lead to. */
function originOf({ publicUrl, host, port }: Config): string {
  return publicUrl ?? `http://${host}:${port}`
}

/** A store that is away stops no start: everything but its pictures works. */
async function warnOfTrouble({ store }: OpenPictures, log: Log): Promise<void> {
  const trouble = await store.maybeTrouble()
  if (trouble) log.warn(`${trouble}. Pictures cannot be uploaded or shown until it does.`)
}

/** Countries are worth a line, and no more than that. */
async function warnOfUnknownPlaces(places: Places, log: Log): Promise<void> {
  const trouble = await places.maybeTrouble()
  if (trouble) log.warn(trouble)
}

async function tidyUp(db: Db, { store }: OpenPictures): Promise<void> {
  await dropEndedSessions(db)
  await dropEndedWindows(db)
  await deleteUnpaidDetails(db)
  await dropOldVisits(db)
  await dropOrphans(db, store)
}
