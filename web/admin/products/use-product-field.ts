import type { ProductInput } from '#contract/products.ts'
import { useFormField } from '#web/admin/use-form-field.ts'

/** A field of the product form. */
export const useProductField = useFormField<ProductInput>
