import type { FieldName, SettingsCheck } from '#contract/shop-settings.ts'
import { refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'

import type { SectionForm, useSettingsCheck } from './use-settings.ts'

/* What the fields of all sections are made of. */

export type FieldsProps = { form: SectionForm }

/** What a text input needs. One that the environment decides can be read and copied, not changed. */
export function bind(form: SectionForm, field: FieldName, hint?: string) {
  const variable = form.fixedBy(field)
  return {
    name: field,
    value: form.textOf(field),
    readOnly: variable !== undefined,
    hint: variable ? `Set by ${variable} in the environment.` : hint,
    error: form.errorOf(field),
    onChange: ({ target }: { target: { value: string } }) => form.set(field, target.value),
    onBlur: () => form.check(field),
  }
}

export function bindNumber(form: SectionForm, field: FieldName, hint?: string) {
  return {
    ...bind(form, field, hint),
    inputMode: 'numeric' as const,
    onChange: ({ target }: { target: { value: string } }) => {
      const text = target.value.trim()
      form.set(field, text === '' ? null : /^\d{1,6}$/.test(text) ? Number(text) : text)
    },
  }
}

type CheckProps = {
  label: string
  /** For screen readers, where the label alone is not enough. */
  context?: string
  pendingLabel: string
  /** Why it cannot be run right now. */
  blockedBy: string | undefined
  check: ReturnType<typeof useSettingsCheck>
  onRun: () => void
}

/** A button that tries something out for real, and says below what came of it. */
export function Check({ label, context, pendingLabel, blockedBy, check, onRun }: CheckProps) {
  const { data, error, isPending } = check
  const failed: SettingsCheck | undefined = error
    ? { status: 'fail', found: refusalText(error) ?? 'Unable to connect to server' }
    : undefined
  const result = isPending ? undefined : (failed ?? data)
  return (
    <div className="mt-3">
      <Button
        isPending={isPending}
        aria-disabled={blockedBy !== undefined}
        onClick={() => {
          if (blockedBy === undefined) onRun()
        }}
        className="max-w-full aria-disabled:opacity-60"
      >
        <span className="truncate">{isPending ? pendingLabel : label}</span>
        {context && <span className="sr-only">({context})</span>}
      </Button>
      <output
        className={classNames(
          'mt-2 block min-h-5 text-sm/5 wrap-anywhere',
          result ? resultColors[result.status] : 'text-muted',
        )}
      >
        {result ? `${result.found} ${result.todo ?? ''}` : blockedBy}
      </output>
    </div>
  )
}

export const resultColors = { ok: 'text-completed', warn: 'text-warning', fail: 'text-danger' }
