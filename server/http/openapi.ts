import { z } from 'zod'
import { refusal } from '#contract/answers/fields.ts'
import { apiRoutes } from '#contract/paths.ts'
import { refusals, type RefusalCode } from '#contract/refusals.ts'
import { version } from '#server/version.ts'
import { callsOf, type CallDefinition } from './calls.ts'
import { sendBody, type ReadyBody } from './page.ts'
import { maxRequestsPerMinute } from './rate-limits.ts'

const call = callsOf<{ describeApi: () => ReadyBody }>('Monitoring', 'public')

export const openApiCalls = [
  call(`GET ${apiRoutes.openapi}`, {
    summary: 'This reference, as an OpenAPI 3.1 document.',
    answers: { 200: z.looseObject({ openapi: z.string() }), 304: null },
    options: { compress: false },
    handle: ({ describeApi }, { reply }) =>
      sendBody(
        reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8'),
        describeApi(),
      ),
  }),
]

type JsonSchema = Record<string, unknown>

type Content = Record<string, { schema?: JsonSchema; example?: unknown }>

type Response = {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  content?: Content
}

export type DocumentedCall = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters?: {
    name: string
    in: 'path' | 'query'
    required: boolean
    description?: string
    schema: JsonSchema
  }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Response | { $ref: string }>
  /** Without those that every call of its kind has. */
  'x-refusals': RefusalCode[]
}

/** An OpenAPI 3.1 document. */
export function createOpenApi(calls: CallDefinition[]) {
  const answers = toJsonSchemas('output', { Refusal: refusal, ...listAnswers(calls) })
  const requests = toJsonSchemas('input', listRequests(calls))
  const paths: Record<string, Record<string, DocumentedCall>> = {}
  const responses: Record<string, Response> = {}
  for (const operation of calls) {
    const { route } = operation
    const [method = '', url = ''] = route.split(' ')
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = {
      operationId: `${method.toLowerCase()}${nameOf(url)}`,
      tags: [operation.tag],
      summary: operation.summary,
      ...(operation.note && { description: operation.note }),
      security: listSecurity(operation),
      ...withParameters(url, requests.of(`${route} query`)),
      ...withBody(operation, requests.of(`${route} body`)),
      responses: listResponses(method, operation),
      'x-refusals': operation.refusals ?? [],
    }
  }
  /** A call may answer in its own form where others refuse, such as a page that shows what is wrong. */
  function listResponses(method: string, operation: CallDefinition): DocumentedCall['responses'] {
    const refused = listRefusals(method, operation)
    const answered = describeAnswers(operation, (status) =>
      answers.of(`${operation.route} ${status}`),
    )
    for (const [status, answer] of Object.entries(answered)) {
      const name = refused[status]?.$ref.split('/').at(-1)
      const refusal = name === undefined ? undefined : responses[name]
      if (refusal)
        answered[status] = { ...refusal, content: { ...refusal.content, ...answer.content } }
    }
    return { ...refused, ...answered }
  }

  /** By status. Many calls share them, so they are described once. */
  function listRefusals(method: string, operation: CallDefinition) {
    const codes = [...listCommonRefusals(method, operation), ...(operation.refusals ?? [])]
    const byStatus = Map.groupBy(new Set(codes), (code) => refusals[code].status)
    return Object.fromEntries(
      [...byStatus].map(([status, listed]) => {
        const name = listed.join('.')
        responses[name] ??= describeRefusal(status, listed)
        return [status, { $ref: `#/components/responses/${name}` }]
      }),
    )
  }

  return {
    openapi: '3.1.1',
    info: { title: 'Till', version, description: introduction },
    servers: [{ url: '/' }],
    tags: [...new Set(calls.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...answers.named, ...requests.named },
      responses,
      securitySchemes: {
        admin: {
          type: 'apiKey',
          in: 'cookie',
          name: 'till_session',
          description: `The session that POST ${apiRoutes.adminLogin} sets as a cookie. Over HTTPS its name is __Host-till_session.`,
        },
        buyer: {
          type: 'apiKey',
          in: 'cookie',
          name: 'till_buyer',
          description: `The browser that POST ${apiRoutes.createCheckout} gave a payment form, known by the cookie that it sets. Over HTTPS its name is __Host-till_buyer.`,
        },
      },
    },
  }
}

const introduction = [
  'The calls of a Till shop. Bodies and answers are JSON in UTF-8; money is a decimal string, a time is in UTC.',
  'A call that is not carried out answers with a status from 400 on and a Refusal: its `code` is for programs, its `message` for people.',
  `An address may make ${maxRequestsPerMinute.toLocaleString('en')} calls a minute, fewer where passwords and payments are concerned; then it is refused with 429 and the header Retry-After, in seconds.`,
  'Calls for admins need the cookie of a session, and answer on the main address only, never on the domain of the payment pages. Calls that a browser sends for a page of another site are refused.',
].join('\n\n')

