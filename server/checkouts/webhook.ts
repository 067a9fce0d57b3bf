import { z } from 'zod'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { crashPoint } from '#server/crash-point.ts'
import { callsOf } from '#server/http/calls.ts'
import { isUuid } from '#server/http/uuid.ts'
import { decideWebhook } from '#server/payments/flow.ts'
import { findBySumupId } from './record-rows.ts'
import { maxWebhooksPerSale, type SaleDeps } from './sale-deps.ts'
import { changeSaleNow } from './settle.ts'
import { isWebhookKey } from './signatures.ts'

const call = callsOf<SaleDeps>('Checkouts', 'public')

/**
 * Anyone can post here, so unknown ids cause no request to SumUp, and where SumUp was given a URL with a key, the key is
 * required. The row is marked as due first, so that it is settled even if this process ends now.
 */
export const webhookCalls = [
  call(`POST ${apiRoutes.paymentWebhook}`, {
    summary: 'Takes SumUp’s message that a checkout has changed.',
    note: `The message is never believed: the shop asks SumUp. ${maxWebhooksPerSale} a minute for each payment.`,
    query: z.object({
      key: z
        .unknown()
        .optional()
        .meta({ type: 'string', description: 'Of the address that SumUp was given' }),
    }),
    body: z.object({ event_type: z.string().max(100), id: z.string().max(255) }),
    example: {
      event_type: 'CHECKOUT_STATUS_CHANGED',
      id: '3f0c9a52-7d1b-4c5e-9a53-0b6a1f0f7c11',
    },
    answers: { 204: null },
    refusals: ['payment-missing'],
    async handle(deps, { query, body: event }) {
      const { db, secret, log } = deps
      const found = isUuid(event.id) ? await findBySumupId(db, event.id) : undefined
      const sale = found?.record.sale
      const isAllowed = !deps.payments.webhookUrl || isWebhookKey(query.key, sale?.id ?? '', secret)
      if (!found || !sale || !isAllowed) throw new Refusal('payment-missing')
      deps.countWebhook(sale.id)
      if (event.event_type !== 'CHECKOUT_STATUS_CHANGED' || found.record.order?.transactionId)
        return
      crashPoint('webhook-read')
      const due = await changeSaleNow(deps.pin(), found, ({ record, now }) =>
        decideWebhook(record, now),
      )
      crashPoint('webhook-recorded')
      deps
        .settleFromWebhook(due)
        .catch((error: unknown) =>
          log.warn(
            { err: error, checkout: sale.id },
            'A sale could not be settled; it will be tried again',
          ),
        )
    },
  }),
]
