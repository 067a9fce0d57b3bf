import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { noticeDismissalSchema, noticeFoldingSchema, type Notice } from '#contract/admin.ts'
import { notice } from '#contract/answers/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { dismissRestored, sellCounted } from '#server/admin/restored.ts'
import { users } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import { hostOf, signedInAdmin } from '#server/http/access.ts'
import type { Actor } from '#server/http/audit.ts'
import { callsOf } from '#server/http/calls.ts'
import type { Proxies } from '#server/http/proxies.ts'
import { describeArrival } from '#server/http/self-check.ts'
import { runChecks, type Facts, type Finding } from './check.ts'
import { checks } from './list.ts'

type NoticeDeps = {
  db: Db
  collectFacts: () => Facts
  proxies: Pick<Proxies, 'isTrusted'>
  dismissCardForm: (changedAt: string, actor: Actor) => Promise<void>
}

const call = callsOf<NoticeDeps>('Notices', 'admin')

export const noticeCalls = [
  call(`GET ${apiRoutes.notices}`, {
    summary: 'Lists what the owner should know about the set-up, urgent ones first.',
    answers: { 200: z.array(notice) },
    handle: (deps, { request }) => listNotices(deps, request),
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

/** What the owner should know about how the shop is set up, shown on every page of the back-office; urgent ones first. */
async function listNotices(
  { db, collectFacts, proxies }: NoticeDeps,
  request: FastifyRequest,
): Promise<Notice[]> {
  const admin = signedInAdmin(request)
  const adminRequest = { ...describeArrival(proxies, request), host: hostOf(request) }
  const shown = checks.filter(({ shownIn }) => shownIn.notice)
  const found = await runChecks(shown, { ...collectFacts(), admin, adminRequest })
  const listed = found
    .filter(({ level }) => level !== 'ok')
    .map((finding) => showNotice(finding, finding.shownIn.notice ?? 'settings'))
    .toSorted((one, other) => Number(other.isUrgent) - Number(one.isUrgent))
  const folded = await listFolded(db, admin.id)
  const stillFolded = folded.filter((id) => listed.some((one) => one.id === id))
  // Gone, and perhaps back one day: then it is news.
  if (stillFolded.length < folded.length) await foldNotices(db, admin.id, stillFolded)
  return listed.map((one) => ({ ...one, isFolded: stillFolded.includes(one.id) }))
}

function showNotice(finding: Finding, kind: Notice['kind']): Omit<Notice, 'isFolded'> {
  const { level, title, place, howTo, since, action } = finding
  const text = [finding.text, finding.todo].filter(Boolean).join(' ')
  // One title may have several causes: another text is another notice.
  const digest = hash('sha256', `${title}\n${text}`)
  return {
    id: `${kind}-${digest.slice(0, 16)}`,
    kind,
    title,
    text,
    isUrgent: level === 'urgent' || level === 'fail',
    ...(howTo && { howTo }),
    ...(place && { place }),
    ...(since && { since: since.toISOString() }),
    ...(action && { action }),
  }
}

async function listFolded(db: Db, adminId: string): Promise<string[]> {
  const [found] = await db
    .select({ ids: users.foldedNotices })
    .from(users)
    .where(eq(users.id, adminId))
  return found?.ids ?? []
}

/** Replaces what was folded before. */
async function foldNotices(db: Db, adminId: string, ids: string[]): Promise<void> {
  await db.update(users).set({ foldedNotices: ids }).where(eq(users.id, adminId))
}
