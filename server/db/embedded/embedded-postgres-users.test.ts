import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  readFile,
  readlink,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { madeBeforeFirstRelease } from '#server/cannot-start.ts'
import { getRunnableBinaries, listLibraryAliases } from './binaries.ts'
import { superuser } from './credentials.ts'
import { findPostmaster } from './postmaster.ts'
import {
  appFolder,
  asSuperuser,
  copy,
  copyApp,
  copyAppForAll,
  nativeFolder,
  killServer,
  createShop,
  createUsedShop,
  query,
  getStarted,
} from '#server/testing/embedded-shop.ts'

const isRoot = process.getuid?.() === 0
const rootOnly = isRoot ? {} : { skip: 'only root can become somebody else' }
const onLinuxAsRoot = process.platform === 'linux' ? rootOnly : { skip: 'without /proc it cannot' }
const nobody = { uid: 65534, gid: 65534 }
const ordinaryUser = isRoot ? nobody : {}

test('works below a folder only root may enter', onLinuxAsRoot, async (t) => {
  const shop = await createShop(t, join('till', 'data'))
  const elsewhere = await createShop(t)
  await chmod(elsewhere.folder, 0o755)
  const app = await copyApp(join(shop.folder, 'till'))
  assert.equal((await stat(shop.folder)).mode & 0o777, 0o700)

  const server = shop.fork({ app, env: { TMPDIR: elsewhere.folder } })
  const { connection, pid } = getStarted(await server.report)
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
  assert.ok((await readlink(`/proc/${pid}/exe`)).startsWith(elsewhere.folder))
  assert.match(await readFile(`/proc/${pid}/status`, 'utf8'), /^Groups:\s*$/m)
})

test(
  'started by root, PostgreSQL has a user that no other process has',
  onLinuxAsRoot,
  async (t) => {
    const shop = await createShop(t)
    const first = await shop.start()
    const status = await readFile(`/proc/${first.pid}/status`, 'utf8')
    const uid = Number(/^Uid:\t(\d+)\t\1\t\1\t\1$/m.exec(status)?.[1])
    assert.ok(uid >= 50_000 && uid < 60_000, status)
    assert.doesNotMatch(
      await readFile('/etc/passwd', 'utf8'),
      new RegExp(`^[^:]*:[^:]*:${uid}:`, 'm'),
    )
    await chmod(shop.folder, 0o755)
    const asNobody = spawnSync('ls', [shop.path], { ...nobody, encoding: 'utf8' })
    assert.match(asNobody.stderr, /Permission denied/)
    await first.stop()
    const second = await shop.start()
    assert.match(
      await readFile(`/proc/${second.pid}/status`, 'utf8'),
      new RegExp(`^Uid:\t${uid}\t`, 'm'),
    )
  },
)

test('nobody gets in without the password, and the shop is no superuser', async (t) => {
  const shop = await createUsedShop(t)
  const { connection } = await shop.start()
  const guest = { ...connection, password: '' }
  await assert.rejects(query(guest, 'select 1'), /password/)
  await assert.rejects(query({ ...guest, user: superuser }, 'select 1'), /password/)
  await assert.rejects(query({ ...connection, user: superuser }, 'select 1'), /password/)
  assert.equal((await stat(join(shop.path, 'till-password'))).mode & 0o777, 0o600)
  const asked =
    'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user'
  assert.deepEqual(await query(connection, asked), [
    { rolsuper: false, rolcreaterole: false, rolcreatedb: false },
  ])
  await assert.rejects(query(connection, "copy (select 1) to program 'true'"), /permission denied/)
  await assert.rejects(query(connection, "select pg_read_file('PG_VERSION')"), /permission denied/)
  await query(connection, 'create table mug (id int); create extension pg_trgm; drop table mug')
})

test('a database from before 1.0 without passwords is refused, and nothing of it changes', async (t) => {
  const shop = await createUsedShop(t)
  const first = await shop.start()
  const owner = await asSuperuser(first.connection, shop.path)
  await query(owner, 'alter database till owner to till')
  await query(
    { ...owner, database: 'postgres' },
    'alter role till password null; drop role till_shop',
  )
  await first.stop()
  await rm(join(shop.path, 'till-password'))
  const access = 'local all all trust\nhost all all 127.0.0.1/32 trust\n'
  await writeFile(join(shop.path, 'pg_hba.conf'), access)

  const refusal = { name: 'CannotStart', message: madeBeforeFirstRelease }
  await assert.rejects(shop.start(), refusal)
  // The second start shows that the first has set no password.
  await assert.rejects(shop.start(), refusal)
  assert.equal(await findPostmaster(shop.path), undefined)
  assert.ok(!existsSync(join(shop.path, 'till-password')))
  assert.equal(await readFile(join(shop.path, 'pg_hba.conf'), 'utf8'), access)
})

