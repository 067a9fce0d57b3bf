import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { BulkChange, OrderEvent, OrderStatus, UndoneBulkChange } from '#contract/orders.ts'
import type { AuditEntry, AuditPage } from '#contract/audit.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { refusals } from '#contract/refusals.ts'
import { auditLog } from '#server/db/admin-schema.ts'
import { eq } from '#server/db/drizzle.ts'
import { bulkChanges } from '#server/db/order-schema.ts'
import { orders } from '#server/db/schema.ts'
import { addOrders } from '#server/testing/orders.ts'
import { openTestShop, testAdmin } from '#server/testing/test-shop.ts'
import { deleteOldBulkChanges } from './bulk-changes.ts'

const { app, db, signIn } = await openTestShop()
const headers = await signIn()

async function add(...statuses: OrderStatus[]): Promise<string[]> {
  const added = await addOrders(
    db,
    statuses.map((status) => ({ status })),
  )
  return added.map(({ id }) => id)
}

function change(id: string, status: OrderStatus, bulkId?: string) {
  const url = pathOf(apiRoutes.orderStatus, { id })
  return app.inject({ method: 'PATCH', url, headers, payload: { status, bulkId } })
}

async function changeAll(ids: string[], status: OrderStatus): Promise<string> {
  const bulkId = randomUUID()
  const left = [...ids]
  // Some at a time, as browsers do: of hundreds at once a slow machine refuses the last.
  while (left.length > 0) {
    const answers = await Promise.all(left.splice(0, 6).map((id) => change(id, status, bulkId)))
    for (const { statusCode } of answers) assert.equal(statusCode, 200)
  }
  return bulkId
}

async function list(): Promise<BulkChange[]> {
  return (await app.inject({ url: apiRoutes.bulkChanges, headers })).json()
}

