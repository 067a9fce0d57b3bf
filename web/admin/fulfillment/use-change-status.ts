import { useMutation, useQueryClient } from '@tanstack/react-query'

import { readTheRest, showChanges } from '#web/admin/orders/order-cache.ts'
import { noteChanges } from '#web/admin/orders/changed-statuses.ts'
import { shortId } from '#web/admin/orders/order-words.ts'
import { type StatusChange, undoOf } from '#web/admin/orders/status-change.ts'
import { statusLooks } from '#web/admin/orders/status-looks.ts'
import { isUnauthorized } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { patchStatus } from './patch-status.ts'

type OneChange = StatusChange & { isUndo?: true }

/** One order's status: on the screen at once, and back again if the server refuses. */
export function useChangeStatus() {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: patchStatus,
    onMutate: (change: OneChange) => showChanges(queryClient, [change]),
    onSuccess: (_answer, change) => {
      noteChanges([change])
      toast({
        title: 'Status updated',
        description: tell(change),
        ...(!change.isUndo && { action: undoAction(change) }),
      })
    },
    onError: (error, change) => {
      showChanges(queryClient, undoOf([change]))
      if (isUnauthorized(error)) return
      toast({ title: 'Failed to update order status.', variant: 'destructive' })
    },
    onSettled: () => readTheRest(queryClient),
  })

  function undoAction(change: OneChange) {
    return {
      label: 'Undo',
      altText: `Choose ${statusLooks[change.from].text} in the order’s status list`,
      onClick: () => {
        for (const back of undoOf([change])) mutate({ ...back, isUndo: true })
      },
    }
  }

  return mutate
}

function tell({ id, to, isUndo }: OneChange): string {
  const { text } = statusLooks[to]
  return isUndo
    ? `Order ${shortId(id)} is back in ${text}.`
    : `Order ${shortId(id)} moved to ${text}.`
}