/** adminUser is AdminUser. */
function nameOf(url: string): string {
  const name = Object.entries(apiRoutes).find(([, path]) => path === url)?.[0] ?? ''
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

function listAnswers(calls: CallDefinition[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    calls.flatMap(({ route, answers }) =>
      Object.entries(answers).flatMap(([status, answer]) =>
        answer instanceof z.ZodType ? [[`${route} ${status}`, answer] as const] : [],
      ),
    ),
  )
}

function listRequests(calls: CallDefinition[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    calls.flatMap(({ route, body, query }) => [
      ...(body instanceof z.ZodType ? [[`${route} body`, body] as const] : []),
      ...(query ? [[`${route} query`, query] as const] : []),
    ]),
  )
}

/** All at once, so that what has a name is described once and referred to. */
function toJsonSchemas(io: 'input' | 'output', schemas: Record<string, z.ZodType>) {
  const text = JSON.stringify(
    z.toJSONSchema(z.object(schemas), { io, unrepresentable: 'any', override: simplify }),
  )
  const { properties, $defs = {} } = JSON.parse(
    text.replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { properties: Record<string, JsonSchema>; $defs?: Record<string, JsonSchema> }
  return { of: (name: string): JsonSchema | undefined => properties[name], named: $defs }
}

function simplify({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes
  jsonSchema: JsonSchema
}): void {
  // The format says the same.
  if ('format' in jsonSchema) delete jsonSchema['pattern']
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum']
  const { def } = zodSchema._zod
  // What is replaced where it is not valid may as well be missing.
  if (def.type === 'object' && Array.isArray(jsonSchema['required']))
    jsonSchema['required'] = jsonSchema['required'].filter(
      (name: string) => def.shape[name]?._zod.def.type !== 'catch',
    )
}

function listSecurity({ access, isOfBuyer }: CallDefinition): Record<string, string[]>[] {
  if (access === 'admin') return [{ admin: [] }]
  return isOfBuyer ? [{ buyer: [] }] : []
}

function withParameters(
  url: string,
  query: JsonSchema | undefined,
): Pick<DocumentedCall, 'parameters'> {
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: { type: 'string' },
  }))
  const required = Array.isArray(query?.['required']) ? query['required'] : []
  const properties = (query?.['properties'] ?? {}) as Record<string, JsonSchema>
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query' as const,
    required: required.includes(name),
    ...(typeof description === 'string' && { description }),
    schema,
  }))
  const parameters = [...inPath, ...inQuery]
  return parameters.length > 0 ? { parameters } : {}
}

function withBody(
  { body, example, isBodyOptional }: CallDefinition,
  schema: JsonSchema = {},
): Pick<DocumentedCall, 'requestBody'> {
  if (!body) return {}
  const content: Content =
    typeof body === 'string'
      ? { [body]: {} }
      : { 'application/json': { schema, ...(example !== undefined && { example }) } }
  return { requestBody: { required: !isBodyOptional, content } }
}

const statusTexts: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Not decided yet',
  204: 'Done',
  304: 'Not changed',
}

function describeAnswers(
  { answers, headers = {} }: CallDefinition,
  schemaOf: (status: string) => JsonSchema | undefined,
): Record<string, Response> {
  const shown = Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const schema = schemaOf(status)
      return [
        status,
        {
          description: statusTexts[Number(status)] ?? status,
          ...(Object.keys(shown).length > 0 && { headers: shown }),
          ...(schema && { content: { 'application/json': { schema } } }),
          ...(typeof answer === 'string' && { content: { [answer]: {} } }),
        },
      ]
    }),
  )
}

const bodyRefusals: RefusalCode[] = [
  'bad-request',
  'body-unreadable',
  'body-type',
  'body-too-large',
]

/** What any call of its kind may be refused with. */
function listCommonRefusals(method: string, { access }: CallDefinition): RefusalCode[] {
  return [
    ...(method === 'GET' ? (['bad-request', 'body-unreadable'] as const) : bodyRefusals),
    ...(access === 'admin' ? (['unauthorized'] as const) : []),
    // On the domain of the payment pages.
    ...(access === 'public' ? [] : (['call-missing'] as const)),
    ...(access === 'public' && method === 'GET' ? [] : (['foreign-origin'] as const)),
    'too-many-requests',
    'unexpected',
    'unavailable',
  ]
}

const mayRetry = new Set([429, 503])

function describeRefusal(status: number, codes: RefusalCode[]): Response {
  return {
    description: codes.map((code) => `${code}: ${refusals[code].text}`).join('\n\n'),
    ...(mayRetry.has(status) && {
      headers: { 'Retry-After': { description: 'In seconds', schema: { type: 'integer' } } },
    }),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Refusal' }],
          properties: { code: { enum: codes } },
        },
      },
    },
  }
}
