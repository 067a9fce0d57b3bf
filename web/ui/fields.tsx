import { ChevronsUpDown, CircleAlert, Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'

import { classNames } from './class-names.ts'

export type FieldTexts = {
  label: string
  mark?: '*' | '(optional)' | undefined
  hint?: ReactNode
  error?: string | undefined
}

type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> &
  FieldTexts & {
    /** A button at the end of the input, such as show-password. */
    inside?: ReactNode
  }

export function TextField(props: TextFieldProps) {
  const { label, mark, hint, error, inside, className, ...input } = props
  const id = useId()

  return (
    <FieldFrame {...{ id, label, mark, hint, error, className }}>
      <div className="relative">
        <input
          {...input}
          {...describeField(id, { hint, error })}
          className={classNames(inputClass(error), 'h-11', inside !== undefined && 'pe-12')}
        />
        {inside}
      </div>
    </FieldFrame>
  )
}

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'inside'> & {
  /** What the button beside it shows and hides. */
  secret?: string
}

export function PasswordField({ secret = 'password', ...props }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye

  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="off"
      spellCheck={false}
      inside={
        <button
          type="button"
          onClick={() => setIsShown(!isShown)}
          className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-e-lg text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2"
        >
          <Icon aria-hidden className="size-4.5" />
          <span className="sr-only">{`${isShown ? 'Hide' : 'Show'} ${secret}`}</span>
        </button>
      }
    />
  )
}

/** Grows with its text, up to a third of the screen. */
export function TextAreaField(props: Omit<ComponentProps<'textarea'>, 'id'> & FieldTexts) {
  const { label, mark, hint, error, className, ...area } = props
  const id = useId()

  return (
    <FieldFrame {...{ id, label, mark, hint, error, className }}>
      <textarea
        rows={3}
        {...area}
        {...describeField(id, { hint, error })}
        className={classNames(
          inputClass(error),
          'field-sizing-content max-h-[33dvh] min-h-22 py-2.5',
        )}
      />
    </FieldFrame>
  )
}

export function SelectField(props: Omit<ComponentProps<'select'>, 'id'> & FieldTexts) {
  const { label, mark, hint, error, className, children, ...select } = props
  const id = useId()

  return (
    <FieldFrame {...{ id, label, mark, hint, error, className }}>
      <div className="relative">
        <select
          {...select}
          {...describeField(id, { hint, error })}
          className={classNames(inputClass(error), 'h-11 appearance-none pe-9')}
        >
          {children}
        </select>
        <ChevronsUpDown
          aria-hidden
          className="pointer-events-none absolute end-3 top-3.5 size-4 text-muted"
        />
      </div>
    </FieldFrame>
  )
}

type CheckboxFieldProps = Omit<ComponentProps<'input'>, 'id' | 'type'> & {
  label: string
  hint?: string
}

export function CheckboxField({ label, hint, className, ...input }: CheckboxFieldProps) {
  const hintId = `${useId()}-hint`

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

type FieldFrameProps = FieldTexts & { id: string; children: ReactNode; className?: string }

/** Label, hint and error around a control, which refers to them by `describeField`. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, mark, hint, error, children, className } = props

  return (
    <div className={className}>
      <div className="mb-1.5 flex items-baseline gap-1 text-sm">
        <label id={toLabelId(id)} htmlFor={id} className="font-medium">
          {label}
          {/* Not part of the field's name: screen readers announce `required`. */}
          {mark === '*' && (
            <span aria-hidden className="text-danger">
              {' *'}
            </span>
          )}
        </label>
        {mark === '(optional)' && (
          <span aria-hidden className="text-muted">
            {mark}
          </span>
        )}
      </div>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-[0.8125rem]/5 text-muted">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  )
}

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null
  return (
    <p id={`${id}-error`} className="mt-1.5 flex items-start gap-1.5 text-sm text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {error}
    </p>
  )
}

export function describeField(id: string, { hint, error }: Pick<FieldTexts, 'hint' | 'error'>) {
  const ids = [error && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean)
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': ids.join(' ') || undefined,
  }
}

/** The look of every text input and select. */
export function inputClass(error: string | undefined): string {
  return classNames(
    'w-full rounded-lg border bg-card px-3 text-[0.9375rem] text-ink shadow-rest pointer-coarse:text-base',
    'transition-colors placeholder:text-muted focus-visible:outline-offset-0 [&[readonly]]:bg-well [&[readonly]]:text-soft',
    error ? 'border-danger' : 'border-line-strong hover:border-soft',
  )
}

export function toLabelId(id: string): string {
  return `${id}-label`
}
