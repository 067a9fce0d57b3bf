import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { calls } from '#contract/paths.ts'
import { addAdmin } from '#server/admin/admins.ts'
import { createApp } from '#server/app.ts'
import { openProductCache } from '#server/catalog/product-cache.ts'
import { readConfig } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { readMigrations } from '#server/db/migrate.ts'
import type { Log } from '#server/http/log.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import type { Shop } from '#server/shop.ts'
import { openTestDatabase } from './test-database.ts'

export const testAdmin = {
  username: 'owner',
  email: 'owner@example.com',
  password: 'a long sentence is a good password',
}

export type TestShop = {
  app: FastifyInstance
  db: Db
  shop: Shop
  /** The header of a fresh sign-in, to send along as `headers`. */
  signIn: () => Promise<{ cookie: string }>
}

/** A whole shop on a database of its own, without a port. */
export async function openTestShop(
  options: { environment?: Record<string, string>; web?: WebFiles; log?: Log } = {},
): Promise<TestShop> {
  const database = await openTestDatabase()
  const log = options.log ?? pino({ level: 'silent' })
  const productCache = openProductCache(database.db, database.pool, log)
  after(() => productCache.close())
  const shop: Shop = {
    config: readConfig(options.environment ?? {}),
    log,
    db: database.db,
    pool: database.pool,
    schemaVersion: (await readMigrations()).length,
    productCache,
    checkPictures: async () => {},
    web: options.web,
    isClosing: () => false,
  }
  await addAdmin(database.db, testAdmin)
  const app = await createApp(shop)
  after(() => app.close())
  return { app, db: database.db, shop, signIn: () => signInTo(app) }
}

async function signInTo(app: FastifyInstance): Promise<{ cookie: string }> {
  const { username, password } = testAdmin
  const answer = await app.inject({
    method: 'POST',
    url: calls.adminLogin,
    payload: { username, password },
  })
  const [cookie] = answer.cookies
  if (!cookie) throw new Error(`signing in failed: ${answer.statusCode} ${answer.body}`)
  return { cookie: `${cookie.name}=${cookie.value}` }
}
