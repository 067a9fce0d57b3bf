import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { apiRoutes } from '#contract/paths.ts'
import { madeBeforeFirstRelease } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { recordHeartbeat } from '#server/db/nodes.ts'
import { markRestored } from '#server/db/restored.ts'
import { createChallenge, openSelfCheck } from '#server/http/self-check.ts'
import { fingerprintOf } from '#server/secret.ts'
import { startProxy } from '#server/testing/proxy.ts'
import { startS3 } from '#server/testing/s3-server.ts'
import { openShopSettings, readSavedConfig } from '#server/shop-settings/shop-settings.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openTestShop, testSecret } from '#server/testing/test-shop.ts'
import { runChecks, type OpenDatabase } from './check.ts'
import { collectDoctorFacts, examineShop, type DoctorLine, type WithDatabase } from './doctor.ts'
import { checks } from './list.ts'

const withDatabase =
  (database: OpenDatabase): WithDatabase =>
  (work) =>
    work(database)

/** A shop that listens, with the settings that lead to it. */
async function openRunningShop(settings: Record<string, string> = {}) {
  const shop = await openTestShop({ environment: settings })
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = shop.app.server.address() as AddressInfo
  const environment = {
    PORT: String(port),
    DATA_DIR: temporaryFolder(),
    // Never connected to: the database is handed over.
    DATABASE_URL: 'postgres://till:hidden@127.0.0.1:1/till',
    SESSION_SECRET: testSecret,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SUMUP_API_URL: shop.sandbox.url,
    SUMUP_API_KEY: shop.sandbox.apiKey,
    SUMUP_MERCHANT_CODE: shop.sandbox.merchantCode,
  }
  const database = { db: shop.db, pool: shop.shop.pool, isPooled: false }
  return { shop, port, environment, database }
}

function find(checks: DoctorLine[], name: string): DoctorLine {
  const check = checks.find((candidate) => candidate.name === name)
  assert.ok(check, `${name} is not in ${JSON.stringify(checks, null, 2)}`)
  return check
}

test('of a shop that has all it needs the doctor has nothing to complain about', async () => {
  const { environment, database } = await openRunningShop()
  const s3 = await startS3({ uploadsFrom: environment.PUBLIC_URL })
  const mail = await openMailServer()
  const config = readConfig({
    ...environment,
    ...s3.environment,
    SMTP_URL: mail.url,
    SHOP_EMAIL: 'shop@example.com',
  })
  const disk = async (freeMegabytes: number) => ({
    bavail: freeMegabytes,
    blocks: 10_000,
    bsize: 1024 * 1024,
  })
  const checks = await examineShop(config, withDatabase(database), () => disk(5_000))
  assert.deepEqual(
    checks.filter(({ status }) => status === 'fail'),
    [],
  )
  for (const name of ['shop', 'database', 'migrations', 'writing', 'pooler', 'secret'])
    assert.equal(find(checks, name).status, 'ok', name)
  for (const name of [
    'disk',
    'data folder',
    'mail',
    'pictures',
    'uploads',
    'clock of the database',
    'clock of SumUp',
  ])
    assert.equal(find(checks, name).status, 'ok', name)
  assert.match(find(checks, 'test mode').found, /account of this shop is a sandbox/)
  assert.deepEqual(s3.list(), [], 'the object that was tried is deleted')
  assert.deepEqual(mail.received, [], 'no mail was sent')
  for (const [free, status] of [
    [1_000, 'warn'],
    [100, 'fail'],
    [10, 'fail'],
  ] as const) {
    const later = await examineShop(config, withDatabase(database), () => disk(free))
    assert.equal(find(later, 'disk').status, status)
  }
  chmodSync(environment.DATA_DIR, 0o755)
  const open = find(await examineShop(config, withDatabase(database)), 'data folder')
  assert.deepEqual([open.status, open.todo], ['warn', `chmod 700 ${environment.DATA_DIR}`])
})

test('each thing that does not work is a line with what to do, and no secret is told', async () => {
  const { environment, database } = await openRunningShop()
  const s3 = await startS3()
  const config = readConfig({
    ...environment,
    ...s3.environment,
    S3_SECRET_ACCESS_KEY: 'a-hidden-secret',
    SUMUP_API_KEY: 'sup_sk_hidden',
    SMTP_URL: 'smtp://somebody:hidden@127.0.0.1:1',
    MAIL_FROM: 'shop@example.com',
    PUBLIC_URL: 'http://127.0.0.1:1',
  })
  await database.pool.query(`update credentials set is_weak = true`)
  const checks = await examineShop(config, withDatabase(database))
  for (const name of [
    'SumUp',
    'mail',
    'pictures',
    'uploads',
    'public address',
    'passwords',
    'proxy headers',
  ]) {
    const { status, todo, place } = find(checks, name)
    assert.equal(status, 'fail', name)
    assert.ok(todo ?? place, name)
  }
  assert.match(find(checks, 'SumUp').found, /does not accept the API key/)
  assert.equal(find(checks, 'passwords').howTo, 'npm run admin -- reset owner')
  assert.doesNotMatch(JSON.stringify(checks), /hidden/)
})

