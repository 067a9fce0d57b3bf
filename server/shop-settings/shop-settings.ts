import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '#contract/refusals.ts'
import {
  settingsSchemas,
  settingsSections,
  type AllSettings,
  type SettingsSection,
  type ShopSettings,
} from '#contract/shop-settings.ts'
import { defaultSender, withSaved, type Config, type SavedSettings } from '#server/config.ts'
import { shopSettings } from '#server/db/admin-schema.ts'
import type { Db } from '#server/db/database.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { recordAudit, type Actor } from '#server/http/audit.ts'
import { hostOfUrl } from '#server/http/access.ts'
import type { Log } from '#server/http/log.ts'
import { repeat } from '#server/repeat.ts'
import { decrypt, encrypt } from '#server/secret.ts'
import type { SettingName, SettingValues } from '#server/settings.ts'

/**
 * What the owner sets in the back-office: one row in the database. Every node reads it again every two seconds, so a
 * change reaches all of them without a restart. The environment wins.
 */
export type LiveSettings = {
  /** The configuration in force: read its fields when they are needed, since they change while the shop runs. */
  config: Config
  show: () => ShopSettings
  /** Saves one section, as the owner sent it. */
  save: (section: SettingsSection, change: SettingsChange, actor: Actor) => Promise<void>
  /** What would be in force with these values of a section. */
  preview: (section: SettingsSection, values: unknown) => Config
  close: () => Promise<void>
}

type SettingsChange = { version: number; values: unknown }
type Stored = { version: number; values: Partial<AllSettings>; isPasswordUnreadable: boolean }
type Deps = { db: Db; secret: string; config: Config; log: Log }

const refreshMs = 2_000
export const settingsRowId = 'shop'
const nothingStored: Stored = { version: 0, values: {}, isPasswordUnreadable: false }

/** The fields of the configuration that the owner can change. */
const liveFields = [
  'publicUrl',
  'customDomain',
  'retention',
  'mail',
  'shop',
  'alerts',
  'policies',
] as const

export async function openShopSettings(deps: Deps): Promise<LiveSettings> {
  const { db, config, log } = deps
  let stored = await readStored(deps)
  let current = withSaved(config, toSaved(stored.values))
  const live = { ...config }
  for (const field of liveFields)
    Object.defineProperty(live, field, { enumerable: true, get: () => current[field] })

  function use(next: Stored): void {
    if (next.version === stored.version) return
    stored = next
    current = withSaved(config, toSaved(next.values))
  }

  // While the database does not answer, what was read last stays in force.
  const refreshing = repeat(
    async () => use(await readStored(deps)),
    refreshMs,
    log,
    'Reading the settings',
  )

  return {
    config: live,
    show: () => showSettings(config, current, stored),
    preview: (section, values) =>
      withSaved(config, toSaved(mergeSection(stored.values, section, values))),
    async save(section, change, actor) {
      const latest = await readStored(deps)
      if (latest.version !== change.version) throw new Refusal('settings-changed')
      const merged = mergeSection(latest.values, section, change.values)
      const values = keepFixed(config, { section, latest, merged, current })
      assertConsistent(withSaved(config, toSaved(values)))
      await db.transaction(async (tx) => {
        await writeStored(tx, seal(deps.secret, { [section]: values[section] }), change.version)
        const detail = describeChange(latest.values[section], values[section])
        await recordAudit(tx, actor, { action: 'settings-changed', subject: section, detail })
      })
      const isPasswordUnreadable = section !== 'mail' && latest.isPasswordUnreadable
      use({ version: change.version + 1, values, isPasswordUnreadable })
    },
    close: () => refreshing.stop(),
  }
}

