import type { z } from 'zod'

import { formatMoney } from '#contract/money.ts'
import type { reviewOrderSchema } from '#contract/order-schemas.ts'
import { useProducts } from '#web/admin/products/use-products.ts'
import { useFormField } from '#web/admin/shell/use-form-field.ts'
import { SelectField } from '#web/ui/fields.tsx'
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
