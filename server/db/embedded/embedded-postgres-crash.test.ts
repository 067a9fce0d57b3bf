import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { Client } from 'pg'
import type { CrashPoint } from '#server/crash-point.ts'
import { crashEnvironment } from '#server/testing/arm-crash-point.ts'
import { superuser } from './credentials.ts'
import { findPostmaster } from './postmaster.ts'
import {
  asSuperuser,
  killServer,
  query,
  getStarted,
  createUsedShop,
} from '#server/testing/embedded-shop.ts'
import { waitFor } from '#server/testing/wait-for.ts'

/** Kills a start that sets passwords, because their file was lost; the next one must finish it. */
async function testKilledStart(t: TestContext, point: CrashPoint, isAdopted = true): Promise<void> {
  const shop = await createUsedShop(t)
  await rm(join(shop.path, 'till-password'))
  const doomed = shop.fork({ env: crashEnvironment(point) })
  await assert.rejects(doomed.report, /SIGKILL/)
  const pid = await findPostmaster(shop.path)
  assert.ok(pid !== undefined)
  if (!isAdopted) {
    process.kill(pid, 'SIGKILL')
    await waitFor('it ends', async () =>
      (await findPostmaster(shop.path)) === undefined ? true : undefined,
    )
  }
  const { connection } = await shop.start()
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
  // PostgreSQL reads the file a moment after it was told to.
  for (const user of [superuser, connection.user])
    await waitFor('passwords are asked for', async () => {
      await assert.rejects(query({ ...connection, user, password: '' }, 'select 1'), /password/)
      return true
    })
}

for (const point of ['passwords-set', 'secret-written', 'access-closed'] as const)
  test(`a start that was killed at ${point} is finished by the next one`, (t) =>
    testKilledStart(t, point))

test('so is one whose database was killed as well', (t) =>
  testKilledStart(t, 'secret-written', false))

test('a shop whose server was killed adopts the database it left running', async (t) => {
  const shop = await createUsedShop(t)
  const first = shop.fork()
  const { connection, pid } = getStarted(await first.report)
  await query(connection, 'create table mug (name text); insert into mug values ($$blue$$)')
  await killServer(first.process)
  assert.equal(await findPostmaster(shop.path), pid)

  const said: string[] = []
  const second = await shop.start({ say: (line) => said.push(line) })
  assert.equal(second.pid, pid)
  assert.deepEqual(said, ['The database of an earlier run is still running; going on with it.'])
  assert.deepEqual(await query(second.connection, 'select * from mug'), [{ name: 'blue' }])
  await assert.rejects(query(second.connection, 'select * from nothing'), /does not exist/)
  await second.stop()
  assert.equal(await findPostmaster(shop.path), undefined)
})

test('nothing committed is lost when server and database are killed together', async (t) => {
  const shop = await createUsedShop(t)
  const first = shop.fork()
  const { connection, pid } = getStarted(await first.report)
  const { client } = await openClient(connection)
  await client.query('create table paid (number int)')
  let committed = 0
  const paying = (async () => {
    for (;;) {
      await client.query('insert into paid values ($1)', [committed + 1])
      committed += 1
    }
  })().catch(() => {})
  await waitFor('a hundred orders', async () => (committed >= 100 ? true : undefined))
  process.kill(pid, 'SIGKILL')
  await killServer(first.process)
  await paying

  const second = await shop.start()
  const rows = await query(second.connection, 'select number from paid order by number')
  // The last order may be stored though its answer never came back.
  assert.ok(
    rows.length === committed || rows.length === committed + 1,
    `${rows.length} of ${committed}`,
  )
  assert.deepEqual(rows.at(committed - 1), { number: committed })
})

test('the database comes back by itself when it is killed', async (t) => {
  const shop = await createUsedShop(t)
  const lines: string[] = []
  const database = await shop.start({ log: (line) => lines.push(line) })
  for (let round = 0; round < 2; round += 1) {
    const { pid } = database
    process.kill(pid, 'SIGKILL')
    await waitFor('another postmaster answers', async () => {
      await query(database.connection, 'select 1')
      return database.pid !== pid
    })
  }
  assert.ok(lines.includes('The database connection was lost; restarting the database.'))
  assert.ok(lines.includes(`The database is back (pid ${database.pid}).`))
  assert.equal(await countOwners(database.connection), 1)
})

test('an adopted database that is killed comes back too', async (t) => {
  const shop = await createUsedShop(t)
  const first = shop.fork()
  const { pid } = getStarted(await first.report)
  await killServer(first.process)
  const second = await shop.start()
  assert.equal(second.pid, pid)

  process.kill(pid, 'SIGKILL')
  await waitFor('another postmaster answers', async () => {
    await query(second.connection, 'select 1')
    return second.pid !== pid
  })
})

test('after a crash within PostgreSQL the shop still owns its database', async (t) => {
  const shop = await createUsedShop(t)
  const lines: string[] = []
  const database = await shop.start({ log: (line) => lines.push(line) })
  const { pid } = database
  const { backend } = await openClient(database.connection)
  process.kill(backend, 'SIGKILL')

  await waitFor('it is owned again', () => lines.includes(`The database is back (pid ${pid}).`))
  assert.equal(await findPostmaster(shop.path), pid)
  assert.equal(await countOwners(database.connection), 1)
})

test('a start waits for processes that a killed database left behind', async (t) => {
  const shop = await createUsedShop(t)
  const first = shop.fork()
  const { connection, pid } = getStarted(await first.report)
  const { backend } = await openClient(connection)
  // Too busy to notice that its postmaster is gone.
  process.kill(backend, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')
  await killServer(first.process)

  let isWoken = false
  const second = await shop.start({
    log: (line) => {
      // Once: the number of a process that has ended may soon be another one's.
      if (isWoken || !line.includes('is still in use')) return
      isWoken = true
      process.kill(backend, 'SIGCONT')
    },
  })
  assert.deepEqual(await query(second.connection, 'select 1 as one'), [{ one: 1 }])
})

test('a stop in the middle of a crash leaves nothing running', async (t) => {
  const shop = await createUsedShop(t)
  const first = await shop.start()
  process.kill(first.pid, 'SIGKILL')
  await first.stop()
  assert.equal(await findPostmaster(shop.path), undefined)

  const lost = Promise.withResolvers<void>()
  const second = await shop.start({
    log: (line) => {
      if (line.includes('connection was lost')) lost.resolve(second.stop())
    },
  })
  await query(
    await asSuperuser(second.connection, shop.path),
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'till owner'",
  ).catch((error: unknown) => {
    // The database may be stopped before it has answered.
    assert.match(String(error), /terminat/)
  })
  await lost.promise
  assert.equal(await findPostmaster(shop.path), undefined)
})

async function openClient(connection: Parameters<typeof query>[0]) {
  const client = new Client(connection)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return { client, backend: rows[0]?.pid ?? assert.fail() }
}

async function countOwners(connection: Parameters<typeof query>[0]): Promise<number> {
  const locks = "select from pg_locks where locktype = 'advisory' and granted"
  return (await query(connection, locks)).length
}
