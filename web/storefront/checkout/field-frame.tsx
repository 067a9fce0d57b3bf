import type { ReactNode } from 'react'

import { Icon } from '#web/storefront/shell/icon.tsx'

export type FieldWords = {
  label: string
  /** Said beside the label: that it must be filled in, or that it need not be. */
  mark: '*' | '(optional)'
  hint?: ReactNode
  problem: string | undefined
}

type FieldFrameProps = FieldWords & { id: string; className?: string; children: ReactNode }

/** The words around a control, which itself carries `describe(id, …)`. */
export function FieldFrame({
  id,
  label,
  mark,
  hint,
  problem,
  className,
  children,
}: FieldFrameProps) {
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}{' '}
        {mark === '*' ? (
          // For eyes: who hears the page is told by `required`.
          <span aria-hidden className="text-danger">
            *
          </span>
        ) : (
          <span className="font-normal text-muted">{mark}</span>
        )}
      </label>
      {children}
      {problem && (
        <p id={`${id}-error`} className="mt-1.5 flex gap-1.5 text-sm text-danger">
          <Icon name="alert" className="mt-0.5 size-4 shrink-0" />
          {problem}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-[0.8125rem]/5 text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

export function describe(id: string, { hint, problem }: Pick<FieldWords, 'hint' | 'problem'>) {
  const ids = [hint && `${id}-hint`, problem && `${id}-error`].filter(Boolean)
  return {
    id,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': ids.join(' ') || undefined,
  }
}
