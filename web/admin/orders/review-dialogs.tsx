import '#web/admin/zod-config.ts'

import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useId, useState } from 'react'
import {
  type FieldValues,
  FormProvider,
  type SubmitErrorHandler,
  useForm,
  type UseFormReturn,
} from 'react-hook-form'

import type { ReviewEntry } from '#contract/checkouts.ts'
import { dismissalSchema, reviewOrderSchema } from '#contract/order-schemas.ts'
import { forgetForm, useFormDraft } from '#web/admin/session/kept-drafts.ts'
import { useFormField } from '#web/admin/shell/use-form-field.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextAreaField } from '#web/ui/fields.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { FullAddress } from './order-display.tsx'
import { RefundPassword } from './refund-parts.tsx'
import { MoneyNotes, ReviewTitle } from './review-entry.tsx'
import { DetailFields } from './detail-fields.tsx'
import {
  ChoiceField,
  CodeField,
  ProductField,
  type ReviewOrderInput,
} from './review-order-fields.tsx'
import { describeNext, describeReason, formatRefundable, isMoneyKnown } from './review-text.ts'
import {
  type Dismissal,
  type ReviewOrder,
  useCreateOrder,
  useDismiss,
  useRefund,
} from './review-actions.ts'

type Action = 'order' | 'refund' | 'dismiss'

export type Decision = {
  action: Action
  /** As it was when the dialog opened, or when the server last refused: what is on the screen is decided about. */
  entry: ReviewEntry
  /** Why nothing has been decided yet. */
  note?: string
}

type DialogProps = {
  entry: ReviewEntry
  onClose: () => void
  onChanged: (entry: ReviewEntry, note: string) => void
}
type OrderDialogProps = DialogProps & { onOpenOrder: (id: string) => void }
type ReviewDialogProps = Omit<OrderDialogProps, 'entry'> & { decision: Decision }

export function ReviewDialog({ decision, onOpenOrder, ...props }: ReviewDialogProps) {
  const { action, entry, note } = decision
  if (!isPossible(action, entry))
    return <ChangedDialog entry={entry} note={note} onClose={props.onClose} />
  switch (action) {
    case 'order':
      return <OrderDialog entry={entry} onOpenOrder={onOpenOrder} {...props} />
    case 'refund':
      return <RefundDialog entry={entry} {...props} />
    case 'dismiss':
      return <DismissDialog entry={entry} {...props} />
  }
}

function isPossible(action: Action, entry: ReviewEntry): boolean {
  switch (action) {
    case 'order':
      return entry.canOrder
    case 'refund':
      return entry.canRefund
    case 'dismiss':
      return entry.canDismiss
  }
}

type ChangedDialogProps = Pick<DialogProps, 'entry' | 'onClose'> & { note: string | undefined }

/** What the dialog was opened for cannot be done with the entry any more. */
function ChangedDialog({ entry, note, onClose }: ChangedDialogProps) {
  return (
    <Dialog
      title="Payment in review"
      description={describeNext(entry)}
      onClose={onClose}
      className="max-w-md"
      footer={
        <div className="flex justify-end max-sm:*:flex-1">
          <Button onClick={onClose}>Close</Button>
        </div>
      }
    >
      <KnownFacts entry={entry} />
      <Problem>{note}</Problem>
    </Dialog>
  )
}

/** Stays open until the result is known. */
function RefundDialog({ entry, onClose, onChanged }: DialogProps) {
  const refund = useRefund(entry, { onRemoved: onClose, onChanged })
  const money = formatRefundable(entry)
  const label = money ? `Refund ${money}` : 'Refund'
  const [password, setPassword] = useState('')
  const [isPasswordNeeded, setPasswordNeeded] = useState(false)
  if (refund.code === 'refund-password-needed' && !isPasswordNeeded) setPasswordNeeded(true)

  return (
    <ConfirmDialog
      title={money ? `${label}?` : 'Refund this payment?'}
      description="SumUp is asked to give all that is left of this payment back to the customer. A refund cannot be undone."
      keepLabel="Cancel"
      loseLabel={refund.isPending ? 'Refunding...' : label}
      isPending={refund.isPending}
      onKeep={onClose}
      onLose={() => refund.run(isPasswordNeeded ? password : undefined)}
    >
      <MoneyNotes entry={entry} />
      {isPasswordNeeded && (
        <div className="mt-5">
          <RefundPassword value={password} onChange={setPassword} />
        </div>
      )}
      <Problem>{refund.problem}</Problem>
    </ConfirmDialog>
  )
}

const noteSchema = dismissalSchema.omit({ version: true })

