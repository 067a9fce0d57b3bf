import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '#contract/refusals.ts'
import {
  defaultSettings,
  secretFields,
  settingsSchemas,
  settingsSections,
  shownSchemas,
  type AllSettings,
  type SecretSection,
  type SecretState,
  type SettingsSection,
  type ShopSettings,
} from '#contract/shop-settings.ts'
import {
  assertSender,
  conflictPlaces,
  listFixed,
  settingsInForce,
  nothingSaved,
  withSaved,
  type Config,
  type SavedSettings,
} from '#server/config.ts'
import { settingsRowId, shopSettings } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { recordAudit, type Actor } from '#server/http/audit.ts'
import type { Log } from '#server/log.ts'
import { repeat } from '#server/repeat.ts'
import { decrypt, encrypt } from '#server/secret.ts'

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
  /** Saves one section, as the owner sent it, unless `check` refuses what would then be in force. Returns what was. */
  save: (
    section: SettingsSection,
    change: SettingsChange,
    actor: Actor,
    check?: (next: Config, before: Config) => Promise<void>,
  ) => Promise<Config>
  /** What would be in force with a section as the owner typed it. Refuses what `save` would. */
  preview: (section: SettingsSection, values: unknown) => Promise<Config>
  close: () => Promise<void>
}

type SettingsChange = { version: number; values: unknown }
type Deps = { db: Db; secret: string; config: Config; log: Log }

const refreshMs = 2_000

export async function openShopSettings(deps: Deps): Promise<LiveSettings> {
  const { db, config, log } = deps
  let stored = await readStored(deps)
  let current = withSaved(config, stored)
  assertSender(current)
  warnAboutConflicts()
  const live = { ...config }
  for (const field of Object.keys(config) as (keyof Config)[])
    Object.defineProperty(live, field, { enumerable: true, get: () => current[field] })

  function warnAboutConflicts(): void {
    const { conflicts } = current
    if (conflicts.length > 0)
      log.warn({ conflicts }, 'A saved setting contradicts the environment and is not used')
  }

  function use(next: SavedSettings): void {
    stored = next
    current = withSaved(config, next)
    warnAboutConflicts()
  }

  async function refresh(): Promise<void> {
    const next = await readStored(deps)
    // An answer that a save or another reader has overtaken is dropped.
    if (next.version > stored.version) use(next)
  }

  /** What is in force with what is stored, and what would be. */
  function plan(latest: SavedSettings, section: SettingsSection, input: unknown) {
    const before = withSaved(config, latest)
    const inForce = settingsInForce(config, latest)[section]
    const sent = withPresentFields(section, input, (field) =>
      pick(isFixed(config, section, field) ? inForce : latest.values[section], field),
    )
    const merged = mergeSection(latest, section, sent)
    const values = keepFixed(config, { section, latest, merged: merged.values, inForce })
    if (section === 'mail') keepPasswordAtServer(latest, values, merged.typed)
    if (section === 'sumup') assertWholeAccount(values)
    const next = { version: latest.version + 1, values, unreadable: merged.unreadable }
    const wanted = withSaved(config, next)
    // A conflict with the environment that was there before does not stand in the way of other sections.
    const conflict = wanted.conflicts.find(
      (one) => conflictPlaces[one] === section || !before.conflicts.includes(one),
    )
    if (conflict) throw new Refusal(conflict)
    return { before, inForce, wanted, next }
  }

  // While the database does not answer, what was read last stays in force.
  const refreshing = repeat(refresh, refreshMs, log, 'Reading the settings')

  return {
    config: live,
    show: () => showSettings(config, stored),
    refresh,
    async save(section, change, actor, check) {
      const latest = await readStored(deps)
      if (latest.version !== change.version) throw new Refusal('settings-changed')
      const { before, inForce, wanted, next } = plan(latest, section, change.values)
      const { values } = next
      await check?.(wanted, before)
      await db.transaction(async (tx) => {
        await writeStored(tx, seal(deps.secret, section, values[section]), change.version)
        // What was never saved was in force by default.
        const shown = { ...inForce, ...latest.values[section] }
        const detail = describeChange(shown, values[section])
        await recordAudit(tx, actor, { action: 'settings-changed', subject: section, detail })
      })
      if (next.version > stored.version) use(next)
      return before
    },
    preview: async (section, values) => plan(await readStored(deps), section, values).wanted,
    close: () => refreshing.stop(),
  }
}

/** Every node asks this every two seconds. */
const findSettings = prepareQuery('shop_settings', (db) =>
  db.select().from(shopSettings).where(eq(shopSettings.id, settingsRowId)),
)

async function readStored({ db, secret }: Pick<Deps, 'db' | 'secret'>): Promise<SavedSettings> {
  const [row] = await findSettings(db, {})
  if (!row) return nothingSaved
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
    const parsed = settingsSchemas[section].safeParse({ ...defaultSettings[section], ...opened })
    const isWhole = section !== 'sumup' || 'merchantCode' in raw
    if (parsed.success && isWhole) Object.assign(values, { [section]: parsed.data })
    else if (section === 'sumup') {
      // But a shop with such an account must never look like one in test mode.
      values.sumup = { ...defaultSettings.sumup, merchantCode: findCode(raw) }
      if (!unreadable.includes(section)) unreadable.push(section)
    }
  }
  return { version: row.version, values, unreadable }
}

/** The code of an unreadable account, if there is one: sales under way are not taken for those of another account. */
function findCode({ merchantCode }: Record<string, unknown>): string {
  return typeof merchantCode === 'string' && merchantCode !== ''
    ? merchantCode.slice(0, 100)
    : 'unreadable'
}

