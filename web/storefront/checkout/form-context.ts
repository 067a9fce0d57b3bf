import { createContext, type Dispatch, use, useEffect, useReducer } from 'react'

import {
  type AddressPart,
  type BuyerForm,
  choiceIds,
  emptyForm,
  type FieldId,
  fieldIds,
  type FormAction,
  type FormState,
  hasTick,
  initialFormState,
  isRequired,
  maxLengths,
  reduceForm,
  visibleErrors,
} from './form.ts'
import { deleteSavedBuyer, findDraft, findSavedBuyer, saveDraft } from './storage.ts'

/** Fields outside the form element join it by this id: the card widget brings a form, and forms must not nest. */
export const formId = 'checkout-form'

export type FormContent = {
  state: FormState
  dispatch: Dispatch<FormAction>
  clearBuyer: () => void
}

export const FormContext = createContext<FormContent | undefined>(undefined)

export function useForm(): FormContent {
  const content = use(FormContext)
  if (!content) throw new Error('useForm needs a FormContext around it')
  return content
}

export function useField(id: FieldId) {
  const { state, dispatch } = useForm()
  const part = id === 'email' ? id : (id.slice(id.indexOf('-') + 1) as AddressPart)
  const required = part === 'email' || isRequired(part)

  return {
    error: visibleErrors(state)[id],
    hasTick: hasTick(state, id),
    isBlurred: state.blurred[id] === true,
    setText: (text: string) => dispatch({ type: 'edited', id, text }),
    control: {
      name: id,
      form: formId,
      required,
      maxLength: maxLengths[part],
      value: state.form.texts[id],
      onBlur: () => dispatch({ type: 'blurred', id }),
    },
  }
}

/** The form of this page: restored from this tab, else from this device, and saved while it is edited. */
export function useBuyerForm(productId: string): FormContent {
  const [state, dispatch] = useReducer(reduceForm, initialFormState)

  useEffect(() => {
    const saved = findSavedBuyer()
    const form = withTypedValues(findDraft(productId) ?? saved ?? emptyForm)
    dispatch({ type: 'restored', form, hasSavedBuyer: saved !== undefined })
  }, [productId])

  useEffect(() => {
    if (state.form !== emptyForm) saveDraft(productId, state.form)
  }, [productId, state.form])

  return {
    state,
    dispatch,
    clearBuyer() {
      deleteSavedBuyer()
      saveDraft(productId, emptyForm)
      dispatch({ type: 'cleared' })
    },
  }
}

/** What the buyer or the browser's autofill entered before hydration comes before anything stored. */
function withTypedValues(form: BuyerForm): BuyerForm {
  const texts = fieldIds.flatMap((id) => {
    const control = document.getElementById(id)
    const isField = control instanceof HTMLInputElement || control instanceof HTMLSelectElement
    return isField && control.value !== '' ? [[id, control.value] as const] : []
  })
  const choices = choiceIds.flatMap((id) => {
    const control = document.getElementById(id)
    return control instanceof HTMLInputElement && control.checked ? [[id, true] as const] : []
  })
  if (texts.length + choices.length === 0) return form
  return {
    texts: { ...form.texts, ...Object.fromEntries(texts) },
    choices: { ...form.choices, ...Object.fromEntries(choices) },
  }
}