test('a database that cannot be reached or has another schema is told apart from one that works', async () => {
  const { environment, database } = await openRunningShop()
  const config = readConfig(environment)
  const away = openDatabase({ connectionString: environment.DATABASE_URL }, () => {})
  after(() => away.close())
  const unreachable = await examineShop(config, withDatabase(away))
  assert.equal(find(unreachable, 'database').status, 'fail')
  assert.doesNotMatch(JSON.stringify(unreachable), /hidden/)

  await database.pool.query(
    'insert into till_migrations (version, name, checksum) values (9999, $1, $1)',
    ['of a newer Till'],
  )
  // One more than this code has.
  const newer = await examineShop(config, withDatabase(database))
  assert.equal(find(newer, 'migrations').status, 'fail')
  await database.pool.query('delete from till_migrations where version = 9999')
  await database.pool.query(`create function fill() returns trigger language plpgsql as
    $$ begin raise 'could not extend file' using errcode = '53100'; end $$;
    create trigger fill before insert on node_jobs for each row execute function fill()`)
  const full = await examineShop(config, withDatabase(database))
  assert.equal(find(full, 'writing').found, 'The disk of the database is full.')
  await database.pool.query(`alter table node_jobs rename to elsewhere`)
  const readOnly = await examineShop(config, withDatabase(database))
  assert.equal(find(readOnly, 'writing').status, 'fail')

  await database.pool.query(`update till_migrations set checksum = 'of then' where version = 1`)
  const former = await examineShop(config, withDatabase(database))
  assert.equal(find(former, 'migrations').todo, madeBeforeFirstRelease)
})

test('nodes are counted with the connections that each may open, and only without a pooler', async () => {
  const { environment, database } = await openRunningShop()
  const config = readConfig({ ...environment, DATABASE_POOL: '20' })
  const direct = find(await examineShop(config, withDatabase(database)), 'connections')
  assert.match(direct.found, /enough for \d+ nodes? of 20$/)
  const many = { ...config, databasePool: 5_000 }
  const short = find(await examineShop(many, withDatabase(database)), 'connections')
  assert.deepEqual([short.status, short.todo?.startsWith('Lower DATABASE_POOL')], ['fail', true])
  const pooled = await examineShop(many, withDatabase({ ...database, isPooled: true }))
  assert.equal(find(pooled, 'connections').status, 'ok')
  assert.match(find(pooled, 'pooler').found, /^One that/)
})

test('a proxy that does not say for whom it asks, or is not trusted to, is found, with METRICS_TOKEN and without', async () => {
  const { port, environment, database } = await openRunningShop()
  const examine = async (headers: Record<string, string>, more: Record<string, string> = {}) => {
    const PUBLIC_URL = await startProxy(port, headers)
    const config = readConfig({ ...environment, PUBLIC_URL, ...more })
    return find(await examineShop(config, withDatabase(database)), 'proxy headers')
  }
  const telling = { 'x-forwarded-for': '203.0.113.9' }
  assert.match((await examine({ via: '1.1 proxy' })).found, /does not say for whom/)
  const token = { METRICS_TOKEN: 'a-token-for-tests-0123456789' }
  assert.equal((await examine({ 'x-real-ip': '203.0.113.9' }, token)).status, 'fail')
  assert.equal((await examine(telling)).status, 'ok')
  const behindCdn = { 'x-forwarded-for': '203.0.113.9, 198.51.100.1' }
  assert.match((await examine(behindCdn)).howTo ?? '', /TRUST_PROXY=2/)

  const strict = await openRunningShop({ TRUST_PROXY: '10.0.0.5' })
  const PUBLIC_URL = await startProxy(strict.port, telling)
  const config = readConfig({ ...strict.environment, PUBLIC_URL })
  const { status, howTo } = find(
    await examineShop(config, withDatabase(strict.database)),
    'proxy headers',
  )
  assert.deepEqual([status, howTo], ['fail', 'TRUST_PROXY=127.0.0.1'])
})

test('a PUBLIC_URL that leads to another shop is found; others learn nothing by asking as the doctor does', async () => {
  const { environment, database, shop } = await openRunningShop()
  const other = await openRunningShop()
  const config = readConfig({
    ...environment,
    PUBLIC_URL: other.environment.PUBLIC_URL,
    SESSION_SECRET: 'a-secret-that-the-other-shop-does-not-have',
  })
  const check = find(await examineShop(config, withDatabase(database)), 'public address')
  assert.equal(check.status, 'fail')
  assert.match(check.found, /Another shop answers/)

  const url = apiRoutes.selfCheck
  for (const challenge of ['', 'x', `${createChallenge()}0`]) {
    const answer = await shop.app.inject({ url, headers: { 'x-till-self-check': challenge } })
    assert.deepEqual([answer.statusCode, answer.json().code], [404, 'call-missing'], challenge)
  }
  const challenge = createChallenge()
  const { body } = await shop.app.inject({ url, headers: { 'x-till-self-check': challenge } })
  assert.equal(openSelfCheck(testSecret, challenge, body)?.peer, '127.0.0.1')
  assert.doesNotMatch(body, /127\.0\.0\.1|peer/)
  assert.equal(openSelfCheck('another secret', challenge, body), undefined)
  assert.equal(openSelfCheck(testSecret, createChallenge(), body), undefined, 'an old answer')
})

