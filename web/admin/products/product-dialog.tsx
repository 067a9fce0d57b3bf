import { useId, useRef } from 'react'
import { FormProvider } from 'react-hook-form'

import type { CustomDomain, Product, ProductContent } from '#contract/products.ts'
import { useNoStrayDrops } from '#web/admin/uploads/use-file-drop.ts'
import { refusalText } from '#web/api.ts'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'

import { BasicSection } from './basic-section.tsx'
import { CheckoutSection } from './checkout-section.tsx'
import { DialogButtons } from './dialog-buttons.tsx'
import { ImagesSection } from './images-section.tsx'
import { PricingSection } from './pricing-section.tsx'
import { announceFaults, useProductForm } from './use-product-form.ts'
import { useProductUploads } from './use-product-uploads.ts'
import { useSaveProduct } from './use-save-product.ts'
import { useUnsavedGuard } from '#web/admin/use-unsaved-guard.ts'

type ProductDialogProps = {
  /** The one to edit; without it a new one is added. */
  product: Product | undefined
  paymentCurrency: CustomDomain['paymentCurrency']
  onClose: () => void
}

export function ProductDialog({ product, paymentCurrency, onClose }: ProductDialogProps) {
  const formId = useId()
  const form = useProductForm(product)
  const uploads = useProductUploads(form)
  const save = useSaveProduct(product, onClose)
  const isSending = useRef(false)
  const guard = useUnsavedGuard(form.formState.isDirty || uploads.isRunning, onClose)
  useNoStrayDrops()

  function send(content: ProductContent) {
    if (isSending.current || uploads.isRunning) return
    isSending.current = true
    save.mutate(content, { onSettled: () => (isSending.current = false) })
  }
  const refusal = save.error && refusalText(save.error)

  return (
    <>
      <Dialog
        title={product ? 'Edit Product' : 'Add New Product'}
        description="Fields marked * are required."
        onClose={guard.requestClose}
        className="max-w-2xl"
        footer={
          <DialogButtons
            formId={formId}
            isNew={!product}
            isUploading={uploads.isRunning}
            isSaving={save.isPending}
            onCancel={guard.requestClose}
          />
        }
      >
        <FormProvider {...form}>
          <form
            id={formId}
            noValidate
            onSubmit={(event) => void form.handleSubmit(send, announceFaults)(event)}
            className="divide-y divide-line"
          >
            <BasicSection paymentCurrency={paymentCurrency} />
            <ImagesSection uploads={uploads} />
            <CheckoutSection />
            <PricingSection />
          </form>
        </FormProvider>
        {refusal && (
          <Notice look="danger" role="alert" className="mt-6">
            {refusal}
          </Notice>
        )}
      </Dialog>
      {guard.isAsking && (
        <ConfirmDialog
          title="Discard your changes?"
          description="What you changed in this product has not been saved."
          keepLabel="Keep editing"
          loseLabel="Discard changes"
          onKeep={guard.stay}
          onLose={guard.leave}
        />
      )}
    </>
  )
}
