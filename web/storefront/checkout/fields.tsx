import type { ComponentProps, KeyboardEvent, ReactNode } from 'react'

import { fillText } from '#contract/languages.ts'
import { Icon } from '#web/storefront/shell/icon.tsx'
import { listCountries, texts } from '#web/storefront/shell/language.ts'
import { classNames } from '#web/ui/class-names.ts'

import type { ChoiceId, TextFieldId } from './form.ts'
import { formId, useField, useForm } from './form-context.ts'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  id: TextFieldId
  label: string
  hint?: ReactNode
  /** The value may be right, but looks like a typo. Takes the place of the hint; one line, as all that is said below a field. */
  warning?: ReactNode
}

export function TextField({ id, label, hint, warning, className, ...input }: TextFieldProps) {
  const { control, error, hasTick, setText } = useField(id)
  const shownHint = warning ? <output className="text-warning">{warning}</output> : hint
  const isTicked = hasTick && !warning

  return (
    <FieldFrame {...{ id, label, error, className }} hint={shownHint} isRequired={control.required}>
      <input
        type="text"
        enterKeyHint="next"
        {...input}
        {...control}
        {...describeField(id, error, shownHint)}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={goToNextField}
        className={classNames(inputClass(error), isTicked && 'pe-10')}
      />
      {isTicked && (
        <Icon
          name="tick"
          className="pointer-events-none absolute end-3.5 top-3.5 size-5 animate-appear text-completed"
        />
      )}
    </FieldFrame>
  )
}

const nextFields = ':is(input:not([type=checkbox], [type=radio]), select, textarea):enabled'

/** Enter does what the phone's keyboard says, `next`; from the last field it pays, as in any form. */
function goToNextField(event: KeyboardEvent<HTMLInputElement>) {
  // Enter also ends the composition of a character.
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  const all = Array.from(event.currentTarget.form?.elements ?? []) as HTMLElement[]
  const fields = all.filter((field) => field.matches(nextFields) && field.offsetParent)
  const next = fields[fields.indexOf(event.currentTarget) + 1]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** What the product asks the buyer to write, in the words of the shop. */
export function NoteField() {
  const { state } = useForm()
  const { control, error, setText } = useField('note')
  if (!state.asked) return null
  const left = control.maxLength - control.value.length
  const hint = fillText(texts().fields.charactersLeft, { count: String(left) })

  return (
    <FieldFrame
      {...{ id: 'note', error, hint }}
      label={state.asked.label}
      isRequired={control.required}
      className="mt-6"
    >
      <textarea
        rows={3}
        {...control}
        {...describeField('note', error, hint)}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
        className={classNames(inputClass(error), 'block h-auto min-h-24 field-sizing-content py-3')}
      />
    </FieldFrame>
  )
}

type CountryFieldProps = { id: TextFieldId; autoComplete: string; className?: string }

export function CountryField({ id, autoComplete, className }: CountryFieldProps) {
  const { control, error, setText } = useField(id)
  const { delivery } = useForm()
  const { maxLength: _inputOnly, ...select } = control
  // A bill may go where the shop does not deliver to.
  const isOffered = (country: string) =>
    id !== 'shipping-country' || delivery.countries.some((one) => one === country)

  return (
    <FieldFrame
      {...{ id, error, className }}
      label={texts().fields.country}
      isRequired={control.required}
    >
      <select
        {...select}
        {...describeField(id, error)}
        autoComplete={autoComplete}
        onChange={(event) => setText(event.currentTarget.value)}
        className={classNames(inputClass(error), 'appearance-none pe-11')}
      >
        <option value="">{texts().fields.chooseCountry}</option>
        {listCountries()
          .filter(({ country }) => isOffered(country))
          .map(({ country, name }) => (
            <option key={country} value={country}>
              {name}
            </option>
          ))}
      </select>
      <Icon
        name="down"
        className="pointer-events-none absolute end-3.5 top-3.5 size-5 text-muted"
      />
    </FieldFrame>
  )
}

type CheckboxFieldProps = { id: ChoiceId; label: string; children?: ReactNode }

export function CheckboxField({ id, label, children }: CheckboxFieldProps) {
  const { state, dispatch } = useForm()

  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <label htmlFor={id} className="flex min-h-11 items-center gap-3 py-2.5 text-[0.9375rem]">
        <input
          id={id}
          name={id}
          form={formId}
          type="checkbox"
          checked={state.form.choices[id]}
          onChange={(event) => dispatch({ type: 'chosen', id, isOn: event.currentTarget.checked })}
          className="size-5 shrink-0"
        />
        {label}
      </label>
      {children}
    </div>
  )
}

type FieldFrameProps = {
  id: string
  label: string
  isRequired: boolean
  hint?: ReactNode
  error: string | undefined
  className?: string
  children: ReactNode
}

/**
 * Label, error and hint around a control, which refers to them by `describeField`. The line below the control is there from
 * the start: a button must not move when a field is left by pressing it.
 */
function FieldFrame(props: FieldFrameProps) {
  const { id, label, isRequired, hint, error, className, children } = props

  return (
    <div className={className}>
      <div className="mb-1.5 flex gap-1 text-sm font-medium">
        <label htmlFor={id}>
          {label}{' '}
          {!isRequired && <span className="font-normal text-muted">{texts().fields.optional}</span>}
        </label>
        {/* No part of the label's text: screen readers announce `required` instead. */}
        {isRequired && (
          <span aria-hidden className="text-danger">
            *
          </span>
        )}
      </div>
      <div className="relative">{children}</div>
      <div id={messageId(id)} className="mt-1 min-h-5 text-[0.8125rem]/5 text-muted">
        {error ? (
          <p className="flex gap-1 text-danger">
            <Icon name="alert" className="mt-0.75 size-3.5 shrink-0" />
            {error}
          </p>
        ) : (
          hint
        )}
      </div>
    </div>
  )
}

const messageId = (id: string) => `${id}-message`

function describeField(id: string, error: string | undefined, hint?: ReactNode) {
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error || hint ? messageId(id) : undefined,
  }
}

/** 48 px high for touch, 16 px text because iOS zooms into smaller inputs. */
function inputClass(error: string | undefined): string {
  return classNames(
    'h-12 w-full rounded-lg border bg-card px-3.5 text-base text-ink shadow-rest',
    'scroll-mt-28 transition-colors focus-visible:outline-offset-0 disabled:text-soft',
    error ? 'border-danger bg-danger-wash/40' : 'border-line-strong hover:border-soft',
  )
}
