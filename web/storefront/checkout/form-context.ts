import { createContext, type Dispatch, use } from 'react'

import { type FieldId, isNeeded, longest } from './buyer-form.ts'
import { type FormChange, type FormState, isGood, shownProblems } from './form-state.ts'

/** The one form of the page. Fields outside its element join it by this id, because the card form must not nest in it. */
export const formId = 'checkout-form'

export type FormContent = {
  state: FormState
  change: Dispatch<FormChange>
  forgetBuyer: () => void
}

export const FormContext = createContext<FormContent | undefined>(undefined)

export function useForm(): FormContent {
  const content = use(FormContext)
  if (!content) throw new Error('A field stands outside the checkout')
  return content
}

/** All that a control of the form needs to know and to report. */
export function useField(id: FieldId) {
  const { state, change } = useForm()
  const part = id === 'email' ? id : partOf(id)
  const mustBeFilled = part === 'email' || isNeeded(part)

  return {
    problem: shownProblems(state)[id],
    isGood: isGood(state, id),
    isLeft: state.left[id] === true,
    mark: mustBeFilled ? ('*' as const) : ('(optional)' as const),
    put: (text: string) => change({ type: 'typed', id, text }),
    control: {
      name: id,
      form: formId,
      required: mustBeFilled,
      maxLength: longest[part],
      value: state.form.texts[id],
      onBlur: () => change({ type: 'left', id }),
    },
  }
}

type PartOf<Id extends FieldId> = Id extends `${string}-${infer Part}` ? Part : never

function partOf<Id extends FieldId>(id: Id): PartOf<Id> {
  return id.slice(id.indexOf('-') + 1) as PartOf<Id>
}
