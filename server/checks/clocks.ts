import { ok, warn, type Finding } from './check.ts'

/** By how much a clock that was asked since `before` differs at least, however long its answer was on the way. */
export function findClockDifference(theirs: number, before: number): number {
  return theirs - Math.min(Math.max(theirs, before), Date.now())
}

/** What the shop decides by time it decides by the database's clock; mails, logs and sign-in codes go by its own. */
export function judgeClock(differenceMs: number, maxMs: number): Finding {
  if (Math.abs(differenceMs) <= maxMs) return ok('The same time as here.')
  const seconds = Math.abs(differenceMs / 1000).toFixed(1)
  return warn(
    `${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'} this machine`,
    'Let both machines set their clocks by NTP (timedatectl status).',
  )
}
