import type { StatusChange } from '#web/admin/orders/status-change.ts'
import { statusLooks } from '#web/admin/orders/status-looks.ts'
import type { ToastContent } from '#web/ui/use-toast.ts'

import type { Outcome, Progress } from './bulk-run.ts'

export function tellSelected(count: number): string {
  return `${show(count)} order(s) selected`
}

/** It says how many it selects; where nobody knows that yet, the words after the click do. */
export function tellSelectAll(total: number | undefined): string {
  return total === undefined ? 'Select all' : `Select all ${show(total)}`
}

export function tellProgress({ settled, total, isWaiting }: Progress): string {
  if (isWaiting) return 'The server asked for a short pause. It goes on by itself.'
  return `Updating ${show(settled)} of ${show(total)}`
}

/** '18 updated, 2 failed' */
export function tellFailures({ done, failed, left }: Outcome<unknown>): string {
  const parts = [`${show(done.length)} updated`, `${show(failed.length)} failed`]
  return [...parts, ...(left.length > 0 ? [`${show(left.length)} not begun`] : [])].join(', ')
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
  const moved = `${show(done.length)} order(s)`
  const to = done[0] && statusLooks[done[0].to].text
  const rest = left.length > 0 && `${show(left.length)} were left as they are.`
  const sentences = [
    isUndo ? `${moved} went back to what they were.` : to && `${moved} moved to ${to}.`,
    rest,
  ]
  return {
    title: done.length > 0 ? 'Orders updated' : 'Nothing was changed',
    description: sentences.filter(Boolean).join(' '),
  }
}

function show(count: number): string {
  return count.toLocaleString('en')
}
