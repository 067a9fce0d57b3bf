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
        warning={
          suggestion && (
            <>
              Did you mean{' '}
              <button
                type="button"
                onClick={() => setText(suggestion)}
                className="-my-1 rounded py-1 font-medium text-accent underline underline-offset-2 pointer-coarse:-my-3 pointer-coarse:py-3"
              >
                <bdi>{suggestion.slice(suggestion.lastIndexOf('@'))}</bdi>
              </button>
              ?
            </>
          )
        }
      />
      <div>
        <CheckboxField id="acceptsNews" label="Email me with news and offers" />
      </div>
    </Section>
  )
}
