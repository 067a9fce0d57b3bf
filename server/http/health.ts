import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { readSchemaVersion } from '#server/db/migrate.ts'

/** A database that takes longer than this to answer is not ready to sell. */
const databaseTimeoutMs = 500

/** Live: the process answers. Ready: the database answers too, at the version of this code. */
export function mountHealth(
  app: FastifyInstance,
  shop: { pool: Pool; schemaVersion: number; isClosing: () => boolean },
): void {
  const options = { config: { access: 'public' }, logLevel: 'warn' } as const

  app.get(apiRoutes.healthLive, options, async () => ({ status: 'live' }))

  app.get(apiRoutes.healthReady, options, async (_request, reply) => {
    if (shop.isClosing()) throw new Refusal('unavailable', { text: 'The shop is closing.' })
    const version = await readVersionInTime(shop.pool)
    if (version < shop.schemaVersion) {
      throw new Refusal('unavailable', { text: 'The database is not migrated yet.' })
    }
    return reply
      .header('cache-control', 'no-store')
      .send({ status: 'ready', schemaVersion: version })
  })
}

async function readVersionInTime(pool: Pool): Promise<number> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Refusal('unavailable')), databaseTimeoutMs)
  try {
    return await Promise.race([readSchemaVersion(pool), timeout])
  } catch (cause) {
    throw cause instanceof Refusal ? cause : new Refusal('unavailable', { cause, retryAfter: 2 })
  } finally {
    clearTimeout(timer)
  }
}
