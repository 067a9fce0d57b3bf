import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { z } from 'zod'

import type { ReviewEntry } from '#contract/checkouts.ts'
import type { dismissalSchema, reviewOrderSchema } from '#contract/order-schemas.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { callServer, isUnauthorized, refusalCode, refusalText } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { refreshAll, reviewKey } from './order-queries.ts'
import { shortId } from './order-text.ts'
import { formatRefundable } from './review-text.ts'
import { archiveKey, fetchEntries } from './use-review.ts'

/** What the owner decides about an entry, as it was shown. Loaded with the dialogs and the archive only. */

/** How long a changed entry is waited for before the dialog can be used again. */
const reloadTimeoutMs = 10_000

export type ReviewOrder = Omit<z.output<typeof reviewOrderSchema>, 'version'>
export type Dismissal = Omit<z.output<typeof dismissalSchema>, 'version'>

type DialogHandlers = {
  /** Called when the entry has left the list, whether through this action or somebody else's. */
  onRemoved: () => void
  /** Called when nothing was decided, with the entry as it is now and why. */
  onChanged: (entry: ReviewEntry, note: string) => void
}

export function useCreateOrder(
  entry: ReviewEntry,
  { onOpenOrder, ...handlers }: DialogHandlers & { onOpenOrder: (id: string) => void },
) {
  const queryClient = useQueryClient()
  return useReviewAction(entry, {
    ...handlers,
    failureText: 'The order could not be created. Please try again.',
    send: async (input: ReviewOrder) => {
      const path = pathOf(apiRoutes.reviewOrder, { id: entry.id })
      const body = { ...input, version: entry.version }
      return (await (await callServer('POST', path, body)).json()) as { orderId: string }
    },
    onSuccess: ({ orderId }) => {
      // The order exists even if the lists cannot be refreshed now.
      refreshAll(queryClient).catch(() => {})
      toast({
        title: 'Order created',
        description: `It is in the list as ${shortId(orderId)}.`,
        action: {
          label: 'View',
          altText: 'Open the order from the list of orders',
          onClick: () => onOpenOrder(orderId),
        },
      })
    },
  })
}

/** Refunds what is left of the payment. The server answers with success only once SumUp shows the refund. */
export function useRefund(entry: ReviewEntry, handlers: DialogHandlers) {
  return useReviewAction(entry, {
    ...handlers,
    failureText:
      'The shop did not answer, so it is not known whether SumUp was asked for the refund. Please look at the payment again: it is never refunded twice.',
    send: (password: string | undefined) => {
      const path = pathOf(apiRoutes.reviewRefund, { id: entry.id })
      return callServer('POST', path, { version: entry.version, password })
    },
    onSuccess: () =>
      toast({
        title: 'Payment refunded',
        description: `SumUp gives ${formatRefundable(entry) ?? 'it'} back to the customer.`,
      }),
  })
}

export function useDismiss(entry: ReviewEntry, handlers: DialogHandlers) {
  const restore = useRestore(entry)
  return useReviewAction(entry, {
    ...handlers,
    failureText: 'The payment could not be dismissed. Please try again.',
    send: (input: Dismissal) => {
      const path = pathOf(apiRoutes.reviewDismiss, { id: entry.id })
      return callServer('POST', path, { ...input, version: entry.version })
    },
    onSuccess: () =>
      toast({
        title: 'Payment dismissed',
        description: 'It is in the payment archive now.',
        action: {
          label: 'Undo',
          altText: 'Open the payment archive and restore the payment there',
          onClick: () => restore.run({}),
        },
      }),
  })
}

/** Undoes a dismissal: the payment goes back from the archive into review. */
export function useRestore(entry: ReviewEntry) {
  const queryClient = useQueryClient()
  return useReviewAction(entry, {
    listKey: archiveKey,
    failureText: 'The payment could not be restored. Please try again.',
    /** Without a version, as for Undo, whichever version the archive has now. */
    send: async ({ version }: { version?: string }) => {
      const body = { version: version ?? (await fetchEntry(entry.id, 'true'))?.version ?? '' }
      return callServer('POST', pathOf(apiRoutes.reviewRestore, { id: entry.id }), body)
    },
    onSuccess: () => toast({ title: 'Payment is in review again' }),
    // Also after a failure: somebody else may have restored it.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: reviewKey }),
  })
}

type ReviewAction<Input, Answer> = Partial<DialogHandlers> & {
  /** The list that the entry leaves. */
  listKey?: readonly string[]
  send: (input: Input) => Promise<Answer>
  onSuccess: (answer: Answer) => void
  onSettled?: () => void
  /** Shown when the server gives no reason. */
  failureText: string
}

/** One action on one entry. The entry leaves its list when the server has confirmed, not before. */
function useReviewAction<Input, Answer>(
  entry: ReviewEntry,
  {
    listKey = reviewKey,
    send,
    onSuccess,
    onSettled,
    onRemoved,
    onChanged,
    failureText,
  }: ReviewAction<Input, Answer>,
) {
  const queryClient = useQueryClient()
  // isPending changes with the next render, which may be later than a double click.
  const isRunning = useRef(false)

  function removeEntry(): void {
    queryClient.setQueriesData<ReviewEntry[]>({ queryKey: listKey }, (entries) =>
      entries?.filter(({ id }) => id !== entry.id),
    )
    onRemoved?.()
    void queryClient.invalidateQueries({ queryKey: reviewKey })
  }

  /** The dialog is about the entry as the server has it now: it may be another than was shown. */
  async function showCurrent(note: string): Promise<void> {
    if (!onChanged) return
    try {
      const current = await fetchEntry(entry.id)
      if (!current) return removeEntry()
      onChanged(current, note)
    } catch {
      // Without an answer the dialog stays as it is.
    }
    void queryClient.invalidateQueries({ queryKey: reviewKey })
  }

  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      removeEntry()
      onSuccess(answer)
    },
    onError: async (error) => {
      if (isUnauthorized(error)) return
      const code = refusalCode(error)
      const note = refusalText(error) ?? failureText
      toast({ title: 'Error', description: note, variant: 'destructive' })
      if (code === 'review-done' || code === 'review-missing') removeEntry()
      else await showCurrent(note)
    },
    onSettled: () => {
      isRunning.current = false
      onSettled?.()
    },
  })

  return {
    isPending,
    code: refusalCode(error),
    /** Why the last attempt failed. */
    problem: error && !isUnauthorized(error) ? (refusalText(error) ?? failureText) : undefined,
    run: (input: Input) => {
      if (isRunning.current) return
      isRunning.current = true
      mutate(input)
    },
  }
}

/** An entry as it is now; undefined if it is not in that list. */
async function fetchEntry(id: string, archive?: 'true'): Promise<ReviewEntry | undefined> {
  const signal = AbortSignal.timeout(reloadTimeoutMs)
  const entries = await fetchEntries({ archive, showsTests: true }, signal)
  return entries.find((entry) => entry.id === id)
}
