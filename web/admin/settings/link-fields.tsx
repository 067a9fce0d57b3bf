import { CheckboxField } from '#web/ui/fields.tsx'

import type { FieldsProps } from './field-parts.tsx'

export function LinkFields({ form }: FieldsProps) {
  return (
    <>
      <p className="text-sm/6 text-soft">
        Who pastes a checkout link into a chat or a post sees a card with your product’s picture,
        name and price. The preview of a product shows it.
      </p>
      <CheckboxField
        label="Price in the card’s title"
        hint="“Harbour Mug · €24.00” instead of “Harbour Mug”. Cards of old messages keep the price of their day."
        checked={form.values.hasPriceInTitle === true}
        onChange={({ target }) => form.set('hasPriceInTitle', target.checked)}
      />
      <CheckboxField
        label="Let search engines list checkouts"
        hint="With price and availability. Unchecked: only who has a link finds it. It takes search engines days to weeks to follow a change."
        checked={form.values.isIndexed === true}
        onChange={({ target }) => form.set('isIndexed', target.checked)}
      />
    </>
  )
}
