import { fillNodes } from '#web/storefront/shell/fill-nodes.tsx'
import { texts } from '#web/storefront/shell/language.ts'

import { suggestEmail } from './field-hints.ts'
import { CheckboxField, TextField } from './fields.tsx'
import { useField } from './form-context.ts'
import { Section } from './section.tsx'

export function ContactSection() {
  const { control, isBlurred, setText } = useField('email')
  const suggestion = isBlurred ? suggestEmail(control.value) : undefined

  return (
    <Section
      id="contact"
      title={texts().contact.title}
      aside={
        <p className="text-[0.8125rem] text-muted">
          <span className="text-danger">*</span> {texts().contact.required}
        </p>
      }
    >
      <TextField
        id="email"
        label={texts().contact.email}
        type="email"
        inputMode="email"
        autoComplete="shipping email"
        autoCapitalize="off"
        spellCheck={false}
        warning={
          suggestion &&
          fillNodes(texts().contact.didYouMean, {
            domain: (
              <button
                type="button"
                onClick={() => setText(suggestion)}
                className="-my-1 rounded py-1 font-medium text-accent underline underline-offset-2 pointer-coarse:-my-3 pointer-coarse:py-3"
              >
                <bdi>{suggestion.slice(suggestion.lastIndexOf('@'))}</bdi>
              </button>
            ),
          })
        }
      />
      <div>
        <CheckboxField id="acceptsNews" label={texts().contact.news} />
      </div>
    </Section>
  )
}
