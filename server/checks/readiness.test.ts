import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { apiRoutes } from '#contract/paths.ts'
import { createApp } from '#server/app.ts'
import { openDatabase } from '#server/db/database.ts'
import { joinNodes } from '#server/db/nodes.ts'
import { mountCalls } from '#server/http/calls.ts'
import { registerErrorHandler } from '#server/http/errors.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { healthCalls, openReadiness, type HealthDeps } from './readiness.ts'

const shop = await openTestShop()

test('the shop says when it is ready, and when it is closing', async () => {
  const ready = await shop.app.inject(apiRoutes.healthReady)
  assert.deepEqual(ready.json(), { status: 'ready', schemaVersion: shop.shop.schemaVersion })
  const closing = await createApp({ ...shop.shop, isClosing: () => true })
  assert.equal((await closing.inject(apiRoutes.healthReady)).statusCode, 503)
})

/** A shop whose database user was given this setting. */
async function openWith(setting: string) {
  const { app, shop: opened } = await openTestShop()
  await opened.pool.query(setting)
  // Settings of a database hold for new connections.
  const { password } = opened.pool.options
  const database = openDatabase({ ...opened.pool.options, password }, () => {})
  after(() => database.close())
  return { app: await createApp({ ...opened, ...database }), before: app }
}

test('a database that does not answer in time is not ready', async () => {
  const { shop: slow } = await openTestShop()
  const holder = await slow.pool.connect()
  await holder.query('begin; lock table nodes in access exclusive mode')
  const app = await createApp({ ...slow, readyWithinMs: 1 })
  const answer = await app.inject(apiRoutes.healthReady)
  await holder.query('rollback')
  holder.release()
  assert.equal(answer.statusCode, 503)
  assert.equal(answer.json().message, 'The database does not answer in time.')
})

test('a database that is read-only is not ready', async () => {
  const { app, before } = await openWith(`do $$ begin execute format(
    'alter database %I set default_transaction_read_only = on', current_database()); end $$`)
  assert.equal((await before.inject(apiRoutes.healthReady)).statusCode, 200)
  const answer = await app.inject(apiRoutes.healthReady)
  assert.equal(answer.statusCode, 503)
  assert.equal(answer.json().message, 'The database is read-only.')
})

test('a database that may not be written to is not ready', async () => {
  const { app } = await openWith('revoke insert, update on nodes from current_user')
  const answer = await app.inject(apiRoutes.healthReady)
  assert.equal(answer.statusCode, 503)
  assert.equal(answer.json().message, 'The user of the database may not write to it.')
})

test('a node that others with another secret replaced is not ready', async () => {
  const { app, shop: frozen } = await openTestShop()
  const facts = { ...frozen.node, name: 'two:3000', secretPrint: 'another' }
  await joinNodes(facts, { db: frozen.db, isAlone: true, isPooled: false, say: () => {} })
  // It lives for as long as the test takes.
  await frozen.pool.query("update nodes set seen_at = now() + interval '1 hour'")
  const answer = await app.inject(apiRoutes.healthReady)
  assert.equal(answer.statusCode, 503)
  assert.match(answer.json().message, /Another node of this database has other settings/)
})

test('a full disk is not ready, unless the node needs none', async () => {
  const ask = async (freeBytes: number, change: Partial<HealthDeps['config']> = {}) => {
    const app = fastify()
    const deps = { ...shop.shop, config: { ...shop.shop.config, ...change } }
    const readiness = openReadiness(app, deps, async () => freeBytes)
    mountCalls(app, { ...deps, ...readiness }, healthCalls)
    registerErrorHandler(app)
    const { statusCode } = await app.inject(apiRoutes.healthReady)
    await app.close()
    return statusCode
  }
  assert.equal(await ask(1_000_000_000), 200)
  assert.equal(await ask(1_000_000), 503)
  const pictureStore = {
    endpoint: '',
    region: '',
    bucket: '',
    accessKeyId: '',
    secretAccessKey: '',
  }
  assert.equal(await ask(1_000_000, { databaseUrl: 'postgres://elsewhere', pictureStore }), 200)
  assert.equal(await ask(1_000_000, { databaseUrl: 'postgres://elsewhere' }), 503)
})

test('a database that has no space for a sale is not ready', async () => {
  const full = await openTestShop()
  await full.shop.pool.query(`create function fill() returns trigger language plpgsql as
    $$ begin raise 'could not extend file' using errcode = '53100'; end $$;
    create trigger fill before insert on rate_limits for each row execute function fill()`)
  const ready = () => full.app.inject(apiRoutes.healthReady)
  assert.equal((await ready()).statusCode, 200)
  const payload = { username: 'owner', password: 'wrong' }
  const login = { method: 'POST', url: apiRoutes.adminLogin, payload } as const
  const refused = await full.app.inject(login)
  assert.equal(refused.statusCode, 503)
  const other = await createApp(full.shop)
  await other.inject(login)
  const answer = await other.inject(apiRoutes.healthReady)
  assert.equal(answer.statusCode, 503)
  assert.equal(answer.json().message, 'The disk of the database is full.')
})
