import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import type { UndoneBulkChange } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { refreshCountsAndDetails, showChanges } from '#web/admin/orders/order-queries.ts'
import { formatCount, statusLabels } from '#web/admin/orders/order-text.ts'
import type { StatusChange } from '#web/admin/orders/changed-statuses.ts'
import { queryClient } from '#web/admin/shell/query-client.ts'
import { handleUnauthorized } from '#web/admin/session/session.ts'
import { confirmUnload } from '#web/admin/session/unsaved-changes.ts'
import { callServer, createRandomId } from '#web/api.ts'
import { toast, type ToastContent } from '#web/ui/use-toast.ts'

import { type Outcome, type Progress, runBulk } from './bulk-run.ts'
import { sendStatusChange } from './send-status-change.ts'
import { offerTracking } from './offered-orders.ts'

type BulkState = {
  progress?: Progress
  /** The id of the run that has this progress. */
  runningId?: string
  /** The last finished run. */
  finished?: { outcome: Outcome<StatusChange>; bulkId: string }
}

/** In the query cache, so that the state outlives the page but not the session. */
const stateKey = ['bulk-changes'] as const

/** Confirmed changes are shown in batches, so that a thousand of them do not render a list a thousand times. */
const batchMs = 150

let isRunning = false
let cancelling = new AbortController()
let lastToast: ReturnType<typeof toast> | undefined

function useBulkState(): BulkState {
  const { data } = useQuery<BulkState>({
    queryKey: stateKey,
    queryFn: skipToken,
    gcTime: Infinity,
    structuralSharing: false,
  })
  return data ?? {}
}

/** The state of the bulk change. `onDone` is called with the changes that a finished run has made. */
export function useBulkChanges(onDone: (done: StatusChange[]) => void) {
  const { progress, finished } = useBulkState()
  useEffect(() => {
    if (finished) onDone(finished.outcome.done)
  }, [finished, onDone])
  return { progress, failure: finished?.outcome.failed.length ? finished.outcome : undefined }
}

/** The run under way in this window, if any. */
export function useRunningChange(): { id: string; progress: Progress } | undefined {
  const { progress, runningId } = useBulkState()
  return progress && runningId ? { id: runningId, progress } : undefined
}

/** More than this many orders are not changed without a question. */
export const manyOrders = 50

/** Does nothing while another run is under way. */
export function changeMany(changes: StatusChange[]): void {
  if (changes.length > 0) void run(changes, { bulkId: createRandomId(), alreadyDone: [] })
}

export function cancelChanges(): void {
  cancelling.abort()
}

/** Repeats the failed changes. Those that were made before count as part of the same run. */
export function retryFailed(): void {
  const { finished } = readState()
  if (!finished) return
  const { failed, done } = finished.outcome
  void run(failed, { bulkId: finished.bulkId, alreadyDone: done })
}

export function undoDone(): void {
  const { finished } = readState()
  if (finished) void undoBulkChange(finished.bulkId)
}

/** By the server, which leaves alone what somebody has changed since. Any admin's change; never throws. */
export async function undoBulkChange(bulkId: string): Promise<void> {
  if (isRunning) return
  isRunning = true
  lastToast?.dismiss()
  try {
    const path = pathOf(apiRoutes.bulkChangeUndo, { id: bulkId })
    const undone = (await (await callServer('POST', path)).json()) as UndoneBulkChange
    showChanges(queryClient, undone.changes)
    if (readState().finished?.bulkId === bulkId) writeState({})
    lastToast = toast(formatUndone(undone))
  } catch (error) {
    if (error instanceof Error && handleUnauthorized(error)) return
    lastToast = toast({
      title: 'Failed to update orders.',
      description: 'Please try again in the history of bulk changes.',
      variant: 'destructive',
    })
  } finally {
    isRunning = false
    refreshCountsAndDetails(queryClient)
    void queryClient.invalidateQueries({ queryKey: [apiRoutes.bulkChanges] })
  }
}

export function dismissFailure(): void {
  writeState({})
}

/** After an order was changed by hand, Retry and Undo must not change it again. */
export function excludeFromRetry(id: string): void {
  const { finished } = readState()
  if (!finished) return
  const { done, failed, skipped } = finished.outcome
  const exclude = (changes: StatusChange[]) => changes.filter((change) => change.id !== id)
  const outcome = { done: exclude(done), failed: exclude(failed), skipped }
  writeState({ finished: { ...finished, outcome } })
}

