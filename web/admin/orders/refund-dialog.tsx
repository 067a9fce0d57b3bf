import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'

import { formatCents, formatMoney, isPrice, toCents } from '#contract/money.ts'
import type { OrderRefunds } from '#contract/refunds.ts'
import { isUnauthorized, refusalCode } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CheckboxField, TextField } from '#web/ui/fields.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/use-toast.ts'

import {
  describeOutcome,
  describeRefundError,
  needsRefundPassword,
  refundLabels,
  reloadOrder,
  sendRefund,
  useOrderRefunds,
  type WantedRefund,
} from './order-refunds.ts'
import { shortId } from './order-text.ts'
import { openIdOf, type OrderNavigation } from './order-url.ts'
import { RefundMessage, RefundPassword } from './refund-parts.tsx'

/** The refund of the order in the address. */
export function RefundDialog({ navigation }: { navigation: OrderNavigation }) {
  const id = openIdOf(navigation.url, 'refund')
  if (!id) return null
  return <LoadedRefund key={id} id={id} onClose={navigation.close} />
}

type RefundProps = { id: string; onClose: () => void }

function LoadedRefund({ id, onClose }: RefundProps) {
  const { data, isError } = useOrderRefunds(id)
  // Stays as it was opened: a refund that is under way, and one whose answer is lost, ends here,
  // whatever is read meanwhile. The server refuses what is not left by then.
  const [opened, setOpened] = useState<OrderRefunds>()
  if (!opened && data?.blockedBy === null) setOpened(data)
  if (opened) return <Refund id={id} refunds={opened} onClose={onClose} />
  return (
    <RefundMessage
      title={`Refund order ${shortId(id)}`}
      text={isError ? 'The order could not be loaded.' : (data?.blockedBy ?? 'Loading...')}
      onClose={onClose}
      className="max-w-md"
    />
  )
}

function Refund({ id, refunds, onClose }: RefundProps & { refunds: OrderRefunds }) {
  const formId = useId()
  const { left, currency } = refunds
  const [typed, setTyped] = useState(left)
  const [password, setPassword] = useState('')
  const [isBackInStock, setIsBackInStock] = useState(false)
  const [error, setError] = useState<string>()
  const send = useSend(id, { onEnd: onClose })
  const amount = parseAmount(typed)
  const needsPassword =
    amount !== undefined && toCents(amount) <= toCents(left)
      ? needsRefundPassword(amount, refunds) || send.isPasswordNeeded
      : false
  const isAll = amount !== undefined && toCents(amount) === toCents(left)

  function submit(event: FormEvent): void {
    event.preventDefault()
    const problem = checkAmount(amount, refunds)
    setError(problem)
    if (problem || amount === undefined) return
    const { version } = refunds
    const back = isAll && isBackInStock && { isBackInStock }
    send.run({ version, amount, ...back, ...(needsPassword && { password }) })
  }

  /** What SumUp is being asked for is asked for, whoever leaves. */
  function close(): void {
    if (!send.isPending) onClose()
  }

  return (
    <Dialog
      title={`Refund order ${shortId(id)}`}
      description={`${formatMoney(left, currency)} of its payment are left.`}
      onClose={close}
      className="max-w-md"
      footer={
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:flex-1">
          <Button onClick={close}>{send.isOver ? 'Close' : 'Cancel'}</Button>
          {!send.isOver && (
            <Button type="submit" form={formId} look="primary" isPending={send.isPending}>
              {amount === undefined ? 'Refund' : `Refund ${formatMoney(amount, currency)}`}
            </Button>
          )}
        </div>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
        <div>
          <TextField
            label={`Amount (${currency})`}
            inputMode="decimal"
            autoComplete="off"
            required
            value={typed}
            error={error}
            onChange={({ target }) => {
              setTyped(target.value)
              setError(undefined)
            }}
            onBlur={() => setError(checkAmount(amount, refunds))}
          />
          {!isAll && (
            <Button size="small" className="mt-2" onClick={() => setTyped(left)}>
              All that is left
            </Button>
          )}
        </div>
        {refunds.hasPiece && isAll && (
          <CheckboxField
            label="Back in stock"
            hint="The piece can be sold again: one more is there."
            checked={isBackInStock}
            onChange={({ target }) => setIsBackInStock(target.checked)}
          />
        )}
        {needsPassword && <RefundPassword value={password} onChange={setPassword} />}
        <p className="text-sm/6 text-soft">
          SumUp gives the money back the way it was paid, which cannot be undone. No mail about it
          is sent before SumUp shows the refund. The status of the order stays.
        </p>
      </form>
      {send.problem && (
        <Notice look="danger" role="alert" className="mt-5">
          {send.problem}
        </Notice>
      )}
    </Dialog>
  )
}

/** As people type amounts: 12,5 is 12.50. Undefined for what is none. */
function parseAmount(typed: string): string | undefined {
  const text = typed.trim().replace(',', '.')
  return isPrice(text) && toCents(text) > 0 ? formatCents(toCents(text)) : undefined
}

function checkAmount(amount: string | undefined, { left, currency }: OrderRefunds) {
  if (amount === undefined) return 'Enter an amount such as 12.50.'
  return toCents(amount) > toCents(left)
    ? `Only ${formatMoney(left, currency)} are left.`
    : undefined
}

function useSend(id: string, { onEnd }: { onEnd: () => void }) {
  const queryClient = useQueryClient()
  // isPending changes with the next render, which may be later than a double click.
  const isRunning = useRef(false)
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: (wanted: WantedRefund) => sendRefund(id, wanted),
    onSuccess: (outcome) => {
      if (outcome.state === 'failed') return
      toast({ title: refundLabels[outcome.state], description: describeOutcome(outcome) })
      onEnd()
    },
    onSettled: () => {
      isRunning.current = false
      void reloadOrder(queryClient, id)
    },
  })
  const failed = data?.state === 'failed' ? describeOutcome(data) : undefined
  const refused = error && !isUnauthorized(error) ? describeRefundError(error).text : undefined
  return {
    isPending,
    /** Whoever sends it again must look at the order first. */
    isOver: error !== null && !describeRefundError(error).isNothingAsked,
    problem: isPending ? undefined : (refused ?? failed),
    /** More was refunded since the dialog was opened. */
    isPasswordNeeded: refusalCode(error) === 'refund-password-needed',
    run: (wanted: WantedRefund) => {
      if (isRunning.current) return
      isRunning.current = true
      mutate(wanted)
    },
  }
}
