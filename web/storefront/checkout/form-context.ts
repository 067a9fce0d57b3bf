import { createContext, type Dispatch, use, useEffect, useReducer, useState } from 'react'

import type { CheckoutFormData } from '#contract/public-pages.ts'
import type { DeliverySettings } from '#contract/quotes.ts'

import {
  type AddressKind,
  type AddressPart,
  type BuyerForm,
  choiceIds,
  emptyForm,
  type FieldId,
  fieldIds,
  fitForm,
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
  delivery: DeliverySettings
  /** Where the order can be picked up, line by line. */
  pickupLines: readonly string[]
}

export const FormContext = createContext<FormContent | undefined>(undefined)

export function useForm(): FormContent {
  const content = use(FormContext)
  if (!content) throw new Error('useForm needs a FormContext around it')
  return content
}

export function useField(id: FieldId) {
  const { state, dispatch } = useForm()
  const [kind, part] = (id === 'email' ? [] : id.split('-')) as [AddressKind?, AddressPart?]
  const required = !kind || !part || isRequired(state.form, kind, part)

  return {
    error: visibleErrors(state)[id],
    hasTick: hasTick(state, id),
    isBlurred: state.blurred[id] === true,
    setText: (text: string) => dispatch({ type: 'edited', id, text }),
    control: {
      name: id,
      form: formId,
      required,
      maxLength: maxLengths[part ?? 'email'],
      value: state.form.texts[id],
      onBlur: () => dispatch({ type: 'blurred', id }),
    },
  }
}

/** The form of this page: restored from this tab, else from this device, and saved while it is edited. */
export function useBuyerForm({ product, delivery, pickupLines }: CheckoutFormData): FormContent {
  const productId = product.id
  const [untouched] = useState(() => fitForm(emptyForm, delivery))
  const [state, dispatch] = useReducer(reduceForm, {
    ...initialFormState,
    form: untouched,
  })

  useEffect(() => {
    const saved = findSavedBuyer()
    const form = withTypedValues(findDraft(productId) ?? saved ?? emptyForm)
    if (form === emptyForm) return
    const fitting = fitForm(form, delivery)
    dispatch({ type: 'restored', form: fitting, hasSavedBuyer: saved !== undefined })
  }, [productId, delivery])

  useEffect(() => {
    if (state.form !== untouched) saveDraft(productId, state.form)
  }, [productId, state.form, untouched])

  return {
    state,
    dispatch,
    delivery,
    pickupLines,
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
