import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { pino, type LoggerOptions } from 'pino'
import { describeError } from '#server/describe-error.ts'

export type Log = FastifyBaseLogger

/**
 * Logs carry no personal data: the route's template instead of the address asked for, no headers, no
 * bodies, no IP. On a terminal a person reads, so lines are short and only warnings show by default.
 */
export function openLog(level: string | undefined, output: NodeJS.WriteStream): Log {
  const forPerson = output.isTTY
  const options: LoggerOptions = {
    level: level ?? (forPerson ? 'warn' : 'info'),
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    serializers: {
      req: showRequest,
      res: ({ statusCode }) => ({ status: statusCode }),
      err: describeError,
    },
  }
  return pino(
    options,
    forPerson ? { write: (line: string) => output.write(forEyes(line)) } : output,
  )
}

function showRequest(request: FastifyRequest) {
  return { method: request.method, route: request.routeOptions?.url ?? 'none' }
}

/** 12:30:01 error Something went wrong (with the stack on the lines below). */
function forEyes(line: string): string {
  const { time, level, msg, err, reqId } = JSON.parse(line)
  const head = `${String(time).slice(11, 19)} ${level} ${msg ?? ''}${reqId ? ` [${reqId}]` : ''}`
  return `${head}${err ? `\n${err.type}: ${err.message}\n${err.stack}` : ''}\n`
}
