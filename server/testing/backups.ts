import { once } from 'node:events'
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { after } from 'node:test'
import { escapeIdentifier, type ClientBase, type ClientConfig, type Pool } from 'pg'
import {
  createBackup,
  type BackupOptions,
  type BackupSource,
} from '#server/backup/create-backup.ts'
import {
  checkBackup,
  decideSecret,
  restoreBackup,
  type RestoreTarget,
  type SecretHere,
} from '#server/backup/restore-backup.ts'
import { openDatabase, type Database } from '#server/db/database.ts'
import { listTables, readMigrations } from '#server/db/migrate.ts'
import type { Shop } from '#server/shop.ts'
import type { KilledRun } from './killed-backup.ts'
import { makeTestDatabase, patience } from './test-database.ts'

export function sourceOf({ pool, pictures, secret }: Shop, isGenerated = false): BackupSource {
  return { pool, store: pictures.store, secret: { value: secret, isGenerated } }
}

/** A database without any table, as a restore finds it on a new machine. */
export async function openEmptyDatabase(template = 'template1'): Promise<Database> {
  const connection = await makeTestDatabase(template)
  const database = openDatabase(connection, () => {})
  after(() => database.close())
  return database
}

export async function backUp(
  source: BackupSource,
  file: string,
  options: BackupOptions = {},
): Promise<string> {
  await createBackup(source, file, options)
  return file
}

export async function restore(
  target: Omit<RestoreTarget, 'writesSecret'> & SecretHere,
  file: string,
  options: Parameters<typeof checkBackup>[1] = {},
): Promise<void> {
  const checked = await checkBackup(file, options)
  await restoreBackup({ ...target, writesSecret: decideSecret(target, checked) }, checked, options)
}

/** For each table the number of its rows and a hash of all their values, whatever their order. */
export async function hashTables(client: ClientBase | Pool): Promise<Record<string, string>> {
  const { rows: found } = await client.query<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any ($1) order by 1`,
    [listTables(await readMigrations())],
  )
  const hashes: Record<string, string> = {}
  for (const { name } of found) {
    const { rows } = await client.query<{ hash: string }>({
      text: `select count(*) || ' ' || coalesce(md5(string_agg(hash, '' order by hash)), '') as hash
        from (select md5(row::text) as hash from public.${escapeIdentifier(name)} as row) as hashed`,
    })
    hashes[name] = rows[0]?.hash ?? ''
  }
  return hashes
}

/** Runs a backup or a restore in a process that is killed in the middle of it. */
export async function runKilled(run: Omit<KilledRun, 'connection'>, pool: Pool): Promise<void> {
  const { host, port, user, password, database } = pool.options
  const connection = { host, port, user, password, database, ...patience } as ClientConfig
  const child = fork(join(import.meta.dirname, 'killed-backup.ts'), [
    JSON.stringify({ ...run, connection }),
  ])
  const [, signal] = await once(child, 'exit')
  if (signal !== 'SIGKILL') throw new Error('the process was not killed in the middle')
}
