import { hash } from 'node:crypto'
import type { Db } from './database.ts'
import { PgDialect, type SQL } from './drizzle.ts'

const dialect = new PgDialect()

/** What a connection answers that does not know, or already knows, a statement by that name. */
const lostPlanCodes = new Set(['26000', '42P05'])
const withoutPlans = new WeakSet<Db>()

/**
 * Runs a statement that is asked for all the time, and answers its rows as the driver reads them: each connection plans
 * it once and knows it by the hash of its text. Behind a pooler that hands out other connections all the time plans are
 * lost; there it is planned each time. A transaction would not survive the first time that this happens.
 */
export async function runPlanned<Row extends Record<string, unknown>>(
  db: Db,
  query: SQL,
): Promise<Row[]> {
  const built = dialect.sqlToQuery(query)
  const run = async (name?: string): Promise<Row[]> => {
    const result = await db._.session.prepareQuery(built, undefined, name, false).execute()
    return (result as { rows: Row[] }).rows
  }
  if (withoutPlans.has(db)) return run()
  try {
    return await run(`till_${hash('sha256', built.sql).slice(0, 32)}`)
  } catch (error) {
    if (!lostPlanCodes.has(codeOf(error))) throw error
    withoutPlans.add(db)
    return run()
  }
}

type Prepared<Row> = { execute: (values?: Record<string, unknown>) => Promise<Row[]> }

/**
 * The same for a question in Drizzle's own words: built and planned once, asked with other values each time. The name
 * tells one from another, so it is given to one question only.
 */
export function plannedQuery<Row>(
  name: string,
  build: (db: Db) => { prepare: (name: string) => Prepared<Row> },
) {
  const known = new WeakMap<Db, Prepared<Row>>()
  return async (db: Db, values: Record<string, unknown>): Promise<Row[]> => {
    if (withoutPlans.has(db)) return build(db).prepare('').execute(values)
    const prepared = known.get(db) ?? build(db).prepare(`till_${name}`)
    known.set(db, prepared)
    try {
      return await prepared.execute(values)
    } catch (error) {
      if (!lostPlanCodes.has(codeOf(error))) throw error
      withoutPlans.add(db)
      return build(db).prepare('').execute(values)
    }
  }
}

/** Drizzle wraps what the database said. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code ?? cause?.code ?? ''
}
