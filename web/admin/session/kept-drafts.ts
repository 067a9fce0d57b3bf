import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { navigate } from 'wouter/use-browser-location'

import type { AdminUser } from '#contract/admin.ts'
import { adminPages, apiRoutes } from '#contract/paths.ts'
import { confirmUnload } from './unsaved-changes.ts'
import { toast } from '#web/ui/use-toast.ts'

/*
 * What was typed into a form outlives the form. When the session ends, it waits in the session storage until the same admin
 * has signed in again: the page opens again, with the form and its values. When the form is closed, a toast offers it.
 */

type OpenForm = {
  /** Signed in while it was filled in. */
  email: string
  /** The address that opens the form again. */
  href: string
  /** Undefined if nothing was typed. */
  readTyped: () => object | undefined
}

/** By the name of the form. */
const openForms = new Map<string, OpenForm>()

/** What was kept of the form with this name. It is the form's from now on. */
export function useKeptDraft(name: string): object | undefined {
  const email = useAdminEmail()
  const [draft] = useState(() => findDraft(name, email))
  useEffect(() => {
    if (draft) forgetDrafts()
  }, [draft])
  return draft
}

type DraftOptions = {
  /** The form's name, which no other form has. */
  name: string
  /** Something was typed that is not saved yet. */
  isUnsaved: boolean
  /** What is kept: never passwords, keys or codes. */
  read: () => object
  /** The query that opens the form, if the address does not show it: 'product=new'. */
  opener?: string
  /** Closing it offers to open it again. */
  canUndo?: boolean
}

/** Keeps what is typed into a form. */
export function useKeepDraft(options: DraftOptions): void {
  const { name, isUnsaved, read, opener = '', canUndo = false } = options
  const email = useAdminEmail()
  const readTyped = useEffectEvent(() => (isUnsaved ? read() : undefined))

  useEffect(() => {
    if (!email) return
    if (undoOffer?.name === name) undoOffer.dismiss()
    const form = { email, href: addressWith(opener), readTyped: () => readTyped() }
    openForms.set(name, form)
    return () => {
      if (openForms.get(name) !== form) return
      openForms.delete(name)
      if (canUndo) offerUndo(name, form)
    }
  }, [name, email, opener, canUndo])
}

/**
 * Both for a form of react-hook-form, named by the query that opens it. `isBusy`: something besides its fields is unsaved.
 * The browser asks before it leaves the page.
 */
export function useFormDraft<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  { opener, isBusy = false }: { opener: string; isBusy?: boolean },
): void {
  const isUnsaved = isBusy || form.formState.isDirty
  const draft = useKeptDraft(opener)
  const restore = useEffectEvent(() => {
    if (draft) form.reset(draft as Input, { keepDefaultValues: true })
  })
  useEffect(() => {
    restore()
  }, [])
  useKeepDraft({
    name: opener,
    opener,
    isUnsaved,
    read: () => form.getValues(),
    canUndo: true,
  })
  useEffect(() => {
    if (isUnsaved) return confirmUnload()
  }, [isUnsaved])
}

function useAdminEmail(): string | undefined {
  return useQueryClient().getQueryData<AdminUser>([apiRoutes.adminUser])?.email
}

/** Before a form closes because it was saved, or because nobody needs it any more. */
export function forgetForm(name: string): void {
  openForms.delete(name)
}

/** Before the login page replaces the page of an admin whose session has ended. */
export function keepOpenForms(): void {
  const drafts: Kept['drafts'] = {}
  let last: OpenForm | undefined
  for (const [name, form] of openForms) {
    const typed = form.readTyped()
    if (!typed) continue
    drafts[name] = typed
    last = form
  }
  openForms.clear()
  if (last) writeKept({ email: last.email, href: last.href, drafts })
}

/** Where the admin who has signed in goes on, if something of theirs was kept. What another admin typed is forgotten. */
export function findReturnAddress(email: string | undefined): string | undefined {
  const kept = readKept()
  if (kept && kept.email === email && isAdminPage(kept.href)) return kept.href
  forgetDrafts()
  return undefined
}

export function forgetDrafts(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Storage may be blocked: then nothing was kept.
  }
}

/** The closed form that can be opened again. */
let undoOffer: { name: string; dismiss: () => void } | undefined

function offerUndo(name: string, { email, href, readTyped }: OpenForm): void {
  const typed = readTyped()
  if (!typed || Object.keys(typed).length === 0) return
  const reopen = () => {
    writeKept({ email, href, drafts: { [name]: typed } })
    navigate(href)
  }
  const { dismiss } = toast({
    title: 'Changes discarded',
    action: { label: 'Undo', altText: 'Open the form again as it was', onClick: reopen },
  })
  undoOffer = { name, dismiss }
}

function addressWith(query: string): string {
  const params = new URLSearchParams(location.search)
  for (const [name, value] of new URLSearchParams(query)) params.set(name, value)
  return `${location.pathname}${params.size > 0 ? `?${params}` : ''}`
}

/** Never an address of another site. */
function isAdminPage(href: string): boolean {
  return adminPages.some((path) => href === path || href.startsWith(`${path}?`))
}

type Kept = { email: string; href: string; drafts: Record<string, object> }

const storageKey = 'kept drafts'

function findDraft(name: string, email: string | undefined): object | undefined {
  const kept = readKept()
  return kept?.email === email ? kept?.drafts[name] : undefined
}

function readKept(): Kept | undefined {
  try {
    const text = sessionStorage.getItem(storageKey)
    return text ? (JSON.parse(text) as Kept) : undefined
  } catch {
    return undefined
  }
}

function writeKept(kept: Kept): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept))
  } catch {
    // Storage may be full or blocked.
  }
}
