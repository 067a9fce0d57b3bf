import type { HealthCheck } from '#contract/products.ts'

/** What a check found and what to do about it. The doctor shows all, the back-office what needs no terminal. */
export type Check = HealthCheck & {
  /** The same as `todo` by a variable, for who runs the server. */
  setting?: string
  /** Another machine did not answer this one, which may be this one's fault. */
  isUnreachable?: boolean
  /** What exactly happened, for the report of the doctor only. */
  detail?: string
}

export function ok(name: string, found: string): Check {
  return { name, status: 'ok', found }
}

export function warn(name: string, found: string, todo: string, setting?: string): Check {
  return { name, status: 'warn', found, todo, ...(setting && { setting }) }
}

export function fail(name: string, found: string, todo: string, setting?: string): Check {
  return { name, status: 'fail', found, todo, ...(setting && { setting }) }
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
