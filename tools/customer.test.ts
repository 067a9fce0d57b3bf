import assert from 'node:assert/strict'
import { execFile, type ExecFileException } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { auditLog } from '#server/db/admin-schema.ts'
import { openDatabase } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { orders } from '#server/db/schema.ts'
import { addOrders } from '#server/testing/orders.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { makeTestDatabase, toDatabaseUrl } from '#server/testing/test-database.ts'
import { compileCache } from '#server/testing/running-shop.ts'

const folder = temporaryFolder()
const url = toDatabaseUrl(await makeTestDatabase())

/** Runs the command; `typed` is what the owner answers. */
function customer(args: string[], typed = ''): Promise<{ code: number; output: string }> {
  const env = { DATABASE_URL: url, DATA_DIR: folder, NODE_COMPILE_CACHE: compileCache }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['tools/customer.ts', ...args],
      { env, encoding: 'utf8' },
      (error: ExecFileException | null, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
    child.stdin?.end(typed)
  })
}

test('the command exports a customer to a file, and erases one only when told so', async () => {
  const database = openDatabase({ connectionString: url }, () => {})
  const findNames = async () =>
    (await database.db.select().from(orders)).map(({ customerName }) => customerName)
  try {
    await addOrders(database.db, [{ status: 'pending' }])
    const file = join(folder, 'anna.json')
    assert.equal((await customer(['export', 'ANNA@example.com', file])).code, 0)
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).orders.length, 1)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal((await customer(['export', 'anna@example.com', file])).code, 1, 'overwritten')
    assert.match((await customer(['export', 'anna@example.com'])).output, /"orders": \[/)
    const exports = await database.db.$count(auditLog, eq(auditLog.action, 'customer-exported'))
    assert.equal(exports, 3, 'each is in the audit log')

    const open = await customer(['erase', 'anna@example.com', '--yes'])
    assert.match(open.output, /not shipped yet.* Order: [0-9a-f-]{36}/)
    await database.db.update(orders).set({ status: 'completed' })
    const unsure = await customer(['erase', 'anna@example.com'], 'no\n')
    assert.match(unsure.output, /1 orders, 0 checkouts.*Nothing was erased/s)
    assert.deepEqual([unsure.code, await findNames()], [1, ['Anna Müller']])
    const sure = await customer(['erase', 'anna@example.com'], 'yes\n')
    assert.match(sure.output, /1 order stays for the books.*several machines.*DATA_DIR\/mail/)
    assert.deepEqual([sure.code, await findNames()], [0, ['Erased']])

    for (const args of [[], ['erase'], ['forget', 'anna@example.com'], ['erase', 'anna']])
      assert.equal((await customer(args)).code, 1, args.join(' '))
    assert.match(
      (await customer(['erase', 'anna@example.com', '--yes'])).output,
      /Nothing is stored/,
    )
  } finally {
    await database.close()
  }
})

test('a command does not change the tables of a shop of an earlier version', async () => {
  const database = openDatabase({ connectionString: url }, () => {})
  try {
    const { rows } = await database.pool.query('select name from till_migrations')
    await database.pool.query("update till_migrations set name = 'earlier'")
    const { code, output } = await customer(['export', 'anna@example.com'])
    assert.equal(code, 1)
    assert.match(output, /Start the shop once with this version/)
    await database.pool.query('update till_migrations set name = $1', [rows[0].name])
    assert.match((await customer(['export', 'anna@example.com'])).output, /Nothing is stored/)
  } finally {
    await database.close()
  }
})
