import type { ChildProcess } from 'node:child_process'
import { hostname } from 'node:os'
import type { Pool } from 'pg'
import type { PictureUse } from '#contract/pictures.ts'
import { ensureFirstAdmin, findWeakAdmin } from './admin/admins.ts'
import { openGeoLocations, type GeoLocations } from './analytics/geo-locations.ts'
import { openTracking, type Tracking } from './analytics/tracking.ts'
import { openProductCache, type ProductCache } from './catalog/product-cache.ts'
import { startBackups } from './backup/scheduled-backups.ts'
import { localOrigin, type Config } from './config.ts'
import { sendAlerts } from './checks/alerts.ts'
import { openSelfChecks, type SelfChecks } from './checks/ask.ts'
import { createDataDir } from './data-dir.ts'
import type { Db } from './db/database.ts'
import {
  recordHeartbeat,
  heartbeatEveryMs,
  joinNodes,
  leaveNodes,
  type ShopNode,
} from './db/nodes.ts'
import { startShopDatabase } from './db/open-shop-database.ts'
import type { Log } from './log.ts'
import { readWebFiles, type WebFiles } from './http/web-files.ts'
import { startMailing } from './mail/mailing.ts'
import { findAccountMode } from './checkouts/find-checkout.ts'
import { openSales, type Sales } from './checkouts/sales.ts'
import { openPayments, type Payments } from './sumup/payments.ts'
import { stopSandbox } from './sumup/sandbox-process.ts'
import { deleteOldData } from './privacy/retention.ts'
import { watchSdkIfDue } from './sumup/sdk-watch.ts'
import { repeat } from './repeat.ts'
import { fingerprintOf, readSecret } from './secret.ts'
import { openShopSettings, type LiveSettings } from './shop-settings/shop-settings.ts'
import { checkPictures } from './uploads/accept.ts'
import { identifyPictureStore, openPictures } from './uploads/open-pictures.ts'
import type { Pictures } from './uploads/picture-store.ts'
import { deleteUnusedPicturesIfDue } from './uploads/unused-pictures.ts'

/** Everything the shop holds open. */
export type Shop = {
  /** With what the owner has set in the back-office: fields may change at any time. */
  config: Config
  settings: LiveSettings
  log: Log
  db: Db
  pool: Pool
  schemaVersion: number
  node: ShopNode
  /** Signs links and URLs. */
  secret: string
  productCache: ProductCache
  pictures: Pictures
  /** Rejects uploads that a product cannot show. */
  checkPictures: (uses: PictureUse[]) => Promise<void>
  payments: Payments
  sales: Sales
  /** Where visitors come from. */
  geoLocations: GeoLocations
  tracking: Tracking
  selfChecks: SelfChecks
  /** Undefined in tests that only use the API. */
  web: WebFiles | undefined
  /** A database that takes longer than this to answer is not ready to sell. */
  readyWithinMs: number
  /** And one that takes longer than this is down in the metrics. */
  figuresWithinMs: number
  isClosing: () => boolean
}

export type OpenShop = Shop & {
  database: string
  firstLogin: { username: string; password: string } | undefined
  /** An admin with an easy password. */
  weakAdmin: string | undefined
  /** From now on the shop reports that it is not ready. */
  startClosing: () => void
  close: () => Promise<void>
}

const cleanUpEveryMs = 15 * 60 * 1000
/** How often a node asks whether the card form's script is due to be looked at, which is once a day. */
const sdkWatchEveryMs = 10 * 60 * 1000
const firstSdkWatchMs = 60_000
const selfCheckEveryMs = 5 * 60 * 1000
/** Once the port is open. */
const firstSelfCheckMs = 10_000

/** What may have been started before, while this module was loaded. */
type StartingShop = ReturnType<typeof startShopDatabase> & { sandbox?: ChildProcess | undefined }

