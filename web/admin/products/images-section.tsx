import { useController, useFormContext } from 'react-hook-form'

import type { ProductInput } from '#contract/products.ts'
import { PictureField } from '#web/admin/uploads/picture-field.tsx'
import type { PictureUpload } from '#web/admin/uploads/picture-upload.ts'
import { Notice } from '#web/ui/notice.tsx'

import { FormSection } from './form-section.tsx'
import { missingLogo } from './use-product-form.ts'
import type { ProductUploads } from './use-product-uploads.ts'

export function ImagesSection({ uploads }: { uploads: ProductUploads }) {
  const { watch, setFocus } = useFormContext<ProductInput>()
  const hasLogo = watch('headerLogoUrl') !== ''

  return (
    <FormSection title="Product Images">
      {!hasLogo && (
        <Notice look="warning">
          The checkout page needs a header logo before this product can be saved.{' '}
          <button
            type="button"
            onClick={() => setFocus('headerLogoUrl')}
            className="font-medium underline underline-offset-4"
          >
            Go to the logo
          </button>
        </Notice>
      )}
      <Picture name="imageUrl" label="Product Image" mark="(optional)" upload={uploads.image} />
      <Picture
        name="headerLogoUrl"
        label="Checkout Page Header Logo"
        mark="*"
        upload={uploads.logo}
      />
    </FormSection>
  )
}

type PictureProps = {
  name: 'imageUrl' | 'headerLogoUrl'
  label: string
  mark: '*' | '(optional)'
  upload: PictureUpload
}

function Picture({ name, upload, ...words }: PictureProps) {
  const { field, fieldState } = useController<ProductInput, typeof name>({ name })
  const { ref, onChange, value: url } = field
  const value = url ?? ''
  const isLogoMissing = name === 'headerLogoUrl' && value === ''

  return (
    <PictureField
      {...words}
      value={value}
      upload={upload}
      error={fieldState.error && isLogoMissing ? missingLogo : fieldState.error?.message}
      onRemove={() => onChange('')}
      ref={ref}
    />
  )
}
