import { findLastBackup } from '#server/backup/scheduled-backups.ts'
import { isLive, ok, warn, type Check, type Finding, type FoundRestore } from './check.ts'

/** Both the check and the mail say this. */
export function describeFailedBackup(day: string, error: string): Finding {
  return {
    level: 'fail',
    title: `The backup of ${day} failed.`,
    text: error,
    todo: 'It is tried again every hour.',
    howTo: 'BACKUP_DIR',
  }
}

export const backupChecks: Check[] = [
  {
    code: 'backup',
    shownIn: { doctor: true, notice: 'backup' },
    after: 'migrations',
    async find({ findBackupProblem }) {
      const problem = await findBackupProblem?.()
      if (!problem) return undefined
      const { at, error, isWritten } = problem
      const day = at.toISOString().slice(0, 10)
      return isWritten
        ? {
            level: 'urgent',
            title: `The backup of ${day} is incomplete.`,
            text: error,
            howTo: 'BACKUP_DIR',
          }
        : describeFailedBackup(day, error)
    },
  },
  {
    code: 'last backup',
    shownIn: { doctor: true },
    after: 'migrations',
    async find(facts) {
      const { machine, config } = facts
      if (!machine?.database) return undefined
      const last = await findLastBackup(machine.database.db)
      const hours = last && Math.floor((Date.now() - last.at.getTime()) / 3_600_000)
      const title = last ? `It is ${hours} hours old: ${last.file}` : 'There is none yet.'
      const isOld = hours === undefined || hours >= maxBackupHours
      if (!isOld || !(await isLive(facts))) return ok(title)
      const todo = config.backup.folder
        ? 'npm run backup -- FILE writes one now.'
        : 'Set BACKUP_DIR to a folder on another disk: the shop then writes one every day.'
      return warn(title, todo)
    },
  },
  {
    code: 'restore',
    shownIn: { doctor: true, notice: 'restored' },
    after: 'migrations',
    async find({ findRestored, config: { timeZone } }) {
      const found = await findRestored?.()
      if (!found) return undefined
      const { backupAt, restoredAt, isHeld, isComparable } = found
      return {
        level: 'urgent',
        title: `This shop was restored from the backup of ${formatMoment(backupAt, timeZone)}.`,
        text: describeRestored(found),
        todo: 'Look through the orders: those that you shipped since then are shown as before. Used-up discount codes may be active again, and pieces in stock may be wrong.',
        ...(!isComparable && { place: 'sumup' }),
        // While products wait, the notice stays: its other button is the owner's word.
        ...(isHeld ? { action: 'sell-counted' } : { since: restoredAt }),
      }
    },
  },
]

/** A daily backup that was missed once. */
const maxBackupHours = 36

function describeRestored({
  comparedAt,
  foundOrders,
  foundInReview,
  isHeld,
  isComparable,
}: FoundRestore): string {
  const found = [
    foundOrders > 0 && `${foundOrders} became orders`,
    foundInReview > 0 && `${foundInReview} stand in review above the orders`,
  ].filter((part) => part !== false)
  const compared = comparedAt
    ? `SumUp was asked for all payments since then: ${found.join(', ') || 'the shop knows every one'}.`
    : isComparable
      ? `SumUp is being asked for payments since then, again every few minutes until all are known${found.length > 0 ? `; so far ${found.join(', ')}` : ''}.`
      : 'Payments since then are not looked for: the SumUp account is not the one that took them. Connect that one again.'
  return isHeld
    ? `${compared} Until they are known, products whose pieces are counted are not sold: the last one may be gone.`
    : compared
}

/** Such as 2026-11-16 04:00 (Europe/Berlin). */
function formatMoment(at: Date, timeZone: string): string {
  const format = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const
  return `${new Intl.DateTimeFormat('sv-SE', format).format(at)} (${timeZone})`
}