function DismissDialog({ entry, onClose, onChanged }: DialogProps) {
  const form = useForm({ defaultValues: { note: '' }, resolver: zodResolver(noteSchema) })
  const { opener, ...handlers } = describeForm({ action: 'dismiss', entry }, onClose, onChanged)
  const dismiss = useDismiss(entry, handlers)

  return (
    <FormDialog
      opener={opener}
      title="Dismiss payment"
      description="It goes to the payment archive, where you can bring it back. No money moves."
      className="max-w-md"
      form={form}
      action={dismiss}
      submitLabels={{ idle: 'Dismiss', pending: 'Dismissing...' }}
      onClose={onClose}
      intro={<KnownFacts entry={entry} />}
    >
      <NoteField />
    </FormDialog>
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

const validateOrder = zodResolver(reviewOrderSchema.omit({ version: true }))

/** Shows what is known about a payment, and asks only for what is missing to create the order. */
function OrderDialog({ entry, onClose, onChanged, onOpenOrder }: OrderDialogProps) {
  const form = useForm<ReviewOrderInput, unknown, ReviewOrder>({
    resolver: ({ productId = '', choice, code, details }, ...rest) =>
      validateOrder(
        {
          choice,
          ...(!entry.product && { productId, code: code || undefined }),
          ...(!entry.details && { details }),
        },
        ...rest,
      ),
  })
  const { opener, ...handlers } = describeForm({ action: 'order', entry }, onClose, onChanged)
  const order = useCreateOrder(entry, { ...handlers, onOpenOrder })
  const isComplete = entry.product !== null && entry.details !== null

  return (
    <FormDialog
      opener={opener}
      title="Create order"
      description={
        isComplete
          ? 'Everything an order needs is known.'
          : 'Add what is missing. Fields marked * are required.'
      }
      className="max-w-xl"
      form={form}
      action={{ ...order, run: (input) => order.run(addCustomer(input)) }}
      submitLabels={{ idle: 'Create order', pending: 'Creating order...' }}
      onClose={onClose}
      onInvalid={() =>
        toast({
          title: 'Validation Error',
          description: 'Please check all required fields are filled correctly.',
          variant: 'destructive',
        })
      }
      intro={
        <>
          <KnownFacts entry={entry} />
          {!isMoneyKnown(entry) && (
            <Notice look="warning" className="mt-5">
              Create the order only if your SumUp account shows that money was taken.
            </Notice>
          )}
        </>
      }
    >
      {!entry.product && <ProductField />}
      <ChoiceField entry={entry} />
      {!entry.product && <CodeField />}
      {!entry.details && <DetailFields emailHint="A confirmation is sent there." />}
    </FormDialog>
  )
}

/** As on the checkout page, the customer is the recipient. */
function addCustomer({ details, ...input }: ReviewOrder): ReviewOrder {
  if (!details) return input
  const { firstName, lastName, phone } = details.shippingAddress
  const customerName = [firstName, lastName].filter(Boolean).join(' ')
  return { ...input, details: { ...details, customerName, ...(phone && { customerPhone: phone }) } }
}

function KnownFacts({ entry }: { entry: ReviewEntry }) {
  const { details, transactionCode } = entry
  return (
    <div className="rounded-xl border border-line bg-card px-4 py-3.5 text-sm/6">
      <p className="text-base font-medium wrap-anywhere">
        <ReviewTitle entry={entry} />
      </p>
      <MoneyNotes entry={entry} />
      <p className="text-soft">{describeReason(entry)}</p>
      {transactionCode && (
        <p className="text-soft">
          SumUp code <bdi className="font-mono text-[0.8125rem] text-ink">{transactionCode}</bdi>
        </p>
      )}
      {details && (
        <div className="mt-3 border-t border-line pt-3">
          <h3 className="text-xs font-medium text-muted">
            {details.isPickup ? 'Pickup at' : 'Delivery'}
          </h3>
          <FullAddress address={details.shippingAddress} />
          {details.customerEmail && <bdi className="wrap-anywhere">{details.customerEmail}</bdi>}
        </div>
      )}
    </div>
  )
}

/** Props of a form that `?decide=…` opens. It is forgotten once its entry has left the list or cannot be decided so. */
function describeForm(
  { action, entry }: Decision,
  onClose: () => void,
  onChanged: DialogProps['onChanged'],
) {
  const opener = `decide=${action}:${entry.id}`
  return {
    opener,
    onRemoved: () => {
      forgetForm(opener)
      onClose()
    },
    onChanged: (current: ReviewEntry, note: string) => {
      if (!isPossible(action, current)) forgetForm(opener)
      onChanged(current, note)
    },
  }
}

type FormDialogProps<Input extends FieldValues, Output> = {
  /** The query that opens it. */
  opener: string
  title: string
  description: string
  className: string
  form: UseFormReturn<Input, unknown, Output>
  action: { isPending: boolean; problem: string | undefined; run: (output: Output) => void }
  submitLabels: { idle: string; pending: string }
  onClose: () => void
  onInvalid?: SubmitErrorHandler<Input>
  /** Above the fields. */
  intro: ReactNode
  children: ReactNode
}

function FormDialog<Input extends FieldValues, Output>(props: FormDialogProps<Input, Output>) {
  const { title, description, className, form, action, submitLabels, onClose } = props
  const formId = useId()
  useFormDraft(form, { opener: props.opener })

  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      className={className}
      footer={
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:flex-1">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} look="primary" isPending={action.isPending}>
            {action.isPending ? submitLabels.pending : submitLabels.idle}
          </Button>
        </div>
      }
    >
      {props.intro}
      <FormProvider {...form}>
        <form
          id={formId}
          noValidate
          onSubmit={(event) => void form.handleSubmit(action.run, props.onInvalid)(event)}
          className="mt-5 flex flex-col gap-5 empty:hidden"
        >
          {props.children}
        </form>
      </FormProvider>
      <Problem>{action.problem}</Problem>
    </Dialog>
  )
}

function Problem({ children }: { children: string | undefined }) {
  return (
    children && (
      <Notice look="danger" role="alert" className="mt-5">
        {children}
      </Notice>
    )
  )
}
