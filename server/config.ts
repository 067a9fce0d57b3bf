import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  defaultSettings,
  settingsSections,
  type AllSettings,
  type PaymentCurrency,
  type SecretSection,
  type SettingsSection,
} from '#contract/shop-settings.ts'
import { localTimeZone } from '#contract/time-zones.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { hostOfUrl } from './hosts.ts'
import {
  isSecret,
  listDecided,
  exampleOf,
  variableNames,
  variables,
  type VariableName,
  type VariableValues,
} from './environment-variables.ts'
import { formatSmtpUrl, parseSmtpUrl } from './smtp-url.ts'

type Environment = Record<string, string | undefined>

export type Config = ReturnType<typeof createConfig>

/** The only reader of the environment. Reports all faults at once. */
export function readConfig(environment: Environment = process.env): Config {
  const faults: string[] = []
  const values: VariableValues = {}
  for (const name of variableNames) {
    const text = readSetting(environment, name, faults)
    if (text === undefined) continue
    const parsed = variables[name].schema.safeParse(text)
    if (parsed.success) Object.assign(values, { [name]: parsed.data })
    else faults.push(describeFault(name, text))
  }
  faults.push(...findContradictions(values, environment))
  const hints = findHints(values, environment)
  if (faults.length > 0) {
    const lines = [...faults, ...hints.map((hint) => `Note: ${hint}`)].map((line) => `  ${line}`)
    throw new CannotStart(['The configuration has faults:', ...lines].join('\n'))
  }
  return createConfig(values, hints)
}

/** What the owner has saved in the back-office. */
export type SavedSettings = {
  /** Counts the saves. */
  version: number
  values: Partial<AllSettings>
  /** Sections whose secret cannot be decrypted, and an account that this version does not understand. */
  unreadable: SecretSection[]
}

export const nothingSaved: SavedSettings = { version: 0, values: {}, unreadable: [] }

/** Settings that cannot be in force together, and where the owner can change them. */
export const conflictPlaces = {
  'domains-alike': 'address',
  'mail-sender-missing': 'mail',
} as const satisfies Record<string, SettingsSection>
export type Conflict = keyof typeof conflictPlaces

/** The configuration with what the owner has saved. */
export function withSaved(config: Config, saved: SavedSettings): Config {
  return { ...config, ...createLiveConfig(config.environment, saved) }
}

/**
 * All that the owner can set, as it is in force: the defaults, over them what the owner has saved, over that what the
 * environment decides, also where it was changed after the owner saved.
 */
export function settingsInForce(
  { environment }: Pick<Config, 'environment'>,
  saved: SavedSettings,
): AllSettings {
  const settings = mergeSettings(environment, saved)
  resolveConflicts(environment, settings)
  return settings
}

/** These are never missing. */
type SettingsInForce = AllSettings & {
  shop: { timeZone: string }
  sumup: { currency: PaymentCurrency }
}

function mergeSettings(environment: VariableValues, { values, unreadable }: SavedSettings) {
  const decided = Object.fromEntries(
    variableNames.flatMap((name) => Object.entries(readDecided(environment, name))),
  )
  const merged = settingsSections.map((section) => {
    const fields: Record<string, unknown> = { ...defaultSettings[section] }
    for (const [field, value] of Object.entries(values[section] ?? {}))
      if (value !== null && value !== undefined) fields[field] = value
    for (const [name, value] of Object.entries(decided)) {
      const [part, field = ''] = name.split('.')
      if (part === section) fields[field] = value
    }
    return [section, fields]
  })
  const settings: SettingsInForce = Object.fromEntries(merged)
  // A shop whose key cannot be read must never look like one in test mode: SumUp refuses this one.
  if (unreadable.includes('sumup') && !environment.SUMUP_API_KEY)
    settings.sumup.apiKey = 'unreadable'
  settings.shop.timeZone ??= localTimeZone()
  return settings
}

/** What a variable decides, by the names of the fields, such as 'shop.name'. */
function readDecided(environment: VariableValues, name: VariableName): Record<string, unknown> {
  const value = environment[name]
  if (value === undefined) return {}
  if (name !== 'SMTP_URL')
    return Object.fromEntries(listDecided(name).map((field) => [field, value]))
  const server = Object.entries(parseSmtpUrl(String(value)))
  return Object.fromEntries(server.map(([field, part]) => [`mail.${field}`, part]))
}

/** The fields that the owner cannot change, with the variable of the environment that decides each. */
export function listFixed({ environment }: Pick<Config, 'environment'>): Record<string, string> {
  const given = variableNames.filter((name) => environment[name] !== undefined)
  return Object.fromEntries(
    given.flatMap((name) => listDecided(name).map((field) => [field, name])),
  )
}

/** Whether both have the same host: another port does not make them differ. */
function areDomainsAlike(
  one: string | null | undefined,
  other: string | null | undefined,
): boolean {
  return Boolean(one && other && hostOfUrl(one) === hostOfUrl(other))
}

