import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'

import { formatCents, formatMoney, toCents } from '#contract/money.ts'
import type { OrderRefunds, RefundOutcome } from '#contract/refunds.ts'
import {
  describeOutcome,
  describeRefundError,
  fetchOrderRefunds,
  refundLabels,
  reloadOrder,
  sendRefund,
} from '#web/admin/orders/order-refunds.ts'
import { formatCount, shortId } from '#web/admin/orders/order-text.ts'
import type { OrderNavigation } from '#web/admin/orders/order-url.ts'
import { RefundMessage, RefundPassword } from '#web/admin/orders/refund-parts.tsx'
import { handleUnauthorized } from '#web/admin/session/session.ts'
import { refusalCode, refusalText } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { toast } from '#web/ui/use-toast.ts'

/** More would be looked at and refunded for minutes. */
const maxOrders = 100
const parallelLooks = 6

/** Undefined if it could not be looked at. */
type Look = { id: string; refunds: OrderRefunds | undefined }
type PossibleLook = { id: string; refunds: OrderRefunds }
/** What became of one order, in words. */
type Ended = { id: string; label: string; text: string }

type ManyRefundDialogProps = { navigation: OrderNavigation; ids: string[] }

/** Refunds the selected orders in full, one after the other. */
export function ManyRefundDialog({ navigation, ids }: ManyRefundDialogProps) {
  if (navigation.url.panel?.kind !== 'many-refunds') return null
  return <ManyRefund ids={ids} onClose={navigation.close} />
}

function ManyRefund({ ids: selected, onClose }: { ids: string[]; onClose: () => void }) {
  // The selection may change while they are refunded.
  const [ids] = useState(selected)
  const isTooMany = ids.length > maxOrders
  const looks = useQuery({
    queryKey: ['refunds of selected orders', ids],
    queryFn: ({ signal }) => lookAtAll(ids, signal),
    enabled: ids.length > 0 && !isTooMany,
    staleTime: 0,
    gcTime: 0,
  })
  if (looks.data) return <Preview looks={looks.data} onClose={onClose} />
  const text =
    ids.length === 0
      ? 'Select the orders first.'
      : isTooMany
        ? `At most ${maxOrders} orders are refunded at once. Please select fewer.`
        : looks.isError
          ? 'The orders could not be loaded. Close this and try again.'
          : 'Looking at what can be refunded...'
  return <RefundMessage title="Refund orders" text={text} onClose={onClose} className="max-w-lg" />
}

async function lookAtAll(ids: string[], signal: AbortSignal): Promise<Look[]> {
  const looks: Look[] = []
  for (let first = 0; first < ids.length; first += parallelLooks) {
    const some = ids.slice(first, first + parallelLooks)
    looks.push(
      ...(await Promise.all(
        some.map(async (id) => ({
          id,
          refunds: await fetchOrderRefunds(id, signal).catch((error: unknown) => {
            signal.throwIfAborted()
            if (error instanceof Error && handleUnauthorized(error)) throw error
            return undefined
          }),
        })),
      )),
    )
  }
  return looks
}

