import type { ClientConfig } from 'pg'
import { createBackup } from '#server/backup/create-backup.ts'
import { checkBackup, restoreBackup } from '#server/backup/restore-backup.ts'
import { openDatabase } from '#server/db/database.ts'
import type { PictureStore } from '#server/uploads/picture-store.ts'

/** A backup or a restore that is killed when it comes to the pictures: all tables are written then. */
export type KilledRun = {
  kind: 'backup' | 'restore'
  connection: ClientConfig
  file: string
  dataDir: string
}

const { kind, connection, file, dataDir }: KilledRun = JSON.parse(process.argv[2] ?? '')
const { pool } = openDatabase(connection, () => {})
const die = () => process.kill(process.pid, 'SIGKILL')
const store = { prepare: async () => {}, findFile: die, writeFile: die } as unknown as PictureStore

if (kind === 'backup')
  await createBackup({ pool, store, secret: { value: 'x', isGenerated: false } }, file)
else {
  const target = { pool, store, dataDir, writesSecret: false }
  await restoreBackup(target, await checkBackup(file))
}
