import type { ComponentProps, ReactNode } from 'react'

import { countries } from '#contract/countries.ts'
import { classNames } from '#web/ui/class-names.ts'

import type { ChoiceId, FieldId } from './buyer-form.ts'
import { describe, FieldFrame } from './field-frame.tsx'
import { formId, useField, useForm } from './form-context.ts'
import { Icon } from '#web/storefront/shell/icon.tsx'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  id: FieldId
  label: string
  hint?: ReactNode
  /** Not wrong, yet worth a second look. */
  doubt?: ReactNode
}

export function TextField({ id, label, doubt, className, ...props }: TextFieldProps) {
  const { hint: usualHint, ...input } = props
  const { control, mark, problem, isGood, put } = useField(id)
  const hint = doubt ? <output className="text-warning">{doubt}</output> : usualHint
  const isTicked = isGood && !doubt

  return (
    <FieldFrame {...{ id, label, mark, hint, problem, className }}>
      <div className="relative">
        <input
          type="text"
          enterKeyHint="next"
          {...input}
          {...control}
          {...describe(id, { hint, problem })}
          onChange={(event) => put(event.currentTarget.value)}
          className={classNames(boxLook(problem), isTicked && 'pe-10')}
        />
        {isTicked && (
          <Icon
            name="tick"
            className="pointer-events-none absolute end-3.5 top-3.5 size-5 animate-appear text-completed"
          />
        )}
      </div>
    </FieldFrame>
  )
}

type CountryFieldProps = { id: FieldId; autoComplete: string; className?: string }

/** The browser's own list: typing finds a country, and a phone shows it the way its owner knows. */
export function CountryField({ id, autoComplete, className }: CountryFieldProps) {
  const { control, mark, problem, put } = useField(id)
  const { maxLength: _none, ...select } = control

  return (
    <FieldFrame {...{ id, label: 'Country', mark, problem, className }}>
      <div className="relative">
        <select
          {...select}
          {...describe(id, { problem })}
          autoComplete={autoComplete}
          onChange={(event) => put(event.currentTarget.value)}
          className={classNames(boxLook(problem), 'appearance-none pe-11')}
        >
          <option value="">Choose a country</option>
          {countries.map((country) => (
            <option key={country}>{country}</option>
          ))}
        </select>
        <Icon
          name="down"
          className="pointer-events-none absolute end-3.5 top-3.5 size-5 text-muted"
        />
      </div>
    </FieldFrame>
  )
}

type ChoiceFieldProps = { id: ChoiceId; label: string; children?: ReactNode }

export function ChoiceField({ id, label, children }: ChoiceFieldProps) {
  const { state, change } = useForm()

  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <label htmlFor={id} className="flex min-h-11 items-center gap-3 text-[0.9375rem]">
        <input
          id={id}
          name={id}
          form={formId}
          type="checkbox"
          checked={state.form.choices[id]}
          onChange={(event) => change({ type: 'chosen', id, isOn: event.currentTarget.checked })}
          className="size-5 shrink-0"
        />
        {label}
      </label>
      {children}
    </div>
  )
}

/** 48 px high for thumbs, 16 px text so that a phone does not zoom in. */
function boxLook(problem: string | undefined): string {
  return classNames(
    'h-12 w-full rounded-lg border bg-card px-3.5 text-base text-ink shadow-rest',
    'scroll-mt-28 transition-colors focus-visible:outline-offset-0 disabled:text-soft',
    problem ? 'border-danger bg-danger-wash/40' : 'border-line-strong hover:border-soft',
  )
}