function Preview({ looks, onClose }: { looks: Look[]; onClose: () => void }) {
  const formId = useId()
  const possible = looks.filter(
    (look): look is PossibleLook => look.refunds !== undefined && look.refunds.blockedBy === null,
  )
  const blocked = looks.filter(({ refunds }) => refunds?.blockedBy !== null)
  const [password, setPassword] = useState('')
  const { run, stop, ended, isRunning, isOver, problem } = useRefundAll(possible)
  const sums = sumByCurrency(possible)
  const needsPassword = [...groupByCurrency(possible).values()].some(
    (some) => sumCents(some) > toCents(some[0]?.refunds.freeAmount ?? '0'),
  )

  function submit(event: FormEvent): void {
    event.preventDefault()
    run(needsPassword ? password : undefined)
  }

  /** What was begun goes on until it is stopped, and then the list says what happened. */
  function close(): void {
    if (!isRunning) onClose()
  }

  return (
    <Dialog
      title={`Refund ${countOrders(possible.length)}`}
      description={
        possible.length === 0
          ? 'None of the selected orders can be refunded.'
          : `${sums.join(' and ')} in all: everything that is left of each.`
      }
      onClose={close}
      className="max-w-lg"
      footer={
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:flex-1">
          {isRunning ? (
            <Button onClick={stop}>Stop</Button>
          ) : (
            <Button onClick={close}>{isOver ? 'Close' : 'Cancel'}</Button>
          )}
          {!isOver && possible.length > 0 && (
            <Button type="submit" form={formId} look="primary" isPending={isRunning}>
              Refund {sums.join(' and ')}
            </Button>
          )}
        </div>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5 text-sm/6">
        <p aria-live="polite" className="font-medium empty:hidden">
          {isRunning && `${formatCount(ended.length)} of ${countOrders(possible.length)}`}
          {isOver && describeRun(ended, possible.length)}
        </p>
        {isRunning && (
          <ProgressBar name="Refunding orders" fraction={ended.length / possible.length} />
        )}
        {(isRunning || isOver) && <EndedList ended={ended} />}
        {!isRunning && !isOver && (
          <>
            {possible.length > 0 && (
              <ul aria-label="Will be refunded" className="flex flex-col gap-1">
                {possible.map(({ id, refunds: { left, currency } }) => (
                  <li key={id} className="flex justify-between gap-3">
                    <span className="font-mono">{shortId(id)}</span>
                    <bdi>{formatMoney(left, currency)}</bdi>
                  </li>
                ))}
              </ul>
            )}
            {blocked.length > 0 && (
              <section>
                <h3 className="font-medium">Cannot be refunded here now</h3>
                <ul className="mt-1 flex flex-col gap-1 text-soft">
                  {blocked.map(({ id, refunds }) => (
                    <li key={id}>
                      <span className="font-mono">{shortId(id)}</span>:{' '}
                      {refunds ? refunds.blockedBy : 'It could not be loaded.'}
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {needsPassword && <RefundPassword value={password} onChange={setPassword} />}
            {possible.length > 0 && (
              <p className="text-soft">
                SumUp gives the money back the way it was paid, which cannot be undone. No mail
                about it is sent before SumUp shows the refund. The status of the orders stays.
              </p>
            )}
          </>
        )}
      </form>
      {problem && (
        <Notice look="danger" role="alert" className="mt-5">
          {problem}
        </Notice>
      )}
    </Dialog>
  )
}

function EndedList({ ended }: { ended: Ended[] }) {
  return (
    <ul aria-label="What happened" className="flex flex-col gap-2">
      {ended.map(({ id, label, text }) => (
        <li key={id}>
          <span className="font-mono">{shortId(id)}</span>:{' '}
          <strong className="font-medium">{label}.</strong>{' '}
          <span className="text-soft">{text}</span>
        </li>
      ))}
    </ul>
  )
}

function describeRun(ended: Ended[], total: number): string {
  const left = total - ended.length
  const gone = `${countOrders(ended.length)} gone through.`
  return left > 0 ? `${gone} ${countOrders(left)} not asked for.` : gone
}

/** Refunds one order after the other; stopping lets the one that was begun end. */
function useRefundAll(possible: PossibleLook[]) {
  const queryClient = useQueryClient()
  const [ended, setEnded] = useState<Ended[]>([])
  const [state, setState] = useState<'ready' | 'running' | 'over'>('ready')
  const [problem, setProblem] = useState<string>()
  const isStopped = useRef(false)
  const isBegun = useRef(false)
  // Whoever goes back sees no list any more: what was not begun is not asked for.
  useEffect(() => () => void (isStopped.current = true), [])

  async function run(password: string | undefined): Promise<void> {
    // A double click comes before the next render.
    if (isBegun.current) return
    isBegun.current = true
    isStopped.current = false
    setProblem(undefined)
    setState('running')
    const known: Ended[] = []
    for (const { id, refunds } of possible) {
      if (isStopped.current) break
      const wanted = { version: refunds.version, amount: refunds.left, password }
      const answer = await sendRefund(id, wanted).catch((error: unknown) => error as Error)
      void reloadOrder(queryClient, id)
      if (answer instanceof Error && handleUnauthorized(answer)) break
      const code = answer instanceof Error ? refusalCode(answer) : undefined
      // Nothing was asked for: the password can be entered again.
      if (known.length === 0 && code && passwordCodes.includes(code)) {
        setProblem(refusalText(answer))
        setState('ready')
        isBegun.current = false
        return
      }
      known.push(describeEnd(id, answer))
      setEnded([...known])
    }
    setState('over')
    if (isStopped.current)
      toast({ title: 'Refunds stopped', description: describeRun(known, possible.length) })
  }

  return {
    run: (password: string | undefined) => void run(password),
    stop: () => (isStopped.current = true),
    ended,
    problem,
    isRunning: state === 'running',
    isOver: state === 'over',
  }
}

const passwordCodes = ['wrong-password', 'too-many-logins', 'refund-password-needed']

function describeEnd(id: string, answer: RefundOutcome | Error): Ended {
  if (!(answer instanceof Error))
    return { id, label: refundLabels[answer.state], text: describeOutcome(answer) }
  const { isNothingAsked, text } = describeRefundError(answer)
  return { id, label: isNothingAsked ? 'Not asked for' : refundLabels.unknown, text }
}

const countOrders = (count: number) => `${formatCount(count)} ${count === 1 ? 'order' : 'orders'}`

const sumCents = (looks: PossibleLook[]) =>
  looks.reduce((sum, { refunds }) => sum + toCents(refunds.left), 0)

const groupByCurrency = (looks: PossibleLook[]) =>
  Map.groupBy(looks, ({ refunds }) => refunds.currency)

function sumByCurrency(looks: PossibleLook[]): string[] {
  return [...groupByCurrency(looks)].map(([currency, some]) =>
    formatMoney(formatCents(sumCents(some)), currency),
  )
}
