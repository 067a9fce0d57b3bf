import '#web/admin/zod-config.ts'

import { zodResolver } from '@hookform/resolvers/zod'
import { Eye } from 'lucide-react'
import { useCallback, useId, useRef, useState } from 'react'
import { type FieldErrors, FormProvider, useForm } from 'react-hook-form'

import { type Product, productFormSchema, type ProductInput } from '#contract/products.ts'
import { forgetForm, useFormDraft } from '#web/admin/session/kept-drafts.ts'
import { useIgnoreStrayDrops } from '#web/admin/uploads/picture-field.tsx'
import { usePictureUpload } from '#web/admin/uploads/picture-upload.ts'
import { isUnauthorized, refusalCode, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { describePieces, listChanged } from './changed-meanwhile.ts'
import { type ChangedMeanwhile, ChangedNotice } from './changed-notice.tsx'
import { CheckoutPreview } from './checkout-preview.tsx'
import { MoreFields } from './more-fields.tsx'
import { ProductFields } from './product-fields.tsx'
import { newProduct } from './product-list.ts'
import {
  copyValues,
  initialValues,
  missingLogo,
  type ProductFormContent,
  type ProductFormInput,
  renewStock,
  valuesToSave,
} from './product-form.ts'
import { readProduct, useSaveProduct } from './use-products.ts'

type ProductDialogProps = {
  /** The product to edit; undefined for a new one. */
  product: Product | undefined
  /** What a new one starts as a copy of. */
  original?: Product | undefined
  /** For a new product; '' if the shop has none. */
  defaultLogoUrl: string
  onClose: () => void
}

export function ProductDialog(props: ProductDialogProps) {
  const { product, original, onClose } = props
  const formId = useId()
  // As it is saved, as far as this form knows.
  const [saved, setSaved] = useState(product)
  // As the form began with it: what was saved since then is named until it is taken into the form.
  const [read, setRead] = useState(product)
  const [changed, setChanged] = useState<ChangedMeanwhile>()
  const form = useProductForm(props, saved)
  const uploads = useProductUploads(form)
  const save = useSaveProduct(product)
  const isSending = useRef(false)
  const [isPreviewOn, setIsPreviewOn] = useState(false)
  const opener = `product=${product?.id ?? newProduct}`
  useFormDraft(form, { opener, isBusy: uploads.isRunning })
  useIgnoreStrayDrops()

  const isConflict = refusalCode(save.error) === 'product-changed' && changed !== undefined

  function send(content: ProductFormContent) {
    if (isSending.current || uploads.isRunning) return
    isSending.current = true
    // Only who sees the notice saves over what it names; the form itself may be closed, and opened again later.
    const updatedAt = isConflict ? changed.theirs.updatedAt : content.updatedAt
    const sent = { ...content, updatedAt }
    save.mutate(sent, {
      // Not called if the dialog was closed meanwhile.
      onSuccess: () => {
        forgetForm(opener)
        onClose()
      },
      onError: (error) => {
        if (refusalCode(error) === 'product-changed') void compareWithSaved()
      },
      onSettled: () => (isSending.current = false),
    })
  }

  async function compareWithSaved() {
    const current = saved && (await readProduct(saved.id).catch(() => undefined))
    // Then the refusal alone is told.
    if (!current) return
    const theirs = initialValues(current)
    const mine = form.getValues()
    const fields = listChanged(initialValues(read), mine, theirs)
    const pieces = describePieces(mine, theirs)
    form.reset(renewStock(mine, theirs), { keepDefaultValues: true })
    setSaved(current)
    setChanged({ fields, pieces, theirs, isTaken: false })
  }

  function takeChanges({ fields, pieces, theirs }: ChangedMeanwhile) {
    const taken = Object.fromEntries(fields.map((field) => [field, theirs[field]]))
    const { updatedAt } = theirs
    form.reset({ ...form.getValues(), ...taken, updatedAt }, { keepDefaultValues: true })
    setRead(saved)
    setChanged({ fields, pieces, theirs, isTaken: true })
  }

  const refusal =
    save.error && !isConflict && !isUnauthorized(save.error) && refusalText(save.error)

  return (
    <Dialog
      title={product ? 'Edit Product' : 'Add New Product'}
      description={
        original
          ? `A copy of ${original.name}. Nothing is saved before you create it.`
          : 'Fields marked * are required.'
      }
      onClose={onClose}
      className={isPreviewOn ? 'max-w-6xl' : 'max-w-2xl'}
      footer={
        <DialogButtons
          formId={formId}
          isNew={!product}
          isUploading={uploads.isRunning}
          isSaving={save.isPending}
          isPreviewOn={isPreviewOn}
          onPreview={() => setIsPreviewOn(!isPreviewOn)}
          onCancel={onClose}
        />
      }
    >
      <FormProvider {...form}>
        <div className={isPreviewOn ? 'grid gap-8 lg:grid-cols-[minmax(0,1fr)_26rem]' : ''}>
          <div className="min-w-0">
            <form
              id={formId}
              noValidate
              onSubmit={(event) => void form.handleSubmit(send, showValidationToast)(event)}
              className="divide-y divide-line"
            >
              <ProductFields uploads={uploads} />
              <MoreFields product={saved} onValueUpload={uploads.onValueUpload} />
            </form>
            {isConflict && (
              <ChangedNotice
                key={`${changed.theirs.updatedAt} ${changed.isTaken}`}
                changed={changed}
                onTake={() => takeChanges(changed)}
              />
            )}
            {refusal && (
              <Notice look="danger" role="alert" className="mt-6">
                {refusal}
              </Notice>
            )}
          </div>
          {isPreviewOn && <CheckoutPreview />}
        </div>
      </FormProvider>
    </Dialog>
  )
}

const validateProduct = zodResolver(productFormSchema)

function useProductForm(
  { product, original, defaultLogoUrl }: ProductDialogProps,
  saved: Product | undefined,
) {
  return useForm<ProductFormInput, unknown, ProductFormContent>({
    defaultValues: original ? copyValues(original) : initialValues(product, defaultLogoUrl),
    resolver: (values, context, options) =>
      validateProduct(valuesToSave(values, saved), context, options),
  })
}

/** The pictures of a product; those of values are uploaded by their own fields. Their URLs go into the form once they are uploaded. */
function useProductUploads({ setValue }: ReturnType<typeof useProductForm>) {
  const options = { shouldDirty: true, shouldValidate: true }
  const image = usePictureUpload('image', (url) => setValue('imageUrl', url, options))
  const logo = usePictureUpload('logo', (url) => setValue('headerLogoUrl', url, options))
  const [valueUploads, setValueUploads] = useState(0)
  const onValueUpload = useCallback((more: number) => setValueUploads((count) => count + more), [])
  const isRunning = image.isRunning || logo.isRunning || valueUploads > 0
  return { image, logo, onValueUpload, isRunning }
}

/** The fields show their own errors; the toast says that there are some. */
function showValidationToast(errors: FieldErrors<ProductInput>) {
  const { headerLogoUrl, ...others } = errors
  const isOnlyLogoMissing = headerLogoUrl && Object.keys(others).length === 0
  toast({
    title: 'Validation Error',
    description: isOnlyLogoMissing
      ? missingLogo
      : 'Please check all required fields are filled correctly.',
    variant: 'destructive',
  })
}

type DialogButtonsProps = {
  formId: string
  isNew: boolean
  isUploading: boolean
  isSaving: boolean
  isPreviewOn: boolean
  onPreview: () => void
  onCancel: () => void
}

function DialogButtons(props: DialogButtonsProps) {
  const { formId, isNew, isUploading, isSaving, isPreviewOn, onPreview, onCancel } = props
  const [label, pendingLabel] = isNew
    ? ['Create Product', 'Creating...']
    : ['Update Product', 'Updating...']

  return (
    <div className="flex flex-wrap items-center justify-end gap-3 max-sm:[&>button]:flex-1">
      <Button look="bare" aria-pressed={isPreviewOn} onClick={onPreview}>
        <Eye aria-hidden className="size-4" />
        Preview
      </Button>
      <p
        aria-live="polite"
        className="min-w-0 flex-1 text-sm text-soft max-sm:basis-full max-sm:empty:absolute"
      >
        {isUploading && 'The picture is still on its way. You can save as soon as it has arrived.'}
      </p>
      <Button onClick={onCancel}>Cancel</Button>
      <Button
        type="submit"
        form={formId}
        look="primary"
        isPending={isSaving}
        aria-disabled={isUploading}
        onClick={(event) => {
          if (isUploading) event.preventDefault()
        }}
        className="aria-disabled:opacity-60"
      >
        {isSaving ? pendingLabel : label}
      </Button>
    </div>
  )
}
