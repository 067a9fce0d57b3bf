import { type FieldPath, type RegisterOptions, useFormContext } from 'react-hook-form'

import type { ProductInput } from '#contract/products.ts'

type Name = FieldPath<ProductInput>

/**
 * A field of the product form. It is checked when one leaves it changed, never while one still
 * types; once it is wrong, each key is checked, so that the message goes at the first good value.
 */
export function useProductField(
  name: Name,
  options?: Pick<RegisterOptions<ProductInput>, 'setValueAs'>,
) {
  const { register, trigger, getFieldState, formState } = useFormContext<ProductInput>()
  const { isDirty, error } = getFieldState(name, formState)

  const registration = register(name, {
    ...options,
    onBlur: () => {
      if (isDirty) void trigger(name)
    },
    onChange: () => {
      if (error) void trigger(name)
    },
  })
  return { ...registration, error: error?.message }
}
