import '#web/admin/zod-config.ts'

import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useId, useRef } from 'react'
import { FormProvider, useForm, useFormContext } from 'react-hook-form'
import type { z } from 'zod'

import { createTrackingUrl, recognizeCarrier } from '#contract/carriers.ts'
import { shipmentSchema } from '#contract/order-schemas.ts'
import { isSent, type AdminOrder } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { parseOrder } from '#web/admin/answers.ts'
import { forgetForm, useFormDraft } from '#web/admin/session/kept-drafts.ts'
import { useFormField } from '#web/admin/shell/use-form-field.ts'
import { callServer, isUnauthorized, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CheckboxField, SelectField, TextField } from '#web/ui/fields.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { CarrierOptions } from './carrier-options.tsx'
import { readLastCarrier, rememberCarrier } from './last-carrier.ts'
import { OrderDialog, type OrderDialogProps } from './order-dialog.tsx'
import { showOrder } from './order-queries.ts'
import { shortId } from './order-text.ts'

type Input = z.input<typeof shipmentSchema>
type Output = z.output<typeof shipmentSchema>

/** Carrier and tracking of the order in the address. */
export function TrackingDialog(props: OrderDialogProps) {
  return (
    <OrderDialog kind="tracking" title="Tracking" {...props}>
      {(order, onClose) => <OrderTracking order={order} onClose={onClose} />}
    </OrderDialog>
  )
}

type OrderTrackingProps = { order: AdminOrder; onClose: () => void }

function OrderTracking({ order, onClose }: OrderTrackingProps) {
  const { shipment } = order
  const formId = useId()
  const opener = `tracking=${order.id}`
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver(shipmentSchema),
    defaultValues: readValues(order),
  })
  useFormDraft(form, { opener })
  const save = useSend(order)
  const isShipped = isSent(order)

  function send(output: Output | undefined): void {
    save.mutate(output, {
      onSuccess: () => {
        forgetForm(opener)
        onClose()
      },
    })
  }

  /** What is being saved is saved, whoever leaves. */
  function close(): void {
    if (!save.isPending) onClose()
  }

  return (
    <Dialog
      title={`Tracking of order ${shortId(order.id)}`}
      description={
        isShipped ? 'The customer can follow the parcel.' : 'Saving it marks the order as shipped.'
      }
      onClose={close}
      className="max-w-md"
      footer={
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:flex-1">
          {shipment && (
            <Button
              look="bare"
              isPending={save.isPending}
              onClick={() => send(undefined)}
              className="me-auto"
            >
              Remove
            </Button>
          )}
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} look="primary" isPending={save.isPending}>
            {isShipped ? 'Save tracking' : 'Mark as shipped'}
          </Button>
        </div>
      }
    >
      <FormProvider {...form}>
        <form
          id={formId}
          noValidate
          onSubmit={(event) => void form.handleSubmit(send)(event)}
          className="flex flex-col gap-5"
        >
          <TrackingFields order={order} />
        </form>
      </FormProvider>
      {save.error && !isUnauthorized(save.error) && (
        <Notice look="danger" role="alert" className="mt-5">
          {refusalText(save.error) ?? 'The tracking could not be saved. Please try again.'}
        </Notice>
      )}
    </Dialog>
  )
}

function readValues({ shipment, shippingAddress }: AdminOrder): Partial<Input> {
  if (!shipment) {
    const carrier = readLastCarrier()
    return { trackingNumber: '', trackingUrl: '', tellsCustomer: true, ...(carrier && { carrier }) }
  }
  const { carrier, trackingNumber, trackingUrl } = shipment
  const ownUrl = trackingNumber && createTrackingUrl(carrier, trackingNumber, shippingAddress)
  return {
    carrier,
    trackingNumber: trackingNumber ?? '',
    trackingUrl: trackingUrl === ownUrl ? '' : (trackingUrl ?? ''),
    tellsCustomer: false,
  }
}

function TrackingFields({ order }: { order: AdminOrder }) {
  const form = useTrackingForm()
  return (
    <>
      <TextField
        label="Tracking number"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.number}
      />
      <SelectField label="Carrier" mark="*" required {...form.carrier}>
        <CarrierOptions />
      </SelectField>
      <TextField
        label="Link"
        mark="(optional)"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        hint="Only if the carrier’s own page is not the right one."
        {...useFormField<Input>('trackingUrl')}
      />
      <MailField order={order} />
    </>
  )
}

/** A number that only one carrier has chooses it, unless a carrier was chosen by hand. */
function useTrackingForm() {
  const { setValue, clearErrors } = useFormContext<Input>()
  const carrier = useFormField<Input>('carrier')
  const number = useFormField<Input>('trackingNumber')
  const isChosen = useRef(false)
  return {
    number: {
      ...number,
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        const found = recognizeCarrier(event.target.value)
        if (found && !isChosen.current) {
          setValue('carrier', found, { shouldDirty: true })
          clearErrors('carrier')
        }
        return number.onChange(event)
      },
    },
    carrier: {
      ...carrier,
      onChange: (event: ChangeEvent<HTMLSelectElement>) => {
        isChosen.current = true
        return carrier.onChange(event)
      },
    },
  }
}

/** The customer is told once, with the first tracking. */
function MailField({ order }: { order: AdminOrder }) {
  const { shipment, customerEmail, isTest } = order
  const { error: _none, ...field } = useFormField<Input>('tellsCustomer')
  // Nobody is told that what has arrived is on its way.
  if (!customerEmail || order.status === 'completed') return null
  if (shipment)
    return (
      <p className="text-sm text-soft">
        No mail is sent for a change. The customer’s order page shows it.
      </p>
    )
  return (
    <CheckboxField
      label="Email the link to the customer"
      hint={isTest ? 'Mails of test orders never leave the shop.' : customerEmail}
      {...field}
    />
  )
}

/** Saves what is given, or removes the tracking. */
function useSend(order: AdminOrder) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (output: Output | undefined) => {
      const path = pathOf(apiRoutes.orderShipment, { id: order.id })
      const answer = await callServer(output ? 'PUT' : 'DELETE', path, output)
      return parseOrder((await answer.json()) as object)
    },
    onSuccess: (saved, output) => {
      if (output) rememberCarrier(output.carrier)
      showOrder(queryClient, saved, order.status)
      toast({
        title: output ? 'Tracking saved' : 'Tracking removed',
        description: `Order ${shortId(order.id)}`,
      })
    },
  })
}
