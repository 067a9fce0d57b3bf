import { readFileSync } from 'node:fs'
import { SourceMap, type SourceOrigin } from 'node:module'

export type DescribedError = {
  type: string
  code?: string
  constraint?: string
  table?: string
  message: string
  stack: string
  cause?: DescribedError
}

/**
 * An error for logs and terminals, by an allowlist: its type, message and stack, never the values it was about. Drizzle
 * puts a query's parameters into its errors, PostgreSQL puts rows into `detail`: those are data of buyers.
 */
export function describeError(thrown: unknown): DescribedError {
  const error = withoutQuery(thrown)
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' }
  const { code, constraint, table } = error as {
    code?: unknown
    constraint?: unknown
    table?: unknown
  }
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) }
  return {
    type: error.name,
    ...pickStrings({ code, constraint, table }),
    message: mayQuoteInput(code) ? 'a value was not acceptable' : error.message,
    stack: listFrames(error),
    ...cause,
  }
}

/** As text, for a terminal. */
export function explainError(thrown: unknown): string {
  const { type, code, message, stack } = describeError(thrown)
  return [`${type}${code ? ` ${code}` : ''}: ${message}`, stack].filter(Boolean).join('\n')
}

/** Drizzle's error has the query and its parameters; the reason is its cause. */
function withoutQuery(error: unknown): unknown {
  return error instanceof Error && 'params' in error && error.cause !== undefined
    ? error.cause
    : error
}

/** PostgreSQL's data exceptions (class 22) and constraint violations (23) repeat the input. */
function mayQuoteInput(code: unknown): boolean {
  return typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code)
}

function listFrames({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return nameSources(frames.join('\n'))
}

/** Of the running file: of the bundle (tools/bundle-server.ts), whose files have source maps, or of the sources. */
const programFolder = new URL('.', import.meta.url).href
/** Of the files in a stack. Reading them takes time and memory, so they are kept, but not for long. */
const sourceMaps = new Map<string, SourceMap | undefined>()
const keepSourceMapsMs = 60_000

/** Names source files and their lines in frames of the bundled server. */
export function nameSources(stack: string): string {
  return stack.replaceAll(/(file:\/\/\S+?\.js):(\d+):(\d+)/g, (location, url, line, column) => {
    if (!url.startsWith(programFolder)) return location
    const origin: Partial<SourceOrigin> =
      getSourceMap(url)?.findOrigin(Number(line), Number(column)) ?? {}
    const { fileName, lineNumber, columnNumber } = origin
    return fileName ? `${new URL(fileName, url).href}:${lineNumber}:${columnNumber}` : location
  })
}

function getSourceMap(url: string): SourceMap | undefined {
  if (sourceMaps.size === 0) setTimeout(() => sourceMaps.clear(), keepSourceMapsMs).unref()
  if (!sourceMaps.has(url)) sourceMaps.set(url, readSourceMap(url))
  return sourceMaps.get(url)
}

/** An error is told in any case, if need be without it. */
function readSourceMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')))
  } catch {
    return undefined
  }
}

function pickStrings(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  )
}
