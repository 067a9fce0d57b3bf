import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { apiRoutes } from '#contract/paths.ts'
import { makeTestDatabase, toDatabaseUrl } from '#server/testing/test-database.ts'
import { copy } from '#server/testing/embedded-shop.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import {
  compileCache,
  freePort,
  startShop,
  type RunningShop,
} from '#server/testing/running-shop.ts'
import { waitFor } from '#server/testing/wait-for.ts'

type Program = Parameters<typeof startShop>[0]

async function openShop(
  dataDir: string,
  program: Program = 'server/main.ts',
  settings: Record<string, string> = {},
): Promise<RunningShop> {
  const shop = startShop(program, { DATA_DIR: dataDir, ...settings }, await freePort())
  after(() => stop(shop))
  await shop.ready()
  return shop
}

async function stop(shop: RunningShop): Promise<number | null> {
  shop.process.kill('SIGTERM')
  return shop.ended
}

async function waitForPostmaster(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  await waitFor('there is a postmaster', () => existsSync(file))
}

/** Includes the moment until whoever adopts orphans has collected it. */
async function waitForExit(pid: number): Promise<void> {
  await waitFor(`process ${pid} ends`, () => !isAlive(pid))
}

const readPostmasterPid = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

/** One that has ended stays in Linux's list (Z) until whoever adopted it looks. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc') || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

async function login(shop: RunningShop, password: string): Promise<number> {
  const body = JSON.stringify({ username: 'admin', password })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${shop.address}${apiRoutes.adminLogin}`, { method: 'POST', body, headers }))
    .status
}

/** While its database comes back a shop answers 503, never that the password is wrong. */
async function loginAfterRecovery(shop: RunningShop, password: string): Promise<number> {
  return waitFor('the database is back', async () => {
    const status = await login(shop, password)
    return status !== 503 && status
  })
}

function readShownPassword(shop: RunningShop): string {
  return /Password +(\S+)/.exec(shop.output())?.[1] ?? ''
}

/** One first start for the whole file. Its data folder is copied for tests of a shop that has run before. */
const firstDataDir = temporaryFolder()
const first = await openShop(firstDataDir, 'run.mjs')
const password = readShownPassword(first)
const firstLogin = await login(first, password)
const firstPostmaster = readPostmasterPid(firstDataDir)
const firstExitCode = await stop(first)

async function copyDataDir(): Promise<string> {
  const dataDir = join(temporaryFolder(), 'data')
  await copy(firstDataDir, dataDir)
  return dataDir
}

test('the first start shows the address and a password that works, and ends cleanly', async () => {
  assert.match(first.output(), new RegExp(`Back-office +${first.address}`))
  assert.equal(firstLogin, 200)
  assert.match(readFileSync(join(firstDataDir, 'first-login.txt'), 'utf8'), new RegExp(password))
  assert.equal(firstExitCode, 0)
  await waitForExit(firstPostmaster)
})

test('the second start shows no password; a shop whose launcher or npm is killed stops cleanly', async () => {
  const withLauncher = { NODE_OPTIONS: '--import=data:text/javascript,process.execve=undefined' }
  for (const [program, settings] of [
    ['run.mjs', withLauncher],
    ['npm start', {}],
  ] as const) {
    const dataDir = await copyDataDir()
    const second = await openShop(dataDir, program, settings)
    assert.equal(readShownPassword(second), '')
    assert.equal(await login(second, password), 200)
    const postmaster = readPostmasterPid(dataDir)
    second.process.kill('SIGKILL')
    await second.ended
    await waitForExit(postmaster)
  }
})

test('npm that is told to stop stops the shop, and ends after it', async () => {
  const dataDir = await copyDataDir()
  const shop = await openShop(dataDir, 'npm start')
  const postmaster = readPostmasterPid(dataDir)
  await stop(shop)
  assert.equal(isAlive(postmaster), false)
})

test('nothing committed is lost when server, database or both are killed', async () => {
  const dataDir = await copyDataDir()
  let shop = await openShop(dataDir)
  for (const victims of [['server'], ['database'], ['server', 'database']]) {
    const postmaster = readPostmasterPid(dataDir)
    if (victims.includes('database')) {
      process.kill(postmaster, 'SIGKILL')
      await waitForExit(postmaster)
    }
    if (victims.includes('server')) {
      shop.process.kill('SIGKILL')
      await shop.ended
      shop = await openShop(dataDir)
    }
    assert.equal(
      await loginAfterRecovery(shop, password),
      200,
      `after killing ${victims.join(' and ')}`,
    )
    await waitForPostmaster(dataDir)
  }
})

