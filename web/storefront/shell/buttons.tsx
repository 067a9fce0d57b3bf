import type { ComponentProps } from 'react'

import { Spinner } from '#web/ui/spinner.tsx'

import { Icon } from './icon.tsx'

type SecondaryButtonProps = ComponentProps<'button'> & { isBusy?: boolean; 'data-print'?: '' }

/** While busy it keeps the focus, which a disabled button would lose. */
export function SecondaryButton({ isBusy, children, ...button }: SecondaryButtonProps) {
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

/** Its click is handled in enhance.ts, so that it works in static HTML too. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  return (
    <button
      type="button"
      data-copy={text}
      className="group -my-1 grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-ink/6 hover:text-ink pointer-coarse:-my-2.5 pointer-coarse:size-11 print:hidden"
    >
      <Icon name="copy" className="size-4 group-data-copied:hidden" />
      <Icon name="tick" className="hidden size-4 group-data-copied:block" />
      <span className="sr-only">{label}</span>
    </button>
  )
}