/** What is in force with the saved settings, for a command beside the shop. */
export async function readSavedConfig(deps: Omit<Deps, 'log'>): Promise<Config> {
  return withSaved(deps.config, await readStored(deps))
}

function isSecretSection(section: SettingsSection): section is SecretSection {
  return Object.hasOwn(secretFields, section)
}

function purposeOf(section: SecretSection) {
  return { purpose: 'settings', owner: secretFields[section] }
}

/** A section as it is stored: its secret is encrypted. */
function seal(
  secret: string,
  section: SettingsSection,
  values: object | undefined,
): Record<string, Record<string, unknown>> {
  if (!isSecretSection(section)) return { [section]: { ...values } }
  const field = secretFields[section]
  const text = pick(values, field)
  if (typeof text !== 'string') return { [section]: { ...values } }
  return { [section]: { ...values, [field]: encrypt(secret, purposeOf(section), text) } }
}

/**
 * Writes only over the version that was seen: of two who save at once, one is told. The other sections stay as they are stored,
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

/** Fills in what was not sent: as it is saved, or the default. */
function withPresentFields(
  section: SettingsSection,
  input: unknown,
  findPresent: (field: string) => unknown,
): unknown {
  if (typeof input !== 'object' || input === null) return input
  const present = Object.entries(defaultSettings[section]).map(([field, fallback]) => [
    field,
    findPresent(field) ?? fallback,
  ])
  return { ...Object.fromEntries(present), ...input }
}

function isFixed(config: Config, section: SettingsSection, field: string): boolean {
  return `${section}.${field}` in listFixed(config)
}

function mergeSection(
  { version, values, unreadable }: SavedSettings,
  section: SettingsSection,
  input: unknown,
): SavedSettings & { typed: Record<string, unknown> } {
  const parsed = settingsSchemas[section].parse(input)
  // A secret that was not typed again stays.
  const field = isSecretSection(section) ? secretFields[section] : undefined
  const kept = field ? { [field]: pick(values[section], field) } : {}
  const typed = Object.fromEntries(
    Object.entries(parsed).filter(([, value]) => value !== undefined),
  )
  // Without an account there is no key either.
  if (section === 'sumup' && pick(parsed, 'merchantCode') === null) delete kept.apiKey
  return {
    version,
    values: { ...values, [section]: { ...kept, ...typed } },
    unreadable: unreadable.filter((one) => one !== section),
    typed,
  }
}

/** The safest first. */
const securityOrder: (string | null)[] = ['tls', 'starttls', 'none']

/**
 * A saved password goes to the server it was entered for and to no other, nor in a weaker way: whoever may change the
 * settings could read it otherwise, and a typing error would send it to strangers.
 */
function keepPasswordAtServer(
  { values: { mail: before }, unreadable }: SavedSettings,
  { mail: next }: Partial<AllSettings>,
  typed: Record<string, unknown>,
): void {
  const isSaved = Boolean(before?.smtpPassword) || unreadable.includes('mail')
  if (!before || !next || !isSaved || 'smtpPassword' in typed) return
  const rank = ({ smtpSecurity }: AllSettings['mail']) =>
    securityOrder.indexOf(smtpSecurity ?? 'tls')
  const isSameServer =
    next.smtpHost === before.smtpHost &&
    next.smtpPort === before.smtpPort &&
    next.smtpUser === before.smtpUser &&
    rank(next) <= rank(before)
  if (isSameServer && before.smtpPassword) return
  if (next.smtpHost && next.smtpUser) throw new Refusal('mail-password-needed')
  next.smtpPassword = null
}

/** Refuses a change of what the environment decides. What was saved for those fields before is kept. */
function keepFixed(
  config: Config,
  change: {
    section: SettingsSection
    latest: SavedSettings
    merged: Partial<AllSettings>
    inForce: object
  },
): Partial<AllSettings> {
  const { section, latest, merged, inForce } = change
  const saved = latest.values[section]
  const secretField = isSecretSection(section) ? secretFields[section] : ''
  const kept: Record<string, unknown> = {}
  for (const [name, variable] of Object.entries(listFixed(config))) {
    const [part, field = ''] = name.split('.')
    if (part !== section) continue
    // A secret of the environment is not compared: only a saved one is kept.
    const present = field === secretField ? saved : inForce
    if (!isDeepStrictEqual(pick(present, field), pick(merged[section], field)))
      throw new Refusal('setting-fixed', { text: `This is set by ${variable} in the environment.` })
    kept[field] = pick(saved ?? defaultSettings[section], field) ?? null
  }
  return { ...merged, [section]: { ...merged[section], ...kept } }
}

function showSettings(config: Config, stored: SavedSettings): Omit<ShopSettings, 'account'> {
  const inForce = settingsInForce(config, stored)
  const stateOf = (section: SecretSection, secret: unknown): SecretState => {
    if (stored.unreadable.includes(section)) return 'unreadable'
    return secret ? 'saved' : 'none'
  }
  return {
    version: stored.version,
    values: showValues(inForce),
    fixed: listFixed(config),
    secrets: {
      mail: stateOf('mail', inForce.mail.smtpPassword),
      sumup: stateOf('sumup', stored.values.sumup?.apiKey),
    },
  }
}

/** Without secrets. */
function showValues(settings: AllSettings): ShopSettings['values'] {
  const shown = settingsSections.map((section) => {
    const fields = Object.keys(shownSchemas[section].shape)
    return [
      section,
      Object.fromEntries(fields.map((field) => [field, pick(settings[section], field)])),
    ]
  })
  return Object.fromEntries(shown)
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
