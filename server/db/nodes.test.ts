import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { CannotStart } from '#server/cannot-start.ts'
import { openTestDatabase } from '#server/testing/test-database.ts'
import { patienceMs } from '#server/testing/wait-for.ts'
import { sql } from './drizzle.ts'
import { recordHeartbeat, joinNodes, leaveNodes, type NodeFacts, type ShopNode } from './nodes.ts'

const { db } = await openTestDatabase()
const facts = { name: 'one:3000', secretPrint: 'a', pictureStore: 'bucket pictures', poolSize: 10 }
const folder = { ...facts, pictureStore: 'folder of one' }

beforeEach(async () => void (await db.execute(sql`delete from nodes`)))

async function join(
  change: Partial<NodeFacts> = {},
  { isAlone = false, giveUpMs = patienceMs } = {},
) {
  const said: string[] = []
  const deps = { db, isAlone, isPooled: false, giveUpMs, say: (line: string) => said.push(line) }
  const node = await joinNodes({ ...facts, ...change }, deps)
  return { node, said: said.join('\n') }
}

/**
 * A heartbeat as soon as somebody waits for one. It holds for an hour: this process may stand still for longer than a node may
 * be silent. None is left when the test ends.
 */
async function keepAlive({ id }: ShopNode): Promise<void> {
  const stopping = new AbortController()
  const beat = () =>
    db.execute(
      sql`update nodes set seen_at = clock_timestamp() + interval '1 hour' where id = ${id}`,
    )
  await beat()
  const beating = (async () => {
    for (; !stopping.signal.aborted; await delay(50)) await beat()
  })()
  after(async () => {
    stopping.abort()
    await beating
  })
}

const killed = () => db.execute(sql`update nodes set seen_at = now() - interval '11 seconds'`)

test('nodes with the same secret and pictures join', async () => {
  const joined = [await join(), await join(), await join()]
  assert.deepEqual(
    joined.map(({ said }) => said),
    ['', '', ''],
  )
})

test('nodes that were killed are forgotten when another one joins', async () => {
  for (let restart = 0; restart < 3; restart += 1) {
    await join()
    await killed()
  }
  await join()
  const { rows } = await db.execute(sql`select from nodes`)
  assert.equal(rows.length, 1)
})

test('a node with another session secret is refused while another one lives', async () => {
  const { node } = await join()
  await keepAlive(node)
  await assert.rejects(join({ secretPrint: 'b' }), (error) => {
    assert.ok(error instanceof CannotStart)
    return /one:3000, has another SESSION_SECRET.*Give all nodes the same/.test(error.message)
  })
})

test('a node that keeps pictures on its own disk is refused while another one lives', async () => {
  const { node } = await join(folder)
  await keepAlive(node)
  await assert.rejects(
    join({ pictureStore: 'folder of another' }),
    /keeps pictures elsewhere: a folder of its own there, a folder of its own here\..*S3_…/,
  )
  await assert.rejects(join(), /a folder of its own there, the bucket pictures here\./)
  assert.equal((await join(folder)).said, '', 'one that shares the folder was refused')
})

test('with no other node alive it takes over, with a warning', async () => {
  const { node } = await join()
  await leaveNodes(db, node)
  const taken = await join({ name: 'two:3000', secretPrint: 'b', pictureStore: 'folder x' })
  assert.match(taken.said, /Warning: SESSION_SECRET is another one than that of one:3000/)
  assert.match(taken.said, /Warning: Pictures are kept in a folder of its own now; one:3000/)
  await killed()
  const again = await join({ secretPrint: 'b', pictureStore: 'folder x' })
  assert.equal(again.said, '', 'the new secret is the known one now')
})

test('a node that was killed a moment ago refuses nobody, whatever comes next', async () => {
  await join()
  // As if it had been killed a second ago: it looks alive, but its heartbeat does not come.
  await db.execute(sql`update nodes set seen_at = now() - interval '1 second'`)
  const { said } = await join({ secretPrint: 'b' })
  assert.match(said, /Waiting to see whether it still runs/)
  assert.match(said, /Warning: SESSION_SECRET/)
})

test('a node that was killed before the clock was set back refuses nobody', async () => {
  await join()
  await db.execute(sql`update nodes set seen_at = now() + interval '1 hour'`)
  const { said } = await join({ secretPrint: 'b' }, { giveUpMs: 100 })
  assert.match(said, /Waiting to see whether it still runs/)
  assert.match(said, /Warning: SESSION_SECRET/)
})

test('the only shop of its database never waits for a node that was killed', async () => {
  await join()
  const { said } = await join({ secretPrint: 'b' }, { isAlone: true })
  assert.doesNotMatch(said, /Waiting/)
})

test('more connections than the database allows are reported', async () => {
  const { said } = await join({ poolSize: 5_000 })
  assert.match(
    said,
    /This node may open 5000 connections, but the database allows \d+\. Lower.*PgBouncer/,
  )
  const alone = await join({ poolSize: 5_000 }, { isAlone: true })
  assert.match(alone.said, /allows \d+\. Lower DATABASE_POOL\.$/)
})

test('a node that was cut off and declared dead is there again with its next heartbeat', async () => {
  const { node } = await join()
  await killed()
  await join()
  assert.equal((await recordHeartbeat(db, node)).conflict, undefined)
  const { rows } = await db.execute(sql`select from nodes where id = ${node.id}`)
  assert.equal(rows.length, 1)
})

test('a node that thaws after others took over with other settings stays out until they are gone', async () => {
  const { node: frozen } = await join()
  await killed()
  const { node: newer } = await join({ name: 'two:3000', secretPrint: 'b' })
  await keepAlive(newer)
  const { conflict, schemaVersion } = await recordHeartbeat(db, frozen)
  assert.match(
    conflict ?? '',
    /Another node of this database, two:3000, has another SESSION_SECRET/,
  )
  assert.ok(schemaVersion > 0)
  assert.equal((await recordHeartbeat(db, newer)).conflict, undefined, 'the newer one is hurt')
  await leaveNodes(db, newer)
  assert.equal((await recordHeartbeat(db, frozen)).conflict, undefined)
})

test('two buckets of one name are told apart by their ids, where both are known', async () => {
  const { node } = await join({ pictureStore: 'bucket pictures 1' })
  await keepAlive(node)
  await assert.rejects(
    join({ pictureStore: 'bucket pictures 2' }),
    /the bucket pictures \(1\) there, the bucket pictures \(2\) here\./,
  )
  await assert.rejects(join({ pictureStore: 'bucket pictures2' }), /the bucket pictures2 here\./)
  await join({ pictureStore: 'bucket pictures' })
})
