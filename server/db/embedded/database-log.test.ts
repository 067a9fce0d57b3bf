import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShopDatabase } from '#server/db/open-shop-database.ts'
import { createUsedShop, query } from '#server/testing/embedded-shop.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { describeConnection } from './credentials.ts'
import { levelOf } from './postmaster.ts'

/** The lines of the database by the level at which the shop logs them. */
function collectingLog() {
  const lines: { level: string; line: string }[] = []
  const logAt = (level: string) => (fields: object) => {
    if ('postgres' in fields) lines.push({ level, line: String(fields.postgres) })
  }
  const log = {
    fatal: logAt('fatal'),
    error: logAt('error'),
    warn: logAt('warn'),
    info: logAt('info'),
    debug: logAt('debug'),
  }
  const levelsOf = (part: string) => [
    ...new Set(lines.filter(({ line }) => line.includes(part)).map(({ level }) => level)),
  ]
  return { log, lines, levelsOf }
}

test('what the database cannot do is an error in the log, its crash a warning, a normal stop neither', async (t) => {
  const shop = await createUsedShop(t)
  const { log, lines, levelsOf } = collectingLog()
  await using opened = new AsyncDisposableStack()
  const { pool } = await openShopDatabase(
    { dataDir: shop.dataDir, databaseUrl: undefined, databasePool: 4 },
    log,
    () => {},
    opened,
  )
  const wrong = describeConnection(String(pool.options.host), 'not the secret')
  await assert.rejects(query(wrong, 'select 1'))
  await waitFor('the refusal is logged', () => levelsOf('FATAL:')[0])
  assert.deepEqual(levelsOf('password authentication failed'), ['error'])

  const { rows } = await pool.query('select pg_backend_pid() as pid')
  process.kill(rows[0].pid, 'SIGKILL')
  await waitFor('the database is back', () => levelsOf('The database is back')[0])
  assert.deepEqual(levelsOf('was terminated by signal 9'), ['warn'])
  assert.deepEqual(levelsOf('The database connection was lost'), ['error'])

  lines.length = 0
  await opened.disposeAsync()
  const loud = lines.filter(({ level }) => level !== 'info' && level !== 'debug')
  assert.deepEqual(loud, [])
})

test('PostgreSQL’s last words are the loudest, and its answers to queries stay out of the log', () => {
  assert.equal(
    levelOf('[7] PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left'),
    'fatal',
  )
  assert.equal(levelOf('[7] FATAL:  could not open file "global/pg_filenode.map"'), 'error')
  assert.equal(levelOf('[7] FATAL:  the database system is starting up'), 'info')
  assert.equal(levelOf('[7] WARNING:  could not remove file or directory "base/pgsql_tmp"'), 'warn')
  assert.equal(levelOf('[7] LOG:  database system is ready to accept connections'), 'debug')
  assert.equal(levelOf('[7] ERROR:  invalid input syntax for type uuid: "somebody’s"'), 'debug')
  assert.equal(levelOf('[7] DETAIL:  FATAL:  not at the start'), 'debug')
})
