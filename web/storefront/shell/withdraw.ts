import { languages } from '#contract/languages.ts'
import { storefrontRoutes } from '#contract/paths.ts'
import type { WithdrawalReceipt } from '#contract/withdrawals.ts'
import { ApiError, callServer, refusalOf } from '#web/api.ts'

import { describeRefusal } from './describe-refusal.ts'
import { language, texts } from './language.ts'

type Step = 'details' | 'confirm' | 'done'

/** Moves through the steps of withdrawal-dialog.tsx, which is static HTML. */
export function handleWithdrawal(): void {
  document.addEventListener('submit', (event) => {
    const { target } = event
    if (!(target instanceof HTMLFormElement) || !target.dataset.withdraw) return
    event.preventDefault()
    if (target.dataset.withdraw === 'details') review(target)
    else void confirm(target)
  })
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('[data-withdraw-back]')
    if (button) showStep(button, 'details')
  })
}

function findStep(inside: Element, step: Step): HTMLElement | null {
  const dialog = inside.closest('dialog')
  return dialog?.querySelector<HTMLElement>(`[data-withdraw="${step}"]`) ?? null
}

type Problem = { text: string; field?: string | undefined }

/** The focus goes along, so that screen readers read what is new: to the field that is wrong, if there is one. */
function showStep(inside: Element, wanted: Step, problem?: Problem): void {
  for (const step of ['details', 'confirm', 'done'] as const) {
    const element = findStep(inside, step)
    if (element) element.hidden = step !== wanted
  }
  const shown = findStep(inside, wanted)
  const fields = [...(shown?.querySelectorAll('input') ?? [])]
  const wrong = fields.find(({ name }) => name === problem?.field)
  for (const field of fields) {
    field.ariaInvalid = field === wrong ? 'true' : null
    const text = document.getElementById(`${field.id}-problem`)
    if (text) text.textContent = field === wrong ? (problem?.text ?? '') : ''
  }
  const alert = shown?.querySelector('[data-problem]')
  if (alert) alert.textContent = wrong ? '' : (problem?.text ?? '')
  const focused = wrong ?? fields[0] ?? shown
  focused?.focus()
}

function readStatement(inside: Element): Record<string, string> {
  const details = findStep(inside, 'details')
  const fields = details?.querySelectorAll('input') ?? []
  return Object.fromEntries([...fields].map(({ name, value }) => [name, value.trim()]))
}

function fillIn(inside: Element, values: Record<string, string>): void {
  for (const place of inside.closest('dialog')?.querySelectorAll<HTMLElement>('[data-shown]') ?? [])
    place.textContent = values[place.dataset.shown ?? ''] ?? place.textContent
}

function review(form: HTMLElement): void {
  fillIn(form, readStatement(form))
  showStep(form, 'confirm')
}

/** A second press is ignored while the first is under way. What was typed stays, whatever happens. */
async function confirm(form: HTMLElement): Promise<void> {
  const button = form.querySelector('button')
  if (!button || button.ariaDisabled === 'true') return
  button.ariaDisabled = 'true'
  try {
    const signal = AbortSignal.timeout(15_000)
    const statement = { ...readStatement(form), language: language() }
    const answer = await callServer('POST', storefrontRoutes.withdrawals, statement, signal)
    const { receivedAt } = (await answer.json()) as WithdrawalReceipt
    const format = { dateStyle: 'long', timeStyle: 'short' } as const
    fillIn(form, {
      receivedAt: new Date(receivedAt).toLocaleString(languages[language()].locale, format),
    })
    showStep(form, 'done')
  } catch (error) {
    const isTyped = error instanceof ApiError && error.status === 400
    const text = describeRefusal(error) ?? texts().withdrawal.notSent
    showStep(form, isTyped ? 'details' : 'confirm', { text, field: refusalOf(error).field })
  } finally {
    button.ariaDisabled = 'false'
  }
}
