import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { startSandbox, type Sandbox } from '#sandbox/sandbox.ts'
import { sdkPath } from '#sandbox/widget.ts'
import { createSession } from '#server/admin/sessions.ts'
import { openGeoLocations } from '#server/analytics/geo-locations.ts'
import { openTracking } from '#server/analytics/tracking.ts'
import { createApp } from '#server/app.ts'
import { openProductCache } from '#server/catalog/product-cache.ts'
import { readConfig, type Config } from '#server/config.ts'
import { credentials, users } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { readMigrations } from '#server/db/migrate.ts'
import { openSelfChecks } from '#server/checks/ask.ts'
import type { Log } from '#server/log.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import { openSales, type Sales } from '#server/checkouts/sales.ts'
import { shareSettling, type CheckoutDeps } from '#server/checkouts/settle.ts'
import { openSumup } from '#server/sumup/client.ts'
import { noOrigins, openPayments, testAccount, type Payments } from '#server/sumup/payments.ts'
import { sandboxPath } from '#server/sumup/sandbox-process.ts'
import { readSecret } from '#server/secret.ts'
import type { Shop } from '#server/shop.ts'
import { openShopSettings } from '#server/shop-settings/shop-settings.ts'
import { checkPictures } from '#server/uploads/accept.ts'
import type { UploadLimits } from '#server/uploads/picture-store.ts'
import { openPictures } from '#server/uploads/open-pictures.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { watchAnswers, type AnswerWatch } from './documented-answers.ts'
import { openTestDatabase } from './test-database.ts'
import { patienceMs } from './wait-for.ts'

/** The secret of every test shop, so that tests can sign what it trusts. */
export const testSecret = 'the-secret-of-every-shop-in-tests'

export const testAdmin = {
  username: 'owner',
  email: 'owner@example.com',
  password: 'a long sentence is a good password',
}

/** Not registered and without a heartbeat, unless a test asks whether the shop is ready. */
const testNode = {
  name: 'test',
  secretPrint: 'test',
  pictureStore: 'folder test',
  poolSize: 10,
}

/** Where the sessions of tests come from. */
export const testBrowser = { address: '127.0.0.1', userAgent: undefined }

/**
 * A hash of the password above that is compared in no time: at full strength each password costs a quarter of a second.
 * A sign-in replaces it by one at full strength.
 */
export const testAdminHash =
  '$argon2id$v=19$m=8,t=1,p=1$MBwSwf1ow3r0/G9JTN53rA$xt+4dw5MlO4FQVQ04ybGZKatpcCzWzXPJvDYjrH3Z5Y'

export type TestShop = {
  app: FastifyInstance
  db: Db
  shop: Shop
  /** The sandbox, for this shop alone. */
  sandbox: Sandbox
  /** Creates a session without the password and returns the headers for further requests. */
  signIn: () => Promise<{ cookie: string }>
  /** All answers are compared with the API reference. */
  watch: AnswerWatch
}

export type TestShopOptions = {
  environment?: Record<string, string>
  web?: WebFiles
  log?: Log
  uploadLimits?: Partial<UploadLimits>
  /** Where the sandbox sends its webhooks; by default nowhere. */
  webhookUrl?: string
  /** Settings of the sandbox's account. */
  merchant?: NonNullable<Parameters<typeof startSandbox>[0]>['merchant']
  /** Runs the sweep in the background, as in production. By default tests call it. */
  sweeps?: true
  /** Makes the shop believe that the account takes real money. */
  isLive?: true
  /** Begins in test mode with a sandbox of its own, and can be connected to accounts of `sandbox` in the settings. */
  canConnect?: true
}

