import type { ProductInput } from '#contract/products.ts'
import { useFormField } from '#web/admin/shell/use-form-field.ts'

/** A field of the product form. */
export const useProductField = useFormField<ProductInput>
