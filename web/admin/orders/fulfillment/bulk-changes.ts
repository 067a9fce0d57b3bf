import { readTheRest, showChanges } from '#web/admin/orders/order-cache.ts'
import { type StatusChange, undoOf } from '#web/admin/orders/status-change.ts'
import { queryClient } from '#web/admin/shell/query-client.ts'
import { handleUnauthorized } from '#web/admin/session/session.ts'
import { confirmUnload } from '#web/admin/shell/unsaved-changes.ts'
import { toast } from '#web/ui/use-toast.ts'

import { type Outcome, type Progress, runBulk } from './bulk-run.ts'
import { tellOutcome } from './bulk-words.ts'
import { gather } from './gather.ts'
import { patchStatus } from './patch-status.ts'

/** How the changes of many orders stand. */
export type BulkStanding = {
  progress?: Progress
  /** The last run that ended. */
  ended?: BulkResult
}
type BulkResult = { outcome: Outcome<StatusChange>; isUndo: boolean }

/**
 * With what else was read and done for this admin: so it outlives its page, whoever leaves that finds it again, and
 * the next one to sign in does not.
 */
export const standingKey = ['bulk-changes'] as const

let isRunning = false
let cancelling = new AbortController()
let lastToast: ReturnType<typeof toast> | undefined

/** One run at a time: two would be twice as many calls as the server was promised. */
export function changeMany(changes: StatusChange[], isUndo = false): void {
  if (changes.length > 0) void run(changes, { isUndo, alreadyDone: [] })
}

export function cancelChanges(): void {
  cancelling.abort()
}

/** Once more, what failed. It is the same change still: what was done before is told, and undone, with it. */
export function retryChanges(): void {
  const { ended } = readStanding()
  if (!ended) return
  const { failed, done } = ended.outcome
  void run(failed, { isUndo: ended.isUndo, alreadyDone: done })
}

/** What was done before something failed is given back. */
export function undoChanges(): void {
  const { ended } = readStanding()
  if (ended) changeMany(undoOf(ended.outcome.done), true)
}

export function forgetFailure(): void {
  apply({})
}

/** Whoever changes one of these orders by hand does not want it changed again by Retry or Undo. */
export function leaveToHand(id: string): void {
  const { ended } = readStanding()
  if (!ended) return
  const { done, failed, left } = ended.outcome
  const others = (changes: StatusChange[]) => changes.filter((one) => one.id !== id)
  apply({ ended: { ...ended, outcome: { done: others(done), failed: others(failed), left } } })
}

/** The screen shows what the server has confirmed, as it is confirmed. */
async function run(
  changes: StatusChange[],
  { isUndo, alreadyDone }: { isUndo: boolean; alreadyDone: StatusChange[] },
): Promise<void> {
  if (isRunning) return
  isRunning = true
  // Its Undo is about something that is over.
  lastToast?.dismiss()
  cancelling = new AbortController()
  const stopAsking = confirmUnload()
  const confirmed = gather((some: StatusChange[]) => showChanges(queryClient, some))
  try {
    const { done, ...rest } = await runBulk({
      items: changes,
      change: patchStatus,
      signal: cancelling.signal,
      onDone: confirmed.add,
      onProgress: (progress) => apply({ progress }),
    })
    confirmed.flush()
    const outcome = { ...rest, done: [...alreadyDone, ...done] }
    apply({ ended: { outcome, isUndo } })
    lastToast = toast({ ...tellOutcome(outcome, isUndo), ...actionAfter(outcome, isUndo) })
  } catch (error) {
    confirmed.flush()
    apply({})
    if (!(error instanceof Error && handleUnauthorized(error))) throw error
  } finally {
    isRunning = false
    stopAsking()
    readTheRest(queryClient)
  }
}

function actionAfter({ done, failed }: Outcome<StatusChange>, isUndo: boolean) {
  if (failed.length > 0) {
    const altText = 'Press Retry above the list'
    return { action: { label: 'Retry', altText, onClick: retryChanges } }
  }
  if (isUndo || done.length === 0) return {}
  const altText = 'Choose the old status in each order’s status list'
  return { action: { label: 'Undo', altText, onClick: undoChanges } }
}

function readStanding(): BulkStanding {
  return queryClient.getQueryData<BulkStanding>(standingKey) ?? {}
}

function apply(standing: BulkStanding): void {
  queryClient.setQueryData<BulkStanding>(standingKey, standing)
}
