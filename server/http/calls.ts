import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import { Refusal, type RefusalCode } from '#contract/refusals.ts'
import type { Access } from './access.ts'
import { isUuid } from './uuid.ts'

/** Bytes of this media type, such as text/csv. */
export type Bytes = `${string}/${string}`

/** What a call is for, takes and answers, and who may use it. */
type Operation = {
  /** A sentence. */
  summary: string
  /** What else a caller must know. */
  note?: string
  access: Access
  query?: z.ZodType
  body?: z.ZodType | Bytes
  /** A body as somebody would send it. */
  example?: unknown
  /** By status: JSON, bytes, or null for no content. The first is answered unless the call says otherwise. */
  answers: Record<number, z.ZodType | Bytes | null>
  /** Headers of the answer. */
  headers?: Record<string, string>
  /** Besides those that every call of its kind has. */
  refusals?: RefusalCode[]
  /** The body may be left out, and is empty then. */
  isBodyOptional?: true
  /** The call is for the browser that opened the payment, known by its cookie. */
  isOfBuyer?: true
}

export type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`

/** A call as it stands in the API reference. */
export type CallDefinition = Operation & { route: Route; tag: string }

/** A call of the shop, which needs `Deps`. */
export type Call<Deps> = CallDefinition &
  Extras & { handle: (deps: Deps, input: Input<never, never, never>) => unknown }

type Extras = {
  /** What Fastify has to know besides. */
  options?: Omit<RouteOptions, 'method' | 'url' | 'handler'>
  /** How an `:id` that cannot be one is refused, before anything else is looked at. */
  unknownId?: RefusalCode
}

export type Input<Params, Query, Body> = {
  params: Params
  query: Query
  body: Body
  request: FastifyRequest
  reply: FastifyReply
}

type ParamsOf<Text extends string> = Text extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<Rest>
  : Text extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown

/**
 * Defines the calls of one chapter of the API reference; the access of most of them stands in front. All about a call
 * stands in one place: the reference, the guard and the tests are made from it.
 */
export function callsOf<Deps>(tag: string, access: Access) {
  return function call<
    Name extends Route,
    Query extends z.ZodType | undefined = undefined,
    Body extends z.ZodType | Bytes | undefined = undefined,
  >(
    route: Name,
    definition: Omit<Operation, 'access' | 'query' | 'body'> &
      Extras & {
        access?: Access
        query?: Query
        body?: Body
        handle: (
          deps: Deps,
          input: Input<ParamsOf<Name>, OutputOf<Query>, OutputOf<Body>>,
        ) => unknown
      },
  ): Call<Deps> {
    return { tag, access, ...definition, route } as Call<Deps>
  }
}

export function mountCalls<Deps>(app: FastifyInstance, deps: Deps, calls: Call<Deps>[]): void {
  for (const { route, access, options, answers, unknownId, query, body, ...call } of calls) {
    const [method = '', url = ''] = route.split(' ')
    const [status] = Object.keys(answers).map(Number)
    app.route<{ Params: Record<string, string> }>({
      ...options,
      method,
      url,
      config: { ...options?.config, access, isCall: true },
      handler: async (request, reply) => {
        if (unknownId && !isUuid(request.params['id'] ?? '')) throw new Refusal(unknownId)
        const sent = call.isBodyOptional ? (request.body ?? {}) : request.body
        const input = {
          params: request.params,
          query: query?.parse(request.query),
          body: body instanceof z.ZodType ? body.parse(sent) : sent,
          request,
          reply,
        }
        if (status && status !== 200) reply.code(status)
        return call.handle(deps, input as Input<never, never, never>)
      },
    })
  }
}
