import { useEffect, useReducer } from 'react'

import { type BuyerForm, choiceIds, emptyForm, fieldIds } from './buyer-form.ts'
import type { FormContent } from './form-context.ts'
import { changeForm, untouched } from './form-state.ts'
import { forgetBuyer, keepDraft, maybeDraft, maybeKeptBuyer } from './memory.ts'

/** The form, with what this tab or this device remembers, kept through reloads and failures. */
export function useBuyerForm(productId: string): FormContent {
  const [state, change] = useReducer(changeForm, untouched)

  useEffect(() => {
    const kept = maybeKeptBuyer()
    const form = withTyped(maybeDraft(productId) ?? kept ?? emptyForm)
    if (form !== emptyForm) change({ type: 'restored', form, isKnownBuyer: kept !== undefined })
  }, [productId])

  useEffect(() => {
    if (state.form !== emptyForm) keepDraft(productId, state.form)
  }, [productId, state.form])

  return {
    state,
    change,
    forgetBuyer() {
      forgetBuyer()
      keepDraft(productId, emptyForm)
      change({ type: 'cleared' })
    },
  }
}

/** A quick buyer, or their browser, may fill in fields before our script has arrived: that counts more. */
function withTyped(form: BuyerForm): BuyerForm {
  const texts = fieldIds.flatMap((id) => {
    const control = document.getElementById(id)
    const isTyped = control instanceof HTMLInputElement || control instanceof HTMLSelectElement
    return isTyped && control.value !== '' ? [[id, control.value] as const] : []
  })
  const choices = choiceIds.filter((id) => {
    const control = document.getElementById(id)
    return control instanceof HTMLInputElement && control.checked
  })
  if (texts.length + choices.length === 0) return form
  return {
    texts: { ...form.texts, ...Object.fromEntries(texts) },
    choices: { ...form.choices, ...Object.fromEntries(choices.map((id) => [id, true])) },
  }
}
