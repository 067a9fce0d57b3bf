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
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}

function pickStrings(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  )
}
