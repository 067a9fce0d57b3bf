import type { FastifyReply } from 'fastify'
import { answerText, answerType, type Answer } from './answers.ts'
import type { AnswerFault, KeyFault, Operation } from './faults/fault-rules.ts'
import type { Fault } from './faults/faults.ts'
import { paymentsNotAllowed, problem, unauthorized } from './refusals.ts'

const hugeBytes = 10 * 1024 * 1024
const htmlPage = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`

/** Faults that strike before the work: nothing is done. Undefined: the work goes on. */
export function breakBefore(
  reply: FastifyReply,
  on: Operation,
  fault: Fault<AnswerFault | KeyFault>,
): Answer | undefined {
  switch (fault.kind) {
    case 'unauthorized':
      return unauthorized().answer
    case 'forbidden':
      return (on === 'refund' ? refundNotAllowed() : paymentsNotAllowed()).answer
    case 'error-500':
      return problem(500, 'internal-server-error', 'Internal Server Error', 'Try again later')
        .answer
    case 'error-503':
      return problem(503, 'service-unavailable', 'Service Unavailable', 'Try again later').answer
    case 'html-502':
      return { status: 502, type: 'text/html', body: htmlPage('502 Bad Gateway') }
    case 'too-many-requests': {
      const { answer } = problem(429, 'too-many-requests', 'Too Many Requests', 'Slow down')
      return { ...answer, headers: { 'retry-after': String(fault.retryAfterSeconds) } }
    }
    case 'hang':
      reply.hijack()
      return undefined
    case 'reset':
      return resetConnection(reply)
    case 'delay':
    case 'html':
    case 'stall':
    case 'truncated':
    case 'huge':
    case 'lost':
      return undefined
  }
}

/** Faults that strike after the work: it is done, and the caller cannot know. */
export function breakAfter(
  reply: FastifyReply,
  fault: Fault<AnswerFault | KeyFault>,
  answer: Answer,
): Answer | undefined {
  const bytes = Buffer.from(answerText(answer))
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2))
  switch (fault.kind) {
    case 'html':
      return { status: answer.status, type: 'text/html', body: htmlPage('Welcome') }
    case 'truncated':
      return { ...answer, body: half.toString() }
    case 'huge':
      // Spaces keep it readable JSON: only a reader with a limit refuses it.
      return { ...answer, body: bytes.toString().padEnd(hugeBytes) }
    case 'stall':
      reply.hijack()
      reply.raw.writeHead(answer.status, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': answerType(answer),
        'content-length': bytes.length,
        ...answer.headers,
      })
      reply.raw.write(half)
      return undefined
    case 'lost':
      return resetConnection(reply)
    case 'unauthorized':
    case 'forbidden':
    case 'delay':
    case 'error-500':
    case 'error-503':
    case 'html-502':
    case 'too-many-requests':
    case 'hang':
    case 'reset':
      return answer
  }
}

/** The calls of 2026 answer with problems where the older ones have words of their own. */
const refundNotAllowed = () =>
  problem(403, 'forbidden', 'Forbidden', 'users is not allowed to make a refund')

function resetConnection(reply: FastifyReply): undefined {
  reply.hijack()
  reply.raw.socket?.resetAndDestroy()
}
