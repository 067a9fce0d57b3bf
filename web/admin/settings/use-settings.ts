import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'

import { apiRoutes, pathOf } from '#contract/paths.ts'
import {
  needsPassword,
  secretFields,
  type SettingsCheck,
  type SettingsSection,
  settingsSchemas,
  type ShopSettings,
} from '#contract/shop-settings.ts'
import { useKeepDraft, useKeptDraft } from '#web/admin/session/kept-drafts.ts'
import { callServer, isUnauthorized, refusalCode, refusalText } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { settingsKey } from './settings-query.ts'

type Values = Record<string, unknown>

/**
 * The fields of one section. What was typed stays, whatever is read from the server meanwhile: if somebody else has
 * saved, the server refuses and the owner decides.
 */
export function useSectionForm(
  section: SettingsSection,
  latest: ShopSettings,
  /** Its inputs have the names of their fields. */
  element: RefObject<HTMLFormElement | null>,
) {
  const [base, setBase] = useState(latest)
  const [typed, setTyped] = useTypedValues(section)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [password, setPassword] = useState('')
  const saved: Values = base.values[section]
  const values: Values = { ...saved, ...typed }
  const isDirty = Object.keys(typed).length > 0
  if (!isDirty && latest.version > base.version) setBase(latest)
  const isProven = needsPassword(section, { isEmailChanged: 'email' in typed })
  const queryClient = useQueryClient()

  function findErrors(): Record<string, string> {
    const { error } = settingsSchemas[section].safeParse(values)
    const found: Record<string, string> = {}
    for (const { path, message } of error?.issues ?? [])
      found[path.join('.')] ??= message || 'Please check this.'
    if (isProven && isDirty && password === '') found.password = 'Please enter your password.'
    return found
  }

  /** Says at each field what is wrong with it, and moves the focus to the first. */
  function showErrors(found: Record<string, string>): void {
    setErrors((known) => ({ ...known, ...found }))
    const inputs = [...(element.current?.elements ?? [])]
    const first = inputs.find((input) => Boolean(found[input.getAttribute('name') ?? '']))
    if (first instanceof HTMLElement) first.focus()
  }

  function refusePassword(): void {
    showErrors({ password: 'This is not your password.' })
  }

  function validate(): boolean {
    const found = findErrors()
    setErrors({})
    showErrors(found)
    return Object.keys(found).length === 0
  }

  const proof = isProven && isDirty ? { password } : {}

  function use(settings: ShopSettings): void {
    queryClient.setQueryData(settingsKey, settings)
    setBase(settings)
    setTyped({})
    setErrors({})
    setPassword('')
  }

  const save = useMutation({
    mutationFn: async (isForced: boolean) => {
      const url = pathOf(apiRoutes.settingsSection, { section })
      const body = { version: base.version, values, isForced, ...proof }
      return (await (await callServer('PUT', url, body)).json()) as ShopSettings
    },
    onSuccess: (settings) => {
      use(settings)
      // Notices, checkout links and, with another account, every list depend on them.
      void queryClient.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== apiRoutes.settings,
      })
      toast({ title: 'Settings saved' })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      if (refusalCode(error) === 'wrong-password') return refusePassword()
      // A refusal is told above the buttons, where it stays.
      if (refusalText(error)) return
      const description = 'Unable to connect to server'
      toast({ title: 'Nothing was saved', description, variant: 'destructive' })
    },
  })

  function forgetError(): void {
    if (save.error) save.reset()
  }

  return {
    values,
    /** For an input. */
    textOf(field: string): string {
      const value = values[field]
      return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    },
    settings: base,
    /** The state of the account may change at any time, whoever saves. */
    account: latest.account,
    isDirty,
    /** For a section that needs it, once something was changed. */
    password: proof.password,
    /** Goes along with what needs the password. */
    proof,
    refusePassword,
    /** Whether what was typed can be sent; otherwise its errors are shown. */
    validate,
    setPassword(text: string): void {
      setPassword(text)
      if (errors.password) setErrors({ ...errors, password: '' })
      forgetError()
    },
    /** Why the last attempt to save was refused, until something is changed or tried. */
    error: save.error,
    forgetError,
    isSaving: save.isPending,
    set(field: string, value: unknown): void {
      const isBack = (value === '' ? null : value) === (saved[field] ?? null)
      setTyped(({ [field]: _before, ...others }) =>
        isBack ? others : { ...others, [field]: value },
      )
      // Also those of its parts, such as prices.0.price.
      const isOther = (name: string) => name !== field && !name.startsWith(`${field}.`)
      setErrors((known) =>
        Object.fromEntries(Object.entries(known).filter(([name]) => isOther(name))),
      )
      forgetError()
    },
    /** After a field was left. */
    check(field: string): void {
      if (field in typed) setErrors({ ...errors, [field]: findErrors()[field] ?? '' })
    },
    errorOf: (field: string) => errors[field] || undefined,
    fixedBy: (field: string) => base.fixed[`${section}.${field}`],
    submit(isForced = false): void {
      if (isProven && !isDirty) {
        toast({ title: 'Nothing has changed' })
        return
      }
      if (validate() && !save.isPending) save.mutate(isForced)
    },
    async reload(): Promise<void> {
      await queryClient.invalidateQueries({ queryKey: settingsKey })
      use(queryClient.getQueryData<ShopSettings>(settingsKey) ?? base)
      save.reset()
    },
  }
}

/** The typed values. They begin with the kept draft, which is never the key or password of the section. */
function useTypedValues(section: SettingsSection) {
  const name = `settings ${section}`
  const draft = useKeptDraft(name)
  const [typed, setTyped] = useState<Values>({ ...draft })
  const secrets: readonly string[] = Object.values(secretFields)
  useKeepDraft({
    name,
    isUnsaved: Object.keys(typed).length > 0,
    read: () =>
      Object.fromEntries(Object.entries(typed).filter(([field]) => !secrets.includes(field))),
  })
  return [typed, setTyped] as const
}

export type SectionForm = ReturnType<typeof useSectionForm>

/** Something that the server tries out, such as a test mail. What came of it holds until the settings change. */
export function useSettingsCheck(path: string, form: SectionForm) {
  const state = JSON.stringify([form.settings.version, form.values])
  const { variables, data, error, isPending, mutate } = useMutation({
    mutationFn: async ({ body }: { body: object; state: string }) =>
      (await (await callServer('POST', path, body)).json()) as SettingsCheck,
    onError: (refused) => {
      if (refusalCode(refused) === 'wrong-password') form.refusePassword()
    },
  })
  // A wrong password is told at its field.
  const isTold = error && (isUnauthorized(error) || refusalCode(error) === 'wrong-password')
  const isCurrent = variables?.state === state
  return {
    data: isCurrent ? data : undefined,
    error: isCurrent && !isTold ? error : null,
    isPending,
    mutate: (body: object) => {
      form.forgetError()
      mutate({ body, state })
    },
  }
}
