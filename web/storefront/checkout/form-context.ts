import { createContext, type Dispatch, use, useEffect, useReducer, useState } from 'react'

import { choiceParameter, findLinkedValue } from '#contract/paths.ts'
import type { CheckoutFormData, PageChoice } from '#contract/public-pages.ts'
import type { DeliverySettings } from '#contract/quotes.ts'

import {
  type AddressKind,
  type AddressPart,
  type BuyerForm,
  choiceIds,
  emptyForm,
  fieldIds,
  fitForm,
  type FormAction,
  type FormState,
  hasTick,
  initialFormState,
  isRequired,
  maxLengths,
  reduceForm,
  type TextFieldId,
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

export function useField(id: TextFieldId) {
  const { state, dispatch } = useForm()
  const [kind, part] = (id === 'email' || id === 'note' ? [] : id.split('-')) as [
    AddressKind?,
    AddressPart?,
  ]
  const isNeeded = kind && part ? isRequired(state.form, kind, part) : true
  const required = id === 'note' ? state.asked?.isRequired === true : isNeeded

  return {
    error: visibleErrors(state)[id],
    hasTick: hasTick(state, id),
    isBlurred: state.blurred[id] === true,
    setText: (text: string) => dispatch({ type: 'edited', id, text }),
    control: {
      name: id,
      form: formId,
      required,
      maxLength: maxLengths[part ?? (id === 'note' ? id : 'email')],
      value: state.form.texts[id],
      onBlur: () => dispatch({ type: 'blurred', id }),
    },
  }
}

/** The form of this page: restored from this tab, else from this device, and saved while it is edited. */
export function useBuyerForm(data: CheckoutFormData): FormContent {
  const { product, choice, delivery, pickupLines } = data
  const productId = product.id
  const [untouched] = useState(() => fitForm(emptyForm, delivery))
  const [state, dispatch] = useReducer(reduceForm, data, (page) => ({
    ...createFormState(page),
    form: untouched,
  }))

  useEffect(() => {
    const saved = findSavedBuyer()
    const stored = findDraft(productId) ?? saved ?? emptyForm
    const typed = withTypedValues(withLinkedChoice(stored, choice))
    const form = typed === emptyForm ? untouched : fitForm(typed, delivery)
    dispatch({ type: 'restored', form, hasSavedBuyer: saved !== undefined })
  }, [productId, choice, delivery, untouched])

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

function createFormState({ product, choice }: CheckoutFormData): FormState {
  const there = choice?.values.filter(({ isSoldOut }) => !isSoldOut) ?? []
  const choosable = choice && { name: choice.name, ids: there.map(({ id }) => id) }
  const { noteLabel: label, isNoteRequired = false } = product
  const asked = label === undefined ? undefined : { label, isRequired: isNoteRequired }
  return { ...initialFormState, choosable, asked }
}

/** A link may name a value, by its id or name. What the buyer chose in this tab comes before it. */
function withLinkedChoice(form: BuyerForm, choice: PageChoice | undefined): BuyerForm {
  const linked = new URLSearchParams(location.search).get(choiceParameter)
  const value = findLinkedValue(choice?.values, linked)
  if (!value || form.texts.choice !== '') return form
  return { ...form, texts: { ...form.texts, choice: value.id } }
}

/** What the buyer or the browser's autofill entered before hydration comes before anything stored. */
function withTypedValues(form: BuyerForm): BuyerForm {
  const texts = fieldIds.flatMap((id) => {
    const control =
      id === 'choice'
        ? document.querySelector('[name=choice]:checked')
        : document.getElementById(id)
    const isField =
      control instanceof HTMLInputElement ||
      control instanceof HTMLSelectElement ||
      control instanceof HTMLTextAreaElement
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
