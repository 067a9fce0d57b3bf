import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { makeTestDatabase } from '#server/testing/test-database.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { freePort, startShop, type RunningShop } from '#tools/running-shop.ts'

type Program = Parameters<typeof startShop>[0]

async function openShop(
  dataDir: string,
  program: Program = 'server/main.ts',
): Promise<RunningShop> {
  const shop = startShop(program, { DATA_DIR: dataDir }, await freePort())
  after(() => end(shop))
  await shop.ready()
  return shop
}

async function end(shop: RunningShop): Promise<number | null> {
  shop.process.kill('SIGTERM')
  return shop.ended
}

/** The pid file comes back with the database. */
async function untilPostmaster(dataDir: string): Promise<void> {
  while (!existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Ended, and noticed to have ended: that may take whoever adopts orphans a moment. */
async function untilGone(pid: number): Promise<void> {
  const deadline = Date.now() + 10_000
  while (isAlive(pid)) {
    assert.ok(Date.now() < deadline, `process ${pid} outlived the shop`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const postmasterOf = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
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

/** A shop whose database is coming back says 503, never that the password is wrong. */
async function loginOnceBack(shop: RunningShop, password: string): Promise<number> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const status = await login(shop, password)
    if (status !== 503 || Date.now() > deadline) return status
  }
}

function shownPassword(shop: RunningShop): string {
  return /Password +(\S+)/.exec(shop.output())?.[1] ?? ''
}

test('the first start shows where the shop is and the sign-in, the second no password', async () => {
  const dataDir = temporaryFolder()
  const first = await openShop(dataDir, 'run.mjs')
  assert.match(first.output(), new RegExp(`Back-office +${first.address}`))
  const password = shownPassword(first)
  assert.equal(await login(first, password), 200)
  assert.match(readFileSync(join(dataDir, 'first-login.txt'), 'utf8'), new RegExp(password))
  const postmaster = postmasterOf(dataDir)
  assert.equal(await end(first), 0)
  await untilGone(postmaster)

  const second = await openShop(dataDir, 'run.mjs')
  assert.equal(shownPassword(second), '')
  assert.equal(await login(second, password), 200)
})

test('nothing committed is lost when server, database or both are killed', async () => {
  const dataDir = temporaryFolder()
  let shop = await openShop(dataDir)
  const password = shownPassword(shop)
  for (const victims of [['server'], ['database'], ['server', 'database']]) {
    const postmaster = postmasterOf(dataDir)
    if (victims.includes('database')) {
      process.kill(postmaster, 'SIGKILL')
      await untilGone(postmaster)
    }
    if (victims.includes('server')) {
      shop.process.kill('SIGKILL')
      await shop.ended
      shop = await openShop(dataDir)
    }
    assert.equal(await loginOnceBack(shop, password), 200, `after killing ${victims.join(' and ')}`)
    await untilPostmaster(dataDir)
  }
})

test('a second start on the same data folder is refused, and the first goes on', async () => {
  const dataDir = temporaryFolder()
  const first = await openShop(dataDir)
  const second = startShop('server/main.ts', { DATA_DIR: dataDir }, await freePort())
  assert.equal(await second.ended, 1)
  assert.match(second.output(), /already running/)
  assert.doesNotMatch(second.output(), /\n +at /, 'a stack was shown')
  await first.ready()
})

test('when its launcher is killed the shop ends in order', async () => {
  const dataDir = temporaryFolder()
  const shop = await openShop(dataDir, 'run.mjs')
  const postmaster = postmasterOf(dataDir)
  shop.process.kill('SIGKILL')
  await shop.ended
  await untilGone(postmaster)
})

test('a taken port is named, and no other one is tried', async () => {
  const first = await openShop(temporaryFolder())
  const port = Number(new URL(first.address).port)
  const second = startShop('server/main.ts', { DATA_DIR: temporaryFolder() }, port)
  assert.equal(await second.ended, 1)
  assert.match(second.output(), new RegExp(`Port ${port} is taken.*PORT=`))
})

test('a faulty configuration stops the start before anything is touched', async () => {
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
  const { host, user, database } = await makeTestDatabase('template0')
  const dataDir = temporaryFolder()
  const DATABASE_URL = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}`
  const shop = startShop('server/main.ts', { DATA_DIR: dataDir, DATABASE_URL }, await freePort())
  await shop.ready()
  assert.equal(await login(shop, shownPassword(shop)), 200)
  assert.equal(existsSync(join(dataDir, 'postgres')), false)
  assert.equal(await end(shop), 0)
})

test('a database that is not there is named', async () => {
  const DATABASE_URL = 'postgres://till@127.0.0.1:1/till'
  const shop = startShop(
    'server/main.ts',
    { DATA_DIR: temporaryFolder(), DATABASE_URL },
    await freePort(),
  )
  assert.equal(await shop.ended, 1)
  assert.match(shop.output(), /The database cannot be reached/)
})

test('the admin command works beside the running shop and without it', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(dataDir, { recursive: true })
  const admin = (...words: string[]) =>
    execFileSync(process.execPath, ['tools/admin.ts', ...words], {
      encoding: 'utf8',
      env: { DATA_DIR: dataDir },
    })
  const shop = await openShop(dataDir)
  assert.match(admin('list'), /^admin {2}admin@example.com$/m)
  const reset = /Password: (\S+)/.exec(admin('reset', 'admin'))?.[1] ?? ''
  assert.equal(await login(shop, shownPassword(shop)), 401)
  assert.equal(await login(shop, reset), 200)
  await end(shop)
  admin('create', 'helper', 'helper@example.com')
  assert.match(admin('list'), /helper {2}helper@example.com/)
  assert.throws(() => admin('reset', 'nobody'), /Command failed/)
})
