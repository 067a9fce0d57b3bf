import { Button } from '#web/ui/button.tsx'

type DialogButtonsProps = {
  formId: string
  isNew: boolean
  isUploading: boolean
  isSaving: boolean
  onCancel: () => void
}

export function DialogButtons(props: DialogButtonsProps) {
  const { formId, isNew, isUploading, isSaving, onCancel } = props
  const [label, pendingLabel] = isNew
    ? ['Create Product', 'Creating...']
    : ['Update Product', 'Updating...']

  return (
    <div className="flex flex-wrap items-center justify-end gap-3 max-sm:[&>button]:flex-1">
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
