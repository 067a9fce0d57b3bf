import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '#contract/refusals.ts'
import {
  settingsSchemas,
  settingsSections,
  type AllSettings,
  type SecretSection,
  type SecretState,
  type SettingsSection,
  type ShopSettings,
} from '#contract/shop-settings.ts'
import { defaultSender, withSaved, type Config } from '#server/config.ts'
import { shopSettings } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { recordAudit, type Actor } from '#server/http/audit.ts'
import { hostOfUrl } from '#server/http/access.ts'
import type { Log } from '#server/http/log.ts'
import { repeat } from '#server/repeat.ts'
import { decrypt, encrypt } from '#server/secret.ts'
import { listFixed, readValues, toSaved, type StoredValues } from './environment-values.ts'

/**
 * What the owner sets in the back-office: one row in the database. Every node reads it again every two seconds, so a
 * change reaches all of them without a restart. The environment wins.
 */
export type LiveSettings = {
  /** The configuration in force: read its fields when they are needed, since they change while the shop runs. */
  config: Config
  show: () => Omit<ShopSettings, 'account'>
  /** Reads again what is saved. */
  refresh: () => Promise<void>
  /** Saves one section, as the owner sent it. */
  save: (section: SettingsSection, change: SettingsChange, actor: Actor) => Promise<void>
  /** What would be in force with these values of a section. */
  preview: (section: SettingsSection, values: unknown) => Config
  close: () => Promise<void>
}

type SettingsChange = { version: number; values: unknown }
type Stored = StoredValues & { version: number }
type Deps = { db: Db; secret: string; config: Config; log: Log }

const refreshMs = 2_000
export const settingsRowId = 'shop'
const nothingStored: Stored = { version: 0, values: {}, unreadable: [] }

/** The fields of the configuration that the owner can change. */
const liveFields = [
  'publicUrl',
  'customDomain',
  'retention',
  'mail',
  'shop',
  'alerts',
  'policies',
  'payments',
] as const

export async function openShopSettings(deps: Deps): Promise<LiveSettings> {
  const { db, config, log } = deps
  let stored = await readStored(deps)
  let current = withSaved(config, toSaved(stored))
  const live = { ...config }
  for (const field of liveFields)
    Object.defineProperty(live, field, { enumerable: true, get: () => current[field] })

  function use(next: Stored): void {
    stored = next
    current = withSaved(config, toSaved(next))
  }

  async function refresh(): Promise<void> {
    const next = await readStored(deps)
    // An answer that was overtaken by a save or by another reader.
    if (next.version > stored.version) use(next)
  }

  // While the database does not answer, what was read last stays in force.
  const refreshing = repeat(refresh, refreshMs, log, 'Reading the settings')

  return {
    config: live,
    show: () => showSettings(config, current, stored),
    refresh,
    preview: (section, values) => withSaved(config, toSaved(mergeSection(stored, section, values))),
    async save(section, change, actor) {
      const latest = await readStored(deps)
      if (latest.version !== change.version) throw new Refusal('settings-changed')
      const merged = mergeSection(latest, section, change.values)
      const next = {
        version: change.version + 1,
        values: keepFixed(config, { section, latest, merged: merged.values, current }),
        unreadable: merged.unreadable,
      }
      const { values } = next
      assertConsistent(withSaved(config, toSaved(next)))
      if (section === 'sumup') assertWholeAccount(values)
      await db.transaction(async (tx) => {
        await writeStored(tx, seal(deps.secret, { [section]: values[section] }), change.version)
        const detail = describeChange(latest.values[section], values[section])
        await recordAudit(tx, actor, { action: 'settings-changed', subject: section, detail })
      })
      if (next.version > stored.version) use(next)
    },
    close: () => refreshing.stop(),
  }
}

/** Every node asks this every two seconds. */
const findSettings = prepareQuery('shop_settings', (db) =>
  db.select().from(shopSettings).where(eq(shopSettings.id, settingsRowId)),
)

async function readStored({ db, secret }: Pick<Deps, 'db' | 'secret'>): Promise<Stored> {
  const [row] = await findSettings(db, {})
  if (!row) return nothingStored
  const values: Partial<AllSettings> = {}
  const unreadable: SecretSection[] = []
  for (const section of settingsSections) {
    const raw = row.values[section]
    if (!raw) continue
    const opened = { ...raw }
    const field = isSecretSection(section) ? secretFields[section] : ''
    const sealed = raw[field]
    if (isSecretSection(section) && typeof sealed === 'string') {
      opened[field] = decrypt(secret, purposeOf(section), sealed) ?? null
      if (opened[field] === null) unreadable.push(section)
    }
    // What another version of Till saved and this one does not understand is as if it were not set.
    const parsed = settingsSchemas[section].safeParse(opened)
    if (parsed.success) Object.assign(values, { [section]: parsed.data })
  }
  return { version: row.version, values, unreadable }
}

/** What is in force with the saved settings, for a command beside the shop. */
export async function readSavedConfig(deps: Omit<Deps, 'log'>): Promise<Config> {
  return withSaved(deps.config, toSaved(await readStored(deps)))
}

const secretFields = { mail: 'smtpPassword', sumup: 'apiKey' } as const satisfies {
  [Section in SecretSection]: keyof AllSettings[Section]
}

function isSecretSection(section: SettingsSection): section is SecretSection {
  return Object.hasOwn(secretFields, section)
}

