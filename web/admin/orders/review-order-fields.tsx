import { useWatch } from 'react-hook-form'
import type { z } from 'zod'

import type { ReviewEntry } from '#contract/checkouts.ts'
import { formatMoney } from '#contract/money.ts'
import type { reviewOrderSchema } from '#contract/order-schemas.ts'
import { useProducts } from '#web/admin/products/use-products.ts'
import { useFormField } from '#web/admin/shell/use-form-field.ts'
import { SelectField, TextField } from '#web/ui/fields.tsx'
import { RetryNotice } from '#web/ui/retry-notice.tsx'

export type ReviewOrderInput = Omit<z.input<typeof reviewOrderSchema>, 'version'>

/** Which product was bought, for a payment without a sale. */
export function ProductField() {
  const { data: products, isError, isFetching, refetch } = useProducts()
  const { error, ...field } = useFormField<ReviewOrderInput>('productId')

  if (isError) {
    return (
      <RetryNotice isFetching={isFetching} onRetry={() => void refetch()}>
        Your products could not be loaded.
      </RetryNotice>
    )
  }
  return (
    <SelectField
      label="Product"
      mark="*"
      required
      error={error && 'Choose the product that was bought'}
      {...field}
    >
      <option value="">{products ? 'Choose a product' : 'Loading...'}</option>
      {products?.map(({ id, name, price, currency }) => (
        <option key={id} value={id}>
          {name} · {formatMoney(price, currency)}
        </option>
      ))}
    </SelectField>
  )
}

/** The code that a lost sale was agreed with, so that a code with a limit counts it. */
export function CodeField() {
  return (
    <TextField
      label="Discount code"
      hint="If one was used. It is counted as used once more."
      {...useFormField<ReviewOrderInput>('code')}
    />
  )
}

/** What the buyer wanted of a product with a choice, where they have not said it. */
export function ChoiceField({ entry }: { entry: ReviewEntry }) {
  const { data: products } = useProducts()
  const { error, ...field } = useFormField<ReviewOrderInput>('choice')
  const productId = useWatch<ReviewOrderInput, 'productId'>({ name: 'productId' })
  const bought = entry.product?.id ?? productId
  const choice = products?.find(({ id }) => id === bought)?.choice
  if (!choice || entry.product?.choice) return null

  return (
    <SelectField label={choice.name} mark="*" required error={error} {...field}>
      <option value="">Choose what was bought</option>
      {choice.values.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
