import { createRequire } from 'node:module'
import type * as Core from 'drizzle-orm'
import type * as Driver from 'drizzle-orm/node-postgres'
import type * as Postgres from 'drizzle-orm/pg-core'

export type { SQL } from 'drizzle-orm'

/*
 * Drizzle, loaded as CommonJS. For each of its ES modules Node reads drizzle's very long package.json again: 0.5 s and
 * 130 MB at every start, compared with 0.1 s and 20 MB this way.
 */
const load = createRequire(import.meta.url)

const core = load('drizzle-orm') as typeof Core
export const {
  and,
  asc,
  desc,
  DrizzleQueryError,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lt,
  ne,
  notInArray,
  or,
  sql,
} = core

const postgres = load('drizzle-orm/pg-core') as typeof Postgres
export const {
  bigint,
  boolean,
  char,
  check,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  varchar,
} = postgres

const driver = load('drizzle-orm/node-postgres') as typeof Driver
export const { drizzle } = driver
