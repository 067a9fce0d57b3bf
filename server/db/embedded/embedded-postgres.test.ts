import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { getBinaries } from './binaries.ts'
import { findPostmaster } from './postmaster.ts'
import { killServer, createShop, createUsedShop, query } from '#server/testing/embedded-shop.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { findUnprivilegedUser } from './cluster.ts'
import { describeDelay } from './ownership.ts'

test('a shop finds after a restart what it had before', async (t) => {
  const shop = await createShop(t)
  const said: string[] = []
  const first = await shop.start({ say: (line) => said.push(line) })
  assert.deepEqual(said, ['Preparing the database…'])
  await query(first.connection, 'create table mug (name text); insert into mug values ($$blue$$)')
  await first.stop()
  assert.equal(await findPostmaster(shop.path), undefined)
  assert.equal(existsSync(join(shop.path, 'postmaster.pid')), false)

  const second = await shop.start({ say: (line) => said.push(line) })
  assert.deepEqual(await query(second.connection, 'select * from mug'), [{ name: 'blue' }])
  assert.equal(said.length, 1)
  await second.stop()
  await second.stop()
})

test('text is sorted and compared in UTF-8 alike on every machine', async (t) => {
  const { connection } = await (await createUsedShop(t)).start()
  const [row] = await query(
    connection,
    "select upper('é') as big, current_setting('server_encoding') as encoding",
  )
  assert.deepEqual(row, { big: 'É', encoding: 'UTF8' })
})

test('the database listens on no network port, and its folder is closed to others', async (t) => {
  const { connection } = await (await createUsedShop(t)).start()
  const [row] = await query(
    connection,
    `select current_setting('listen_addresses') as addresses, current_setting('data_directory_mode') as mode,
            current_setting('unix_socket_permissions') as socket`,
  )
  assert.deepEqual(row, { addresses: '', mode: '0700', socket: '0700' })
})

test('a second start on the same data folder is refused and the first goes on', async (t) => {
  const shop = await createUsedShop(t)
  const first = await shop.start()
  await assert.rejects(shop.start(), {
    name: 'CannotStart',
    message: `Till is already running on ${shop.dataDir}. Stop it first, or start this one with another DATA_DIR.`,
  })
  assert.deepEqual(await query(first.connection, 'select 1 as one'), [{ one: 1 }])
  assert.equal(await findPostmaster(shop.path), first.pid)
})

test('two starts at the same moment: one wins', async (t) => {
  const shop = await createShop(t)
  for (const state of ['on an empty folder', 'on a database that is there']) {
    const servers = [shop.fork(), shop.fork()]
    const reports = await Promise.all(servers.map((server) => server.report))
    const winners = reports.filter((report) => 'connection' in report)
    const losers = reports.filter((report) => 'cannotStart' in report)
    assert.equal(winners.length, 1, state)
    assert.ok(
      losers.every(({ cannotStart }) => cannotStart.startsWith('Till is already running')),
      state,
    )
    for (const winner of winners) await query(winner.connection, 'select 1')
    assert.deepEqual(await readdir(shop.dataDir), ['postgres'])

    // All end by themselves, also one that launched PostgreSQL and lost it to the other.
    const exitCodes = servers.map(async ({ process: server }) => {
      if (server.connected) server.disconnect()
      return server.exitCode ?? ((await once(server, 'exit')) as [number])[0]
    })
    assert.deepEqual(await Promise.all(exitCodes), [0, 0])
    assert.equal(await findPostmaster(shop.path), undefined)
  }
})

test('a start while the earlier server is shutting down waits for it', async (t) => {
  const shop = await createUsedShop(t)
  const first = await shop.start()
  const open = query(first.connection, 'select pg_sleep(60)').catch(() => 'cut off')
  const stopped = first.stop()
  const second = await shop.start()
  await stopped
  assert.equal(await open, 'cut off')
  assert.notEqual(second.pid, first.pid)
  assert.deepEqual(await query(second.connection, 'select 1 as one'), [{ one: 1 }])
})

