import { createHash } from 'node:crypto'
import type { Mode } from '#contract/mode.ts'
import type { AdminUser, Notice } from '#contract/admin.ts'
import { conflictPlaces, type Conflict } from '#server/config.ts'
import { users } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq } from '#server/db/drizzle.ts'
import type { Proxies, ProxyProblem } from '#server/http/client-address.ts'
import { findWeakAdmin } from './admins.ts'
import { describeRestored, findUnreadRestore } from './restored.ts'

/** What is known before it is looked up who has hidden it. */
type Description = Omit<Notice, 'id' | 'isFolded'>

type BackupProblem = { at: Date; error: string; isWritten: boolean }

export type NoticeDeps = {
  db: Db
  payments: {
    sandboxUrl: string | undefined
    account: () => { mode: Mode | undefined; problem: string | undefined }
  }
  geoLocations: { findProblem: () => Promise<string | undefined> }
  config: {
    customDomain: string | undefined
    publicUrl: string | undefined
    shop: { name: string | undefined; email: string | undefined }
    mail: { smtpUrl: string | undefined }
    conflicts: Conflict[]
    timeZone: string
  }
  proxies: Pick<Proxies, 'findProblem' | 'findReplacedHost'>
  isCardTestingAttack: () => Promise<boolean>
  /** Why the last scheduled backup failed, or what is missing in it. */
  findBackupProblem: () => Promise<BackupProblem | undefined>
  /** SumUp's card form script changed at this time, and the owner has not read of it. */
  findCardFormChange: () => Promise<Date | undefined>
  /** Whether the SumUp account is the one that took the payments before a restore. */
  isAccountOfSales: () => Promise<boolean>
}

/** What the owner should know about how the shop is set up, shown on every page of the back-office; urgent ones first. */
export async function listNotices(deps: NoticeDeps, admin: AdminUser): Promise<Notice[]> {
  const { payments } = deps
  const { mode, problem } = payments.account()
  const isLive = !payments.sandboxUrl && mode !== 'test'
  const notices: (Description | undefined)[] = [
    describePayments(problem),
    await describeRestore(deps),
    ...deps.config.conflicts.map(describeConflict),
    isLive ? describeSeller(deps) : undefined,
    describeWeakPassword(await findWeakAdmin(deps.db), admin, isLive),
    describeCards(await deps.isCardTestingAttack()),
    describeCardForm(await deps.findCardFormChange()),
    describeReplacedHost(deps),
    describeBackup(await deps.findBackupProblem()),
    isLive ? undefined : describeTestMode(Boolean(payments.sandboxUrl)),
    isLive ? describeCustomDomain(deps) : undefined,
    describeProxies(deps.proxies.findProblem()),
    describeMail(deps),
    describeGeoLocations(await deps.geoLocations.findProblem()),
  ]
  const listed = notices
    .filter((notice) => notice !== undefined)
    .map((notice) => ({ ...notice, id: identify(notice) }))
    .toSorted((one, other) => Number(other.isUrgent) - Number(one.isUrgent))
  const folded = await listFolded(deps.db, admin.id)
  const stillFolded = folded.filter((id) => listed.some((notice) => notice.id === id))
  // Gone, and perhaps back one day: then it is news.
  if (stillFolded.length < folded.length) await foldNotices(deps.db, admin.id, stillFolded)
  return listed.map((notice) => ({ ...notice, isFolded: stillFolded.includes(notice.id) }))
}

/** One title may have several causes: another text is another notice. */
function identify({ kind, title, text }: Description): string {
  const hash = createHash('sha256').update(`${title}\n${text}`).digest('hex')
  return `${kind}-${hash.slice(0, 16)}`
}

async function listFolded(db: Db, adminId: string): Promise<string[]> {
  const [found] = await db
    .select({ ids: users.foldedNotices })
    .from(users)
    .where(eq(users.id, adminId))
  return found?.ids ?? []
}

/** Replaces what was folded before. */
export async function foldNotices(db: Db, adminId: string, ids: string[]): Promise<void> {
  await db.update(users).set({ foldedNotices: ids }).where(eq(users.id, adminId))
}

function describePayments(problem: string | undefined): Description | undefined {
  if (!problem) return undefined
  return {
    kind: 'payments',
    title: 'Payments need your attention.',
    text: problem,
    place: 'sumup',
    isUrgent: true,
  }
}

async function describeRestore(deps: NoticeDeps): Promise<Description | undefined> {
  const restored = await findUnreadRestore(deps.db)
  if (!restored) return undefined
  const isComparable = restored.comparedAt !== null || (await deps.isAccountOfSales())
  const { timeZone } = deps.config
  return {
    kind: 'restored',
    ...describeRestored(restored, { timeZone, isComparable }),
    ...(isComparable ? {} : { place: 'sumup' }),
    // While products wait, the notice stays: its other button is the owner's word.
    ...(restored.isHeld
      ? { action: 'sell-counted' }
      : { since: restored.restoredAt.toISOString() }),
    isUrgent: true,
  }
}

const conflictTexts: Record<Conflict, { title: string; text: string }> = {
  'domains-alike': {
    title: 'An address that you saved is not used.',
    text: 'The public address and the domain for payment pages are the same host: one was saved here, the other is set in the environment of the shop, which wins. Enter another one.',
  },
  'mail-sender-missing': {
    title: 'The mail server that you saved is not used.',
    text: 'Mails have no sender any more, because the environment of the shop has changed. Enter one, or a contact address of the shop.',
  },
}

