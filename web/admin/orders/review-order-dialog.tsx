import { zodResolver } from '@hookform/resolvers/zod'
import { type ComponentProps, useId } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import type { z } from 'zod'

import type { ReviewEntry } from '#contract/checkouts.ts'
import { countries } from '#contract/countries.ts'
import { formatMoney } from '#contract/money.ts'
import { reviewOrderSchema } from '#contract/order-schemas.ts'
import { useProducts } from '#web/admin/products/use-products.ts'
import { useFormField } from '#web/admin/use-form-field.ts'
import { useUnsavedGuard } from '#web/admin/use-unsaved-guard.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { AddressLines } from './order-facts.tsx'
import { nameOf } from './order-words.ts'
import { ReviewTitle } from './review-entry.tsx'
import { reviewWords } from './review-words.ts'
import { type ReviewOrder, showPaid, useMakeOrder } from './use-review.ts'

type ReviewOrderInput = z.input<typeof reviewOrderSchema>

const checkOrder = zodResolver(reviewOrderSchema)

type ReviewOrderDialogProps = {
  entry: ReviewEntry
  onClose: () => void
  onOpenOrder: (id: string) => void
}

/** Shows what is known of a payment, and asks for no more than is missing to make the order. */
export function ReviewOrderDialog({ entry, onClose, onOpenOrder }: ReviewOrderDialogProps) {
  const formId = useId()
  const form = useForm<ReviewOrderInput, unknown, ReviewOrder>({
    resolver: (values, context, options) =>
      checkOrder(whatIsMissing(entry, values), context, options),
  })
  const order = useMakeOrder(entry, { onLeft: onClose, onOpenOrder })
  const guard = useUnsavedGuard(form.formState.isDirty, onClose)
  const isComplete = entry.product !== null && entry.details !== null

  return (
    <>
      <Dialog
        title="Make the order"
        description={
          isComplete
            ? 'Everything an order needs is known.'
            : 'Add what is missing. Fields marked * are required.'
        }
        onClose={guard.requestClose}
        className="max-w-xl"
        footer={
          <div className="flex flex-wrap justify-end gap-3 max-sm:*:flex-1">
            <Button onClick={guard.requestClose}>Cancel</Button>
            <Button type="submit" form={formId} look="primary" isPending={order.isPending}>
              {order.isPending ? 'Making the order...' : 'Make the order'}
            </Button>
          </div>
        }
      >
        <Known entry={entry} />
        {!reviewWords[entry.reason].isMoneyKnown && (
          <Notice look="warning" className="mt-5">
            Make the order only if your SumUp account shows that money was taken.
          </Notice>
        )}
        <FormProvider {...form}>
          <form
            id={formId}
            noValidate
            onSubmit={(event) =>
              void form.handleSubmit((wanted) => order.run(withName(wanted)), announceFaults)(event)
            }
            className="mt-6 flex flex-col gap-5 empty:hidden"
          >
            {!entry.product && <ProductField />}
            {!entry.details && <DetailFields />}
          </form>
        </FormProvider>
        {order.problem && (
          <Notice look="danger" role="alert" className="mt-6">
            {order.problem}
          </Notice>
        )}
      </Dialog>
      {guard.isAsking && (
        <ConfirmDialog
          title="Discard what you typed?"
          description="The order has not been made."
          keepLabel="Keep editing"
          loseLabel="Discard"
          onKeep={guard.stay}
          onLose={guard.leave}
        />
      )}
    </>
  )
}

/** What the entry has already is not sent again. */
function whatIsMissing(entry: ReviewEntry, values: ReviewOrderInput): ReviewOrderInput {
  return {
    ...(!entry.product && { productId: values.productId ?? '' }),
    ...(!entry.details && { details: values.details }),
  }
}

/** As the checkout page does it: the customer is who the parcel goes to. */
function withName({ details, ...wanted }: ReviewOrder): ReviewOrder {
  if (!details) return wanted
  const { shippingAddress } = details
  return {
    ...wanted,
    details: {
      ...details,
      customerName: nameOf(shippingAddress),
      ...(shippingAddress.phone && { customerPhone: shippingAddress.phone }),
    },
  }
}