function purposeOf(section: SecretSection) {
  return { purpose: 'settings', owner: secretFields[section] }
}

function seal(
  secret: string,
  values: Partial<AllSettings>,
): Record<string, Record<string, unknown>> {
  const { mail, sumup } = values
  const hide = (section: SecretSection, text: string | null | undefined) =>
    text ? { [secretFields[section]]: encrypt(secret, purposeOf(section), text) } : {}
  return {
    ...values,
    ...(mail && { mail: { ...mail, ...hide('mail', mail.smtpPassword) } }),
    ...(sumup && { sumup: { ...sumup, ...hide('sumup', sumup.apiKey) } }),
  }
}

/**
 * Only over the version that was seen: of two who save at once, one is told. The other sections stay as they are stored,
 * also what this node cannot read.
 */
async function writeStored(
  db: Db,
  values: Record<string, Record<string, unknown>>,
  seen: number,
): Promise<void> {
  const version = seen + 1
  const written = await db
    .insert(shopSettings)
    .values({ id: settingsRowId, version, values })
    .onConflictDoUpdate({
      target: shopSettings.id,
      set: {
        version,
        values: sql`${shopSettings.values} || excluded."values"`,
        updatedAt: sql`now()`,
      },
      setWhere: eq(shopSettings.version, seen),
    })
    .returning({ version: shopSettings.version })
  if (written.length === 0) throw new Refusal('settings-changed')
}

function mergeSection(
  { version, values, unreadable }: Stored,
  section: SettingsSection,
  input: unknown,
): Stored {
  const parsed = settingsSchemas[section].parse(input)
  // A secret that was not typed again stays.
  const field = isSecretSection(section) ? secretFields[section] : undefined
  const kept = field ? { [field]: pick(values[section], field) } : {}
  const typed = Object.entries(parsed).filter(([, value]) => value !== undefined)
  // Without an account there is no key either.
  if (section === 'sumup' && pick(parsed, 'merchantCode') === null) delete kept.apiKey
  return {
    version,
    values: { ...values, [section]: { ...kept, ...Object.fromEntries(typed) } },
    unreadable: unreadable.filter((one) => one !== section),
  }
}

/** Refuses a change of what the environment decides. What was saved for those fields before is kept. */
function keepFixed(
  config: Config,
  change: {
    section: SettingsSection
    latest: Stored
    merged: Partial<AllSettings>
    current: Config
  },
): Partial<AllSettings> {
  const { section, latest, merged, current } = change
  const saved = latest.values[section]
  const inForce = {
    ...readValues(current, latest)[section],
    ...(isSecretSection(section) && {
      [secretFields[section]]: pick(latest.values[section], secretFields[section]),
    }),
  }
  const kept: Record<string, unknown> = {}
  for (const [name, variable] of Object.entries(listFixed(config))) {
    const [part, field = ''] = name.split('.')
    if (part !== section) continue
    if (!isDeepStrictEqual(pick(inForce, field), pick(merged[section], field)))
      throw new Refusal('setting-fixed', { text: `This is set by ${variable} in the environment.` })
    if (saved) kept[field] = pick(saved, field)
    else if (section !== 'retention') kept[field] = null
  }
  return { ...merged, [section]: { ...merged[section], ...kept } }
}

function showSettings(
  config: Config,
  current: Config,
  stored: Stored,
): Omit<ShopSettings, 'account'> {
  const { smtpPassword, ...mail } = readValues(current, stored).mail
  const stateOf = (section: SecretSection, secret: unknown): SecretState => {
    if (stored.unreadable.includes(section)) return 'unreadable'
    return secret ? 'saved' : 'none'
  }
  return {
    version: stored.version,
    values: { ...readValues(current, stored), mail },
    fixed: listFixed(config),
    secrets: {
      mail: stateOf('mail', smtpPassword),
      sumup: stateOf('sumup', stored.values.sumup?.apiKey),
    },
  }
}

function assertConsistent({ publicUrl, customDomain, mail }: Config): void {
  if (publicUrl && customDomain && hostOfUrl(publicUrl) === hostOfUrl(customDomain))
    throw new Refusal('domains-alike')
  if (mail.smtpUrl && mail.from === defaultSender) throw new Refusal('mail-sender-missing')
}

/** Half an account must never look like test mode. */
function assertWholeAccount({ sumup }: Partial<AllSettings>): void {
  if (Boolean(sumup?.merchantCode) !== Boolean(sumup?.apiKey)) throw new Refusal('sumup-incomplete')
}

const maxAuditedLength = 100

/** Which fields changed. Long texts and secrets are only named. */
function describeChange(
  before: object | undefined,
  after: object | undefined,
): Record<string, unknown> {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const changed = [...fields].filter(
    (field) => !isDeepStrictEqual(pick(before, field) ?? null, pick(after, field) ?? null),
  )
  const show = (field: string, value: unknown) => {
    if (Object.values<string>(secretFields).includes(field)) return value ? '(hidden)' : null
    return typeof value === 'string' && value.length > maxAuditedLength
      ? `(${value.length} characters)`
      : (value ?? null)
  }
  return Object.fromEntries(
    changed.map((field) => [
      field,
      { from: show(field, pick(before, field)), to: show(field, pick(after, field)) },
    ]),
  )
}

function pick(values: object | undefined, field: string): unknown {
  return Object.entries(values ?? {}).find(([name]) => name === field)?.[1]
}
