import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { findDatabaseCode, unprepared, type Db } from './database.ts'
import { DrizzleQueryError, Param, PgDialect, Placeholder, sql, type SQL } from './drizzle.ts'

/*
 * Prepared statements for what every visit and every sale needs: Drizzle writes them once for a connection, which plans
 * them once. Behind a pooler that switches connections between statements they get lost; from then on they are written
 * and planned each time. Behind one that is known as such (connectDatabase), transactions begin with that: they would not
 * survive the error that reports the loss.
 */

/** PostgreSQL's codes for a prepared statement that does not exist, or exists already. */
const lostCodes = new Set(['26000', '42P05'])
/** Of a transaction that an error has ended: the loss, which counts as a database that is away for a moment. */
const abortedCode = '25P02'

type PreparedQuery<Result> = { execute: (values?: Record<string, unknown>) => Promise<Result> }

/** A Drizzle query that is built and prepared once and run with other values each time. Names must be unique. */
export function prepareQuery<Result>(
  name: string,
  build: (db: Db) => { prepare: (name: string) => PreparedQuery<Result> },
) {
  const prepared = new WeakMap<Db, PreparedQuery<Result>>()
  return async (db: Db, values: Record<string, unknown>): Promise<Result> => {
    const runOnce = () => build(db).prepare('').execute(values)
    if (unprepared.has(db)) return runOnce()
    const query = prepared.get(db) ?? build(db).prepare(`till_${name}`)
    prepared.set(db, query)
    try {
      return await query.execute(values)
    } catch (error) {
      if (!lostCodes.has(findDatabaseCode(error))) throw error
      unprepared.add(db)
      return runOnce().catch((next: unknown) => {
        throw findDatabaseCode(next) === abortedCode ? error : next
      })
    }
  }
}

/** A placeholder for each of these columns. Null is null, which the encoders of Drizzle's own placeholders do not know. */
export function placeholdersFor<Name extends string>(names: readonly Name[]): Record<Name, SQL> {
  const given = names.map((name) => [name, sql`${sql.placeholder(name)}`])
  return Object.fromEntries(given) as Record<Name, SQL>
}

const dialect = new PgDialect()

/** SQL as text; values that `sql.placeholder` only names are given with each run, in as many parts as are convenient. */
export type Statement = { name: string; text: string; bind: (parts: Values[]) => unknown[] }

export type Values = Record<string, unknown>

/** For statements that are run often, once for each: writing one takes longer than running it. */
export function writeStatement(query: SQL): Statement {
  const { sql: text, params } = dialect.sqlToQuery(query)
  const name = `till_${hash('sha256', text).slice(0, 32)}`
  const slots = params.map(toSlot)
  return { name, text, bind: (parts) => slots.map((slot) => slot(parts)) }
}

/** Where a parameter gets its value from. */
function toSlot(param: unknown): (parts: Values[]) => unknown {
  if (param instanceof Placeholder) return valueOf(param.name)
  if (!(param instanceof Param && param.value instanceof Placeholder)) return () => param
  const { encoder } = param
  const find = valueOf(param.value.name)
  return (parts) => {
    const value = find(parts)
    return value === null ? null : encoder.mapToDriverValue(value)
  }
}

/**
 * Finds a value by its name. Which part has it is the same in every run, mostly; that no other part has it too is seen in
 * the first one.
 */
function valueOf(name: string): (parts: Values[]) => unknown {
  let known = -1
  return (parts) => {
    const value = parts[known]?.[name]
    if (value !== undefined) return value
    const matching = parts.filter((part) => part[name] !== undefined)
    if (matching.length > 1) throw new Error(`two parts of a statement have a value ${name}`)
    if (!matching[0]) throw new Error(`a statement lacks the value ${name}`)
    known = parts.indexOf(matching[0])
    return matching[0][name]
  }
}

/** Runs a statement, prepared under its name. */
export async function runStatement<Row extends Record<string, unknown>>(
  db: Db,
  { name, text, bind }: Statement,
  ...given: Values[]
): Promise<Row[]> {
  const values = bind(given)
  const { $client: client } = db as Db & { $client: Pool }
  const run = async (isPrepared: boolean) => {
    try {
      return await client.query<Row>(isPrepared ? { name, text, values } : { text, values })
    } catch (error) {
      // Like Drizzle's own queries: a broken connection is known to be the database's.
      throw new DrizzleQueryError(text, values, error as Error)
    }
  }
  if (unprepared.has(db)) return (await run(false)).rows
  try {
    return (await run(true)).rows
  } catch (error) {
    if (!lostCodes.has(findDatabaseCode(error))) throw error
    unprepared.add(db)
    return (await run(false)).rows
  }
}

/** Runs SQL, prepared under the hash of its text. */
export function runPrepared<Row extends Record<string, unknown>>(
  db: Db,
  query: SQL,
): Promise<Row[]> {
  return runStatement(db, writeStatement(query))
}
