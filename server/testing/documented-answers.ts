import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { documentedCalls } from '#server/calls.ts'
import type { CallDefinition } from '#server/http/calls.ts'
import { createOpenApi, type DocumentedCall } from '#server/http/openapi.ts'

export type AnswerWatch = {
  /** What the reference does not say. */
  undocumented: Set<string>
  /** Such as 'GET /api/products 200'. */
  answered: Set<string>
}

type Answer = { method: string; url: string; status: number; type: string; body: unknown }

const ofShop = createAnswerCheck(documentedCalls)

/** Compares every JSON answer of the app with the API reference, whatever the test is about. */
export function watchAnswers(app: FastifyInstance, check = ofShop): AnswerWatch {
  const watch: AnswerWatch = { undocumented: new Set(), answered: new Set() }
  app.addHook('onSend', (request, reply, body, done) => {
    const { method, routeOptions } = request
    const { url = '' } = routeOptions
    if (url.startsWith('/api/') && method !== 'HEAD') {
      const status = reply.statusCode
      watch.answered.add(`${method} ${url} ${status}`)
      const type = String(reply.getHeader('content-type') ?? '')
      const fault = check({ method, url, status, type, body })
      if (fault) watch.undocumented.add(`${method} ${url} answered ${status}: ${fault}`)
    }
    done()
  })
  return watch
}

/** Returns what is wrong with an answer, as the emitted document says. */
export function createAnswerCheck(
  documented: CallDefinition[],
): (answer: Answer) => string | undefined {
  const document = createOpenApi(documented)
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api')

  return ({ method, url, status, type, body }) => {
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    const call: DocumentedCall | undefined = document.paths[path]?.[method.toLowerCase()]
    const response = call?.responses[String(status)]
    if (!response) return 'no such answer'
    const named = '$ref' in response ? response.$ref.split('/').at(-1) : undefined
    const { content } = named ? (document.components.responses[named] ?? {}) : (response as never)
    const isOtherKind = Object.keys(content ?? {}).some((kind) => type.startsWith(kind))
    if (isOtherKind && !type.startsWith('application/json')) return undefined
    const schema = content?.['application/json']?.schema
    if (!schema) return type.startsWith('application/json') && body ? 'no JSON' : undefined
    if (!type.startsWith('application/json')) return `not JSON but ${type}`
    // Streams are read by tests of their own.
    if (typeof body !== 'string') return undefined
    const pointer = (
      named
        ? ['components', 'responses', named]
        : ['paths', path, method.toLowerCase(), 'responses', String(status)]
    )
      .concat(['content', 'application/json', 'schema'])
      .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/')
    const validate = ajv.getSchema(`api#/${pointer}`)
    if (!validate) throw new Error(`no schema at ${pointer}`)
    if (validate(JSON.parse(body))) return undefined
    const { instancePath, message, params } = validate.errors?.[0] ?? {}
    return `${instancePath} ${message} ${JSON.stringify(params)}`
  }
}
