import { suggestEmail } from '#web/storefront/checkout/email-hint.ts'
import { ChoiceField, TextField } from '#web/storefront/checkout/fields.tsx'
import { useField } from '#web/storefront/checkout/form-context.ts'

import { Section } from './section.tsx'

export function ContactSection() {
  return (
    <Section
      id="contact"
      title="Contact"
      aside={
        <p className="text-[0.8125rem] text-muted">
          <span className="text-danger">*</span> required
        </p>
      }
    >
      <TextField
        id="email"
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="off"
        spellCheck={false}
        doubt={useEmailDoubt()}
      />
      <div className="mt-2">
        <ChoiceField id="acceptsNews" label="Email me with news and offers" />
      </div>
    </Section>
  )
}

function useEmailDoubt() {
  const { control, isLeft, put } = useField('email')
  const suggestion = isLeft ? suggestEmail(control.value) : undefined

  return (
    suggestion && (
      <>
        Did you mean{' '}
        <button
          type="button"
          onClick={() => put(suggestion)}
          className="-my-1 rounded py-1 font-medium wrap-anywhere text-accent underline underline-offset-2 pointer-coarse:-my-3 pointer-coarse:py-3"
        >
          <bdi>{suggestion}</bdi>
        </button>
        ?
      </>
    )
  )
}
