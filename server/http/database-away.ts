/**
 * Connection trouble, shutting down (57P), too many connections (53), broken connection (08), read-only (25006), a lock
 * that others held for too long (55P03).
 */
const awayCodes = /^(ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|57P\d\d|57014|53\d\d\d|08\d\d\d|25006|55P03)$/
const awayMessages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered|Query read timeout/

/** Whether the database, and nobody else, could not be reached. Other connections break too: a visitor's, SumUp's. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (awayMessages.test(error.message)) return true
  const code = 'code' in error ? String(error.code) : ''
  // A query that failed says so by what it carries; before a query there is only the connecting.
  if ('query' in error && 'params' in error) return isAwayInside(error.cause)
  if ('severity' in error) return awayCodes.test(code)
  return 'syscall' in error && error.syscall === 'connect' && awayCodes.test(code)
}

function isAwayInside(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  return awayMessages.test(cause.message) || ('code' in cause && awayCodes.test(String(cause.code)))
}
