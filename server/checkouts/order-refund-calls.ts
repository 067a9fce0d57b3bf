import { orderRefunds, refundOutcome } from '#contract/answers/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import { orderRefundSchema } from '#contract/refunds.ts'
import { proofRefusals } from '#server/admin/sign-in.ts'
import type { Config } from '#server/config.ts'
import { getActor } from '#server/http/access.ts'
import { callsOf } from '#server/http/calls.ts'
import { readOrderRefunds, refundOrder } from './order-refunds.ts'
import type { SaleDeps } from './sale-deps.ts'

type RefundDeps = Pick<SaleDeps, 'pin'> & { config: Pick<Config, 'refunds'> }

const call = callsOf<RefundDeps>('Orders', 'admin')

export const orderRefundCalls = [
  call(`GET ${apiRoutes.orderRefunds}`, {
    summary: 'Lists what was refunded of an order from here, and what can be.',
    answers: { 200: orderRefunds },
    refusals: ['order-missing'],
    unknownId: 'order-missing',
    handle: ({ pin, config }, { params, request }) =>
      readOrderRefunds(pin(), params.id, { actor: getActor(request), ...config.refunds }),
  }),

  call(`POST ${apiRoutes.orderRefund}`, {
    summary: 'Refunds an order through SumUp, in full or in part, never twice.',
    note: 'Without an amount all that is left. `done` only once SumUp shows the refund; until that is known nothing else of the order can be refunded. The status of the order stays. Above a setting of the shop the password of the admin is needed.',
    body: orderRefundSchema,
    example: { version: '3f0c9a527d1b4c5e', amount: '12.50' },
    answers: { 200: refundOutcome },
    refusals: [
      'order-missing',
      'refund-without-payment',
      'refund-other-account',
      'refund-changed',
      'refund-too-much',
      'refund-impossible',
      'refund-running',
      'refund-part-unknown',
      'refund-password-needed',
      'payment-returned',
      'payments-away',
      ...proofRefusals,
    ],
    unknownId: 'order-missing',
    options: { config: { isBulk: true } },
    // A decision about money is made with the account of now, also if another node has just changed it.
    handle: async ({ pin, config }, { params, body: { password, ...wanted }, request }) =>
      refundOrder(await pin().renew(), { orderId: params.id, ...wanted }, password, {
        actor: getActor(request),
        ...config.refunds,
      }),
  }),
]
