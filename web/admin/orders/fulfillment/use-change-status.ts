import { useMutation, useQueryClient } from '@tanstack/react-query'

import { noteChanges } from '#web/admin/orders/changed-statuses.ts'
import { readTheRest, showChanges } from '#web/admin/orders/order-cache.ts'
import { shortId } from '#web/admin/orders/order-text.ts'
import { type StatusChange, undoOf } from '#web/admin/orders/status-change.ts'
import { statusLabels } from '#web/admin/orders/order-text.ts'
import { isUnauthorized } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { leaveToHand } from './bulk-changes.ts'
import { maybeStatusAfter, patchStatus } from './patch-status.ts'

type OneChange = StatusChange & { isUndo?: true }

/** One order's status: on the screen at once, and back again if the server refuses. */
export function useChangeStatus() {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: patchStatus,
    onMutate: (change: OneChange) => {
      leaveToHand(change.id)
      showChanges(queryClient, [change])
    },
    onSuccess: (made, { isUndo }) => {
      noteChanges([made])
      toast({
        title: 'Status updated',
        description: tell(made, isUndo),
        ...(!isUndo && { action: undoAction(made) }),
      })
    },
    onError: async (error, change) => {
      if (!isUnauthorized(error)) {
        toast({ title: 'Failed to update order status.', variant: 'destructive' })
      }
      // Not simply what it was: that may have been no more than hoped for.
      const now = await maybeStatusAfter(change)
      if (now) showChanges(queryClient, [{ id: change.id, from: change.to, to: now }])
    },
    onSettled: () => readTheRest(queryClient),
  })

  function undoAction(made: StatusChange) {
    return {
      label: 'Undo',
      altText: `Choose ${statusLabels[made.from]} in the order’s status list`,
      onClick: () => {
        for (const back of undoOf([made])) mutate({ ...back, isUndo: true })
      },
    }
  }

  return mutate
}

function tell({ id, to }: StatusChange, isUndo: true | undefined): string {
  const text = statusLabels[to]
  return isUndo
    ? `Order ${shortId(id)} is back in ${text}.`
    : `Order ${shortId(id)} moved to ${text}.`
}