async function run(
  changes: StatusChange[],
  { bulkId, alreadyDone }: { bulkId: string; alreadyDone: StatusChange[] },
): Promise<void> {
  if (isRunning) return
  isRunning = true
  // Its Undo belongs to the run before.
  lastToast?.dismiss()
  cancelling = new AbortController()
  const stopAsking = confirmUnload()
  let confirmed: StatusChange[] = []
  function showConfirmed(): void {
    if (confirmed.length > 0) showChanges(queryClient, confirmed)
    confirmed = []
  }
  const timer = setInterval(showConfirmed, batchMs)
  try {
    const { done, ...rest } = await runBulk({
      items: changes,
      update: (change) => sendStatusChange({ ...change, bulkId }),
      signal: cancelling.signal,
      onDone: (change) => confirmed.push(change),
      onProgress: (progress) => writeState({ progress, runningId: bulkId }),
    }).finally(showConfirmed)
    const outcome = { ...rest, done: [...alreadyDone, ...done] }
    writeState({ finished: { outcome, bulkId } })
    offerTracking(outcome.done)
    lastToast = toast({ ...formatOutcome(outcome), ...createAction(outcome) })
  } catch (error) {
    writeState({})
    if (!(error instanceof Error && handleUnauthorized(error))) throw error
  } finally {
    isRunning = false
    clearInterval(timer)
    stopAsking()
    refreshCountsAndDetails(queryClient)
    void queryClient.invalidateQueries({ queryKey: [apiRoutes.bulkChanges] })
  }
}

/** Not an order that had the new status already. */
export function isMove({ from, to }: StatusChange): boolean {
  return from !== to
}

function createAction({ done, failed }: Outcome<StatusChange>) {
  if (failed.length > 0) {
    const altText = 'Press Retry above the list'
    return { action: { label: 'Retry', altText, onClick: retryFailed } }
  }
  if (!done.some(isMove)) return {}
  const altText = 'Press Undo in the history of bulk changes'
  return { action: { label: 'Undo', altText, onClick: undoDone } }
}

function readState(): BulkState {
  return queryClient.getQueryData<BulkState>(stateKey) ?? {}
}

function writeState(state: BulkState): void {
  queryClient.setQueryData<BulkState>(stateKey, state)
}

export function formatProgress({ settled, total, isPaused }: Progress): string {
  if (isPaused) return 'The server asked for a short pause. Updating continues automatically.'
  return `Updating ${formatCount(settled)} of ${formatCount(total)}`
}

/** '18 updated, 2 failed' */
export function formatFailures({ done, failed, skipped }: Outcome<StatusChange>): string {
  const moved = done.filter(isMove).length
  const parts = [`${formatCount(moved)} updated`, `${formatCount(failed.length)} failed`]
  if (moved < done.length) parts.push(`${formatCount(done.length - moved)} already were`)
  if (skipped.length > 0) parts.push(`${formatCount(skipped.length)} not begun`)
  return parts.join(', ')
}

/** The toast at the end of a run. */
export function formatOutcome(outcome: Outcome<StatusChange>): ToastContent {
  const { done, failed, skipped } = outcome
  if (failed.length > 0) {
    return {
      title: 'Failed to update orders.',
      description: formatFailures(outcome),
      variant: 'destructive',
    }
  }
  const to = done[0] && statusLabels[done[0].to]
  const moved = done.filter(isMove).length
  const unmoved = formatCount(done.length - moved)
  const sentences = [
    moved > 0 && `${formatCount(moved)} order(s) moved to ${to}.`,
    moved < done.length &&
      (moved > 0 ? `${unmoved} already were.` : `${unmoved} order(s) already were ${to}.`),
    skipped.length > 0 && `${formatCount(skipped.length)} were left as they are.`,
  ]
  return {
    title: moved > 0 ? 'Orders updated' : 'Nothing was changed',
    description: sentences.filter(Boolean).join(' '),
  }
}

/** The toast after an undo. */
export function formatUndone({ changes, leftAlone }: UndoneBulkChange): ToastContent {
  const rest =
    leftAlone > 0 ? `${formatCount(leftAlone)} were changed since and left as they are.` : ''
  if (changes.length === 0) return { title: 'Nothing was changed', description: rest }
  const back = `${formatCount(changes.length)} order(s) went back to what they were.`
  return { title: 'Orders updated', description: `${back} ${rest}`.trim() }
}