test('a start waits when a stopping server cuts its connection, and gives up when it is refused', () => {
  const cluster = { path: 'data/postgres', dataDir: 'data' }
  const cut = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' })
  assert.equal(describeDelay(cluster, cut), 'write EPIPE')
  const refused = new DatabaseError('no such role', 0, 'error')
  refused.code = '28000'
  assert.throws(() => describeDelay(cluster, refused), /rejects Till's connection: no such role/)
})

test('works with a data folder whose path is longer than a socket path may be', async (t) => {
  const shop = await createUsedShop(t, join('a'.repeat(80), 'b'.repeat(80)))
  const database = await shop.start()
  const { connection } = database
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
  assert.ok(existsSync(connection.host))
  await database.stop()
  assert.equal(existsSync(connection.host), false)
})

test('a half-finished first start is cleaned up', async (t) => {
  const shop = await createShop(t)
  const { process: server, report } = shop.fork()
  report.catch(() => {})
  await waitFor('initdb is at work', async () => {
    const [half] = (await readdir(shop.dataDir)).filter((name) => name.startsWith('postgres.new-'))
    return half && existsSync(join(shop.dataDir, half, 'PG_VERSION')) ? half : undefined
  })
  await killServer(server)
  assert.equal(existsSync(shop.path), false)
  // In a container every server has the same pid: one of our own number may be a leftover, too.
  await mkdir(`${shop.path}.new-${process.pid}-abcdef`)

  const { connection } = await shop.start()
  await query(connection, 'select 1')
  assert.deepEqual(await readdir(shop.dataDir), ['postgres'])
})

test('a stale pid file with the pid of another process does not stop the shop', async (t) => {
  const shop = await createUsedShop(t)
  // The user that PostgreSQL runs as too: it recognises other users' processes by itself.
  const user = await findUnprivilegedUser(shop.path)
  const script = 'sleep 0 & echo $! $$; exec sleep 6000'
  const other = spawn('/bin/sh', ['-c', script], {
    ...user,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => other.kill())
  const [output] = (await once(other.stdout, 'data')) as [Buffer]
  const [zombie, living] = String(output).split(' ')

  for (const pid of [living, zombie]) {
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      const file = join(shop.path, name)
      await writeFile(file, `${pid}\n/proc/self/cwd\n1794713334\n5432\n/proc/self/cwd\n\n`)
      if (user) await chown(file, user.uid, user.gid)
    }
    const database = await shop.start()
    assert.deepEqual(await query(database.connection, 'select 1 as one'), [{ one: 1 }])
    await database.stop()
  }
  assert.equal(other.exitCode ?? other.signalCode, null)
})

test('a pid file left empty by a power cut does not stop the shop', async (t) => {
  const shop = await createUsedShop(t)
  await (await shop.start()).stop()
  const file = join(shop.path, 'postmaster.pid')
  await writeFile(file, '')
  await utimes(file, 0, 0)
  const { connection } = await shop.start()
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
})

test('a foreign major version is refused with both versions named', async (t) => {
  const shop = await createShop(t)
  await mkdir(shop.path, { recursive: true })
  await writeFile(join(shop.path, 'PG_VERSION'), '16\n')
  await assert.rejects(shop.start(), {
    name: 'CannotStart',
    message: /PostgreSQL 16.*PostgreSQL 18/,
  })
})

test('a folder with other files is left alone', async (t) => {
  const shop = await createShop(t)
  await mkdir(shop.path, { recursive: true })
  await writeFile(join(shop.path, 'holiday.jpg'), '')
  await assert.rejects(shop.start(), {
    name: 'CannotStart',
    message: /has files in it but no database/,
  })
  assert.deepEqual(await readdir(shop.path), ['holiday.jpg'])
})

test('a data folder that is a file is refused with the reason', async (t) => {
  const shop = await createShop(t)
  await writeFile(shop.dataDir, '')
  await assert.rejects(shop.start(), {
    name: 'CannotStart',
    message: `The data folder ${shop.dataDir} cannot be used: there is a file where a folder is needed. Fix that, or set DATA_DIR to another folder.`,
  })
})

test('a platform without binaries is told about DATABASE_URL', async () => {
  for (const [platform, arch] of [
    ['win32', 'x64'],
    ['linux', 'riscv64'],
    ['sunos', 'x64'],
  ] as const) {
    await assert.rejects(getBinaries(platform, arch), {
      name: 'CannotStart',
      message:
        `There is no built-in PostgreSQL for ${platform}-${arch}. Set DATABASE_URL to a PostgreSQL 15 or newer, ` +
        'for example DATABASE_URL=postgres://till:secret@localhost:5432/till.',
    })
  }
})

test('an error of PostgreSQL about a setting is shown', async (t) => {
  const shop = await createUsedShop(t)
  await assert.rejects(shop.start({ settings: { work_mem: 'much' } }), {
    name: 'CannotStart',
    message: /work_mem/,
  })
})
