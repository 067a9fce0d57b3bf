import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import zlib from 'node:zlib'
import fastify from 'fastify'
import { z } from 'zod'
import { apiRoutes } from '#contract/paths.ts'
import { documentedCalls } from '#server/calls.ts'
import { createAnswerCheck, watchAnswers } from '#server/testing/documented-answers.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { callsOf } from './calls.ts'
import { createOpenApi } from './openapi.ts'
import { readWebFiles } from './web-files.ts'

const document = createOpenApi(documentedCalls)
const { app } = await openTestShop({ web: await readWebFiles() })

test('the reference has every call of the shop, and no other', () => {
  const mounted = [...app.accessOfRoutes.keys()].filter((route) => /^[A-Z]+ \/api\//.test(route))
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  )
  assert.deepEqual(
    documented.toSorted(),
    mounted.filter((route) => !route.startsWith('HEAD ')).toSorted(),
  )
})

test('an answer of another shape, status or refusal than documented is found', async () => {
  const app = fastify()
  const answers = { 200: z.object({ name: z.string() }) }
  const call = callsOf<object>('Tests', 'public')('GET /api/call', {
    summary: 'A call.',
    answers,
    refusals: ['order-missing'],
    handle: () => '',
  })
  const check = createAnswerCheck([call])
  const watch = watchAnswers(app, check)
  app.get<{ Querystring: { status: string; body: string } }>('/api/call', ({ query }, reply) =>
    reply.code(Number(query.status)).type('application/json').send(query.body),
  )
  const refused = { message: 'No', error: 'No' }
  const sent: [status: number, body: unknown][] = [
    [200, { name: 'Mug' }],
    [404, { ...refused, code: 'order-missing' }],
    [200, { name: 1 }],
    [200, { name: 'Mug', more: 1 }],
    [200, {}],
    [201, { name: 'Mug' }],
    [404, { ...refused, code: 'product-missing' }],
  ]
  for (const [status, body] of sent)
    await app.inject({
      url: '/api/call',
      query: { status: String(status), body: JSON.stringify(body) },
    })
  const found = [...watch.undocumented].map((text) =>
    text.replace(/^GET \/api\/call answered /, ''),
  )
  assert.deepEqual(
    found.map((text) => text.replace(/ \{.*$/, '')),
    [
      '200: /name must be string',
      '200:  must NOT have additional properties',
      "200:  must have required property 'name'",
      '201: no such answer',
      '404: /code must be equal to one of the allowed values',
    ],
  )
})

test('anyone can read the reference, compressed, and every reference in it leads somewhere', async () => {
  const url = apiRoutes.openapi
  const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  const answer = await app.inject({ url })
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), JSON.parse(JSON.stringify(document)))
  for (const [, pointer = ''] of answer.body.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = pointer
      .split('/')
      .reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], answer.json())
    assert.ok(found, pointer)
  }
  const calls = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  assert.equal(new Set(calls.map(({ operationId }) => operationId)).size, calls.length)
})

test('the reference is compressed once, however often it is read', async (t) => {
  const compress = t.mock.method(zlib, 'gzipSync')
  syncBuiltinESMExports()
  const { app: fresh } = await openTestShop()
  const headers = { 'accept-encoding': 'gzip' }
  const [first] = await Promise.all([
    fresh.inject({ url: apiRoutes.openapi, headers }),
    fresh.inject({ url: apiRoutes.openapi, headers }),
  ])
  assert.equal(compress.mock.callCount(), 1)
  compress.mock.restore()
  syncBuiltinESMExports()
  const known = { ...headers, 'if-none-match': String(first.headers.etag) }
  const again = await fresh.inject({ url: apiRoutes.openapi, headers: known })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
})

test('every body that is shown as an example is accepted', () => {
  for (const { route, body, example } of documentedCalls) {
    if (!(body instanceof z.ZodType)) continue
    assert.ok(example !== undefined, `${route} needs an example`)
    assert.ok(body.safeParse(example).success, route)
  }
})
