import type { ReactNode } from 'react'

type PlainButtonProps = { onClick: () => void; children: ReactNode }

/** A button beside the one that counts. */
export function PlainButton({ onClick, children }: PlainButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="inline-flex h-11 items-center gap-2 rounded-lg border border-line-strong bg-card px-5 text-sm font-medium text-ink shadow-rest transition-colors hover:bg-well print:hidden"
    >
      {children}
    </button>
  )
}
