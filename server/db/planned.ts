import { hash } from 'node:crypto'
import type { Db } from './database.ts'
import { PgDialect, type SQL } from './drizzle.ts'

const dialect = new PgDialect()

/** What a connection answers that does not know, or already knows, a statement by that name. */
const lostPlanCodes = new Set(['26000', '42P05'])
const withoutPlans = new WeakSet<Db>()

/**
 * Runs a statement that is asked for all the time: each connection plans it once and knows it by the hash of its text.
 * Behind a pooler that hands out other connections all the time plans are lost; there it is planned each time. A transaction
 * would not survive the first time that this happens.
 */
export async function runPlanned(db: Db, query: SQL): Promise<void> {
  const built = dialect.sqlToQuery(query)
  const run = (name?: string) => db._.session.prepareQuery(built, undefined, name, false).execute()
  if (withoutPlans.has(db)) return void (await run())
  try {
    await run(`till_${hash('sha256', built.sql).slice(0, 32)}`)
  } catch (error) {
    if (!lostPlanCodes.has(codeOf(error))) throw error
    withoutPlans.add(db)
    await run()
  }
}

/** Drizzle wraps what the database said. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code ?? cause?.code ?? ''
}
