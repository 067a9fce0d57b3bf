/** One line of the doctor's report. */
export type Check = {
  name: string
  /** `warn`: works, but not as a shop that takes money should. `fail`: something does not work. */
  status: 'ok' | 'warn' | 'fail'
  found: string
  /** What to do about it. */
  todo?: string
  /** What exactly happened, for the report of the doctor only. */
  detail?: string
}

export function ok(name: string, found: string): Check {
  return { name, status: 'ok', found }
}

export function warn(name: string, found: string, todo: string): Check {
  return { name, status: 'warn', found, todo }
}

export function fail(name: string, found: string, todo: string): Check {
  return { name, status: 'fail', found, todo }
}

/** A fault in plain words, without what could be secret: addresses with passwords are in the errors of some libraries. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as NodeJS.ErrnoException
  const cause = error.cause instanceof Error ? describeFault(error.cause) : undefined
  if (error.name === 'TimeoutError') return 'no answer in time'
  if (cause) return cause
  const isTold = code === undefined || error.message.includes(code)
  return (isTold ? error.message : `${code}: ${error.message}`) || error.name
}

/** A check that breaks is a line of the report, not its end. */
export async function attempt(name: string, work: () => Promise<Check>): Promise<Check> {
  try {
    return await work()
  } catch (error) {
    return fail(
      name,
      `It could not be checked: ${describeFault(error)}`,
      'Fix what fails above first.',
    )
  }
}
