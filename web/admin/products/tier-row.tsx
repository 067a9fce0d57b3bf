import { Trash2 } from 'lucide-react'
import { useFormContext } from 'react-hook-form'

import type { ProductInput } from '#contract/products.ts'
import { IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields.tsx'

import { parseQuantity } from './product-values.ts'
import { useProductField } from './use-product-field.ts'

type TierRowProps = { index: number; onRemove: () => void }

export function TierRow({ index, onRemove }: TierRowProps) {
  const { getValues, setValue } = useFormContext<ProductInput>()
  const quantityName = `quantityTiers.${index}.quantity` as const
  const quantity = useProductField(quantityName, { setValueAs: parseQuantity })
  const price = useProductField(`quantityTiers.${index}.price`)

  return (
    <li className="flex items-start gap-3">
      <TextField
        label="Quantity"
        inputMode="numeric"
        autoComplete="off"
        className="min-w-0 flex-1"
        {...quantity}
        onBlur={(event) => {
          // Shows the number that was understood.
          setValue(quantityName, getValues(quantityName))
          void quantity.onBlur(event)
        }}
      />
      <TextField
        label="Price"
        inputMode="decimal"
        autoComplete="off"
        placeholder="45.00"
        className="min-w-0 flex-1"
        {...price}
      />
      <IconButton
        icon={Trash2}
        name={`Remove tier ${index + 1}`}
        onClick={onRemove}
        className="mt-7.5 shrink-0 pointer-coarse:mt-6.5"
      />
    </li>
  )
}