/** A whole shop on a database of its own, without a port. */
export async function openTestShop(options: TestShopOptions = {}): Promise<TestShop> {
  const sandbox = await startSandbox({
    webhookDelaysMs: [200, 400],
    ...(options.merchant && { merchant: options.merchant }),
  })
  after(() => sandbox.close())
  const configAtStart = patient(
    readConfig({
      DATA_DIR: temporaryFolder(),
      SESSION_SECRET: testSecret,
      ...(options.canConnect && { SUMUP_API_URL: sandbox.url, SUMUP_SDK_URL: sandbox.sdkUrl }),
      ...options.environment,
    }),
  )
  const secret = await readSecret(configAtStart)
  const pictures = await openPictures(configAtStart, secret, options.uploadLimits)
  const { db, pool } = await openTestDatabase()
  const node = { ...testNode, id: randomUUID() }
  const log = options.log ?? pino({ level: 'silent' })
  const settings = await openShopSettings({ db, secret, config: configAtStart, log })
  after(() => settings.close())
  const { config } = settings
  const productCache = openProductCache(db)
  const opened = new AsyncDisposableStack()
  after(() => opened.disposeAsync())
  const payments = options.canConnect
    ? await openPayments(config, log, opened, { refreshSettings: () => settings.refresh() })
    : testPayments(sandbox, config.payments.currency, options)
  const sales = options.sweeps
    ? openSales({ db, payments, productCache, log, secret, maxParallel: 5 })
    : manualSales({ db, sumup: payments.sumup, productCache, log })
  after(() => sales.close())
  const tracking = openTracking(db, log)
  after(() => tracking.close())
  const shop: Shop = {
    config,
    settings,
    log,
    db,
    pool,
    schemaVersion: (await readMigrations()).length,
    node,
    secret,
    productCache,
    pictures,
    checkPictures: (uses) => checkPictures(db, pictures, uses),
    payments,
    sales,
    geoLocations: openGeoLocations(config.geoipFile),
    tracking,
    selfChecks: openSelfChecks(config),
    web: options.web,
    // Tests may keep the machine busy.
    readyWithinMs: patienceMs,
    figuresWithinMs: patienceMs,
    isClosing: () => false,
  }
  const adminId = await addTestAdmin(db)
  const app = await createApp(shop)
  after(() => app.close())
  const watch = watchAnswers(app)
  after(() => assert.deepEqual([...watch.undocumented], [], 'see calls.ts of the folder'))
  const prefix = config.publicUrl?.startsWith('https:') ? '__Host-' : ''
  const signIn = async () => ({
    cookie: `${prefix}till_session=${await createSession(db, adminId, testBrowser)}`,
  })
  return { app, db, shop, sandbox, signIn, watch }
}

/** A shop on a machine that others keep busy, where also SumUp's sandbox may take long. */
export function patient(config: Config): Config {
  return { ...config, sumupTimeoutMs: patienceMs }
}

function testPayments(
  sandbox: Sandbox,
  currency: Payments['currency'],
  { webhookUrl, isLive }: TestShopOptions,
): Payments {
  const mode = isLive ? 'live' : 'test'
  const createClient = () =>
    openSumup({
      apiUrl: sandbox.url,
      apiKey: sandbox.apiKey,
      merchantCode: sandbox.merchantCode,
      timeoutMs: patienceMs,
      findMode: () => mode,
    })
  const payments: Payments = {
    sumup: createClient(),
    createClient,
    currency,
    // Proxied by the shop, as in test mode.
    sdkUrl: `${sandboxPath}${sdkPath}`,
    sdkSource: sandbox.sdkUrl,
    cardFormOrigins: noOrigins,
    webhookUrl,
    sandboxUrl: sandbox.url,
    account: () => ({ ...testAccount, mode }),
    getMode: async () => mode,
    isKeyRefused: () => false,
    pin: () => payments,
    follow: async () => {},
    onChange: () => {},
  }
  return payments
}

/** Checks sales only when a test asks for it: a webhook only marks its sale. */
function manualSales(deps: CheckoutDeps): Sales {
  return {
    settleShared: shareSettling(() => deps),
    settleForOrder: shareSettling(() => ({ ...deps, isForBuyer: true })),
    settleFromWebhook: () => new Promise(() => undefined),
    close: async () => {},
  }
}

async function addTestAdmin(db: Db): Promise<string> {
  const { username, email } = testAdmin
  const [user] = await db.insert(users).values({ email }).returning({ id: users.id })
  if (!user) throw new Error('adding the admin returned no row')
  await db.insert(credentials).values({ userId: user.id, username, passwordHash: testAdminHash })
  return user.id
}
