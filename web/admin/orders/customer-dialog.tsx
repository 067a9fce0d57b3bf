import '#web/admin/zod-config.ts'

import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { z } from 'zod'

import { correctionSchema } from '#contract/order-schemas.ts'
import { isSent, type AdminOrder } from '#contract/orders.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { parseOrder } from '#web/admin/answers.ts'
import { forgetForm, useFormDraft } from '#web/admin/session/kept-drafts.ts'
import { useOneAtATime } from '#web/admin/shell/use-one-at-a-time.ts'
import { callServer, isUnauthorized, refusalCode, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/use-toast.ts'

import { DetailFields } from './detail-fields.tsx'
import { FullAddress } from './order-display.tsx'
import { OrderDialog, type OrderDialogProps } from './order-dialog.tsx'
import { fetchOrder, showOrder } from './order-queries.ts'
import { noValue, shortId } from './order-text.ts'

const formSchema = z.object({
  details: correctionSchema.pick({ customerEmail: true, shippingAddress: true }),
})
type Input = z.input<typeof formSchema>
type Output = z.output<typeof formSchema>

/** E-mail, name, phone and delivery address of the order in the address, to be corrected. */
export function CustomerDialog(props: OrderDialogProps) {
  return (
    <OrderDialog kind="customer" title="Customer" {...props}>
      {(order, onClose) => <Correction order={order} onClose={onClose} />}
    </OrderDialog>
  )
}

type CorrectionProps = { order: AdminOrder; onClose: () => void }

function Correction({ order, onClose }: CorrectionProps) {
  const formId = useId()
  const opener = `customer=${order.id}`
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver(formSchema),
    defaultValues: readValues(order),
  })
  useFormDraft(form, { opener })
  const { save, changed } = useCorrect(order)

  const send = useOneAtATime(async (output: Output) => {
    await save.mutateAsync(output)
    forgetForm(opener)
    onClose()
  })

  /** What is being saved is saved, whoever leaves. */
  function close(): void {
    if (!save.isPending) onClose()
  }

  return (
    <Dialog
      title={`Customer of order ${shortId(order.id)}`}
      description="The history keeps what was there before."
      onClose={close}
      className="max-w-xl"
      footer={
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:flex-1">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} look="primary" isPending={save.isPending}>
            Save
          </Button>
        </div>
      }
    >
      {changed ? (
        <Notice look="warning" role="alert" className="mb-5" ref={scrollTo}>
          <p>
            Somebody else has changed the customer meanwhile. It says now, and Save replaces it with
            what is below:
          </p>
          <p className="mt-2">
            <bdi>{changed.customerEmail ?? noValue}</bdi>
          </p>
          <FullAddress address={changed.shippingAddress} />
        </Notice>
      ) : (
        save.error &&
        !isUnauthorized(save.error) && (
          <Notice look="danger" role="alert" className="mb-5" ref={scrollTo}>
            {refusalText(save.error) ?? 'The customer could not be saved. Please try again.'}
          </Notice>
        )
      )}
      {isSent(order) && !order.isPickup && (
        <Notice look="warning" className="mb-5">
          This order is {order.status}: the parcel has left with the address as it was.
        </Notice>
      )}
      <FormProvider {...form}>
        <form
          id={formId}
          noValidate
          onSubmit={(event) => void form.handleSubmit((output) => send(output))(event)}
          className="flex flex-col gap-5"
        >
          <DetailFields
            emailHint="Another address ends the links to the order that were mailed before."
            isPickup={order.isPickup === true}
          />
        </form>
      </FormProvider>
    </Dialog>
  )
}

/** The fields below may fill the screen. */
function scrollTo(notice: HTMLElement | null): void {
  notice?.scrollIntoView({ block: 'nearest' })
}

function readValues({ customerEmail, customerPhone, shippingAddress }: AdminOrder): Input {
  const empty = { firstName: '', apartment: '', state: '' }
  const phone = shippingAddress.phone ?? customerPhone ?? ''
  return {
    details: {
      customerEmail: customerEmail ?? '',
      shippingAddress: { ...empty, ...shippingAddress, phone },
    },
  }
}

/** Saves what is given, if the order still says what was seen here. Otherwise `changed` is how it is now. */
function useCorrect(order: AdminOrder) {
  const queryClient = useQueryClient()
  const [opened] = useState(order)
  const [changed, setChanged] = useState<AdminOrder>()
  const save = useMutation({
    mutationFn: async ({ details: { customerEmail, shippingAddress } }: Output) => {
      const { customerEmail: email, customerPhone, shippingAddress: address } = changed ?? opened
      const answer = await callServer('PUT', pathOf(apiRoutes.orderCustomer, { id: order.id }), {
        customerEmail,
        customerPhone: shippingAddress.phone,
        shippingAddress,
        before: { customerEmail: email, customerPhone, shippingAddress: address },
      })
      return parseOrder((await answer.json()) as object)
    },
    onSuccess: (saved) => {
      showOrder(queryClient, saved, order.status)
      toast({ title: 'Customer saved', description: `Order ${shortId(order.id)}` })
    },
    onError: async (error) => {
      if (refusalCode(error) !== 'order-changed') return
      const fresh = await fetchOrder(order.id)
      if (!fresh) return
      setChanged(fresh)
      showOrder(queryClient, fresh, order.status)
    },
  })
  return { save, changed }
}
