import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { answerText, answerType, Refused, type Answer } from './answers.ts'
import { breakAfter, breakBefore } from './broken-answers.ts'
import type { Desk } from './desk.ts'
import { answerFaults, keyFaults, type Operation } from './faults/fault-rules.ts'

type Work = (request: FastifyRequest) => Answer | Promise<Answer>

/** A call of the API: the faults asked for strike before it, after it, or not at all. */
export function operation(desk: Desk, name: Operation, work: Work): RouteHandlerMethod {
  return async (request, reply) => {
    const subjects = subjectsOf(desk, request)
    // A browser pays without a key: a key that is refused is nothing to it.
    const kinds =
      request.headers.authorization === undefined ? answerFaults : [...keyFaults, ...answerFaults]
    const fault = desk.faults.take(name, kinds, subjects)
    if (fault) desk.log('fault', { operation: name, kind: fault.kind })
    if (fault?.kind === 'delay') await pause(fault.ms, undefined, { signal: desk.closing })
    const early = fault && breakBefore(reply, name, fault)
    if (early || reply.sent) return early && sendAnswer(reply, early)
    const answer = await attempt(work, request)
    desk.log('call', { operation: name, status: answer.status })
    const late = fault ? breakAfter(reply, fault, answer) : answer
    return late && sendAnswer(reply, late)
  }
}

export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  void reply.code(answer.status).headers(answer.headers ?? {})
  return answer.body === undefined
    ? reply.send()
    : reply.type(answerType(answer)).send(answerText(answer))
}

async function attempt(work: Work, request: FastifyRequest): Promise<Answer> {
  try {
    return await work(request)
  } catch (error) {
    if (error instanceof Refused) return error.answer
    throw error
  }
}

/** The ids and references a call is about, so that a fault can be aimed at one checkout. */
function subjectsOf({ ledger }: Desk, { params, query, body }: FastifyRequest): string[] {
  const named = [params, query, body].flatMap((part) =>
    typeof part === 'object' && part !== null ? Object.values(part) : [],
  )
  const texts = named.filter((value): value is string => typeof value === 'string')
  const checkouts = texts.flatMap((text) => [
    ledger.maybeCheckout(text) ?? ledger.maybeTransaction(text)?.checkout ?? [],
    ledger.checkoutsByReference(text),
  ])
  return [...texts, ...checkouts.flat().flatMap(({ id, reference }) => [id, reference])]
}
