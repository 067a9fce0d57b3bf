import { type ComponentProps, useId } from 'react'

type CheckboxFieldProps = Omit<ComponentProps<'input'>, 'id' | 'type'> & {
  label: string
  hint?: string
}

export function CheckboxField({ label, hint, className, ...input }: CheckboxFieldProps) {
  const id = useId()
  const hintId = `${id}-hint`

  return (
    <div className={className}>
      <label className="flex min-h-6 items-start gap-2.5 text-sm font-medium pointer-coarse:min-h-11 pointer-coarse:items-center">
        <input
          {...input}
          type="checkbox"
          aria-describedby={hint ? hintId : undefined}
          className="mt-px size-4.5 shrink-0 pointer-coarse:mt-0 pointer-coarse:size-5"
        />
        {label}
      </label>
      {hint && (
        <p id={hintId} className="ms-7 mt-0.5 text-[0.8125rem]/5 text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