test('a second start on the same data folder or port is refused, the first goes on; the commands of the owner work beside it and without it', async () => {
  const dataDir = await copyDataDir()
  const shop = await openShop(dataDir)
  const second = startShop('server/main.ts', { DATA_DIR: dataDir }, await freePort())
  assert.equal(await second.ended, 1)
  assert.match(second.output(), /already running/)
  assert.doesNotMatch(second.output(), /\n +at /, 'a stack was shown')

  const port = Number(new URL(shop.address).port)
  const third = startShop('server/main.ts', { DATA_DIR: await copyDataDir() }, port)
  assert.equal(await third.ended, 1)
  assert.match(third.output(), new RegExp(`Port ${port} is taken.*PORT=`))
  await shop.ready()

  const admin = (...args: string[]) =>
    execFileSync(process.execPath, ['tools/admin.ts', ...args], {
      encoding: 'utf8',
      env: { DATA_DIR: dataDir, NODE_COMPILE_CACHE: compileCache },
    })
  assert.match(admin('list'), /^admin {2}admin@example.com$/m)
  const doctor = () => {
    const { status, stdout } = spawnSync(process.execPath, ['tools/doctor.ts', '--json'], {
      encoding: 'utf8',
      env: { DATA_DIR: dataDir, PORT: String(port), NODE_COMPILE_CACHE: compileCache },
    })
    const { checks }: { checks: { name: string; status: string }[] } = JSON.parse(stdout)
    const statuses = Object.fromEntries(checks.map(({ name, status: found }) => [name, found]))
    return { status, shop: statuses.shop, database: statuses.database, writing: statuses.writing }
  }
  const healthy = { status: 0, database: 'ok', writing: 'ok' }
  assert.deepEqual(doctor(), { ...healthy, shop: 'ok' })
  const reset = /Password: (\S+)/.exec(admin('reset', 'admin'))?.[1] ?? ''
  assert.equal(await login(shop, password), 401)
  assert.equal(await login(shop, reset), 200)
  await stop(shop)
  assert.deepEqual(doctor(), { ...healthy, shop: 'warn' })
  admin('create', 'helper', 'helper@example.com')
  assert.match(admin('list'), /helper {2}helper@example.com/)
  assert.match(admin('second-factor-off', 'Helper'), /second factor of Helper was off already/)
  assert.match(admin('enable', 'helper'), /helper may log in/)
  assert.throws(() => admin('reset', 'nobody'), /Command failed/)
  const weak = { input: 'helper12345\n', stdio: 'pipe', env: { DATA_DIR: dataDir } } as const
  assert.throws(
    () =>
      execFileSync(
        process.execPath,
        ['tools/admin.ts', 'reset', 'helper', '--password-stdin'],
        weak,
      ),
    /This password is easy to guess/,
  )
})

test('a faulty configuration is reported before anything is written', async () => {
  const dataDir = join(temporaryFolder(), 'data')
  const shop = startShop(
    'server/main.ts',
    { DATA_DIR: dataDir, LOG_LEVEL: 'loud', SUMUP_API_KEY: 'sup_pk_abc' },
    80_000,
  )
  assert.equal(await shop.ended, 1)
  for (const name of ['PORT', 'LOG_LEVEL', 'SUMUP_API_KEY'])
    assert.match(shop.output(), new RegExp(`${name}: got`))
  assert.equal(existsSync(dataDir), false)
})

