import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startSandbox } from '#sandbox/sandbox.ts'
import { openDatabase } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { findPostmaster } from '#server/db/embedded/postmaster.ts'
import { checkouts, mails, orders } from '#server/db/schema.ts'
import { openBrowserAt, createSettings } from '#server/testing/arm-crash-point.ts'
import { waitFor } from '#server/testing/wait-for.ts'
import { addMug, payByCard } from '#server/testing/buyer.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { openTestDatabase, patience } from '#server/testing/test-database.ts'
import { freePort, startShop } from '#server/testing/running-shop.ts'

/** A shop on a PostgreSQL that can be killed under it. */
async function openKillable() {
  const dataDir = temporaryFolder()
  const embedded = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
  after(() => embedded.stop())
  const sandbox = await startSandbox({ webhookDelaysMs: [] })
  after(() => sandbox.close())
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const settings = createSettings(address, sandbox, embedded.connection, dataDir)
  const running = startShop('server/main.ts', settings, port)
  after(() => running.process.kill('SIGKILL'))
  await running.ready()
  const database = openDatabase({ ...embedded.connection, ssl: false, ...patience }, () => {})
  after(() => database.close())
  const folder = join(dataDir, 'postgres')
  let killed: number | undefined
  return {
    db: database.db,
    sandbox,
    running,
    mug: await addMug(database),
    buyer: await openBrowserAt(address),
    /** Once it is back from the last time. */
    killDatabase: () =>
      waitFor('there is a database to kill', async () => {
        killed = await findPostmaster(folder)
        return killed !== undefined && process.kill(killed, 'SIGKILL')
      }),
    /** The shop may answer before that: a killed PostgreSQL serves its open connections for a moment. */
    untilDatabaseIsBack: () =>
      waitFor('the database is back', async () => {
        const pid = await findPostmaster(folder)
        if (pid === undefined || pid === killed) return false
        const query = database.db.execute(sql`select 1`)
        return query.then(
          () => true,
          () => false,
        )
      }),
  }
}

test('K18: the database is killed under a sale: the shop says so, goes on, and sells once', async () => {
  const { db, sandbox, running, mug, buyer, killDatabase, untilDatabaseIsBack } =
    await openKillable()
  sandbox.faults.set({ rules: [{ on: 'webhook', kind: 'webhook-lost' }] })
  const statuses: number[] = []
  const again = async (
    call: () => Promise<{ statusCode: number; json: () => { id?: string; checkoutId?: string } }>,
  ) => {
    await killDatabase()
    let answer = await call()
    await waitFor('it answers as before', async () => {
      statuses.push(answer.statusCode)
      if (answer.statusCode < 300) return true
      // Asked all the while, the shop would refuse the thousandth request of a minute.
      await untilDatabaseIsBack()
      answer = await call()
      return false
    })
    return answer.json.bind(answer)
  }

  const readOpened = await again(() => buyer.open(mug))
  const { checkoutId = '' } = readOpened()
  await again(async () => ({ ...(await buyer.saveDetails(checkoutId)), json: () => ({}) }))
  await payByCard(sandbox, checkoutId)
  const readOrder = await again(() => buyer.order(checkoutId))

  assert.deepEqual(
    statuses.filter((status) => status >= 300 && status !== 503),
    [],
  )
  assert.equal(running.process.exitCode, null, running.output())
  await untilDatabaseIsBack()
  const booked = await db.select().from(orders)
  assert.deepEqual(
    booked.map(({ id, amount, sumupCheckoutId }) => [id, amount, sumupCheckoutId]),
    [[readOrder().id, '49.00', checkoutId]],
  )
  assert.equal((await db.select().from(mails)).length, 2)
  assert.deepEqual(
    (await db.select().from(checkouts)).map(({ state }) => state),
    ['paid'],
  )
  assert.deepEqual(
    sandbox.ledger().checkouts.map(({ id }) => id),
    [checkoutId],
  )
})

test('K18: a connection that breaks in a transaction ends the transaction, not the shop', async () => {
  const { db } = await openTestDatabase()
  const breaking = db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    const [own] = rows
    await db.execute(sql`select pg_terminate_backend(${own?.pid})`)
    await waitFor('it is broken', async () => {
      const { rows: left } = await db.execute(
        sql`select from pg_stat_activity where pid = ${own?.pid}`,
      )
      return left.length === 0
    })
    // The news arrives between two statements, when nobody waits for an answer.
    await pause(50)
    await tx.execute(sql`select 1`)
  })
  await assert.rejects(breaking)
})
