import type { Mode } from '#contract/mode.ts'
import { passwordProofSchema } from '#contract/admin.ts'
import { removedTestData, testData } from '#contract/answers/orders.ts'
import type { RemovedTestData, TestData } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { assertPassword } from '#server/admin/sign-in.ts'
import { deleteTestDays } from '#server/analytics/days.ts'
import { deleteTestEvents } from '#server/analytics/events.ts'
import type { Db } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { getActor } from '#server/http/access.ts'
import { recordAudit } from '#server/http/audit.ts'
import { callsOf } from '#server/http/calls.ts'
import type { Log } from '#server/log.ts'
import { deleteTestOrders } from '#server/orders/orders.ts'
import { deleteTestWithdrawals } from '#server/orders/withdrawals.ts'
import { deleteTestCheckouts, deleteTestPayments } from './ledger.ts'

/** Deletes mails that were kept as files. */
type DeleteMailFiles = (mailIds: string[]) => Promise<unknown>

type TestDataDeps = {
  db: Db
  log: Log
  findMode: () => Mode | undefined
  deleteMailFiles: DeleteMailFiles
}

const call = callsOf<TestDataDeps>('Test orders', 'admin')

/** What was made in test mode: how much of it there is, and its removal. */
export const testDataCalls = [
  call(`GET ${apiRoutes.testData}`, {
    summary: 'Counts what was made in test mode and is still there.',
    answers: { 200: testData },
    handle: async ({ db, findMode }): Promise<TestData> => ({
      mode: findMode() ?? 'live',
      ...(await countTestData(db)),
    }),
  }),

  call(`POST ${apiRoutes.removeTestData}`, {
    summary: 'Deletes all test orders, with their payments and figures.',
    body: passwordProofSchema,
    example: { password: '…' },
    answers: { 200: removedTestData },
    refusals: ['wrong-password', 'too-many-logins'],
    async handle({ db, log, deleteMailFiles }, { body, request }) {
      const actor = getActor(request)
      await assertPassword(db, actor, body.password)
      // Before the removal, which is not one transaction: it cannot happen without an entry.
      await recordAudit(db, actor, { action: 'test-data-removed', detail: await countTestData(db) })
      const removed = await removeTestData(db, deleteMailFiles)
      log.info(removed, 'Test orders were removed')
      return removed
    },
  }),
]

async function countTestData(db: Db): Promise<Omit<TestData, 'mode'>> {
  const { rows } = await db.execute<{ orders: number; reviews: number }>(sql`
    select (select count(*)::int from orders where is_test) as orders,
      (select count(*)::int from review_entries where is_test and state = 'open') as reviews`)
  return rows[0] ?? { orders: 0, reviews: 0 }
}

/** Rows of each kind that one transaction deletes. */
const batchSize = 2_000

/**
 * Deletes everything that was made in test mode, and nothing else, in short transactions, so that nobody waits. If it is
 * interrupted, doing it again completes it.
 */
export async function removeTestData(
  db: Db,
  deleteMailFiles: DeleteMailFiles,
): Promise<RemovedTestData> {
  const removed: RemovedTestData = { orders: 0, payments: 0, events: 0 }
  let largest = batchSize
  while (largest >= batchSize)
    largest = await db.transaction((tx) => deleteBatch(tx, removed, deleteMailFiles))
  // After the events: a roll-up finds none of them any more.
  await deleteTestDays(db)
  return removed
}

/** Checkouts before their orders: afterwards no order can be made of them. Returns the size of the largest part. */
async function deleteBatch(
  tx: Db,
  removed: RemovedTestData,
  deleteMailFiles: DeleteMailFiles,
): Promise<number> {
  const checkouts = await deleteTestCheckouts(tx, batchSize)
  const payments = await deleteTestPayments(tx, batchSize)
  const mails = await tx.execute<{ id: string }>(sql`
    delete from mails where sale_id is not null
      and not exists (select from checkouts where checkouts.id = sale_id) returning id`)
  if (mails.rows.length > 0) await deleteMailFiles(mails.rows.map(({ id }) => id))
  const withdrawals = await deleteTestWithdrawals(tx, batchSize, deleteMailFiles)
  const orders = await deleteTestOrders(tx, batchSize, deleteMailFiles)
  const events = await deleteTestEvents(tx, batchSize)
  removed.payments += checkouts + payments.withoutSale
  removed.orders += orders
  removed.events += events
  return Math.max(checkouts, payments.deleted, withdrawals, orders, events)
}
