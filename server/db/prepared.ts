import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { findDatabaseCode, type Db } from './database.ts'
import { DrizzleQueryError, Param, PgDialect, Placeholder, sql, type SQL } from './drizzle.ts'

/*
 * Prepared statements for hot queries: each connection plans them once. Behind a pooler that switches connections
 * between statements they get lost; from then on they are planned each time. So they are in transactions, which would
 * not survive the error that reports the loss.
 */

/** PostgreSQL's codes for a prepared statement that does not exist, or exists already. */
const lostCodes = new Set(['26000', '42P05'])
const withoutPreparing = new WeakSet<Db>()
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

/** Runs a statement, prepared under its name; in a transaction it is planned each time. */
export async function runStatement<Row extends Record<string, unknown>>(
  db: Db,
  { name, text, bind }: Statement,
  ...given: Values[]
): Promise<Row[]> {
  const values = bind(given)
  if (!('$client' in db)) return (await db.execute<Row>(fillIn(text, values))).rows as Row[]
  const pool = getPool(db)
  try {
    const { rows } = await unlessLost(db, (isPrepared) =>
      pool.query<Row>(isPrepared ? { name, text, values } : { text, values }),
    )
    return rows
  } catch (error) {
    // Like Drizzle's own queries: a broken connection is known to be the database's.
    throw new DrizzleQueryError(text, values, error as Error)
  }
}

/** A written statement as SQL again. */
function fillIn(text: string, values: unknown[]): SQL {
  const parts = text.split(/\$(\d+)/)
  return sql.join(
    parts.map((part, index) =>
      index % 2 === 0 ? sql.raw(part) : sql`${sql.param(values[Number(part) - 1])}`,
    ),
  )
}

/** Runs SQL, prepared under the hash of its text. */
export function runPrepared<Row extends Record<string, unknown>>(
  db: Db,
  query: SQL,
): Promise<Row[]> {
  return runStatement(db, writeStatement(query))
}

type PreparedQuery<Row> = { execute: (values?: Record<string, unknown>) => Promise<Row[]> }

/** A Drizzle query that is built and prepared once and run with other values each time. Names must be unique. */
export function prepareQuery<Row>(
  name: string,
  build: (db: Db) => { prepare: (name: string) => PreparedQuery<Row> },
) {
  const prepared = new WeakMap<Db, PreparedQuery<Row>>()
  return (db: Db, values: Record<string, unknown>): Promise<Row[]> =>
    unlessLost(db, (isPrepared) => {
      if (!isPrepared) return build(db).prepare('').execute(values)
      const query = prepared.get(db) ?? build(db).prepare(`till_${name}`)
      prepared.set(db, query)
      return query.execute(values)
    })
}

async function unlessLost<Result>(
  db: Db,
  run: (isPrepared: boolean) => Promise<Result>,
): Promise<Result> {
  if (withoutPreparing.has(db)) return run(false)
  try {
    return await run(true)
  } catch (error) {
    if (!lostCodes.has(findDatabaseCode(error))) throw error
    withoutPreparing.add(db)
    return run(false)
  }
}

/** The pool of a database that is no transaction. */
export function getPool(db: Db): Pool {
  if (!('$client' in db)) throw new Error('prepared statements do not run in transactions')
  return db.$client as Pool
}
