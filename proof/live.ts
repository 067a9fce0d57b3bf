import { setTimeout as delay } from 'node:timers/promises'
import type { LiveEvent } from '#contract/live.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { addAdmin } from '#server/admin/admins.ts'
import { createSession } from '#server/admin/sessions.ts'
import { sql } from '#server/db/drizzle.ts'
import { shellActor } from '#server/http/audit.ts'
import { createSecret } from './environment.ts'
import type { Setup } from './node-setup.ts'

/** Longer than both proxies wait for a silent server (machines.ts). */
const quietMs = 25_000
const streamsPerProxy = 3
/** A node looks every two seconds. */
const maxDelayMs = 10_000

/** What happens on one node is told by streams to all of them, through PgBouncer and both proxies, also after a quiet time. */
export async function proveLive({ db, nodes, haproxy, nginx }: Setup) {
  const colleague = { username: 'berta', email: 'berta@example.com', password: createSecret() }
  await addAdmin(db, colleague, shellActor)
  const cookieOf = async (email: string) => {
    const { rows } = await db.execute<{ id: string }>(
      sql`select id from users where email = ${email}`,
    )
    const from = { address: '127.0.0.1', userAgent: undefined }
    return `till_session=${await createSession(db, rows[0]?.id ?? '', from)}`
  }
  const leaving = new AbortController()
  const listen = async (address: string) =>
    readStream(address, await cookieOf(colleague.email), leaving.signal)
  const streams = await Promise.all(
    [haproxy, nginx].flatMap(({ address }) =>
      Array.from({ length: streamsPerProxy }, () => listen(address)),
    ),
  )
  const counts = await Promise.all(nodes.map(({ address }) => countStreams(address)))
  await delay(quietMs)
  const broken = streams.filter(({ isOver }) => isOver()).length

  const owner = await cookieOf('owner@example.com')
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from orders limit ${nodes.length}`,
  )
  const startedAt = performance.now()
  await Promise.all(
    nodes.map(({ address }, index) => changeStatus(address, owner, rows[index]?.id ?? '')),
  )
  const isTold = () => rows.every(({ id }) => streams.every((stream) => stream.ids().includes(id)))
  while (!isTold() && performance.now() - startedAt < maxDelayMs) await delay(20)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  leaving.abort()
  return [
    {
      name: `streams through HAProxy and nginx that ended in ${quietMs / 1000} quiet seconds`,
      value: `${broken} of ${streams.length}, on nodes ${counts.join(' + ')}`,
      isProven: broken === 0 && counts.every((count) => count > 0),
    },
    {
      name: `a change on each of ${nodes.length} nodes, told by all ${streams.length} streams after`,
      value: isTold() ? `${seconds} s` : 'never',
      isProven: isTold() && rows.length === nodes.length,
    },
  ]
}

/** What a stream has told so far. */
async function readStream(address: string, cookie: string, signal: AbortSignal) {
  const answer = await fetch(`${address}${apiRoutes.liveEvents}`, { headers: { cookie }, signal })
  if (!answer.ok || !answer.body) throw new Error(`${answer.status} instead of a stream`)
  const { body } = answer
  const told: LiveEvent[] = []
  let isOver = false
  async function read() {
    let rest = ''
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines)
        if (line.startsWith('data: [')) told.push(...(JSON.parse(line.slice(6)) as LiveEvent[]))
    }
  }
  read()
    .catch(() => undefined)
    .finally(() => (isOver = true))
  return { isOver: () => isOver, ids: () => told.map(({ id }) => id) }
}

async function changeStatus(address: string, cookie: string, id: string): Promise<void> {
  const answer = await fetch(`${address}${pathOf(apiRoutes.orderStatus, { id })}`, {
    method: 'PATCH',
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ status: 'shipped' }),
  })
  if (!answer.ok) throw new Error(`${answer.status} to a change of status`)
}

async function countStreams(address: string): Promise<number> {
  const text = await (await fetch(`${address}${apiRoutes.metrics}`)).text()
  return Number(/^till_live_streams (\d+)$/m.exec(text)?.[1] ?? 0)
}