/** Opens everything once. It is closed in the opposite order, also when a later step fails. */
export async function openShop(
  configAtStart: Config,
  log: Log,
  say: (line: string) => void,
  starting: StartingShop = startShopDatabase(configAtStart, log, say),
): Promise<OpenShop> {
  await using opened = starting.opened
  const { sandbox } = starting
  if (sandbox) opened.defer(() => stopSandbox(sandbox))
  const reading = readWebFiles()
  // Told where it is awaited, after the database can be closed again.
  reading.catch(() => {})
  const database = await starting.database
  const web = await reading
  const { db, pool, isPooled, schemaVersion } = database
  await createDataDir(configAtStart.dataDir)
  const secret = await readSecret(configAtStart)
  const settings = await openShopSettings({ db, secret, config: configAtStart, log })
  opened.defer(() => settings.close())
  const { config } = settings
  const pictures = await openPictures(config, secret)
  void warnAboutPictures(pictures, log)
  const facts = {
    name: `${hostname()}:${config.port}`.slice(0, 300),
    secretPrint: fingerprintOf(secret),
    pictureStore: await identifyPictureStore(config, pictures, db),
    poolSize: config.databasePool,
  }
  const node = await joinNodes(facts, { db, isPooled, isAlone: !config.databaseUrl, say })
  opened.defer(() => leaveNodes(db, node).catch(() => {}))
  const beating = repeat(() => recordHeartbeat(db, node), heartbeatEveryMs, log, 'The heartbeat')
  opened.defer(() => beating.stop())
  const productCache = openProductCache(db)
  const payments = await openPayments(config, log, opened, {
    refreshSettings: () => settings.refresh(),
    launchedSandbox: sandbox,
    findMode: (merchantCode) => findAccountMode(db, merchantCode),
  })
  const firstLogin = await ensureFirstAdmin(db, config.firstAdmin, {
    dataDir: config.dataDir,
    isLive: payments.account().mode !== 'test',
    say,
  })
  const sales = openSales({
    db,
    payments,
    productCache,
    log,
    secret,
    maxParallel: config.payments.maxParallelChecks,
  })
  opened.defer(() => sales.close())
  const geoLocations = openGeoLocations(config.geoipFile)
  void warnAboutGeoLocations(geoLocations, log)
  const tracking = openTracking(db, log)
  opened.defer(() => tracking.close())
  const mailing = startMailing({
    config,
    db,
    secret,
    log,
    localOrigin: localOrigin(config),
    sendAlerts: (deps) =>
      sendAlerts({
        ...deps,
        isKeyRefused: () => payments.isKeyRefused(),
        findMode: () => payments.account().mode,
      }),
  })
  opened.defer(() => mailing.stop())
  const cleanUp = async () => {
    await deleteOldData({ db, log, config })
    await deleteUnusedPicturesIfDue(db, pictures.store)
  }
  const cleaning = repeat(cleanUp, cleanUpEveryMs, log, 'Cleaning up')
  opened.defer(() => cleaning.stop())

  const watchSdk = () => {
    const { sdkUrl: url, sdkSource: source } = payments.pin()
    return watchSdkIfDue({ db, log, sdk: { url, source } })
  }
  const watching = repeat(
    watchSdk,
    sdkWatchEveryMs,
    log,
    "Watching the card form's script",
    firstSdkWatchMs,
  )
  opened.defer(() => watching.stop())

  const selfChecks = openSelfChecks(config)
  const checking = repeat(
    () => selfChecks.run(),
    selfCheckEveryMs,
    log,
    'Looking at how requests arrive',
    firstSelfCheckMs,
  )
  opened.defer(() => checking.stop())

  const { folder, passphrase } = config.backup
  if (folder) {
    const { store } = pictures
    const source = { pool, store, secret: { value: secret, isGenerated: !config.sessionSecret } }
    const backups = startBackups({ ...source, db, log, folder, passphrase })
    opened.defer(() => backups.stop())
  }

  let isClosing = false
  const stack = opened.move()
  return {
    config,
    settings,
    log,
    db,
    pool,
    schemaVersion,
    node,
    secret,
    productCache,
    pictures,
    checkPictures: (uses) => checkPictures(db, pictures, uses),
    payments,
    sales,
    geoLocations,
    tracking,
    selfChecks,
    web,
    readyWithinMs: 500,
    figuresWithinMs: 2_000,
    isClosing: () => isClosing,
    database: database.description,
    firstLogin,
    weakAdmin: await findWeakAdmin(db),
    startClosing: () => {
      isClosing = true
    },
    close: () => stack.disposeAsync(),
  }
}

/** An unavailable store does not stop the start: everything but its pictures works. */
async function warnAboutPictures({ store }: Pictures, log: Log): Promise<void> {
  const problem = await store.findProblem()
  if (problem) log.warn(`${problem}. Pictures cannot be uploaded or shown until it does.`)
}

/** A missing GeoIP file only costs the countries in the analytics. */
async function warnAboutGeoLocations(geoLocations: GeoLocations, log: Log): Promise<void> {
  const problem = await geoLocations.findProblem()
  if (problem) log.warn(problem)
}
