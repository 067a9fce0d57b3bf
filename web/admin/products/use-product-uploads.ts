import { usePictureUpload } from '#web/admin/uploads/picture-upload.ts'

import type { ProductForm } from './use-product-form.ts'

export type ProductUploads = ReturnType<typeof useProductUploads>

/** Both pictures of a product. What has arrived goes into the form. */
export function useProductUploads({ setValue }: ProductForm) {
  const hasArrived = { shouldDirty: true, shouldValidate: true }
  const image = usePictureUpload('image', (url) => setValue('imageUrl', url, hasArrived))
  const logo = usePictureUpload('logo', (url) => setValue('headerLogoUrl', url, hasArrived))
  return { image, logo, isRunning: image.isRunning || logo.isRunning }
}
