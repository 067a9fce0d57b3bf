import type { AuditDetail } from '#contract/audit.ts'
import { createdAt, moment, updatedAt } from './columns.ts'
import {
  bigint,
  boolean,
  char,
  index,
  integer,
  jsonb,
  pgTable,
  sql,
  text,
  uniqueIndex,
  uuid,
  varchar,
} from './drizzle.ts'

export const users = pgTable('users', {
  id: uuid('id').primaryKey().defaultRandom(),
  email: varchar('email', { length: 255 }).notNull().unique(),
  firstName: varchar('first_name', { length: 255 }),
  lastName: varchar('last_name', { length: 255 }),
  profileImageUrl: varchar('profile_image_url', { length: 1000 }),
  /** Whether this person has folded the set-up card away. */
  foldsSetup: boolean('folds_setup').notNull().default(false),
  /** The ids of the notices that this person folded away. */
  foldedNotices: text('folded_notices').array().notNull().default([]),
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
    /** An easy password, which is accepted for the first admin in test mode only. */
    isWeak: boolean('is_weak').notNull().default(false),
    /** Made up by the shop for its first admin, and written into a file. */
    isGenerated: boolean('is_generated').notNull().default(false),
    /** Since when this admin may not sign in. */
    disabledAt: moment('disabled_at'),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('credentials_username_key').on(sql`lower(${table.username})`)],
)

/** An authenticator app (RFC 6238). It counts once it is confirmed. */
export const secondFactors = pgTable('second_factors', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Encrypted with a key from the session secret (server/secret.ts). */
  secret: text('secret').notNull(),
  confirmedAt: moment('confirmed_at'),
  /** The time step of the last code that was used: no code works twice. */
  lastStep: integer('last_step').notNull().default(0),
  /** SHA-256 of the recovery codes that are left. */
  recoveryHashes: text('recovery_hashes').array().notNull().default([]),
  createdAt: createdAt(),
})

export const adminInvites = pgTable(
  'admin_invites',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** SHA-256 of the link's token, so that a copy of this table cannot become an admin. */
    tokenHash: varchar('token_hash', { length: 64 }).notNull(),
    email: varchar('email', { length: 255 }).notNull(),
    /** The admin who made it. It ends with their access: otherwise it would be their way back. */
    invitedBy: uuid('invited_by')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('admin_invites_token_key').on(table.tokenHash)],
)

/** Who did what. Rows are only added; names are copied, so that they outlive their admins. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at').notNull().defaultNow(),
    adminId: uuid('admin_id'),
    adminName: varchar('admin_name', { length: 255 }),
    /** One of contract/audit.ts. */
    action: varchar('action', { length: 40 }).notNull(),
    subject: varchar('subject', { length: 255 }),
    detail: jsonb('detail').$type<AuditDetail>(),
    /** Truncated: it shows where from, not who. */
    address: varchar('address', { length: 45 }),
    /** Entries with the same key are one row: strangers must not fill the table. */
    mergeKey: varchar('merge_key', { length: 100 }),
    /** The merge key of the entry that lists use instead of this one: a bulk change. */
    partOf: varchar('part_of', { length: 100 }),
    count: integer('count').notNull().default(1),
    lastAt: moment('last_at').notNull().defaultNow(),
  },
  (table) => [
    index('audit_log_action_idx').on(table.action, table.id),
    index('audit_log_admin_idx').on(table.adminId, table.id),
    index('audit_log_at_idx').on(table.at),
    uniqueIndex('audit_log_merge_key').on(table.mergeKey),
    index('audit_log_part_idx')
      .on(table.partOf, table.id)
      .where(sql`part_of is not null`),
  ],
)

type SessionContent = {
  userId: string
  createdAt: string
  lastSeenAt: string
  /** Truncated. */
  address: string | null
  browser: string | null
}

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

/** Scripts of others on our pages, of which the owner is told when they change. */
export const watchedScripts = pgTable('watched_scripts', {
  url: varchar('url', { length: 1000 }).primaryKey(),
  /** SHA-256 of its content. */
  hash: char('hash', { length: 64 }).notNull(),
  /** Null until the content was another than at first. */
  changedAt: moment('changed_at'),
  /** When the owner said that they know of the change. */
  readAt: moment('read_at'),
  createdAt: createdAt(),
})

/** When the owner was last alerted by mail, for each kind of alert. */
export const ownerAlerts = pgTable('owner_alerts', {
  kind: varchar('kind', { length: 30 }).primaryKey(),
  toldAt: moment('told_at').notNull().defaultNow(),
  /** Until when a node is sending the next one. */
  heldUntil: moment('held_until'),
})

/** One row: what the owner has set in the back-office. The environment wins over it (server/shop-settings/). */
export const shopSettings = pgTable('shop_settings', {
  id: varchar('id', { length: 10 }).primaryKey(),
  /** Counts changes, so that nobody overwrites what they have not seen. */
  version: integer('version').notNull(),
  /** By section; only what was saved. Secrets are encrypted. */
  values: jsonb('values').$type<Record<string, Record<string, unknown>>>().notNull(),
  /** When every step of the set-up had been done at the same time. */
  setUpAt: moment('set_up_at'),
  updatedAt: updatedAt(),
})

/** Of its only row. */
export const settingsRowId = 'shop'

/** Backups that were written, by schedule or by hand, and scheduled ones that failed. */
export const backups = pgTable('backups', {
  id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
  file: varchar('file', { length: 1000 }).notNull(),
  /** Null for one that failed. */
  bytes: bigint('bytes', { mode: 'number' }),
  failedAt: moment('failed_at'),
  error: text('error'),
  /** When it ended. */
  createdAt: createdAt(),
})

/** The backup that this database was restored from; no row where it never was. See server/db/restored.ts. */
export const restoredBackups = pgTable('restored_backups', {
  restoredAt: moment('restored_at').primaryKey().defaultNow(),
  /** The moment that the backup shows: what happened later is missing. */
  backupAt: moment('backup_at').notNull(),
  /** When payments since then were compared with SumUp to the end, and what the comparisons brought back. */
  comparedAt: moment('compared_at'),
  foundOrders: integer('found_orders').notNull().default(0),
  foundInReview: integer('found_in_review').notNull().default(0),
  /** When the owner said that products whose pieces are counted are sold before that. */
  countedSoldAt: moment('counted_sold_at'),
  /** When the owner said that they have looked. */
  readAt: moment('read_at'),
})
