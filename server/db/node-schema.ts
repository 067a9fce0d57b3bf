import { moment } from './columns.ts'
import { integer, pgTable, smallint, uuid, varchar } from './drizzle.ts'

/** Processes of the shop that use this database: server/db/nodes.ts. */
export const nodes = pgTable('nodes', {
  id: uuid('id').primaryKey(),
  name: varchar('name', { length: 300 }).notNull(),
  secretPrint: varchar('secret_print', { length: 64 }).notNull(),
  pictureStore: varchar('picture_store', { length: 300 }).notNull(),
  shard: smallint('shard').notNull(),
  poolSize: integer('pool_size').notNull(),
  startedAt: moment('started_at').notNull().defaultNow(),
  seenAt: moment('seen_at').notNull().defaultNow(),
  /** It ended by itself, rather than being killed. */
  stoppedAt: moment('stopped_at'),
})
