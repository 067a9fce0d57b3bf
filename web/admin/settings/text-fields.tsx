import { Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { useEffect, useState } from 'react'

import { languageCodes, languages } from '#contract/languages.ts'
import {
  type BuyerMailKind,
  buyerMailKinds,
  mailSentences,
  maxOpeningLength,
} from '#contract/mails.ts'
import { apiRoutes } from '#contract/paths.ts'
import { formatQuery } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField, TextField } from '#web/ui/fields.tsx'

import { bind, type FieldsProps } from './field-parts.tsx'

const labels: Record<BuyerMailKind, string> = {
  confirmation: 'Order confirmed',
  shipped: 'On its way',
  refunded: 'Refunded',
  'payment-returned': 'Payment returned',
  'not-charged': 'Card not charged',
  'payment-closed': 'Payment looked at',
}

/** What always follows the owner's words. */
const followedBy: Record<BuyerMailKind, string> = {
  ...mailSentences,
  refunded: 'How much went back.',
  'payment-returned': 'How much went back, and when they see it.',
}

/** The first words of each mail to buyers, and how they look. */
export function TextFields({ form }: FieldsProps) {
  const [shown, setShown] = useState<BuyerMailKind>('confirmation')
  return (
    <>
      <p className="text-sm/6 text-soft">
        Your own first sentence in each mail to buyers, for example a thank you, as you write it in
        every language. What happened with order and money is always said below it.
      </p>
      {buyerMailKinds.map((kind) => (
        <TextField
          key={kind}
          label={labels[kind]}
          maxLength={maxOpeningLength}
          placeholder="Nothing of your own"
          onFocus={() => setShown(kind)}
          {...bind(form, kind, `Followed by: ${followedBy[kind]}`)}
        />
      ))}
      <MailPreview kind={shown} opening={form.textOf(shown)} onChoose={setShown} />
    </>
  )
}

const screens = {
  phone: { label: 'Phone', icon: Smartphone, width: 'max-w-[375px]' },
  desktop: { label: 'Desktop', icon: Monitor, width: 'max-w-full' },
}
const looks = {
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
}

type MailPreviewProps = {
  kind: BuyerMailKind
  opening: string
  onChoose: (kind: BuyerMailKind) => void
}

/** The mail as the server writes it, with an example of an order. */
function MailPreview({ kind, opening, onChoose }: MailPreviewProps) {
  const [screen, setScreen] = useState<keyof typeof screens>('desktop')
  const [look, setLook] = useState<keyof typeof looks>('light')
  const [language, setLanguage] = useState('')
  const query = useSettled(formatQuery({ kind, look, language, opening: opening.trim() }))
  return (
    <section aria-label="Preview" className="border-t border-line pt-5">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <SelectField
          label="Preview"
          value={kind}
          onChange={({ target }) =>
            onChoose(buyerMailKinds.find((one) => one === target.value) ?? kind)
          }
        >
          {buyerMailKinds.map((one) => (
            <option key={one} value={one}>
              {labels[one]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Language"
          value={language}
          onChange={({ target }) => setLanguage(target.value)}
        >
          <option value="">As set</option>
          {languageCodes.map((code) => (
            <option key={code} value={code}>
              {languages[code].name}
            </option>
          ))}
        </SelectField>
        <div className="flex flex-wrap gap-3">
          <Choices name="Width" choices={screens} chosen={screen} onChoose={setScreen} />
          <Choices name="Colours" choices={looks} chosen={look} onChoose={setLook} />
        </div>
      </div>
      <iframe
        // A new frame: another address in the same one would be a step of Back.
        key={query}
        title={`Preview: ${labels[kind]}`}
        src={`${apiRoutes.mailPreview}${query}`}
        sandbox="allow-same-origin"
        onLoad={({ currentTarget: { contentDocument } }) => {
          // Nothing in it is pressed.
          if (contentDocument?.body) contentDocument.body.inert = true
        }}
        className={`mx-auto block h-120 w-full rounded-xl border border-line ${screens[screen].width}`}
      />
    </section>
  )
}

type ChoicesProps<Choice extends string> = {
  name: string
  choices: Record<Choice, { label: string; icon: typeof Sun }>
  chosen: Choice
  onChoose: (choice: Choice) => void
}

function Choices<Choice extends string>(props: ChoicesProps<Choice>) {
  const { name, choices, chosen, onChoose } = props
  const all = Object.entries(choices) as [Choice, { label: string; icon: typeof Sun }][]
  return (
    <fieldset className="flex gap-1.5">
      <legend className="sr-only">{name}</legend>
      {all.map(([choice, { label, icon: Icon }]) => (
        <Button
          key={choice}
          size="small"
          look={choice === chosen ? 'secondary' : 'bare'}
          aria-pressed={choice === chosen}
          onClick={() => onChoose(choice)}
        >
          <Icon aria-hidden className="size-4" />
          {label}
        </Button>
      ))}
    </fieldset>
  )
}

const debounceMs = 300

/** What was typed, once typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
