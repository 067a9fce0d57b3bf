import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { readTheRest, showChanges } from '#web/admin/orders/order-cache.ts'
import { type StatusChange, undoOf } from '#web/admin/orders/status-change.ts'
import { useAskBeforeUnload } from '#web/admin/use-ask-before-unload.ts'
import { toast } from '#web/ui/use-toast.ts'

import { type Outcome, type Progress, runBulk } from './bulk-run.ts'
import { tellOutcome } from './bulk-words.ts'
import { gather } from './gather.ts'
import { patchStatus } from './patch-status.ts'

type Run = { changes: StatusChange[]; isUndo: boolean }
type Result = Run & { outcome: Outcome<StatusChange> }

export type BulkChange = ReturnType<typeof useBulkChange>

/** Many orders at once. The screen shows what the server has confirmed, as it is confirmed. */
export function useBulkChange(onOutcome: (outcome: Outcome<StatusChange>) => void) {
  const queryClient = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const [failure, setFailure] = useState<Result>()
  const cancelling = useRef<AbortController>(undefined)
  useAskBeforeUnload(progress !== undefined)

  const { mutate } = useMutation({
    mutationFn: async ({ changes }: Run) => {
      cancelling.current = new AbortController()
      const confirmed = gather((some: StatusChange[]) => showChanges(queryClient, some))
      try {
        return await runBulk({
          items: changes,
          change: patchStatus,
          signal: cancelling.current.signal,
          onDone: confirmed.add,
          onProgress: setProgress,
        })
      } finally {
        confirmed.flush()
      }
    },
    onSuccess: (outcome, run) => {
      const result = { ...run, outcome }
      setFailure(outcome.failed.length > 0 ? result : undefined)
      onOutcome(outcome)
      toast({ ...tellOutcome(outcome, run.isUndo), action: actionAfter(result) })
    },
    onSettled: () => {
      setProgress(undefined)
      readTheRest(queryClient)
    },
  })

  function start(changes: StatusChange[], isUndo = false) {
    setFailure(undefined)
    if (changes.length > 0) mutate({ changes, isUndo })
  }

  function actionAfter({ outcome, isUndo }: Result) {
    if (outcome.failed.length > 0) {
      return {
        label: 'Retry',
        altText: 'Press Retry above the list',
        onClick: () => start(outcome.failed, isUndo),
      }
    }
    if (isUndo || outcome.done.length === 0) return undefined
    return {
      label: 'Undo',
      altText: 'Choose the old status in each order’s status list',
      onClick: () => start(undoOf(outcome.done), true),
    }
  }

  return {
    progress,
    failure: failure?.outcome,
    start,
    retry: () => failure && start(failure.outcome.failed, failure.isUndo),
    cancel: () => cancelling.current?.abort(),
    forgetFailure: () => setFailure(undefined),
  }
}