async function readStored({ db, secret }: Pick<Deps, 'db' | 'secret'>): Promise<Stored> {
  const [row] = await db.select().from(shopSettings).where(eq(shopSettings.id, settingsRowId))
  if (!row) return nothingStored
  const values: Partial<AllSettings> = {}
  let isPasswordUnreadable = false
  for (const section of settingsSections) {
    const raw = row.values[section]
    if (!raw) continue
    const opened = { ...raw }
    if (typeof raw.smtpPassword === 'string') {
      opened.smtpPassword = decrypt(secret, passwordPurpose, raw.smtpPassword) ?? null
      isPasswordUnreadable = opened.smtpPassword === null
    }
    // What another version of Till saved and this one does not understand is as if it were not set.
    const parsed = settingsSchemas[section].safeParse(opened)
    if (parsed.success) Object.assign(values, { [section]: parsed.data })
  }
  return { version: row.version, values, isPasswordUnreadable }
}

const passwordPurpose = { purpose: 'settings', owner: 'smtpPassword' }

function seal(
  secret: string,
  values: Partial<AllSettings>,
): Record<string, Record<string, unknown>> {
  const { mail } = values
  if (!mail?.smtpPassword) return values
  const smtpPassword = encrypt(secret, passwordPurpose, mail.smtpPassword)
  return { ...values, mail: { ...mail, smtpPassword } }
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
  values: Partial<AllSettings>,
  section: SettingsSection,
  input: unknown,
): Partial<AllSettings> {
  const parsed = settingsSchemas[section].parse(input)
  // A password that was not typed again stays.
  const kept = section === 'mail' ? { smtpPassword: values.mail?.smtpPassword } : {}
  const typed = Object.entries(parsed).filter(([, value]) => value !== undefined)
  return { ...values, [section]: { ...kept, ...Object.fromEntries(typed) } }
}

/** Saved values in the words of the environment, so that both become a configuration in the same way. */
function toSaved({
  shop,
  tax,
  policies,
  mail,
  address,
  retention,
  alerts,
}: Partial<AllSettings>): SavedSettings {
  const values: { [Name in SettingName]?: SettingValues[Name] | null | undefined } = {
    SHOP_NAME: shop?.name,
    SHOP_EMAIL: shop?.email,
    POLICY_REFUND_URL: policies?.refund,
    POLICY_SHIPPING_URL: policies?.shipping,
    POLICY_PRIVACY_URL: policies?.privacy,
    POLICY_TERMS_URL: policies?.terms,
    SMTP_URL: mail && formatSmtpUrl(mail),
    MAIL_FROM: mail?.from,
    PUBLIC_URL: address?.publicUrl,
    CUSTOM_DOMAIN: address?.customDomain,
    KEEP_UNPAID_DAYS: retention?.unpaid,
    KEEP_SOLD_DETAILS_DAYS: retention?.soldDetails,
    KEEP_VISITOR_DAYS: retention?.visitors,
    KEEP_EVENT_DAYS: retention?.events,
    KEEP_MAIL_DAYS: retention?.mails,
    KEEP_REVIEW_DAYS: retention?.reviews,
    KEEP_AUDIT_DAYS: retention?.audit,
  }
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return {
    values: Object.fromEntries(given),
    more: {
      postalAddress: shop?.postalAddress ?? null,
      imprint: shop?.imprint ?? null,
      logoUrl: shop?.logoUrl ?? null,
      vatRate: tax?.vatRate ?? null,
      vatNumber: tax?.vatNumber ?? null,
      alertEmail: alerts?.alertEmail ?? null,
      mutedAlerts: alerts?.muted ?? [],
      announcesSales: alerts?.announcesSales ?? true,
    },
  }
}

/** Nodemailer reads the encryption from the address: with STARTTLS it is required, never skipped. */
function formatSmtpUrl(mail: AllSettings['mail']): string | undefined {
  const { smtpHost, smtpPort, smtpSecurity, smtpUser, smtpPassword } = mail
  if (!smtpHost) return undefined
  const sign = [smtpUser, smtpPassword].map((text) => encodeURIComponent(text ?? '')).join(':')
  const host = smtpHost.includes(':') ? `[${smtpHost}]` : smtpHost
  const place = `${smtpUser ? `${sign}@` : ''}${host}:${smtpPort ?? defaultPorts[smtpSecurity ?? 'tls']}`
  switch (smtpSecurity ?? 'tls') {
    case 'tls':
      return `smtps://${place}`
    case 'starttls':
      return `smtp://${place}?requireTLS=true`
    case 'none':
      return `smtp://${place}?ignoreTLS=true`
  }
}

