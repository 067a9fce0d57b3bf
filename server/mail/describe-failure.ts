import { RefusedForGood } from './refused-for-good.ts'

/**
 * What went wrong, fit for logs and the database. Mail servers repeat addresses in what they say, so
 * only codes are kept: 'EENVELOPE, RCPT TO, 550, 5.1.1' or 'ESOCKET, ECONNREFUSED, CONN'.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof RefusedForGood) return error.message
  const { code, originalCode, command, responseCode, response } = error as SmtpError
  if (code === undefined) return `${error.name} ${firstPlace(error)}`.trim()
  const said = [code, originalCode, command, responseCode, enhancedCode(response)]
  return said.filter(Boolean).join(', ')
}

/** What nodemailer and Node add to their errors. */
export type SmtpError = Error & {
  code?: string
  originalCode?: string
  command?: string
  responseCode?: number
  response?: string
  /** Whether the same mail would be refused again. */
  permanent?: boolean
}

/** The finer reason behind the three digits, as in '550 5.1.1 unknown user'. */
export function enhancedCode(response: string | undefined): string | undefined {
  return /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1]
}

/** Our own mistakes have no code, but a place. Their message could quote what a buyer typed. */
function firstPlace({ stack }: Error): string {
  return /^\s+(at .*)$/m.exec(stack ?? '')?.[1] ?? ''
}
