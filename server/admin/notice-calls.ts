import { z } from 'zod'
import { noticeDismissalSchema, noticeFoldingSchema, type Notice } from '#contract/admin.ts'
import { notice } from '#contract/answers/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { signedInAdmin } from '#server/http/access.ts'
import type { Actor } from '#server/http/audit.ts'
import { callsOf } from '#server/http/calls.ts'
import { dismissRestored, sellCounted } from './restored.ts'
import { foldNotices, listNotices, type NoticeDeps } from './notices.ts'

type NoticeCallDeps = NoticeDeps & {
  dismissCardForm: (changedAt: string, actor: Actor) => Promise<void>
}

const call = callsOf<NoticeCallDeps>('Notices', 'admin')

export const noticeCalls = [
  call(`GET ${apiRoutes.notices}`, {
    summary: 'Lists what the owner should know about the set-up, urgent ones first.',
    answers: { 200: z.array(notice) },
    handle: (deps, { request }) => listNotices(deps, signedInAdmin(request)),
  }),

  call(`POST ${apiRoutes.noticeDismiss}`, {
    summary: 'Closes a notice that stays until it was read: card-form, restored.',
    body: noticeDismissalSchema,
    example: { since: '2026-11-16T08:00:00.000Z' },
    answers: { 204: null },
    refusals: ['notice-missing'],
    // Before the body is looked at: another notice has none that would be right.
    options: { preHandler: async ({ params }) => assertDismissible(params as { kind: string }) },
    handle: ({ db, dismissCardForm }, { params, body, request }) =>
      params.kind === 'restored'
        ? dismissRestored(db, body.since, request)
        : dismissCardForm(body.since, request),
  }),

  call(`POST ${apiRoutes.sellCounted}`, {
    summary:
      'Sells products whose pieces are counted again, before a restored shop knows all payments.',
    note: 'After a restore they wait until payments since the backup were compared with SumUp. Sold twice, an order shows that no piece was left.',
    answers: { 204: null },
    handle: ({ db }, { request }) => sellCounted(db, request),
  }),

  call(`POST ${apiRoutes.noticesFold}`, {
    summary: 'Hides notices for the logged-in admin.',
    note: 'Replaces what was hidden before. A hidden notice that goes away is shown again if it comes back.',
    body: noticeFoldingSchema,
    example: { ids: ['mail-3f1c9a7be2d04856'] },
    answers: { 204: null },
    async handle({ db }, { body, request }) {
      await foldNotices(db, signedInAdmin(request).id, body.ids)
    },
  }),
]

const dismissible: Notice['kind'][] = ['card-form', 'restored']

function assertDismissible({ kind }: { kind: string }): void {
  if (!dismissible.some((one) => one === kind)) throw new Refusal('notice-missing')
}
