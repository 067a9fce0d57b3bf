import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { pino, type LoggerOptions } from 'pino'
import { describeError } from '#server/describe-error.ts'

export type Log = FastifyBaseLogger

/**
 * Logs contain no personal data: the route's template instead of the URL, no headers, no bodies, no IP address.
 * On a terminal lines are short, and only warnings are shown by default.
 */
export function openLog(level: string | undefined, output: NodeJS.WriteStream): Log {
  const isTerminal = output.isTTY
  const options: LoggerOptions = {
    level: level ?? (isTerminal ? 'warn' : 'info'),
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
    isTerminal ? { write: (line: string) => output.write(formatForTerminal(line)) } : output,
  )
}

function showRequest(request: FastifyRequest) {
  return { method: request.method, route: request.routeOptions?.url ?? 'none' }
}

/** 12:30:01 error Something went wrong (with the stack on the lines below). */
function formatForTerminal(line: string): string {
  const { time, level, msg, err, reqId } = JSON.parse(line)
  const head = `${String(time).slice(11, 19)} ${level} ${msg ?? ''}${reqId ? ` [${reqId}]` : ''}`
  return `${head}${err ? `\n${err.type}: ${err.message}\n${err.stack}` : ''}\n`
}
