import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { withdrawal, withdrawalReceipt } from '#contract/answers/withdrawals.ts'
import type { Mode } from '#contract/mode.ts'
import { apiRoutes } from '#contract/paths.ts'
import { handledWithdrawalSchema, withdrawalSchema } from '#contract/withdrawal-schemas.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { getActor } from '#server/http/access.ts'
import { callsOf } from '#server/http/calls.ts'
import { listWithdrawals, markHandled, recordWithdrawal } from './withdrawals.ts'

type WithdrawalDeps = {
  db: Db
  config: Config
  findMode: () => Mode | undefined
  hashAddress: (request: FastifyRequest) => string
}

const call = callsOf<WithdrawalDeps>('Withdrawals', 'admin')

export const withdrawalCalls = [
  call(`POST ${apiRoutes.withdrawals}`, {
    access: 'public',
    summary: 'States that a buyer withdraws from a purchase.',
    note: 'It is saved and acknowledged by mail, whether or not there is such an order: the answer is the same.',
    body: withdrawalSchema,
    example: { name: 'Anna Muster', orderNumber: '#1042', email: 'anna@example.com' },
    answers: { 202: withdrawalReceipt },
    async handle(deps, { body, request }) {
      const { receivedAt } = await recordWithdrawal(deps.db, body, describeSender(deps, request))
      return { receivedAt: receivedAt.toISOString() }
    },
  }),

  call(`GET ${apiRoutes.withdrawals}`, {
    summary: 'Lists the withdrawals that wait for the owner, or all of one order; oldest first.',
    query: z.object({ order: z.uuid('An order is named by its id.').optional() }),
    answers: { 200: z.array(withdrawal) },
    handle({ db, config, findMode }, { query }) {
      const wanted = { orderId: query.order, includesTest: findMode() === 'test' }
      return listWithdrawals(db, wanted, config)
    },
  }),

  call(`POST ${apiRoutes.withdrawalHandled}`, {
    summary: 'Marks a withdrawal as handled. A refund in full does that by itself.',
    body: handledWithdrawalSchema,
    example: { note: 'Refunded without the cost of the return' },
    answers: { 204: null },
    refusals: ['withdrawal-missing', 'withdrawal-handled'],
    unknownId: 'withdrawal-missing',
    handle: ({ db }, { params, body, request }) =>
      markHandled(db, params.id, body, getActor(request)),
  }),
]

function describeSender(
  { config, findMode, hashAddress }: WithdrawalDeps,
  request: FastifyRequest,
) {
  const { timeZone } = config
  return { addressKey: hashAddress(request), isTestMode: findMode() === 'test', timeZone }
}
