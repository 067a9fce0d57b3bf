import type { AdminUser, Notice, SettingsPlace } from '#contract/admin.ts'
import type { HealthCheck } from '#contract/products.ts'
import type { SetupStepName } from '#contract/shop-settings.ts'
import type { RestoredShop } from '#server/admin/restored.ts'
import type { BackupProblem } from '#server/backup/scheduled-backups.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import type { Seen } from '#server/http/self-check.ts'
import type { AccountState } from '#server/sumup/payments.ts'

/**
 * How much a finding matters. `note`: right for a shop that is not live yet. `urgent`: money, customers or the shop are
 * in danger, although everything works. `fail`: something that the shop needs does not work.
 */
export type Level = 'ok' | 'note' | 'warn' | 'urgent' | 'fail'

/** What a check found, in words for every place that shows it. */
export type Finding = {
  level: Level
  /** One short sentence: all that is shown of a folded notice. */
  title: string
  /** What it means, without names of settings. */
  text?: string
  /** What to do about it, without names of settings. */
  todo?: string
  /** Where in the back-office that is done. */
  place?: SettingsPlace
  /** The same as `todo` by a variable, for who runs the server. */
  setting?: string
  /** For what can only be put right on the server: the setting or the command. */
  howTo?: string
  /** What exactly happened, for the report of the doctor only. */
  detail?: string
  /** Another machine did not answer this one, which may be this one's fault. */
  isUnreachable?: boolean
  /** Another machine is still being asked. */
  isPending?: boolean
  /** Stays until the owner says that they have read it: since when. */
  since?: Date
  /** What the owner can decide at once. */
  action?: Notice['action']
}

/** One trouble that a shop can have, or one thing that it needs. */
export type Check<Known = Facts> = {
  /** What reports call it. */
  code: string
  /** Each place is a filter: it shows the checks that name it, under that name. */
  shownIn: {
    doctor?: true
    notice?: Notice['kind']
    step?: SetupStepName
    /** `live`: not in test mode. */
    link?: 'always' | 'live'
    start?: 'Payments' | 'ATTENTION' | 'Next'
  }
  /** The check without which this one would only fail for the same reason; no matter to places that do not show it. */
  after?: string
  /** Nothing where all is well, or where the place that asks does not know. */
  find: (facts: Known) => Finding | Finding[] | undefined | Promise<Finding | Finding[] | undefined>
}

/** What is known of the shop. A place that cannot know a fact leaves it out, and checks that need it find nothing. */
export type Facts = {
  config: Config
  /** The sandbox stands in for SumUp. */
  isSandbox: boolean
  account: () => AccountState | Promise<AccountState>
  /** Who reads the findings. */
  admin?: AdminUser
  /** An admin with an easy password. */
  findWeakAdmin?: () => Promise<string | undefined>
  findBackupProblem?: () => Promise<BackupProblem | undefined>
  /** A restored backup that nobody has looked through. */
  findRestored?: () => Promise<FoundRestore | undefined>
  isCardTestingAttack?: () => Promise<boolean>
  /** SumUp's card form script changed at this time, and the owner has not read of it. */
  findCardFormChange?: () => Promise<Date | undefined>
  findGeoProblem?: () => Promise<string | undefined>
  /** How requests arrive: the last one that the shop sent itself through its public address. */
  ownRequest?: Seen
  /** How the request of the admin who reads the findings arrived. */
  adminRequest?: Seen & { host: string }
  /** A name that pages were asked for by, and that is no address of the shop. */
  findReplacedHost?: () => string | undefined
  /** Asks the public address whether it leads here. */
  askAddress?: () => Promise<Finding>
  /** Asks the mail server whether it takes our mails. */
  askMail?: () => Promise<Finding>
  /** What the set-up looks at. */
  newShop?: NewShop
  /** What can be learnt on the machine of the shop, with time. */
  machine?: Machine
}

export type FoundRestore = RestoredShop & {
  /** Whether payments since the backup were looked for, or can be with the SumUp account in use. */
  isComparable: boolean
}

type NewShop = {
  isPasswordGenerated: boolean
  hasOwnEmail: boolean
  hasProduct: boolean
  hasOrder: boolean
}

export type OpenDatabase = Pick<Database, 'db' | 'pool' | 'isPooled'>

export type Machine = {
  isRunning: boolean
  readDisk: (folder: string) => Promise<{ bavail: number; blocks: number; bsize: number }>
  database: OpenDatabase | undefined
  /** Why there is no database, or no way into it. */
  databaseFault?: Finding
  /** Why the settings that the owner has saved are not known. */
  settingsFault?: unknown
}

/** Whether customers may pay with money: also while SumUp has not told. */
export async function isLive({ isSandbox, account }: Facts): Promise<boolean> {
  return !isSandbox && (await account()).mode !== 'test'
}

export function ok(title: string): Finding {
  return { level: 'ok', title }
}

export function warn(title: string, todo?: string): Finding {
  return { level: 'warn', title, ...(todo !== undefined && { todo }) }
}

export function fail(title: string, todo?: string): Finding {
  return { level: 'fail', title, ...(todo !== undefined && { todo }) }
}

export type Found<Known = Facts> = Finding & Pick<Check<Known>, 'code' | 'shownIn'>

/** Asks all at once, but none whose `after` failed. */
export async function runChecks<Known>(
  checks: Check<Known>[],
  facts: Known,
): Promise<Found<Known>[]> {
  const answers = new Map<string, Promise<Finding[] | undefined>>()
  async function run({ after, find }: Check<Known>): Promise<Finding[] | undefined> {
    const before = after === undefined ? [] : await (answers.get(after) ?? [])
    if (!before || before.some(({ level }) => level === 'fail')) return undefined
    return [(await find(facts)) ?? []].flat()
  }
  for (const check of checks) answers.set(check.code, run(check))
  const found = checks.map(async ({ code, shownIn }) =>
    ((await answers.get(code)) ?? []).map((finding) => ({ ...finding, code, shownIn })),
  )
  return (await Promise.all(found)).flat()
}

/** All words of a finding, without what to do. */
export function describeFound({ title, text }: Finding): string {
  return [title, text].filter(Boolean).join(' ')
}

/** For places with little room: what it is, and what to do. */
export function describeShortly({ title, text, todo = text }: Finding): string {
  return [title, todo].filter(Boolean).join(' ')
}

const statuses = { ok: 'ok', note: 'warn', warn: 'warn', urgent: 'warn', fail: 'fail' } as const

/** A finding as reports show it. */
export function showFinding(finding: Finding): Omit<HealthCheck, 'name'> {
  const { level, todo } = finding
  return {
    status: statuses[level],
    found: describeFound(finding),
    ...(todo !== undefined && { todo }),
  }
}

/** A fault in plain words, without what could be secret: addresses with passwords are in the errors of some libraries. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as NodeJS.ErrnoException
  const cause = error.cause instanceof Error ? describeFault(error.cause) : undefined
  if (error.name === 'TimeoutError') return 'no answer in time'
  if (cause) return cause
  const isTold = code === undefined || error.message.includes(code)
  return (isTold ? error.message : `${code}: ${error.message}`) || error.name
}

/** A question that breaks is a finding, not the end of the report. */
export async function attempt<Result>(work: () => Promise<Result>): Promise<Result | Finding> {
  try {
    return await work()
  } catch (error) {
    const title = `It could not be checked: ${describeFault(error)}`
    return fail(title, 'Fix what fails above first.')
  }
}
