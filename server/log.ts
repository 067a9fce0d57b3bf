import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { pino, type LoggerOptions } from 'pino'
import { describeError, type DescribedError } from './describe-error.ts'
import { countLogLine } from './metrics.ts'

export type Log = FastifyBaseLogger

const warnLevel = pino.levels.values.warn ?? 40

/**
 * Logs contain no personal data: the route's template instead of the URL, no headers, no bodies, no IP address.
 * On a terminal lines are short, and only warnings are shown by default.
 */
export function openLog(level: string | undefined, output: LogOutput): Log {
  const isTerminal = output.isTTY
  const options: LoggerOptions = {
    level: level ?? (isTerminal ? 'warn' : 'info'),
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    hooks: {
      logMethod(args, method, level) {
        method.apply(this, args)
        if (level < warnLevel) return
        countLogLine(pino.levels.labels[level] ?? 'error')
        output.flush?.()
      },
    },
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

export type LogOutput = { isTTY: boolean; write: (text: string) => unknown; flush?: () => void }

/**
 * Standard output. Lines about ordinary requests are written together: a system call for each took longer than the rest of
 * its logging. A warning and the end of the process write all at once.
 */
export function openOutput(): LogOutput {
  if (process.stdout.isTTY) return process.stdout
  // With `sync: false` a pipe that is closed would make the last flush wait for ever.
  const output = pino.destination({
    sync: true,
    minLength: 4_096,
    maxLength: 1_048_576,
    periodicFlush: 250,
  })
  // A closed pipe or a full disk is no reason to stop the shop.
  output.on('error', () => {})
  process.on('exit', () => output.flush())
  return Object.assign(output, { isTTY: false })
}

function showRequest(request: FastifyRequest) {
  return { method: request.method, route: request.routeOptions?.url ?? 'none' }
}

/**
 * 12:30:01 error Something went wrong {"all":"else that was logged"}, with errors on the lines below. Whatever a line is
 * about, it stays one line and commands no terminal.
 */
function formatForTerminal(line: string): string {
  const { time, level, msg = '', err, reqId, ...fields } = JSON.parse(line)
  const { method, route, status, ms, ...others } = fields
  const isRequest = route !== undefined && ms !== undefined
  const text = isRequest ? `${method} ${route} ${status} ${ms} ms` : msg
  const rest = isRequest ? others : fields
  const head = [
    String(time).slice(11, 19),
    level,
    text,
    ...(Object.keys(rest).length > 0 ? [JSON.stringify(rest)] : []),
    ...(reqId ? [`[${reqId}]`] : []),
  ]
  const lines = [head.join(' '), ...(err ? formatError(err) : [])]
  return lines.map((text) => `${escapeControls(text)}\n`).join('')
}

function formatError({ type, code, message, stack, cause }: DescribedError): string[] {
  const head = `${type}${code ? ` ${code}` : ''}: ${message}`
  const [first = '', ...others] = cause ? formatError(cause) : []
  return [
    head,
    ...stack.split('\n').filter(Boolean),
    ...(first ? [`Cause: ${first}`] : []),
    ...others,
  ]
}

/** Also what changes the direction of text, or breaks lines in some terminals. */
function escapeControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? '\\n' : `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  )
}