async function undo(id: string): Promise<UndoneBulkChange> {
  const url = pathOf(apiRoutes.bulkChangeUndo, { id })
  const answer = await app.inject({ method: 'POST', url, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function statusesOf(ids: string[]): Promise<(string | undefined)[]> {
  const rows = await db.select({ id: orders.id, status: orders.status }).from(orders)
  return ids.map((id) => rows.find((row) => row.id === id)?.status)
}

test('changes made together are one entry, which says who, when, how many and to what', async () => {
  const ids = await add('pending', 'processing', 'completed', 'shipped')
  const bulkId = await changeAll(ids, 'shipped')
  const [latest] = await list()
  assert.deepEqual(
    { ...latest, at: undefined },
    {
      id: bulkId,
      who: testAdmin.email,
      at: undefined,
      to: 'shipped',
      // One was shipped already.
      orders: 3,
      undoable: 3,
      undoneAt: null,
      undoneBy: null,
    },
  )
  assert.ok(Math.abs(Date.parse(latest?.at ?? '') - Date.now()) < 60_000)
})

test('undo gives each order back its own status, in its timeline and in the audit log too', async () => {
  const ids = await add('pending', 'processing', 'completed')
  const bulkId = await changeAll(ids, 'shipped')
  const entriesBefore = await db.$count(auditLog, eq(auditLog.action, 'order-status'))
  const { changes, leftAlone } = await undo(bulkId)
  assert.equal(leftAlone, 0)
  assert.deepEqual(new Map(changes.map(({ id, to }) => [id, to])).get(ids[2] ?? ''), 'completed')
  assert.ok(changes.every(({ from }) => from === 'shipped'))
  assert.deepEqual(await statusesOf(ids), ['pending', 'processing', 'completed'])
  const [latest] = await list()
  assert.deepEqual([latest?.undoable, latest?.undoneBy], [0, testAdmin.email])
  const url = pathOf(apiRoutes.orderTimeline, { id: ids[1] ?? '' })
  const events = (await app.inject({ url, headers })).json<OrderEvent[]>()
  assert.deepEqual(
    events.map(({ from, to, who }) => [from, to, who]),
    [
      ['processing', 'shipped', testAdmin.email],
      ['shipped', 'processing', testAdmin.email],
    ],
  )
  assert.equal(await db.$count(auditLog, eq(auditLog.action, 'order-status')), entriesBefore + 3)
  assert.deepEqual(await undo(bulkId), { changes: [], leftAlone: 0 }, 'a second time')
})

test('a change and its undoing are one line of the log each, with their orders behind them', async () => {
  const ids = await add('pending', 'processing', 'shipped')
  const bulkId = await changeAll(ids, 'shipped')
  // Nothing to change, nothing to say.
  await changeAll(ids, 'shipped')
  await undo(bulkId)
  const readLog = async (query: string) =>
    (await app.inject({ url: `${apiRoutes.auditLog}?${query}`, headers })).json<AuditPage>().entries
  const lines = await readLog('limit=2')
  assert.deepEqual(
    lines.map(({ action, subject, count, detail }) => [action, subject, count, detail?.to]),
    [
      ['bulk-change-undone', bulkId, 2, 'shipped'],
      ['bulk-change', bulkId, 2, 'shipped'],
    ],
  )
  const listBehind = async (line: AuditEntry | undefined) =>
    (await readLog(`partOf=${line?.id}`))
      .map(({ action, subject, detail }) => [action, subject, detail?.from, detail?.to].join(' '))
      .toSorted()
  assert.deepEqual(
    await listBehind(lines[1]),
    [
      `order-status ${ids[0]} pending shipped`,
      `order-status ${ids[1]} processing shipped`,
    ].toSorted(),
  )
  assert.deepEqual(
    await listBehind(lines[0]),
    [
      `order-status ${ids[0]} shipped pending`,
      `order-status ${ids[1]} shipped processing`,
    ].toSorted(),
  )
})

test('undo leaves alone and counts what was changed since, even if it was changed back', async () => {
  const ids = await add('pending', 'pending', 'pending')
  const bulkId = await changeAll(ids, 'processing')
  await change(ids[0] ?? '', 'shipped')
  await change(ids[1] ?? '', 'completed')
  await change(ids[1] ?? '', 'processing')
  assert.equal((await list()).find(({ id }) => id === bulkId)?.undoable, 1)
  const { changes, leftAlone } = await undo(bulkId)
  assert.deepEqual([changes.map(({ id }) => id), leftAlone], [[ids[2]], 2])
  assert.deepEqual(await statusesOf(ids), ['shipped', 'processing', 'pending'])
})

test('an undo that goes on after a crash does not count what it had given back before', async () => {
  const ids = await add('pending', 'pending', 'pending')
  const bulkId = await changeAll(ids, 'shipped')
  await change(ids[0] ?? '', 'completed')
  assert.equal((await undo(bulkId)).changes.length, 2)
  await change(ids[1] ?? '', 'shipped')
  assert.deepEqual(await undo(bulkId), { changes: [], leftAlone: 1 })
  const [latest] = await list()
  assert.deepEqual([latest?.orders, latest?.undoable], [3, 0])
})

test('bulk changes as old as the audit log goes back are deleted, and their orders stay', async () => {
  const [id = ''] = await add('pending')
  const bulkId = await changeAll([id], 'shipped')
  const kept = await changeAll([id], 'completed')
  await db
    .update(bulkChanges)
    .set({ createdAt: new Date(Date.now() - 32 * 86_400_000) })
    .where(eq(bulkChanges.id, bulkId))
  assert.equal(await deleteOldBulkChanges(db, 31), 1)
  const listed = (await list()).map((one) => one.id)
  assert.deepEqual([listed.includes(bulkId), listed.includes(kept)], [false, true])
  assert.deepEqual(await statusesOf([id]), ['completed'])
})

test('more orders than one transaction takes are all undone', async () => {
  const ids = await add(...Array.from({ length: 230 }, () => 'pending' as const))
  const bulkId = await changeAll(ids, 'completed')
  assert.equal((await undo(bulkId)).changes.length, 230)
  assert.deepEqual(new Set(await statusesOf(ids)), new Set(['pending']))
})

test('one bulk change has one admin and one status, and its id is checked', async () => {
  const [first = '', second = ''] = await add('pending', 'pending')
  const bulkId = await changeAll([first], 'shipped')
  assert.equal((await change(second, 'completed', bulkId)).statusCode, 400)
  assert.equal((await change(second, 'completed', 'no id')).statusCode, 400)
  assert.deepEqual(await statusesOf([second]), ['pending'])
  for (const id of [randomUUID(), 'none']) {
    const url = pathOf(apiRoutes.bulkChangeUndo, { id })
    const answer = await app.inject({ method: 'POST', url, headers })
    const { status, text } = refusals['bulk-change-missing']
    assert.deepEqual([answer.statusCode, answer.json().message], [status, text])
  }
})
