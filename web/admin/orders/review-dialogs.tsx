import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { FormProvider, useForm } from 'react-hook-form'

import type { ReviewEntry } from '#contract/checkouts.ts'
import { dismissalSchema } from '#contract/order-schemas.ts'
import { useFormField } from '#web/admin/use-form-field.ts'
import { useUnsavedGuard } from '#web/admin/use-unsaved-guard.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextAreaField } from '#web/ui/fields.tsx'

import { ReviewTitle } from './review-entry.tsx'
import { ReviewOrderDialog } from './review-order-dialog.tsx'
import { type Dismissal, showPaid, useDismiss, useRefund } from './use-review.ts'

/** Which decision about which payment is being made. */
export type Decision = { about: 'order' | 'refund' | 'dismissal'; entry: ReviewEntry }

type ReviewDialogProps = {
  decision: Decision
  onClose: () => void
  onOpenOrder: (id: string) => void
}

export function ReviewDialog({ decision, onClose, onOpenOrder }: ReviewDialogProps) {
  const { about, entry } = decision
  switch (about) {
    case 'order':
      return <ReviewOrderDialog entry={entry} onClose={onClose} onOpenOrder={onOpenOrder} />
    case 'refund':
      return <RefundDialog entry={entry} onClose={onClose} />
    case 'dismissal':
      return <DismissDialog entry={entry} onClose={onClose} />
  }
}

type DialogProps = { entry: ReviewEntry; onClose: () => void }

/** Asks before money moves, and stays until it is known what became of it. */
function RefundDialog({ entry, onClose }: DialogProps) {
  const refund = useRefund(entry, { onLeft: onClose })
  const money = showPaid(entry)

  return (
    <ConfirmDialog
      title={`Refund ${money}?`}
      description="SumUp gives the whole amount back to the customer. A refund cannot be undone."
      keepLabel="Cancel"
      loseLabel={refund.isPending ? 'Refunding...' : `Refund ${money}`}
      isPending={refund.isPending}
      onKeep={onClose}
      onLose={() => refund.run(undefined)}
    >
      {refund.problem && (
        <Notice look="danger" role="alert" className="mt-4">
          {refund.problem}
        </Notice>
      )}
    </ConfirmDialog>
  )
}

function DismissDialog({ entry, onClose }: DialogProps) {
  const formId = useId()
  const form = useForm({
    defaultValues: { note: '' },
    resolver: zodResolver(dismissalSchema),
  })
  const dismiss = useDismiss(entry, { onLeft: onClose })
  const guard = useUnsavedGuard(form.formState.isDirty, onClose)

  return (
    <>
      <Dialog
        title="Dismiss payment"
        description="It goes to the payment archive, where you can bring it back. No money moves."
        onClose={guard.requestClose}
        className="max-w-md"
        footer={
          <div className="flex flex-wrap justify-end gap-3 max-sm:*:flex-1">
            <Button onClick={guard.requestClose}>Cancel</Button>
            <Button type="submit" form={formId} look="primary" isPending={dismiss.isPending}>
              {dismiss.isPending ? 'Dismissing...' : 'Dismiss'}
            </Button>
          </div>
        }
      >
        <p className="mb-5 font-medium wrap-anywhere">
          <ReviewTitle entry={entry} />
        </p>
        <FormProvider {...form}>
          <form
            id={formId}
            noValidate
            onSubmit={(event) => void form.handleSubmit(dismiss.run)(event)}
          >
            <NoteField />
          </form>
        </FormProvider>
        {dismiss.problem && (
          <Notice look="danger" role="alert" className="mt-5">
            {dismiss.problem}
          </Notice>
        )}
      </Dialog>
      {guard.isAsking && (
        <ConfirmDialog
          title="Discard your note?"
          description="The payment has not been dismissed."
          keepLabel="Keep writing"
          loseLabel="Discard note"
          onKeep={guard.stay}
          onLose={guard.leave}
        />
      )}
    </>
  )
}

function NoteField() {
  return (
    <TextAreaField
      label="Note"
      mark="*"
      required
      hint="Why nothing more has to be done, for whoever reads the archive."
      {...useFormField<Dismissal>('note')}
    />
  )
}
