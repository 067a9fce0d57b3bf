import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'

import { toCents } from '#contract/money.ts'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { OrderRefund, OrderRefunds, RefundOutcome, RefundState } from '#contract/refunds.ts'
import { parsePart, shapes } from '#web/admin/answers.ts'
import { ApiError, callServer, refusalCode, refusalText } from '#web/api.ts'

import { fetchOrder, showOrder } from './order-queries.ts'

/** What was refunded of orders from here, and the refund itself. */

const refundsKey = [apiRoutes.orderRefunds] as const

/** While SumUp has not said what became of a refund. */
const followMs = 5_000

const isOpen = ({ state }: OrderRefund) => state === 'pending' || state === 'unknown'

export function useOrderRefunds(id: string) {
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: [...refundsKey, id],
    queryFn: async ({ signal, queryKey }) => {
      const before = queryClient.getQueryData<OrderRefunds>(queryKey)
      const refunds = await fetchOrderRefunds(id, signal)
      // One has ended: the order says now what went back.
      if (before?.refunds.some(isOpen) && !refunds.refunds.some(isOpen))
        void reloadOrder(queryClient, id)
      return refunds
    },
    refetchInterval: ({ state }) => (state.data?.refunds.some(isOpen) ? followMs : false),
    // What can be refunded is asked for whenever it is shown.
    staleTime: 0,
  })
}

export async function fetchOrderRefunds(id: string, signal?: AbortSignal): Promise<OrderRefunds> {
  const path = pathOf(apiRoutes.orderRefunds, { id })
  const answer = await callServer('GET', path, undefined, signal)
  return parsePart(shapes.refunds, await answer.json()) as OrderRefunds
}

export type WantedRefund = {
  version: string
  amount: string
  password?: string | undefined
  isBackInStock?: boolean
}

export async function sendRefund(id: string, wanted: WantedRefund): Promise<RefundOutcome> {
  const path = pathOf(apiRoutes.orderRefund, { id })
  return (await (await callServer('POST', path, wanted)).json()) as RefundOutcome
}

/** Shows an order as it is now, in every list that has it, with its refunds. */
export async function reloadOrder(queryClient: QueryClient, id: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: [...refundsKey, id] })
  const order = await fetchOrder(id).catch(() => undefined)
  if (order) showOrder(queryClient, order, order.status)
}

/** Refused before SumUp was asked. After any other failure it may have been asked. */
const isNothingAsked = (error: unknown) =>
  error instanceof ApiError &&
  (error.status < 500 || refusalCode(error) === 'payments-away') &&
  refusalText(error) !== undefined

/** Why SumUp was not asked for a refund, or that it is not known what became of it. */
export function describeRefundError(error: unknown): { isNothingAsked: boolean; text: string } {
  if (!isNothingAsked(error)) return { isNothingAsked: false, text: noAnswerText }
  return { isNothingAsked: true, text: refusalText(error) ?? noAnswerText }
}

const noAnswerText =
  'The shop did not answer, so it is not known whether SumUp was asked for the refund. Please close this and look at the order before you try again.'

export const refundLabels: Record<RefundState, string> = {
  pending: 'In progress',
  done: 'Refunded',
  failed: 'Not refunded',
  unknown: 'Not known yet',
}

export const unknownText =
  'SumUp has not said yet what became of it. It is looked at again and again. Until then nothing else of this order can be refunded; after an hour without a trace of it, all that is left can.'

/** What is true of a refund now, for the admin who asked for it. */
export function describeOutcome({
  state,
  problem,
  isPaidAgain,
}: Pick<RefundOutcome, 'state' | 'problem'> & { isPaidAgain?: boolean }): string {
  switch (state) {
    case 'done':
      return isPaidAgain
        ? 'SumUp gives it back to the customer, who had paid twice: the other payment pays for the order now.'
        : 'SumUp gives it back to the customer. It can take some days until they see it.'
    case 'pending':
      return 'SumUp is working on it. Nothing else of this order can be refunded until then.'
    case 'failed':
      return problem ?? 'SumUp did not refund the money.'
    case 'unknown':
      return problem ?? unknownText
  }
}

/** Whether a refund of so much needs the password. */
export function needsRefundPassword(
  amount: string,
  { freeAmount }: Pick<OrderRefunds, 'freeAmount'>,
) {
  return toCents(amount) > toCents(freeAmount)
}
