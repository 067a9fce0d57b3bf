import type { ReactNode } from 'react'

import { Spinner } from '#web/ui/spinner.tsx'

type PlainButtonProps = { isBusy?: boolean; onClick: () => void; children: ReactNode }

/** A button beside the one that counts. It keeps the focus while it is busy. */
export function PlainButton({ isBusy, onClick, children }: PlainButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      onClick={onClick}
      className="inline-flex min-h-11 items-center gap-2 rounded-lg border border-line-strong bg-card px-5 py-2 text-sm font-medium text-ink shadow-rest transition-colors hover:bg-well print:hidden"
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  )
}
