import { useEffect } from 'react'

import { fillText } from '#contract/languages.ts'
import type { PageChoice } from '#contract/public-pages.ts'
import { Icon } from '#web/storefront/shell/icon.tsx'
import { texts } from '#web/storefront/shell/language.ts'
import { chosenLineId } from '#web/storefront/shell/page-data.ts'
import { classNames } from '#web/ui/class-names.ts'

import { visibleErrors } from './form.ts'
import { formId, useForm } from './form-context.ts'
import { Section } from './section.tsx'

const messageId = 'choice-message'

/** What the buyer chooses one of, such as a size: native radio buttons that look like chips. */
export function ChoiceSection({ choice }: { choice: PageChoice }) {
  const { state, dispatch } = useForm()
  const chosen = state.form.texts.choice
  const error = visibleErrors(state).choice
  const there = state.choosable?.ids ?? []
  useEffect(() => {
    showInSummary(choice, chosen)
  }, [choice, chosen])

  return (
    <Section id="choice-section" title={choice.name}>
      <div
        role="radiogroup"
        aria-labelledby="choice-section-heading"
        aria-required
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? messageId : undefined}
        className="flex flex-wrap gap-2.5"
      >
        {choice.values.map(({ id, name, fewLeft }) => {
          const isSoldOut = !there.includes(id)
          return (
            <label
              key={id}
              className={classNames(
                'relative flex min-h-12 min-w-14 cursor-pointer flex-col justify-center rounded-lg border bg-card px-4 py-1.5 text-center wrap-anywhere shadow-rest transition-colors',
                'has-checked:border-accent has-checked:bg-accent-wash has-checked:font-medium has-checked:ring-1 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
                isSoldOut && 'cursor-not-allowed bg-well text-muted',
                error ? 'border-danger' : 'border-line-strong',
              )}
            >
              <input
                // The summary of errors leads to the first that can be chosen.
                id={id === there[0] ? 'choice' : undefined}
                type="radio"
                name="choice"
                form={formId}
                required
                value={id}
                disabled={isSoldOut}
                checked={id === chosen}
                onChange={() => dispatch({ type: 'edited', id: 'choice', text: id })}
                className="sr-only"
              />
              <span className={isSoldOut ? 'line-through' : undefined}>{name}</span>
              {(isSoldOut || fewLeft !== undefined) && (
                <span className="text-xs font-normal text-soft">
                  {isSoldOut
                    ? texts().panels.notSold.soldOut
                    : fillText(texts().choice.fewLeft, { count: String(fewLeft) })}
                </span>
              )}
            </label>
          )
        })}
      </div>
      <div id={messageId} className="mt-1 min-h-5 text-[0.8125rem]/5">
        {error && (
          <p className="flex gap-1 text-danger">
            <Icon name="alert" className="mt-0.75 size-3.5 shrink-0" />
            {error}
          </p>
        )}
      </div>
    </Section>
  )
}

/** The summary is static HTML, with a picture for each value that has one. */
function showInSummary({ name, values }: PageChoice, chosen: string): void {
  const value = values.find(({ id }) => id === chosen)?.name
  const line = document.getElementById(chosenLineId)
  if (line) {
    line.hidden = value === undefined
    line.textContent = value === undefined ? '' : fillText(texts().choice.chosen, { name, value })
  }
  for (const picture of document.querySelectorAll<HTMLElement>('[data-value]'))
    picture.hidden = picture.dataset.value !== chosen
}
