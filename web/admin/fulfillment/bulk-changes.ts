import { readTheRest, showChanges } from '#web/admin/orders/order-cache.ts'
import { type StatusChange, undoOf } from '#web/admin/orders/status-change.ts'
import { queryClient } from '#web/admin/query-client.ts'
import { handleUnauthorized } from '#web/admin/unauthorized.ts'
import { askBeforeUnload } from '#web/admin/use-ask-before-unload.ts'
import { toast } from '#web/ui/use-toast.ts'

import { type Outcome, type Progress, runBulk } from './bulk-run.ts'
import { tellOutcome } from './bulk-words.ts'
import { gather } from './gather.ts'
import { patchStatus } from './patch-status.ts'

/** How the changes of many orders stand. They belong to the back-office, not to its page: whoever leaves it finds them again. */
export type BulkStanding = {
  progress?: Progress
  /** The last run that ended. */
  ended?: BulkResult
}
type BulkResult = { outcome: Outcome<StatusChange>; isUndo: boolean }

let standing: BulkStanding = {}
let underWay: Promise<void> = Promise.resolve()
let cancelling = new AbortController()
const listeners = new Set<() => void>()

/** One run after the other: two at once would be twice as many calls as the server was promised. */
export function changeMany(changes: StatusChange[], isUndo = false): void {
  if (changes.length === 0) return
  const running = underWay.then(() => run(changes, isUndo))
  underWay = running.catch(() => undefined)
}

export function cancelChanges(): void {
  cancelling.abort()
}

/** Once more, what failed. */
export function retryChanges(): void {
  const { ended } = standing
  if (ended) changeMany(ended.outcome.failed, ended.isUndo)
}

export function forgetFailure(): void {
  apply({})
}

/** The screen shows what the server has confirmed, as it is confirmed. */
async function run(changes: StatusChange[], isUndo: boolean): Promise<void> {
  cancelling = new AbortController()
  const stopAsking = askBeforeUnload()
  const confirmed = gather((some: StatusChange[]) => showChanges(queryClient, some))
  try {
    const outcome = await runBulk({
      items: changes,
      change: patchStatus,
      signal: cancelling.signal,
      onDone: confirmed.add,
      onProgress: (progress) => apply({ progress }),
    })
    confirmed.flush()
    apply({ ended: { outcome, isUndo } })
    toast({ ...tellOutcome(outcome, isUndo), ...actionAfter(outcome, isUndo) })
  } catch (error) {
    confirmed.flush()
    apply({})
    if (!(error instanceof Error && handleUnauthorized(error))) throw error
  } finally {
    stopAsking()
    readTheRest(queryClient)
  }
}

function actionAfter({ done, failed }: Outcome<StatusChange>, isUndo: boolean) {
  if (failed.length > 0) {
    const altText = 'Press Retry above the list'
    return { action: { label: 'Retry', altText, onClick: () => changeMany(failed, isUndo) } }
  }
  if (isUndo || done.length === 0) return {}
  const altText = 'Choose the old status in each order’s status list'
  return { action: { label: 'Undo', altText, onClick: () => changeMany(undoOf(done), true) } }
}

function apply(next: BulkStanding): void {
  standing = next
  for (const listener of listeners) listener()
}

export function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const readStanding = () => standing