const defaultPorts = { tls: 465, starttls: 587, none: 25 }

/** Which variable decides which fields. */
const variables: Partial<Record<SettingName, string[]>> = {
  SHOP_NAME: ['shop.name'],
  SHOP_EMAIL: ['shop.email'],
  POLICY_REFUND_URL: ['policies.refund'],
  POLICY_SHIPPING_URL: ['policies.shipping'],
  POLICY_PRIVACY_URL: ['policies.privacy'],
  POLICY_TERMS_URL: ['policies.terms'],
  SMTP_URL: ['smtpHost', 'smtpPort', 'smtpSecurity', 'smtpUser', 'smtpPassword'].map(
    (field) => `mail.${field}`,
  ),
  MAIL_FROM: ['mail.from'],
  PUBLIC_URL: ['address.publicUrl'],
  CUSTOM_DOMAIN: ['address.customDomain'],
  KEEP_UNPAID_DAYS: ['retention.unpaid'],
  KEEP_SOLD_DETAILS_DAYS: ['retention.soldDetails'],
  KEEP_VISITOR_DAYS: ['retention.visitors'],
  KEEP_EVENT_DAYS: ['retention.events'],
  KEEP_MAIL_DAYS: ['retention.mails'],
  KEEP_REVIEW_DAYS: ['retention.reviews'],
  KEEP_AUDIT_DAYS: ['retention.audit'],
}

function listFixed({ environment }: Config): Record<string, string> {
  const fixed: Record<string, string> = {}
  for (const [variable, fields] of Object.entries(variables))
    if (environment[variable as SettingName] !== undefined)
      for (const field of fields) fixed[field] = variable
  return fixed
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
    ...(section === 'mail' && { smtpPassword: latest.values.mail?.smtpPassword }),
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

function showSettings(config: Config, current: Config, stored: Stored): ShopSettings {
  const { smtpPassword, ...mail } = readValues(current, stored).mail
  return {
    version: stored.version,
    values: { ...readValues(current, stored), mail },
    fixed: listFixed(config),
    hasSmtpPassword: Boolean(smtpPassword),
    isPasswordUnreadable: stored.isPasswordUnreadable,
  }
}

/** Every value in force, in the words of the dialog. */
function readValues(current: Config, { values }: Stored): AllSettings {
  const { shop, policies, retention, alerts, environment } = current
  const { name = null, email = null, postalAddress, imprint, logoUrl, vatRate, vatNumber } = shop
  const { publicUrl = null, customDomain = null } = current
  const from = environment.MAIL_FROM ?? values.mail?.from ?? null
  return {
    shop: { name, email, postalAddress, imprint, logoUrl },
    tax: { vatRate, vatNumber },
    policies,
    mail: {
      ...(environment.SMTP_URL ? parseSmtpUrl(environment.SMTP_URL) : (values.mail ?? noServer)),
      from,
    },
    address: { publicUrl, customDomain },
    retention,
    alerts: {
      alertEmail: values.alerts?.alertEmail ?? null,
      muted: alerts.muted,
      announcesSales: alerts.announcesSales,
    },
  }
}

const noServer = { smtpHost: null, smtpPort: null, smtpSecurity: null, smtpUser: null }

/** Never the password. */
function parseSmtpUrl(text: string) {
  const { protocol, hostname, port, username } = new URL(text)
  return {
    smtpHost: hostname.replace(/^\[(.*)\]$/, '$1'),
    smtpPort: port ? Number(port) : null,
    smtpSecurity: protocol === 'smtps:' ? ('tls' as const) : ('starttls' as const),
    smtpUser: username ? decodeURIComponent(username) : null,
  }
}

function assertConsistent({ publicUrl, customDomain, mail }: Config): void {
  if (publicUrl && customDomain && hostOfUrl(publicUrl) === hostOfUrl(customDomain))
    throw new Refusal('domains-alike')
  if (mail.smtpUrl && mail.from === defaultSender) throw new Refusal('mail-sender-missing')
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
    if (field === 'smtpPassword') return value ? '(hidden)' : null
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
