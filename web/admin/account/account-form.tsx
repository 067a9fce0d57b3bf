import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'

import { useKeepDraft, useKeptDraft } from '#web/admin/session/kept-drafts.ts'
import { isUnauthorized, refusalCode } from '#web/api.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField, TextField } from '#web/ui/fields.tsx'
import { Notice } from '#web/ui/notice.tsx'

import { describeError } from './account-calls.ts'

/** The server decides (server/admin/passwords.ts); this is what to aim for. */
export const passwordHint =
  'At least 10 characters, for example four words that do not belong together.'

type Field = {
  name: string
  label: string
  kind: 'password' | 'new-password' | 'code' | 'email' | 'username'
  hint?: string
}

const inputs = {
  password: { autoComplete: 'current-password' },
  'new-password': { autoComplete: 'new-password' },
  code: { autoComplete: 'one-time-code', autoCapitalize: 'off', spellCheck: false },
  email: { type: 'email', autoComplete: 'off', autoCapitalize: 'off', spellCheck: false },
  username: { autoComplete: 'username', autoCapitalize: 'off', spellCheck: false },
} as const

/** The field that a refusal is about. */
const refusedFields: Partial<Record<RefusalCode, Field['kind'][]>> = {
  'wrong-password': ['password'],
  'wrong-second-factor': ['code'],
  'wrong-code': ['code'],
  'password-short': ['new-password'],
  'password-common': ['new-password'],
  'password-personal': ['new-password'],
  'admin-taken': ['username', 'email'],
}

type AccountFormProps<Name extends string> = {
  /** The form's name, which no other form has. */
  name: string
  fields: (Field & { name: Name })[]
  submitLabel: string
  isPending: boolean
  error: Error | null
  look?: 'primary' | 'secondary'
  onSubmit: (values: Record<Name, string>) => void
  children?: ReactNode
}

/**
 * A short form whose fields are all required. What the server refuses is shown at the field it is about, or above the
 * button.
 */
export function AccountForm<Name extends string>(props: AccountFormProps<Name>) {
  const { fields, submitLabel, isPending, error, look = 'primary', onSubmit, children } = props
  const [values, setValues] = useTypedValues(props)
  const [isSubmitted, setIsSubmitted] = useState(false)
  // What was refused is no longer wrong once it is typed anew.
  const [correctedFor, setCorrectedFor] = useState<Error | null>(null)
  const shownError = error && error !== correctedFor && !isUnauthorized(error) ? error : undefined
  const code = refusalCode(shownError)
  const kinds = (code && refusedFields[code]) ?? []
  const refused = fields.find(({ kind }) => kinds.includes(kind))

  // A second click may come before the first one is shown as pending.
  const isSending = useRef(false)
  useEffect(() => {
    if (!isPending) isSending.current = false
  }, [isPending])

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsSubmitted(true)
    const missing = fields.find(({ name }) => isEmpty(values[name]))
    if (missing) {
      const input = event.currentTarget.elements.namedItem(missing.name)
      return input instanceof HTMLElement ? input.focus() : undefined
    }
    if (isPending || isSending.current) return
    isSending.current = true
    onSubmit(values as Record<Name, string>)
  }

  function errorOf({ name, label }: Field & { name: Name }): string | undefined {
    if (isSubmitted && isEmpty(values[name])) return `${label} is required`
    return shownError && refused?.name === name ? describeError(shownError) : undefined
  }

  return (
    <form noValidate onSubmit={submit} className="flex max-w-sm flex-col gap-4">
      {children}
      {fields.map((field) => {
        const { name, label, kind, hint } = field
        const Input = kind === 'password' || kind === 'new-password' ? PasswordField : TextField
        return (
          <Input
            key={name}
            {...inputs[kind]}
            {...(hint && { hint })}
            label={label}
            name={name}
            required
            value={values[name] ?? ''}
            onChange={(event) => {
              setValues({ ...values, [name]: event.target.value })
              if (refused?.name === name) setCorrectedFor(error)
            }}
            error={errorOf(field)}
          />
        )
      })}
      {shownError && !refused && (
        <Notice look="danger" role="alert">
          {describeError(shownError)}
        </Notice>
      )}
      <Button type="submit" look={look} isPending={isPending} className="self-start">
        {submitLabel}
      </Button>
    </form>
  )
}

/** The typed values. They begin with the kept draft, which is never a password or a code. */
function useTypedValues<Name extends string>({ name, fields }: AccountFormProps<Name>) {
  type Values = Partial<Record<Name, string>>
  const draft = useKeptDraft(name)
  const [values, setValues] = useState<Values>({ ...draft } as Values)
  useKeepDraft({
    name,
    isUnsaved: fields.some((field) => !isEmpty(values[field.name])),
    read: () => {
      const plain = fields.filter(({ kind }) => kind === 'email' || kind === 'username')
      return Object.fromEntries(plain.map((field) => [field.name, values[field.name]]))
    },
  })
  return [values, setValues] as const
}

function isEmpty(value: string | undefined): boolean {
  return (value ?? '').trim() === ''
}

export type SectionProps = {
  /** Something is shown that is lost when the dialog closes, such as recovery codes. */
  onHold: (isHeld: boolean) => void
}

type SectionPartProps = { title: string; children: ReactNode }

/** A titled part of a section. */
export function SectionPart({ title, children }: SectionPartProps) {
  return (
    <section className="not-first:mt-8 not-first:border-t not-first:border-line not-first:pt-6">
      <h3 className="mb-2 font-semibold tracking-tight">{title}</h3>
      {children}
    </section>
  )
}

export function Badge({ children }: { children: string }) {
  return (
    <span className="ms-2 inline-block rounded-full bg-well px-2 py-0.5 text-xs font-medium text-soft">
      {children}
    </span>
  )
}
