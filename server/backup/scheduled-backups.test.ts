import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { objects } from '#server/db/schema.ts'
import { fingerprintOf } from '#server/secret.ts'
import { sourceOf } from '#server/testing/backups.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openTestShop, testSecret } from '#server/testing/test-shop.ts'
import { checkBackup } from './restore-backup.ts'
import { backUpIfDue, chooseKept, findBackupProblem, findLastBackup } from './scheduled-backups.ts'

const shop = await openTestShop({ environment: { BACKUP_DIR: './backups' } })
const { db } = shop
const settings = { ...sourceOf(shop.shop), db, log: shop.shop.log, passphrase: undefined }
const createDeps = () => ({ ...settings, folder: join(temporaryFolder(), 'backups') })

beforeEach(async () => {
  await db.execute(sql`delete from node_jobs`)
  await db.execute(sql`delete from backups`)
})

const makeDue = () => db.execute(sql`update node_jobs set held_until = now()`)

async function findNotice(): Promise<string | undefined> {
  const answer = await shop.app.inject({ url: apiRoutes.notices, headers: await shop.signIn() })
  const notices = answer.json<{ kind: string; title: string; text: string }[]>()
  const found = notices.find(({ kind }) => kind === 'backup')
  return found && `${found.title} ${found.text}`
}

test('of several nodes one writes the backup of the day, and tells when', async () => {
  const deps = createDeps()
  const files = await Promise.all([backUpIfDue(deps), backUpIfDue(deps), backUpIfDue(deps)])
  const [file = '', ...more] = files.filter((one) => one !== undefined)
  assert.deepEqual(more, [])
  await checkBackup(file)
  assert.equal(await backUpIfDue(deps), undefined)
  const last = await findLastBackup(db)
  assert.equal(last?.file, file)
  assert.ok(last.bytes > 0 && last.at instanceof Date)
  const { rows } = await db.execute<{ hours: number }>(
    sql`select extract(epoch from held_until - now())::float8 / 3600 as hours from node_jobs where name = 'backup'`,
  )
  assert.equal(Math.round(rows[0]?.hours ?? 0), 24)
})

test('a backup that fails is told in the back-office, tried again, and forgotten when one is written', async () => {
  const deps = createDeps()
  const blocked = join(temporaryFolder(), 'a-file')
  writeFileSync(blocked, '')
  assert.equal(await backUpIfDue({ ...deps, folder: blocked }), undefined)
  const problem = `${blocked} cannot be used: there is a file where a folder is needed.`
  assert.equal((await findBackupProblem(db))?.error, problem)
  assert.equal(await findLastBackup(db), undefined)
  assert.match(
    (await findNotice()) ?? '',
    /^The backup of [\d-]{10} failed\. .* cannot be used: .* It is tried again every hour\.$/,
  )
  assert.equal(await backUpIfDue(deps), undefined, 'not before an hour has passed')
  await makeDue()
  assert.ok(await backUpIfDue(deps))
  assert.equal(await findBackupProblem(db), undefined)
  assert.equal(await findNotice(), undefined)
})

test('a backup that fails because the database is away is told when it is back', async () => {
  let isAway = true
  const gone = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  })
  const attempts: string[] = []
  const insert: typeof db.insert = (table) => {
    attempts.push('insert')
    if (attempts.length > 2) isAway = false
    if (isAway) throw gone
    return db.insert(table)
  }
  const away = new Proxy(db, {
    get: (target, name) => (name === 'insert' ? insert : Reflect.get(target, name)),
  })
  const blocked = join(temporaryFolder(), 'a-file')
  writeFileSync(blocked, '')
  const deps = { ...settings, db: away, folder: blocked, storeRetryMs: 1 }
  assert.equal(await backUpIfDue(deps), undefined)
  assert.equal(attempts.length, 3)
  assert.match((await findBackupProblem(db))?.error ?? '', /cannot be used/)
  const { rows } = await db.execute(
    sql`select from node_jobs where name = 'backup' and held_until < now() + interval '61 minutes'`,
  )
  assert.equal(rows.length, 1)
})