test('a lost password file is replaced at the next start', async (t) => {
  const shop = await createUsedShop(t)
  await rm(join(shop.path, 'till-password'))
  const { connection } = await shop.start()
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
  await assert.rejects(query({ ...connection, password: '' }, 'select 1'), /password/)
})

test('an ordinary user starts, loses and adopts the database without root', async (t) => {
  const shop = await createShop(t)
  const { app, execPath } = await copyAppForAll(shop.folder)
  const lib = join(nativeFolder(app), 'lib')
  const tmp = join(shop.folder, 'tmp')
  await mkdir(tmp)
  if (isRoot) give(shop.folder, nobody.uid)

  // An installation that its user may not change must work without the library aliases.
  await chmod(lib, 0o555)
  const first = shop.fork({ app, execPath, env: { TMPDIR: tmp }, ...ordinaryUser })
  const { pid } = getStarted(await first.report)
  await killServer(first.process)

  await chmod(lib, 0o755)
  const second = shop.fork({ app, execPath, env: { TMPDIR: '/nowhere' }, ...ordinaryUser })
  const { connection, pid: adopted } = getStarted(await second.report)
  assert.equal(adopted, pid)
  for (const { alias } of await listLibraryAliases(nativeFolder(app)))
    assert.ok(existsSync(alias), alias)
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
})

test(
  'a copy of PostgreSQL is only used from a folder where nobody can replace it',
  rootOnly,
  async (t) => {
    const { folder } = await createShop(t)
    const closed = join(folder, 'closed')
    await mkdir(closed, { mode: 0o700 })
    await copy(nativeFolder(appFolder), join(closed, 'native'))
    await chmod(folder, 0o755)
    const [forged, free, good] = ['forged', 'free', 'good'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await mkdir(join(forged, 'till-postgres-1.2.3-0'), { recursive: true })
    await chown(join(forged, 'till-postgres-1.2.3-0'), nobody.uid, nobody.gid)
    await writeFile(join(forged, 'till-postgres-1.2.3-0', 'postgres'), '')
    await mkdir(free)
    await chmod(free, 0o777)
    await mkdir(good)

    const binaries = { native: join(closed, 'native'), version: '1.2.3' }
    const said: string[] = []
    const reach = (places: string[]) =>
      getRunnableBinaries(binaries, nobody, (line) => said.push(line), places)
    await assert.rejects(reach([forged, free]), {
      name: 'CannotStart',
      message:
        /forged: somebody else's folder.*free: other users may replace files there.*Move Till to a folder.*or set DATABASE_URL/,
    })
    const copied = join(good, 'till-postgres-1.2.3-0')
    assert.equal((await reach([forged, free, good])).native, copied)

    said.length = 0
    await reach([good])
    assert.deepEqual(said, [])
    // As a cleaner of temporary files would, and as a full disk would.
    await rm(join(copied, 'share/postgresql/postgres.bki'))
    await reach([good])
    await truncate(join(copied, 'lib/libpq.so.5.18'), 1)
    await reach([good])
    assert.equal(said.length, 2)
    assert.ok((await stat(join(copied, 'lib/libpq.so.5'))).size > 1)
  },
)

test('a database restored with wrong owners and open to all is fixed', async (t) => {
  const shop = await createUsedShop(t)
  if (isRoot) give(shop.path, 0)
  await chmod(shop.path, 0o755)
  const { connection } = await shop.start()
  assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
  assert.equal((await stat(shop.path)).mode & 0o777, 0o700)
})

test("another user's database is refused with the command that fixes it", rootOnly, async (t) => {
  const shop = await createUsedShop(t)
  const { app, execPath } = await copyAppForAll(shop.folder)
  give(shop.folder, nobody.uid)
  give(shop.path, 1)
  assert.deepEqual(await shop.fork({ app, execPath, ...nobody }).report, {
    cannotStart:
      `The database folder ${shop.path} belongs to another user (uid 1). ` +
      `Start Till as that user, or give it to this one: sudo chown -R 65534 ${shop.path}`,
  })
  await rm(shop.path, { recursive: true })
  await chown(shop.dataDir, 0, 0)
  assert.deepEqual(await shop.fork({ app, execPath, ...nobody }).report, {
    cannotStart: `The database folder ${shop.path} cannot be used: this user may not write there.`,
  })
})

function give(folder: string, uid: number): void {
  execFileSync('chown', ['-R', `${uid}:${uid}`, folder])
}
