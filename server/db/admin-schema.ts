import { createdAt, moment, updatedAt } from './columns.ts'
import { index, integer, jsonb, pgTable, sql, text, uniqueIndex, uuid, varchar } from './drizzle.ts'

export const users = pgTable('users', {
  id: uuid('id').primaryKey().defaultRandom(),
  email: varchar('email', { length: 255 }).notNull().unique(),
  firstName: varchar('first_name', { length: 255 }),
  lastName: varchar('last_name', { length: 255 }),
  profileImageUrl: varchar('profile_image_url', { length: 1000 }),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** Separate from the profile, so that reading a profile cannot expose a hash. */
export const credentials = pgTable(
  'credentials',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    username: varchar('username', { length: 255 }).notNull(),
    passwordHash: text('password_hash').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('credentials_username_key').on(sql`lower(${table.username})`)],
)

export type SessionContent = { userId: string; createdAt: string }

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the cookie, so that a copy of this table cannot sign in. */
    sid: varchar('sid', { length: 255 }).primaryKey(),
    sess: jsonb('sess').$type<SessionContent>().notNull(),
    expire: moment('expire').notNull(),
  },
  (table) => [index('sessions_expire_idx').on(table.expire)],
)

/** Counters of limits that must hold across nodes, for payments and passwords. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: varchar('key', { length: 255 }).primaryKey(),
    count: integer('count').notNull(),
    resetsAt: moment('resets_at').notNull(),
  },
  (table) => [index('rate_limits_resets_idx').on(table.resetsAt)],
)
