import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { sql } from '#server/db/drizzle.ts'
import { watchedScripts } from '#server/db/admin-schema.ts'
import { nodeJobs } from '#server/db/node-schema.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { watchSdkIfDue } from './sdk-watch.ts'

/** A shop and a script that can be changed. */
async function openWatch() {
  const { app, db, shop, signIn } = await openTestShop()
  const script = (text: string | Buffer): RequestListener => {
    return (_request, response) =>
      void response.setHeader('content-type', 'text/javascript').end(text)
  }
  let requests = 0
  let answer = script('first()')
  const server = createServer((request, response) => {
    requests += 1
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sdk.js`
  const deps = {
    db,
    log: pino({ level: 'silent' }),
    sdk: { url: shop.payments.sdkUrl, source },
  }

  return {
    app,
    signIn,
    db,
    server,
    source,
    countRequests: () => requests,
    publish: (text: string | Buffer) => (answer = script(text)),
    respond: (listener: RequestListener) => (answer = listener),
    look: () => watchSdkIfDue(deps),
    /** The next time that it is due. */
    lookLater: async () => {
      await db.update(nodeJobs).set({ heldUntil: sql`now()` })
      await watchSdkIfDue(deps)
    },
    findNotice: async () => {
      const notices: { kind: string; title: string; since?: string }[] = (
        await app.inject({ url: apiRoutes.notices, headers: await signIn() })
      ).json()
      return notices.find(({ kind }) => kind === 'card-form')
    },
  }
}

test('the card form’s script is fetched once a day by one node', async () => {
  const { look, lookLater, countRequests, db } = await openWatch()
  await Promise.all([look(), look(), look()])
  await look()
  assert.equal(countRequests(), 1)
  const { rows } = await db.execute(
    sql`select 1 from node_jobs where held_until between now() + interval '23 hours' and now() + interval '25 hours'`,
  )
  assert.equal(rows.length, 1)
  await lookLater()
  assert.equal(countRequests(), 2)
})

test('when the script has changed the owner is told until they say that they know', async () => {
  const { app, signIn, publish, look, lookLater, findNotice } = await openWatch()
  await look()
  await lookLater()
  assert.equal(await findNotice(), undefined, 'the first look is no change')
  publish('second()')
  await lookLater()
  const today = new Date().toISOString().slice(0, 10)
  assert.match((await findNotice())?.title ?? '', new RegExp(`changed on ${today}`))
  await lookLater()
  assert.ok(await findNotice(), 'it is shown until it was read')

  const url = pathOf(apiRoutes.noticeDismiss, { kind: 'card-form' })
  assert.equal((await app.inject({ method: 'POST', url })).statusCode, 401)
  const headers = await signIn()
  const dismiss = async (payload: object) =>
    (await app.inject({ method: 'POST', url, headers, payload })).statusCode
  assert.equal(await dismiss({}), 400)
  const { since } = (await findNotice()) ?? {}
  assert.equal(await dismiss({ since }), 204)
  assert.equal(await findNotice(), undefined)
  publish('third()')
  await lookLater()
  assert.ok(await findNotice(), 'the next change is told again')
  assert.equal(await dismiss({ since }), 204)
  assert.ok(await findNotice(), 'an open page dismisses what it never showed')
  const log = await app.inject({ url: apiRoutes.auditLog, headers })
  assert.partialDeepStrictEqual(log.json().entries, [
    { action: 'notice-dismissed', subject: 'card-form', adminName: 'owner' },
  ])
  const other = pathOf(apiRoutes.noticeDismiss, { kind: 'test-mode' })
  assert.equal((await app.inject({ method: 'POST', url: other, headers })).statusCode, 404)
})

test('a shop that goes live looks at its new script at once', async () => {
  const { look, source, db } = await openWatch()
  await look()
  const sdk = { url: 'https://gateway.example/sdk.js', source }
  await watchSdkIfDue({ db, log: pino({ level: 'silent' }), sdk })
  assert.equal(await db.$count(watchedScripts), 2)
})

test('a script that cannot be fetched, is none or is endless is no change, and is tried again in an hour', async () => {
  const { db, respond, publish, look, lookLater, findNotice } = await openWatch()
  await look()
  const answers: RequestListener[] = [
    (request) => request.socket.destroy(),
    (_request, response) => response.writeHead(503).end('x'),
    (_request, response) => response.setHeader('content-type', 'text/html').end('<h1>Hello'),
    (_request, response) => response.setHeader('content-type', 'text/javascript').end(),
    (_request, response) =>
      response.setHeader('content-type', 'text/javascript').end(Buffer.alloc(9 * 1024 * 1024)),
  ]
  for (const answer of answers) {
    respond(answer)
    await lookLater()
    assert.equal(await findNotice(), undefined)
    const { rows } = await db.execute(
      sql`select 1 from node_jobs where held_until < now() + interval '61 minutes'`,
    )
    assert.equal(rows.length, 1)
  }
  publish('first()')
  await lookLater()
  assert.equal((await db.select().from(watchedScripts))[0]?.changedAt, null)
})