test('a backup without its pictures is written, and told until one has them', async () => {
  const facts = { kind: 'image', contentType: 'image/png', size: 1, createdBy: 'admin' }
  await db.insert(objects).values({ ...facts, key: 'a'.repeat(32), storedAt: new Date() })
  const file = (await backUpIfDue(createDeps())) ?? ''
  assert.equal((await checkBackup(file)).end.missing, 1)
  assert.equal((await findLastBackup(db))?.file, file)
  assert.match(
    (await findNotice()) ?? '',
    /^The backup of [\d-]{10} is incomplete\. 1 of 1 pictures are not in the store, and so not in the backup\.$/,
  )
  await db.delete(objects)
  await makeDue()
  assert.ok(await backUpIfDue(createDeps()))
  assert.equal(await findNotice(), undefined)
})

test('a job that a wrong clock put off for days is done now', async () => {
  const deps = createDeps()
  assert.ok(await backUpIfDue(deps))
  await db.execute(sql`update node_jobs set held_until = now() + interval '3 days'`)
  assert.ok(await backUpIfDue({ ...deps, folder: join(temporaryFolder(), 'later') }))
})

test('a shop that stops ends its backup without a file, and the next start writes it', async () => {
  const deps = createDeps()
  assert.equal(await backUpIfDue(deps, AbortSignal.abort()), undefined)
  assert.deepEqual(readdirSync(deps.folder), [])
  assert.equal(await findBackupProblem(db), undefined)
  assert.ok(await backUpIfDue(deps))
})

test('7 days, 4 weeks and 12 months are kept', () => {
  const day = (date: Date) => `till-Ab-d_f9h-${date.toISOString().slice(0, 10)}T03-00-00.backup`
  const days = Array.from({ length: 800 }, (_, back) => {
    const date = new Date('2026-11-16T03:00:00Z')
    date.setUTCDate(date.getUTCDate() - back)
    return day(date)
  })
  const earlier = days[0]?.replace('T03', 'T01') ?? ''
  const kept = [...chooseKept([...days, earlier])].toSorted().toReversed()
  assert.equal(
    kept.map((name) => name.slice(14, 24)).join(' '),
    // A day each, the Sundays of the weeks, and the last days of the months.
    '2026-11-16 2026-11-15 2026-11-14 2026-11-13 2026-11-12 2026-11-11 2026-11-10 ' +
      '2026-11-08 2026-11-01 ' +
      '2026-10-31 2026-09-30 2026-08-31 2026-07-31 2026-06-30 2026-05-31 2026-04-30 2026-03-31 ' +
      '2026-02-28 2026-01-31 2025-12-31',
  )
  assert.ok(!kept.includes(earlier))
})

test('old backups and what killed ones left behind are removed, other files and shops never', async () => {
  const tidy = temporaryFolder()
  const name = (day: number, print = fingerprintOf(testSecret).slice(0, 8)) =>
    `till-${print}-2026-01-0${day}T03-00-00.backup`
  const days = [1, 2, 3, 4, 5, 6, 7, 8, 9]
  const old = days.map((day) => name(day))
  const stale = `${name(1)}.00000000.partial`
  const ofAnotherShop = days.map((day) => name(day, 'Ab-d_f9h'))
  const others = [
    'notes.txt',
    'till-by-hand.backup',
    'other.backup.00000001.partial',
    ...ofAnotherShop,
  ]
  for (const one of [...old, stale, ...others]) writeFileSync(join(tidy, one), '')
  utimesSync(join(tidy, stale), 0, 0)
  mkdirSync(join(tidy, 'folder'))
  const file = (await backUpIfDue({ ...settings, folder: tidy })) ?? ''
  const left = readdirSync(tidy)
  for (const one of [...others, 'folder', file.slice(tidy.length + 1)])
    assert.ok(left.includes(one), one)
  assert.ok(!left.includes(stale))
  assert.deepEqual(
    old.filter((one) => !left.includes(one)),
    [name(1), name(2), name(3)],
  )
})
