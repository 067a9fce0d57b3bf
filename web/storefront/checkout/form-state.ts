import { type BuyerForm, type ChoiceId, emptyForm, type FieldId, fieldIds } from './buyer-form.ts'
import { findProblems, type Problems } from './problems.ts'

type Marks = Partial<Record<FieldId, true>>

/** The facts of filling in. What is shown as wrong or right follows from them. */
export type FormState = {
  form: BuyerForm
  /** Typed in since the page opened. */
  edited: Marks
  /** Typed in and left again: a good value there earns its tick. */
  left: Marks
  /** Looked at critically: left after an edit, or wrong when Pay now was pressed. */
  checked: Marks
  /** How often Pay now met problems; each time the summary takes the focus. */
  tries: number
  hasSummary: boolean
  /** This device had kept contact and delivery from before. */
  isKnownBuyer: boolean
}

export const untouched: FormState = {
  form: emptyForm,
  edited: {},
  left: {},
  checked: {},
  tries: 0,
  hasSummary: false,
  isKnownBuyer: false,
}

export type FormChange =
  | { type: 'typed'; id: FieldId; text: string }
  | { type: 'left'; id: FieldId }
  | { type: 'chosen'; id: ChoiceId; isOn: boolean }
  | { type: 'restored'; form: BuyerForm; isKnownBuyer: boolean }
  | { type: 'tried' }
  | { type: 'cleared' }

export function changeForm(state: FormState, change: FormChange): FormState {
  switch (change.type) {
    case 'typed':
      return afterTyping(state, change.id, change.text)
    case 'left':
      if (!state.edited[change.id]) return state
      return {
        ...state,
        left: { ...state.left, [change.id]: true },
        checked: { ...state.checked, [change.id]: true },
      }
    case 'chosen':
      return {
        ...state,
        form: { ...state.form, choices: { ...state.form.choices, [change.id]: change.isOn } },
      }
    case 'restored':
      return { ...state, form: change.form, isKnownBuyer: change.isKnownBuyer }
    case 'tried': {
      const wrong = Object.keys(findProblems(state.form)).map((id) => [id, true])
      return {
        ...state,
        checked: { ...state.checked, ...Object.fromEntries(wrong) },
        tries: state.tries + (wrong.length > 0 ? 1 : 0),
        hasSummary: wrong.length > 0,
      }
    }
    case 'cleared':
      return untouched
  }
}

/** A field in error is looked at again with every key; a good one is left in peace until it is left again. */
function afterTyping(state: FormState, id: FieldId, text: string): FormState {
  const form = { ...state.form, texts: { ...state.form.texts, [id]: text } }
  const { [id]: wasChecked, ...checked } = state.checked
  const staysChecked = wasChecked && findProblems(form)[id]
  const next = {
    ...state,
    form,
    edited: { ...state.edited, [id]: true as const },
    checked: staysChecked ? state.checked : checked,
  }
  return { ...next, hasSummary: state.hasSummary && Object.keys(shownProblems(next)).length > 0 }
}

/** What the page says is wrong right now, in its order. */
export function shownProblems({ form, checked }: FormState): Problems {
  const all = findProblems(form)
  return Object.fromEntries(
    fieldIds.flatMap((id) => (checked[id] && all[id] ? [[id, all[id]]] : [])),
  )
}

/** Left with a value that is as it should be. */
export function isGood({ form, left }: FormState, id: FieldId): boolean {
  return left[id] === true && form.texts[id].trim() !== '' && !findProblems(form)[id]
}