test('with DATABASE_URL the shop uses that PostgreSQL and starts none of its own', async () => {
  const DATABASE_URL = toDatabaseUrl(await makeTestDatabase('template0'))
  const dataDir = temporaryFolder()
  const shop = startShop(
    'server/main.ts',
    { DATA_DIR: dataDir, DATABASE_URL, DRAIN_SECONDS: '600' },
    await freePort(),
  )
  after(() => shop.process.kill('SIGKILL'))
  await shop.ready()
  assert.equal(await login(shop, readShownPassword(shop)), 200)
  assert.equal(existsSync(join(dataDir, 'postgres')), false)

  // A second node without the same secret and pictures would sell what this one cannot show.
  const stranger = startShop(
    'server/main.ts',
    { DATA_DIR: temporaryFolder(), DATABASE_URL },
    await freePort(),
  )
  assert.equal(await stranger.ended, 1)
  assert.match(stranger.output(), /has another SESSION_SECRET/)
  assert.doesNotMatch(stranger.output(), /\n +at /, 'a stack was shown')

  // Told to stop, it is not ready at once, but serves until a load balancer has turned away.
  shop.process.kill('SIGTERM')
  const ask = (path: string) => fetch(`${shop.address}${path}`)
  await waitFor('it is not ready', async () => (await ask(apiRoutes.healthReady)).status === 503)
  const served = await ask(apiRoutes.healthLive)
  assert.deepEqual([served.status, served.headers.get('connection')], [200, 'close'])
  const ended = shop.ended.then(() => 'ended')
  while ((await Promise.race([ended, delay(100)])) !== 'ended') shop.process.kill('SIGTERM')
  assert.equal(await shop.ended, 0, 'told again it does not wait')
})

test('the shop shows a checkout and asks its sandbox for a payment; its log names lines of the sources', async () => {
  const database = await makeTestDatabase('template0')
  const shop = startShop(
    'server/main.ts',
    {
      DATA_DIR: temporaryFolder(),
      DATABASE_URL: toDatabaseUrl(database),
      ADMIN_PASSWORD: 'three slow green lorries',
    },
    await freePort(),
  )
  after(() => stop(shop))
  await shop.ready()
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${shop.address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const admin = { username: 'admin', password: 'three slow green lorries' }
  const session = (await post(apiRoutes.adminLogin, admin)).headers.getSetCookie()
  const cookie = session[0]?.split(';')[0] ?? ''
  const headerLogoUrl = 'https://example.com/logo.png'
  const mug = { name: 'Mug', price: '10.00', headerLogoUrl }
  const product = await post(apiRoutes.products, mug, cookie)
  assert.equal(product.status, 201)
  const { id }: { id: string } = await product.json()
  const page = await fetch(`${shop.address}/checkout/${id}`)
  assert.match(await page.text(), /Mug/)
  const sale = { productId: id, amount: '10.00', currency: 'EUR' }
  await waitFor(
    'SumUp has answered in time',
    async () => (await post(apiRoutes.createCheckout, sale)).status === 200,
  )

  const client = new Client(database)
  await client.connect()
  await client.query('drop table orders cascade')
  await client.end()
  const failed = await fetch(`${shop.address}${apiRoutes.orders}`, { headers: { cookie } })
  assert.equal(failed.status, 500)
  await stop(shop)
  const error = /^\{"level":"error".*"stack":"(.*?)"/m.exec(shop.output())?.[1] ?? ''
  const [, file = '', line] = /(server\/orders\/\w+\.ts):(\d+):\d+/.exec(error) ?? []
  assert.match(readFileSync(file, 'utf8').split('\n')[Number(line) - 1] ?? '', /await/, error)
})

test('a shop that takes money does not start with an easy ADMIN_PASSWORD', async () => {
  const DATABASE_URL = toDatabaseUrl(await makeTestDatabase('template0'))
  const shop = startShop(
    'server/main.ts',
    {
      DATA_DIR: temporaryFolder(),
      DATABASE_URL,
      SUMUP_API_KEY: 'sup_sk_of_a_test',
      SUMUP_MERCHANT_CODE: 'MTEST123',
      SUMUP_API_URL: 'http://127.0.0.1:1',
      ADMIN_PASSWORD: 'password1234',
    },
    await freePort(),
  )
  assert.equal(await shop.ended, 1)
  assert.match(shop.output(), /ADMIN_PASSWORD cannot be used by a shop that takes money\./)
  assert.doesNotMatch(shop.output(), /\n +at /, 'a stack was shown')
})

test('a database that cannot be reached is reported', async () => {
  const DATABASE_URL = 'postgres://till@127.0.0.1:1/till'
  const shop = startShop(
    'server/main.ts',
    { DATA_DIR: temporaryFolder(), DATABASE_URL },
    await freePort(),
  )
  assert.equal(await shop.ended, 1)
  assert.match(shop.output(), /The database cannot be reached/)
})