/** What the owner saved contradicts what the environment says since. */
function describeConflict(conflict: Conflict): Description {
  const place = conflictPlaces[conflict]
  return { kind: 'settings', ...conflictTexts[conflict], place, isUrgent: true }
}

/** Buyers must know from whom they buy and whom to ask; the law of most countries says so too. */
function describeSeller({ config: { shop } }: NoticeDeps): Description | undefined {
  const missing = [!shop.name && 'name', !shop.email && 'contact address'].filter(
    (part) => part !== false,
  )
  if (missing.length === 0) return undefined
  return {
    kind: 'seller',
    title: `Your shop takes money without a ${missing.join(' and a ')}.`,
    text: 'Buyers see them at the checkout, in their receipt and in every mail. Without them they do not know whom they paid or whom to ask, and call their bank instead.',
    place: 'shop',
    isUrgent: true,
  }
}

function describeWeakPassword(
  username: string | undefined,
  admin: AdminUser,
  isLive: boolean,
): Description | undefined {
  if (!username) return undefined
  const isOwn = username === admin.username
  const title = `${isOwn ? 'Your password' : `The password of ${username}`} is easy to guess.`
  return {
    kind: 'passwords',
    title,
    text: isLive
      ? 'This shop takes money, and whoever guesses it sees every order and can refund. Change it now.'
      : 'Change it before the shop takes money.',
    ...(isOwn ? { place: 'account' } : { howTo: `npm run admin -- reset ${username}` }),
    isUrgent: isLive,
  }
}

function describeCards(isAttack: boolean): Description | undefined {
  if (!isAttack) return undefined
  return {
    kind: 'cards',
    title: 'Somebody may be trying out stolen cards.',
    text: 'Of the last 20 cards more than half were declined. Until that ends, an address whose cards were declined can begin 3 payments in 10 minutes; others are not affected.',
    isUrgent: true,
  }
}

function describeCardForm(changedAt: Date | undefined): Description | undefined {
  if (!changedAt) return undefined
  return {
    kind: 'card-form',
    title: `The script of SumUp’s card form changed on ${formatDay(changedAt)}.`,
    text: 'This happens with new releases of SumUp. Open one of your checkouts and look: if something looks odd, or it asks for more than the card, stop selling and ask SumUp’s support.',
    since: changedAt.toISOString(),
    isUrgent: true,
  }
}

function describeReplacedHost({ config, proxies }: NoticeDeps): Description | undefined {
  const host = config.customDomain && proxies.findReplacedHost()
  if (!host) return undefined
  return {
    kind: 'custom-domain',
    title: 'Payment pages and this back-office are not kept apart.',
    text: `Pages were asked for as ${host}, which is neither the address of your shop nor the domain of your payment pages. If a proxy asks so, let it pass on the name that people typed.`,
    howTo: 'in nginx: proxy_set_header Host $host;',
    place: 'address',
    isUrgent: true,
  }
}

function describeBackup(problem: BackupProblem | undefined): Description | undefined {
  if (!problem) return undefined
  const { at, error, isWritten } = problem
  return {
    kind: 'backup',
    title: `The backup of ${formatDay(at)} ${isWritten ? 'is incomplete' : 'failed'}.`,
    text: isWritten ? error : `${error} It is tried again every hour.`,
    howTo: 'BACKUP_DIR',
    isUrgent: true,
  }
}

function describeTestMode(isSandbox: boolean): Description {
  const title = 'Test mode: no money is taken.'
  return isSandbox
    ? {
        kind: 'test-mode',
        title,
        text: 'Try everything with test cards. To be paid, connect your SumUp account.',
        place: 'sumup',
        isUrgent: false,
      }
    : {
        kind: 'test-mode',
        title,
        text: 'The SumUp account of this shop is a sandbox: orders are paid with test cards, not with money. To be paid, connect your real account.',
        place: 'sumup',
        isUrgent: false,
      }
}

function describeCustomDomain({ config }: NoticeDeps): Description | undefined {
  if (config.customDomain) return undefined
  return {
    kind: 'custom-domain',
    title: 'Payment pages should have a domain of their own.',
    text: "They run SumUp's script on the same address as this back-office, where it could act in your name if it were ever tampered with. Point a second domain at the shop: payment pages then move there by themselves.",
    place: 'address',
    isUrgent: false,
  }
}

function describeProxies(problem: ProxyProblem | undefined): Description | undefined {
  return (
    problem && { kind: 'proxy', title: 'All visitors look like one.', ...problem, isUrgent: false }
  )
}

function describeMail({ config: { mail } }: NoticeDeps): Description | undefined {
  if (mail.smtpUrl) return undefined
  return {
    kind: 'mail',
    title: 'Mails are not sent.',
    text: 'Receipts and other mails reach nobody until you enter a mail server. They are kept as files on the server of the shop.',
    place: 'mail',
    isUrgent: false,
  }
}

function describeGeoLocations(problem: string | undefined): Description | undefined {
  if (!problem) return undefined
  return {
    kind: 'geo-locations',
    title: 'The countries of visitors are not known.',
    text: problem.replace('GEOIP_DB: the', 'The'),
    howTo: 'GEOIP_DB',
    isUrgent: false,
  }
}

function formatDay(at: Date): string {
  return at.toISOString().slice(0, 10)
}
