import type { ComponentProps } from 'react'

import { Spinner } from '#web/ui/spinner.tsx'

type PlainButtonProps = ComponentProps<'button'> & { isBusy?: boolean; 'data-prints'?: '' }

/** A button beside the one that counts. It keeps the focus while it is busy. */
export function PlainButton({ isBusy, children, ...button }: PlainButtonProps) {
  return (
    <button
      {...button}
      type="button"
      aria-disabled={isBusy}
      className="inline-flex min-h-11 items-center gap-2 rounded-lg border border-line-strong bg-card px-5 py-2 text-sm font-medium text-ink shadow-rest transition-colors hover:bg-well print:hidden"
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  )
}
