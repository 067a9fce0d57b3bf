import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  dismissedWithdrawals,
  withdrawal,
  withdrawalReceipt,
} from '#contract/answers/withdrawals.ts'
import type { Mode } from '#contract/mode.ts'
import { countHeader, nextCursorHeader } from '#contract/orders.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { WithdrawalPageData } from '#contract/public-pages.ts'
import { Refusal, refusals } from '#contract/refusals.ts'
import {
  dismissedWithdrawalsSchema,
  handledWithdrawalSchema,
  withdrawalSchema,
} from '#contract/withdrawal-schemas.ts'
import { statementFields, withdrawalPageSize } from '#contract/withdrawals.ts'
import type { Config } from '#server/config.ts'
import { isDatabaseUnavailable, type Db } from '#server/db/database.ts'
import { getActor } from '#server/http/access.ts'
import { callsOf } from '#server/http/calls.ts'
import type { HashAddress } from '#server/http/client-address.ts'
import type { IsLimitShared } from '#server/http/proxies.ts'
import { findPageLanguage } from '#server/http/page-language.ts'
import { sendPage } from '#server/http/page.ts'
import type { ReadFacts } from '#server/http/shop-facts.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import {
  dismissUnmatched,
  listWaiting,
  listWithdrawalsOf,
  markHandled,
  recordWithdrawal,
} from './withdrawals.ts'

type WithdrawalDeps = {
  db: Db
  config: Config
  findMode: () => Mode | undefined
  hashAddress: HashAddress
  isLimitShared: IsLimitShared
  web: WebFiles | undefined
  readFacts: ReadFacts
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

  call(`GET ${apiRoutes.withdrawalForm}`, {
    access: 'public',
    summary: 'Shows the form to withdraw from a purchase, as a page that needs no script.',
    answers: { 200: 'text/html' },
    options: { compress: false },
    handle: (deps, { request, reply }) =>
      sendForm(deps, request, reply, { step: 'details', statement: {} }),
  }),

  call(`POST ${apiRoutes.withdrawalForm}`, {
    access: 'public',
    summary: 'Takes a step of that form, and shows the next.',
    note: `The fields are those of POST ${apiRoutes.withdrawals}. With step=confirm the statement is saved as there; with step=change it is shown once more.`,
    body: 'application/x-www-form-urlencoded',
    answers: { 200: 'text/html', 400: 'text/html', 429: 'text/html', 503: 'text/html' },
    options: { compress: false, config: { takesForm: true } },
    async handle(deps, { body, request, reply }) {
      const { step, ...typed } = formSchema.parse(body)
      if (step === 'change')
        return sendForm(deps, request, reply, { step: 'details', statement: typed })
      const { data: statement, error } = withdrawalSchema.safeParse(typed)
      if (error) {
        const problem = describeProblem(error)
        return sendForm(deps, request, reply.code(400), {
          step: 'details',
          statement: typed,
          problem,
        })
      }
      if (step !== 'confirm') return sendForm(deps, request, reply, { step: 'confirm', statement })
      try {
        const { language } = findPageLanguage(deps.config, request)
        const { receivedAt } = await recordWithdrawal(
          deps.db,
          { ...statement, language },
          describeSender(deps, request),
        )
        return sendForm(deps, request, reply, { step: 'done', statement, receivedAt })
      } catch (cause) {
        const { status, retryAfter, message, code } = findRefusal(cause)
        if (retryAfter !== undefined) reply.header('retry-after', Math.ceil(retryAfter))
        const problem = { code, text: message }
        return sendForm(deps, request, reply.code(status), { step: 'confirm', statement, problem })
      }
    },
  }),

  call(`GET ${apiRoutes.withdrawals}`, {
    summary: 'Lists the withdrawals that wait for the owner, in pages, or all of one order.',
    note: 'Those that fit an order, oldest first; with unmatched=true those that fit none, newest first.',
    query: z.object({
      order: z.uuid('An order is named by its id.').optional(),
      unmatched: z.enum(['true', 'false'], 'Either true or false.').optional(),
      cursor: z.uuid('This cursor is not one of ours.').optional(),
    }),
    answers: { 200: z.array(withdrawal) },
    headers: {
      [nextCursorHeader]: 'The `cursor` of the next page; absent on the last page.',
      [countHeader]: 'How many there are on all pages; absent for one order.',
    },
    async handle({ db, config, findMode }, { query, reply }) {
      if (query.order) return listWithdrawalsOf(db, query.order, config)
      const wanted = {
        isMatched: query.unmatched !== 'true',
        includesTest: findMode() === 'test',
        after: query.cursor,
        limit: withdrawalPageSize,
      }
      const { withdrawals, count, next } = await listWaiting(db, wanted, config)
      reply.header(countHeader, count)
      if (next) reply.header(nextCursorHeader, next)
      return withdrawals
    },
  }),

  call(`POST ${apiRoutes.withdrawalsDismissed}`, {
    summary: 'Dismisses all withdrawals that fit no order, up to the newest that was seen.',
    body: dismissedWithdrawalsSchema,
    example: { newest: '3f0d1f5e-6f0a-4d0b-9d53-0f8f5a1f7c11' },
    answers: { 200: dismissedWithdrawals },
    async handle({ db, findMode }, { body, request }) {
      const wanted = { ...body, includesTest: findMode() === 'test' }
      return { dismissed: await dismissUnmatched(db, wanted, getActor(request)) }
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

/** Whatever was sent: what is missing is asked for once more. */
const formField = z.string().catch('')
const formSchema = z
  .object({ step: formField, name: formField, orderNumber: formField, email: formField })
  .catch({ step: '', name: '', orderNumber: '', email: '' })

function sendForm(
  { web, readFacts, config }: WithdrawalDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Omit<WithdrawalPageData, 'shop' | 'spoken'>,
): FastifyReply {
  if (!web) throw new Refusal('call-missing')
  const spoken = findPageLanguage(config, request)
  const html = web.withdrawalPage({ ...page, shop: readFacts(), spoken })
  return sendPage(reply, html, reply.pagePolicy())
}

function describeProblem({ issues: [issue] }: z.ZodError): WithdrawalPageData['problem'] {
  const field = statementFields.find((name) => name === issue?.path[0])
  const text = issue?.message || refusals['bad-request'].text
  return { code: 'bad-request', text, ...(field && { field }) }
}

/** What the page says of an expected failure, so that nothing has to be typed again. */
function findRefusal(cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause
  if (isDatabaseUnavailable(cause)) return new Refusal('unavailable', { retryAfter: 2 })
  throw cause
}

function describeSender(
  { config, findMode, hashAddress, isLimitShared }: WithdrawalDeps,
  request: FastifyRequest,
) {
  const { timeZone } = config
  return {
    addressKey: hashAddress(request),
    isShared: isLimitShared(request),
    isTestMode: findMode() === 'test',
    timeZone,
  }
}
