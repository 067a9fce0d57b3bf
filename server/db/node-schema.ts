import { moment } from './columns.ts'
import { integer, pgTable, uuid, varchar } from './drizzle.ts'

/** Processes of the shop that use this database: server/db/nodes.ts. */
export const nodes = pgTable('nodes', {
  id: uuid('id').primaryKey(),
  name: varchar('name', { length: 300 }).notNull(),
  secretPrint: varchar('secret_print', { length: 64 }).notNull(),
  pictureStore: varchar('picture_store', { length: 300 }).notNull(),
  poolSize: integer('pool_size').notNull(),
  startedAt: moment('started_at').notNull().defaultNow(),
  seenAt: moment('seen_at').notNull().defaultNow(),
  /** When the node ended by itself, rather than being killed. */
  stoppedAt: moment('stopped_at'),
})

/** Work that one node does for all: until when it is locked, and how far it is done. */
export const nodeJobs = pgTable('node_jobs', {
  name: varchar('name', { length: 50 }).primaryKey(),
  heldUntil: moment('held_until').notNull().defaultNow(),
  doneUntil: moment('done_until'),
})
