import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

import { classNames } from './class-names.ts'

export type FieldWords = {
  label: string
  /** Said beside the label: that it must be filled in, or that it need not be. */
  mark?: '*' | '(optional)' | undefined
  /** What helps to fill it in. */
  hint?: ReactNode
  /** What is wrong and how to mend it; shown beneath and read with the field. */
  error?: string | undefined
}

type FieldFrameProps = FieldWords & { id: string; children: ReactNode; className?: string }

/** The words around a control. The control itself carries `describeField(id, …)`. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, mark, hint, error, children, className } = props

  return (
    <div className={className}>
      <label
        id={labelIdOf(id)}
        htmlFor={id}
        className="mb-1.5 flex items-baseline gap-1 text-sm font-medium"
      >
        {label}
        <FieldMark mark={mark} />
      </label>
      {children}
      {hint !== undefined && (
        <p id={hintIdOf(id)} className="mt-1.5 text-[0.8125rem]/5 text-muted">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  )
}

/** The asterisk is for eyes: who hears the page is told by `required`. */
function FieldMark({ mark }: Pick<FieldWords, 'mark'>) {
  if (mark === '*') {
    return (
      <span aria-hidden className="text-danger">
        {' *'}
      </span>
    )
  }
  return mark && <span className="font-normal text-muted">{` ${mark}`}</span>
}

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null
  return (
    <p id={errorIdOf(id)} className="mt-1.5 flex items-start gap-1.5 text-sm text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {error}
    </p>
  )
}

export function describeField(id: string, { hint, error }: Pick<FieldWords, 'hint' | 'error'>) {
  const ids = [error && errorIdOf(id), hint !== undefined && hintIdOf(id)].filter(Boolean)
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
  }
}

/** What every box to type or choose in looks like. */
export function boxLook(error: string | undefined): string {
  return classNames(
    'w-full rounded-lg border bg-card px-3 text-[0.9375rem] text-ink shadow-rest pointer-coarse:text-base',
    'transition-colors placeholder:text-muted focus-visible:outline-offset-0',
    error ? 'border-danger' : 'border-line-strong hover:border-soft',
  )
}

export function labelIdOf(id: string): string {
  return `${id}-label`
}

function hintIdOf(id: string): string {
  return `${id}-hint`
}

function errorIdOf(id: string): string {
  return `${id}-error`
}
