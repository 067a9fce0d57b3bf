import {
  type MethodSettings,
  type OtherMethod,
  otherMethodIds,
  otherMethods,
} from '#contract/payment-methods.ts'
import { CheckboxField, TextAreaField, TextField } from '#web/ui/fields.tsx'

import { bind, type FieldsProps } from './field-parts.tsx'

/** Where SumUp has it, by the country of the merchant's account. */
const hints: Record<OtherMethod, string> = {
  apple_pay: 'Most of Europe. Shown on Apple’s devices. Needs a file from SumUp.',
  google_pay: 'Most of Europe. Needs a merchant ID from Google.',
  paypal: 'France, Germany, Ireland, Italy, Netherlands, Spain, Switzerland, United Kingdom.',
  ideal: 'Netherlands.',
  bancontact: 'Belgium.',
  eps: 'Austria.',
  blik: 'Poland.',
  p24: 'Poland.',
  twint: 'Switzerland.',
}

const namesAs = new Intl.ListFormat('en-GB')

export function MethodFields({ form }: FieldsProps) {
  const { otherMethods: chosen } = form.values as MethodSettings
  const saved = form.settings.values.methods.otherMethods
  const leavingNames = otherMethodIds
    .filter((id) => chosen.includes(id) && otherMethods[id].leavesPage)
    .map((id) => otherMethods[id].name)

  function setChosen(method: OtherMethod, isChosen: boolean): void {
    const next = otherMethodIds.filter((id) => (id === method ? isChosen : chosen.includes(id)))
    // The saved list itself where both are alike, so that nothing counts as changed.
    form.set('otherMethods', next.join() === saved.join() ? saved : next)
  }

  // Also what is entered for a method that is off: it may be what cannot be saved.
  const isShown = (method: OtherMethod, field: string) =>
    chosen.includes(method) || form.textOf(field) !== ''

  return (
    <>
      <p className="text-sm/6 text-soft">
        Cards are always taken. What you tick here is offered below the card form, where SumUp has
        it for your account: that depends on the country of the account, named beside each. Buyers
        only see what they can use.
      </p>
      <fieldset className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        <legend className="mb-3 text-sm font-semibold">Beside the card</legend>
        {otherMethodIds.map((id) => (
          <CheckboxField
            key={id}
            name="otherMethods"
            label={otherMethods[id].name}
            hint={hints[id]}
            checked={chosen.includes(id)}
            onChange={({ target }) => setChosen(id, target.checked)}
          />
        ))}
      </fieldset>
      {leavingNames.length > 0 && (
        <p className="text-sm/6 text-soft">
          With {namesAs.format(leavingNames)} buyers leave the checkout to pay and come back to it.
          Banks that ask card buyers to confirm a payment then also do so on a page of their own.
        </p>
      )}
      {isShown('google_pay', 'googlePayMerchantId') && (
        <TextField
          label="Google Pay merchant ID"
          placeholder="BCR2DN4TX7Q3RZ2K"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...bind(
            form,
            'googlePayMerchantId',
            'From Google’s Pay & Wallet Console. Without it, Google Pay is not offered.',
          )}
        />
      )}
      {isShown('apple_pay', 'applePayFile') && (
        <TextAreaField
          label="Apple Pay domain file"
          spellCheck={false}
          {...bind(
            form,
            'applePayFile',
            'Register the domain of your payment pages for Apple Pay at SumUp and paste the text of the file it gives you. The shop serves it where Apple looks for it.',
          )}
        />
      )}
    </>
  )
}
