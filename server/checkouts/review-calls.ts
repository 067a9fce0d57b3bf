import { z } from 'zod'
import { id } from '#contract/answers/fields.ts'
import { reviewEntry } from '#contract/answers/orders.ts'
import { maxReviewEntries } from '#contract/checkouts.ts'
import {
  dismissalSchema,
  reviewOrderSchema,
  reviewRefundSchema,
  reviewVersionSchema,
} from '#contract/order-schemas.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { proofRefusals } from '#server/admin/sign-in.ts'
import type { Config } from '#server/config.ts'
import { getActor } from '#server/http/access.ts'
import { callsOf } from '#server/http/calls.ts'
import { exampleDetails } from './calls.ts'
import { dismiss, createOrder, listReview, refundPayment, restore } from './review.ts'
import type { SaleDeps } from './sale-deps.ts'

type ReviewDeps = Pick<SaleDeps, 'pin' | 'findMode'> & {
  config: Pick<Config, 'shop' | 'policies' | 'refunds' | 'delivery'>
}

const trueOrFalse = z.enum(['true', 'false']).optional().catch(undefined)
const outdated: RefusalCode[] = ['review-missing', 'review-done', 'review-changed']
const exampleVersion = '3f0c9a527d1b4c5e'

/** A decision about money is made with the account of now, also if another node has just changed it. */
const pinLatest = ({ pin }: ReviewDeps) => pin().renew()

const call = callsOf<ReviewDeps>('Payments in review', 'admin')

export const reviewCalls = [
  call(`GET ${apiRoutes.review}`, {
    summary: 'Lists payments that an admin has to decide about, or those that were resolved.',
    note: `At most ${maxReviewEntries}; one more is sent if there are more.`,
    query: z.object({
      archive: trueOrFalse.describe('Those that were resolved, instead of those that wait'),
      tests: trueOrFalse.describe('Also those of test mode; in test mode they always are'),
    }),
    answers: { 200: z.array(reviewEntry) },
    handle: ({ pin, findMode }, { query: { archive, tests } }) =>
      listReview(pin(), {
        isArchive: archive === 'true',
        includesTest: tests === 'true' || findMode() === 'test',
      }),
  }),

  call(`POST ${apiRoutes.reviewOrder}`, {
    summary: 'Creates an order of a payment.',
    note: 'The product is needed for a payment without a sale, the details and the choice where the buyer gave none. What the price and the delivery say now is kept with the order, if it is what was paid.',
    body: reviewOrderSchema,
    example: { version: exampleVersion, details: exampleDetails },
    answers: { 201: z.object({ orderId: id }) },
    refusals: [
      ...outdated,
      'product-missing',
      'choice-missing',
      'choice-gone',
      'order-impossible',
      'payment-returned',
      'refund-running',
      'payments-away',
    ],
    async handle(deps, { params, body: { version, ...given }, request }) {
      const shown = { id: params.id, version }
      const pinned = await pinLatest(deps)
      return { orderId: await createOrder(pinned, shown, given, getActor(request), deps.config) }
    },
  }),

  call(`POST ${apiRoutes.reviewRefund}`, {
    summary: 'Refunds a payment through SumUp, never twice.',
    note: '204 once SumUp shows the refund. Until it is known the payment stays in review, and nothing else is decided about it. Above a setting of the shop the password of the admin is needed.',
    body: reviewRefundSchema,
    example: { version: exampleVersion },
    answers: { 204: null },
    refusals: [
      ...outdated,
      'refund-password-needed',
      ...proofRefusals,
      'payment-returned',
      'refund-impossible',
      'refund-other-account',
      'refund-running',
      'refund-refused',
      'refund-unknown',
      'payments-away',
    ],
    handle: async (deps, { params, body: { version, password }, request }) =>
      refundPayment(await pinLatest(deps), { id: params.id, version }, password, {
        actor: getActor(request),
        ...deps.config.refunds,
      }),
  }),

  call(`POST ${apiRoutes.reviewDismiss}`, {
    summary: 'Dismisses a payment, with the reason.',
    body: dismissalSchema,
    example: { version: exampleVersion, note: 'Settled by phone.' },
    answers: { 204: null },
    refusals: [...outdated, 'refund-running'],
    handle: async (deps, { params, body: { version, note }, request }) =>
      dismiss(await pinLatest(deps), { id: params.id, version }, note, getActor(request)),
  }),

  call(`POST ${apiRoutes.reviewRestore}`, {
    summary: 'Undoes a dismissal.',
    body: reviewVersionSchema,
    example: { version: exampleVersion },
    answers: { 204: null },
    refusals: outdated,
    handle: async (deps, { params, body: { version }, request }) =>
      restore(await pinLatest(deps), { id: params.id, version }, getActor(request)),
  }),
]