/** Refuses an SMTP_URL without a sender. The owner may have saved one, so this is known only after reading that. */
export function assertSender({ environment, conflicts }: Config): void {
  if (environment.SMTP_URL && conflicts.includes('mail-sender-missing'))
    throw new CannotStart(
      'The configuration has faults:\n' +
        '  SMTP_URL: also needs MAIL_FROM or SHOP_EMAIL, so that mails have a sender',
    )
}

function readSetting(
  environment: Environment,
  name: VariableName,
  faults: string[],
): string | undefined {
  const direct = environment[name] || undefined
  const path = isSecret(name) ? environment[`${name}_FILE`] || undefined : undefined
  if (path === undefined) return direct
  if (direct !== undefined) {
    faults.push(`${name}: given twice, as ${name} and as ${name}_FILE; keep one`)
    return undefined
  }
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    faults.push(`${name}_FILE: cannot read the file "${path}"`)
    return undefined
  }
}

function describeFault(name: VariableName, text: string): string {
  const { expected } = variables[name]
  const got = isSecret(name) ? 'a value that is not shown here' : JSON.stringify(text)
  return `${name}: got ${got}, expected ${expected}, for example ${name}=${exampleOf(name)}`
}

/** Finds variables that need each other, or exclude each other. A half-configured payment account must never look like test mode. */
function findContradictions(values: VariableValues, environment: Environment): string[] {
  const faults: string[] = []
  const isGiven = (name: VariableName) => Boolean(environment[name] || environment[`${name}_FILE`])
  const requireAll = (names: VariableName[]) => {
    const first = names.find(isGiven)
    const missing = names.filter((name) => !isGiven(name))
    if (first && missing.length > 0) faults.push(`${first}: also needs ${missing.join(' and ')}`)
  }
  requireAll(['SUMUP_API_KEY', 'SUMUP_MERCHANT_CODE'])
  requireAll(['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
  if (areDomainsAlike(values.PUBLIC_URL, values.CUSTOM_DOMAIN)) {
    faults.push(
      'CUSTOM_DOMAIN: is the same host as PUBLIC_URL; the back-office needs a name of its own, and another port is not enough',
    )
  }
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('SUMUP_') || knownNames.has(name)) continue
    const meant = findSimilarVariable(name)
    faults.push(`${name}: there is no such setting${meant ? `; did you mean ${meant}?` : ''}`)
  }
  return faults
}

function findHints(values: VariableValues, environment: Environment): string[] {
  const hints = Object.keys(environment).flatMap((name) => {
    const meant = name.startsWith('SUMUP_') ? undefined : findSimilarVariable(name)
    return meant ? [`${name} is not a setting of Till and was ignored; did you mean ${meant}?`] : []
  })
  const isReachable = values.HOST !== undefined && !/^(127\.|::1$|localhost$)/.test(values.HOST)
  if (values.PUBLIC_URL?.startsWith('https:') && isReachable && values.TRUST_PROXY === undefined) {
    hints.push(
      'PUBLIC_URL is https, so a proxy is in front of the shop; unless it runs on this machine, set TRUST_PROXY to its address, or all visitors look like one.',
    )
  }
  if (values.CUSTOM_DOMAIN && !values.PUBLIC_URL) {
    hints.push('CUSTOM_DOMAIN is set; also set PUBLIC_URL, the address of the back-office.')
  }
  return hints
}

function createConfig(values: VariableValues, hints: string[]) {
  return {
    hints,
    /** The variables of the environment that are set. */
    environment: values,
    port: values.PORT ?? variables.PORT.default,
    /** `localhost` stands for 127.0.0.1 and ::1. */
    host: values.HOST ?? variables.HOST.default,
    trustProxy: values.TRUST_PROXY,
    connections: {
      max: 1_000,
      maxPerAddress: values.CONNECTIONS_PER_ADDRESS ?? variables.CONNECTIONS_PER_ADDRESS.default,
      lateBodyMs: 15_000,
    },
    /** How long SumUp may take to answer; undefined: the client's own time. Set by tests. */
    sumupTimeoutMs: undefined as number | undefined,
    dataDir: resolve(values.DATA_DIR ?? variables.DATA_DIR.default),
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL ?? variables.DATABASE_POOL.default,
    /** Only a shop with a database of its own is ever one of several nodes. */
    drainMs: (values.DRAIN_SECONDS ?? (values.DATABASE_URL ? 5 : 0)) * 1000,
    sessionSecret: values.SESSION_SECRET,
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN,
    geoipFile: values.GEOIP_DB,
    backup: {
      /** Undefined: no scheduled backups. */
      folder: values.BACKUP_DIR && resolve(values.BACKUP_DIR),
      passphrase: values.BACKUP_PASSPHRASE,
    },
    firstAdmin: {
      username: values.ADMIN_USERNAME ?? variables.ADMIN_USERNAME.default,
      email: values.ADMIN_EMAIL ?? values.SHOP_EMAIL ?? nobodysEmail,
      password: values.ADMIN_PASSWORD,
    },
    /** Undefined: pictures are stored on disk. */
    pictureStore: createPictureStore(values),
    ...createLiveConfig(values, nothingSaved),
  }
}

/**
 * The part of the configuration that the owner can change while the shop runs. Sections that are read as the owner entered
 * them are here by their own names.
 */
