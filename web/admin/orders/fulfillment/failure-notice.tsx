import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

import type { Outcome } from './bulk-run.ts'
import { tellFailures } from './bulk-words.ts'

type FailureNoticeProps = {
  outcome: Outcome<unknown>
  onRetry: () => void
  onUndo: () => void
  onDismiss: () => void
}

/** Stays when the toast is gone, for as long as it is true. */
export function FailureNotice({ outcome, onRetry, onUndo, onDismiss }: FailureNoticeProps) {
  return (
    <Notice look="danger" className="mt-4 items-center">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p>
          <strong className="font-semibold">{tellFailures(outcome)}.</strong> Retry does those that
          failed.
        </p>
        <div className="flex gap-2">
          <Button onClick={onRetry}>Retry</Button>
          {outcome.done.length > 0 && (
            <Button onClick={onUndo}>Undo {outcome.done.length.toLocaleString('en')}</Button>
          )}
          <Button look="bare" onClick={onDismiss}>
            Dismiss
          </Button>
        </div>
      </div>
    </Notice>
  )
}
