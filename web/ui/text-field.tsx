import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'

import { classNames } from './class-names.ts'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string
  /** What is wrong and how to mend it; shown beneath and read with the field. */
  error?: string | undefined
  /** A button inside the field's end, such as show-password. */
  inside?: ReactNode
}

export function TextField({ label, error, inside, className, ...input }: TextFieldProps) {
  const id = useId()
  const errorId = `${id}-error`

  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
          className={classNames(
            'h-11 w-full rounded-lg border bg-card px-3 text-[0.9375rem] text-ink shadow-rest pointer-coarse:text-base',
            'transition-colors placeholder:text-muted focus-visible:outline-offset-0',
            error ? 'border-danger' : 'border-line-strong hover:border-soft',
            inside !== undefined && 'pe-12',
          )}
        />
        {inside}
      </div>
      {error && (
        <p id={errorId} className="mt-1.5 flex items-center gap-1.5 text-sm text-danger">
          <CircleAlert aria-hidden className="size-4 shrink-0" />
          {error}
        </p>
      )}
    </div>
  )
}