/** The fields say each what is wrong; this says that something is. */
function announceFaults(): void {
  toast({
    title: 'Validation Error',
    description: 'Please check all required fields are filled correctly.',
    variant: 'destructive',
  })
}

function Known({ entry }: { entry: ReviewEntry }) {
  const { details, transactionCode } = entry
  return (
    <div className="rounded-xl border border-line bg-card px-4 py-3.5 text-sm/6">
      <p className="text-base font-medium wrap-anywhere">
        <ReviewTitle entry={entry} />
      </p>
      {entry.paid && (
        <p className="font-medium text-warning">
          SumUp says that <bdi>{showPaid(entry)}</bdi> was paid.
        </p>
      )}
      <p className="text-soft">{reviewWords[entry.reason].happened}</p>
      {transactionCode && (
        <p className="text-soft">
          SumUp code <bdi className="font-mono text-[0.8125rem] text-ink">{transactionCode}</bdi>
        </p>
      )}
      {details && (
        <div className="mt-3 border-t border-line pt-3">
          <h3 className="text-xs font-medium text-muted">Delivery</h3>
          <AddressLines address={details.shippingAddress} />
          {details.customerEmail && <bdi className="wrap-anywhere">{details.customerEmail}</bdi>}
        </div>
      )}
    </div>
  )
}

function ProductField() {
  const { data: products, isError, isFetching, refetch } = useProducts()
  const { error, ...field } = useFormField<ReviewOrderInput>('productId')

  if (isError) {
    return (
      <Notice look="danger" role="alert">
        Your products could not be loaded.{' '}
        <button
          type="button"
          aria-disabled={isFetching}
          onClick={() => void refetch()}
          className="font-medium underline underline-offset-4"
        >
          Try again
        </button>
      </Notice>
    )
  }
  return (
    <SelectField
      label="Product"
      mark="*"
      required
      error={error && 'Choose the product that was bought'}
      {...field}
    >
      <option value="">{products ? 'Choose a product' : 'Loading...'}</option>
      {products?.map(({ id, name, price, currency }) => (
        <option key={id} value={id}>
          {name} · {formatMoney(price, currency)}
        </option>
      ))}
    </SelectField>
  )
}

type AddressPart = keyof NonNullable<ReviewOrderInput['details']>['shippingAddress']

function DetailFields() {
  return (
    <fieldset className="flex min-w-0 flex-col gap-5">
      <legend className="sr-only">Customer and delivery</legend>
      <TextField
        label="Email"
        mark="(optional)"
        type="email"
        inputMode="email"
        autoCapitalize="off"
        spellCheck={false}
        hint="A confirmation is sent there."
        {...plain}
        {...useFormField<ReviewOrderInput>('details.customerEmail')}
      />
      <SelectField
        label="Country"
        mark="*"
        required
        {...useFormField<ReviewOrderInput>('details.shippingAddress.country')}
      >
        <option value="">Choose a country</option>
        {countries.map((country) => (
          <option key={country}>{country}</option>
        ))}
      </SelectField>
      <div className="grid gap-5 sm:grid-cols-2">
        <AddressField part="firstName" label="First name" />
        <AddressField part="lastName" label="Last name" required />
      </div>
      <AddressField part="address" label="Address" required />
      <AddressField part="apartment" label="Apartment" />
      <div className="grid gap-5 sm:grid-cols-3">
        <AddressField part="postcode" label="Postcode" required />
        <AddressField part="city" label="City" required />
        <AddressField part="state" label="State" />
      </div>
      <AddressField part="phone" label="Phone" type="tel" />
    </fieldset>
  )
}

/** The owner types somebody else's details: what the browser knows of the owner would be wrong. */
const plain = { autoComplete: 'off' } as const

type AddressFieldProps = Pick<ComponentProps<typeof TextField>, 'label' | 'required' | 'type'> & {
  part: AddressPart
}

function AddressField({ part, label, required, type }: AddressFieldProps) {
  return (
    <TextField
      label={label}
      mark={required ? '*' : '(optional)'}
      required={required}
      type={type}
      {...plain}
      {...useFormField<ReviewOrderInput>(`details.shippingAddress.${part}`)}
    />
  )
}
