import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import { pathOf } from '#contract/paths.ts'
import { refusals, type RefusalCode } from '#contract/refusals.ts'
import { documentedCalls } from '#server/calls.ts'
import { createOpenApi } from '#server/http/openapi.ts'
import { createAnswerCheck } from './documented-answers.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Options = { params?: Record<string, string>; payload?: object; headers?: { cookie: string } }

const document = createOpenApi(documentedCalls)

/** Makes calls as an admin, unless told otherwise, and compares what happens with the API reference. */
export function createDocumentedCaller(app: FastifyInstance, signedIn: { cookie: string }) {
  const check = createAnswerCheck(documentedCalls)

  /** Without any of the fields that the reference calls required, the call is refused. */
  async function call(method: Method, route: string, options: Options = {}) {
    const { params = {}, payload, headers = signedIn } = options
    const [path = '', query] = route.split('?')
    const url = [pathOf(path, params), query].filter(Boolean).join('?')
    for (const name of payload ? listRequired(method, path) : []) {
      const { [name as never]: _left, ...rest } = payload ?? {}
      const refused = await app.inject({ method, url, headers, payload: rest })
      assert.equal(refused.statusCode, 400, `${method} ${path} without ${name}`)
    }
    return app.inject({ method, url, headers, ...(payload && { payload }) })
  }

  async function succeed(method: Method, route: string, options?: Options) {
    const answer = await call(method, route, options)
    assert.ok(answer.statusCode < 300, `${method} ${route}: ${answer.statusCode} ${answer.body}`)
    const [url = ''] = route.split('?')
    const type = answer.headers['content-type'] ?? ''
    // Also of streams, which the watch does not read.
    const fault = check({ method, url, status: answer.statusCode, type, body: answer.body })
    assert.equal(fault, undefined, `${method} ${route}`)
    return answer
  }

  async function assertRefused(
    code: RefusalCode,
    method: Method,
    route: string,
    options?: Options,
  ): Promise<void> {
    const answer = await call(method, route, options)
    assert.equal(answer.json().code, code, answer.body)
    assert.equal(answer.statusCode, refusals[code].status)
    const path = route.split('?')[0]?.replaceAll(/:(\w+)/g, '{$1}') ?? ''
    const documented = document.paths[path]?.[method.toLowerCase()]?.['x-refusals']
    assert.ok(documented?.includes(code), `${method} ${route} is documented without ${code}`)
  }

  return { call, succeed, assertRefused }
}

type BodySchema = { required?: string[]; allOf?: BodySchema[] }

function listRequired(method: Method, route: string): string[] {
  const { requestBody } =
    document.paths[route.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {}
  const required = ({ required: own = [], allOf = [] }: BodySchema): string[] => [
    ...own,
    ...allOf.flatMap(required),
  ]
  return required(requestBody?.content['application/json']?.schema ?? {})
}