test('a secret that is not the one the shop signed with, or is missing, is found', async () => {
  const { environment, database } = await openRunningShop()
  const examine = async (SESSION_SECRET: string) => {
    const config = readConfig({ ...environment, SESSION_SECRET })
    return find(await examineShop(config, withDatabase(database)), 'secret')
  }
  const node = { id: randomUUID(), name: 'one', pictureStore: 'folder', poolSize: 10 }
  await recordHeartbeat(database.db, { ...node, secretPrint: fingerprintOf(testSecret) })
  assert.equal((await examine(testSecret)).status, 'ok')
  const differing = await examine('a-secret-of-another-shop-0123456789')
  assert.equal(differing.status, 'fail')
  assert.match(differing.found, /is not the secret of the node that ran last/)
  const missing = await examine('')
  assert.equal(missing.status, 'fail')
  assert.match(missing.found, /secret is missing/)
})

test('a restored shop that nobody has looked through is told, until its owner says so', async () => {
  const { environment, database } = await openRunningShop()
  const list = async () =>
    (await examineShop(readConfig(environment), withDatabase(database)))
      .filter(({ name }) => name === 'restore')
      .map(({ status, found }) => `${status} ${found}`)
  assert.deepEqual(await list(), [])
  await database.pool.query(markRestored.text, markRestored.values('2026-11-16T03:00:00.000Z'))
  assert.match((await list()).join(), /^warn This shop was restored from the backup of 2026-11-16/)
  await database.pool.query('update restored_backups set read_at = now()')
  assert.deepEqual(await list(), [])
})

test('what the owner has saved in the back-office counts, and a key that cannot be read is told', async () => {
  const { environment, database, shop } = await openRunningShop()
  const { PUBLIC_URL, SUMUP_API_KEY, SUMUP_MERCHANT_CODE, ...rest } = environment
  const config = readConfig({ ...rest, SESSION_SECRET: testSecret })
  const examine = async (secret: string) =>
    examineShop(config, (work) =>
      work({ ...database, readSaved: () => readSavedConfig({ db: shop.db, secret, config }) }),
    )
  const before = await examine(testSecret)
  assert.match(find(before, 'test mode').found, /Test mode/)
  assert.equal(find(before, 'public address').place, 'address')
  const settings = await openShopSettings({
    db: shop.db,
    secret: testSecret,
    config,
    log: shop.shop.log,
  })
  after(() => settings.close())
  const actor = { admin: undefined, address: '' }
  const address = { publicUrl: PUBLIC_URL, customDomain: null }
  await settings.save('address', { version: 0, values: address }, actor)
  const account = { apiKey: SUMUP_API_KEY, merchantCode: SUMUP_MERCHANT_CODE }
  await settings.save('sumup', { version: 1, values: account }, actor)
  const checks = await examine(testSecret)
  assert.match(find(checks, 'test mode').found, /account of this shop is a sandbox/)
  assert.match(find(checks, 'public address').found, /is not encrypted/)
  const unreadable = find(await examine('another secret'), 'SumUp')
  assert.deepEqual([unreadable.status, /accept/.test(unreadable.found)], ['fail', true])
})

test('the doctor knows every fact that its checks ask for', async () => {
  const { environment, database } = await openRunningShop()
  const machine = { isRunning: true, readDisk: statfs, database }
  const facts = collectDoctorFacts(readConfig(environment), machine)
  const missing = new Set<string | symbol>()
  const watched = new Proxy(facts, {
    get(target, name, receiver) {
      if (!(name in target)) missing.add(name)
      return Reflect.get(target, name, receiver)
    },
  })
  const shown = checks.filter(({ shownIn }) => shownIn.doctor)
  await runChecks(shown, watched)
  assert.deepEqual([...missing], ['newShop'], 'only the set-up knows that')
})

test('without a running shop and a database the doctor says how to begin', async () => {
  const config = readConfig({ DATA_DIR: temporaryFolder(), PORT: '1' })
  const checks = await examineShop(config, () => Promise.reject(new Error('not asked for')))
  assert.deepEqual(
    checks.filter(({ status }) => status === 'fail'),
    [],
  )
  assert.match(find(checks, 'shop').todo ?? '', /npm start/)
  assert.match(find(checks, 'database').todo ?? '', /npm start/)
  assert.match(find(checks, 'test mode').found, /no money is taken/)
})
