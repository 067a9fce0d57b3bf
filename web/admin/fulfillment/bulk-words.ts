import type { StatusChange } from '#web/admin/orders/status-change.ts'
import { statusLooks } from '#web/admin/orders/status-looks.ts'
import type { ToastContent } from '#web/ui/toast-state.ts'

import type { Outcome, Progress } from './bulk-run.ts'

export function tellSelected(count: number): string {
  return `${count.toLocaleString('en')} order(s) selected`
}

export function tellProgress({ settled, total, isWaiting }: Progress): string {
  if (isWaiting) return 'The server asked for a short pause. It goes on by itself.'
  return `Updating ${settled.toLocaleString('en')} of ${total.toLocaleString('en')}`
}

/** '18 updated, 2 failed' */
export function tellFailures({ done, failed, left }: Outcome<unknown>): string {
  const parts = [`${done.length} updated`, `${failed.length} failed`]
  return [...parts, ...(left.length > 0 ? [`${left.length} not begun`] : [])].join(', ')
}

/** What the toast says at the end, without what can be done about it. */
export function tellOutcome(outcome: Outcome<StatusChange>, isUndo: boolean): ToastContent {
  const { done, failed, left } = outcome
  if (failed.length > 0) {
    return {
      title: 'Failed to update orders.',
      description: tellFailures(outcome),
      variant: 'destructive',
    }
  }
  const moved = `${done.length.toLocaleString('en')} order(s)`
  const to = done[0] && statusLooks[done[0].to].text
  const rest = left.length > 0 && `${left.length.toLocaleString('en')} were left as they are.`
  const sentences = [
    isUndo ? `${moved} went back to what they were.` : to && `${moved} moved to ${to}.`,
    rest,
  ]
  return {
    title: done.length > 0 ? 'Orders updated' : 'Nothing was changed',
    description: sentences.filter(Boolean).join(' '),
  }
}
