import { crashPoint } from '#server/crash-point.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { calls } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import type { Db } from '#server/db/database.ts'
import { turnsPerMinute } from '#server/http/turns-per-minute.ts'
import { isUuid } from '#server/http/uuid.ts'
import { lookSoon, maybeBySumupId } from '#server/payments/ledger.ts'
import { isWebhookKey } from '#server/payments/webhook-key.ts'

const webhookSchema = z.object({ event_type: z.string().max(100), id: z.string().max(255) })

/** Far more than SumUp tells of one sale. */
const callsOfOneSale = 20

/**
 * SumUp says that something happened. Anyone can post here, so an id that is not on our ledger costs no question to
 * SumUp, and where SumUp was given an address with a key, only who knows it is heard.
 */
export function mountWebhook(
  app: FastifyInstance,
  room: { db: Db; secret: string; hasPublicAddress: boolean; sweepSoon: () => void },
): void {
  const { db, secret } = room
  const countTurn = turnsPerMinute(callsOfOneSale).take

  app.post<{ Querystring: { key?: unknown } }>(
    calls.paymentWebhook,
    { config: { access: 'public' } },
    async (request, reply) => {
      const told = webhookSchema.parse(request.body)
      const row = isUuid(told.id) ? await maybeBySumupId(db, told.id) : undefined
      const isHeard =
        !room.hasPublicAddress || isWebhookKey(request.query.key, row?.id ?? '', secret)
      if (!row || !isHeard) throw new Refusal('payment-missing')
      countTurn(row.id)
      if (told.event_type === 'CHECKOUT_STATUS_CHANGED') {
        crashPoint('webhook-read')
        await lookSoon(db, row.id)
        crashPoint('webhook-kept')
        room.sweepSoon()
      }
      return reply.code(204).send()
    },
  )
}