function createLiveConfig(environment: VariableValues, saved: SavedSettings) {
  const settings = mergeSettings(environment, saved)
  const conflicts = resolveConflicts(environment, settings)
  const { shop, sumup, tax, mail, texts, address, alerts, language } = settings
  const { policies, links, delivery, methods, retention } = settings
  const { merchantCode, apiKey } = sumup
  const isWithoutSender = conflicts.includes('mail-sender-missing')
  return {
    policies,
    links,
    delivery,
    methods,
    retention,
    /** Another one after each save, in any section. */
    settingsVersion: saved.version,
    /** What the owner has saved contradicts the environment here. */
    conflicts,
    publicUrl: address.publicUrl ?? undefined,
    customDomain: address.customDomain ?? undefined,
    /** Days of analytics begin at midnight of this zone. */
    timeZone: shop.timeZone,
    payments: {
      account: apiKey && merchantCode ? { apiKey, merchantCode } : undefined,
      apiUrl: environment.SUMUP_API_URL ?? variables.SUMUP_API_URL.default,
      sdkUrl: environment.SUMUP_SDK_URL ?? variables.SUMUP_SDK_URL.default,
      currency: sumup.currency,
      maxParallelChecks: environment.SUMUP_PARALLEL_LOOKS ?? variables.SUMUP_PARALLEL_LOOKS.default,
    },
    /** An admin may refund this in an hour without the password, in each currency. */
    refunds: { passwordAbove: sumup.refundPasswordAbove },
    mail: {
      smtpUrl: environment.SMTP_URL ?? (isWithoutSender ? undefined : formatSmtpUrl(mail)),
      from: chooseSender(settings),
      /** The owner's opening sentences of mails to buyers. */
      openings: texts,
    },
    shop: {
      name: shop.name ?? undefined,
      email: shop.email ?? undefined,
      postalAddress: shop.postalAddress,
      imprint: shop.imprint,
      /** The logo of new products, and of pages that are about no product. */
      logoUrl: shop.logoUrl,
      /** In percent. */
      vatRate: tax.vatRate,
      vatNumber: tax.vatNumber,
    },
    alerts: {
      email: alerts.alertEmail ?? shop.email ?? undefined,
      muted: alerts.muted,
      announcesSales: alerts.announcesSales,
    },
    /** Buyers' pages and mails are in it. */
    buyersLanguage: language.ofBuyers,
  }
}

/** What the owner has saved gives way to an environment that contradicts it: it is as if it were not set. */
function resolveConflicts(environment: VariableValues, settings: AllSettings): Conflict[] {
  const { address, mail, shop } = settings
  const conflicts: Conflict[] = []
  if (areDomainsAlike(address.publicUrl, address.customDomain)) {
    conflicts.push('domains-alike')
    address[environment.CUSTOM_DOMAIN ? 'publicUrl' : 'customDomain'] = null
  }
  if (mail.smtpHost && !mail.from && !shop.email) conflicts.push('mail-sender-missing')
  return conflicts
}

const knownNames = new Set<string>(
  variableNames.flatMap((name) => (isSecret(name) ? [name, `${name}_FILE`] : [name])),
)

/** The variable that was probably meant by SUMUP_APIKEY, ADMIN_PASSWROD or PublicUrl. */
function findSimilarVariable(name: string): string | undefined {
  if (knownNames.has(name)) return undefined
  const letters = lettersOf(name)
  return [...knownNames].find((known) => {
    // Short names such as HOST are similar to too many others.
    const maxTypos = Math.min(name.length, known.length) < 8 ? 0 : 2
    return countTypos(letters, lettersOf(known)) <= maxTypos
  })
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** How many letters have to be added, left out or replaced to make one word of another. */
function countTypos(one: string, other: string): number {
  let typos = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [row, letter] of Array.from(one).entries()) {
    const next = [row + 1]
    for (const [column, meant] of Array.from(other).entries()) {
      const replaced = (typos[column] ?? 0) + (letter === meant ? 0 : 1)
      next.push(Math.min(replaced, (next[column] ?? 0) + 1, (typos[column + 1] ?? 0) + 1))
    }
    typos = next
  }
  return typos.at(-1) ?? 0
}

/** The address by which browsers know the shop. */
export function publicOrigin(config: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return config.publicUrl ?? localOrigin(config)
}

/** The address at which it listens; of `localhost` the one that is never left out. */
export function localOrigin({ host, port }: Pick<Config, 'host' | 'port'>): string {
  if (host === 'localhost') return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The address of a first admin who was given none. Nobody reads what is sent there. */
export const nobodysEmail = 'admin@example.com'

/** The sender of a shop that has no address to send from. */
const defaultSender = 'Till <till@localhost>'

function chooseSender({ mail, shop }: AllSettings): string {
  if (mail.from || !shop.email) return mail.from ?? defaultSender
  return shop.name ? `${shop.name} <${shop.email}>` : shop.email
}

function createPictureStore(values: VariableValues) {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined
  return {
    endpoint: S3_ENDPOINT,
    region: values.S3_REGION ?? variables.S3_REGION.default,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  }
}
