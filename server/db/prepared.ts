import { hash } from 'node:crypto'
import { canPrepare, findDatabaseCode, stopPreparing, type Db } from './database.ts'
import { sql, type SQL } from './drizzle.ts'

/*
 * Prepared statements for what every visit and every sale needs: Drizzle writes them once for a connection, which plans
 * them once. Behind a pooler, which switches connections between statements, they would get lost: there they are written and
 * planned each time, also from the first loss on where nobody knew of it (connectDatabase finds out). A transaction does not
 * survive the error that reports a loss.
 */

/** PostgreSQL's codes for a prepared statement that does not exist, or exists already. */
const lostCodes = new Set(['26000', '42P05'])
/** PostgreSQL's code in a transaction that an error has ended; the loss is then the error that is told. */
const abortedCode = '25P02'

type PreparedQuery<Result> = { execute: (values?: Record<string, unknown>) => Promise<Result> }

type Query<Result> = {
  toSQL: () => { sql: string }
  prepare: (name: string) => PreparedQuery<Result>
}

/** A Drizzle query that is built and prepared once and run with other values each time. */
export function prepareQuery<Result>(name: string, build: (db: Db) => Query<Result>) {
  const prepared = new WeakMap<Db, PreparedQuery<Result>>()
  return async (db: Db, values: Record<string, unknown>): Promise<Result> => {
    const runOnce = () => build(db).prepare('').execute(values)
    if (!canPrepare(db)) return runOnce()
    const query = prepared.get(db) ?? prepareByText(name, build(db))
    prepared.set(db, query)
    try {
      return await query.execute(values)
    } catch (error) {
      if (!lostCodes.has(findDatabaseCode(error))) throw error
      stopPreparing(db)
      try {
        return await runOnce()
      } catch (next) {
        throw findDatabaseCode(next) === abortedCode ? error : next
      }
    }
  }
}

/** Named after its text too: a pooler may lead to a connection where another node has prepared something else. */
function prepareByText<Result>(name: string, query: Query<Result>): PreparedQuery<Result> {
  return query.prepare(`till_${name}_${hash('sha256', query.toSQL().sql).slice(0, 12)}`)
}

/** A placeholder for each of these columns. Null is null, which the encoders of Drizzle's own placeholders do not know. */
export function placeholdersFor<Name extends string>(names: readonly Name[]): Record<Name, SQL> {
  const given = names.map((name) => [name, sql`${sql.placeholder(name)}`])
  return Object.fromEntries(given) as Record<Name, SQL>
}
