import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defaultLanguage, type BuyersLanguage } from '#contract/languages.ts'
import { noOpenings, type MailOpenings } from '#contract/mails.ts'
import { defaultMethods, type MethodSettings } from '#contract/payment-methods.ts'
import {
  defaultRefundPasswordAbove,
  type AlertKind,
  defaultLinkSettings,
  type LinkSettings,
  type SettingsSection,
} from '#contract/shop-settings.ts'
import { defaultDelivery, type DeliverySettings } from '#contract/quotes.ts'
import { localTimeZone } from '#contract/time-zones.ts'
import { defaultWithdrawalScope, type WithdrawalScope } from '#contract/withdrawals.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { hostOfUrl } from './hosts.ts'
import {
  isSecret,
  settingNames,
  settings,
  type SettingName,
  type SettingValues,
} from './settings.ts'

type Environment = Record<string, string | undefined>

export type Config = ReturnType<typeof createConfig>

/** The only reader of the environment. Reports all faults at once. */
export function readConfig(environment: Environment = process.env): Config {
  const faults: string[] = []
  const values: SettingValues = {}
  for (const name of settingNames) {
    const text = readSetting(environment, name, faults)
    if (text === undefined) continue
    const parsed = settings[name].schema.safeParse(text)
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

/** What the owner has saved in the back-office, in the words of the environment where it has some. */
export type SavedSettings = { values: SettingValues; more: OwnerSettings }

/** Settings that the environment has no names for. */
type OwnerSettings = {
  postalAddress: string | null
  imprint: string | null
  logoUrl: string | null
  vatRate: string | null
  vatNumber: string | null
  alertEmail: string | null
  mutedAlerts: AlertKind[]
  announcesSales: boolean
  refundPasswordAbove: number
  timeZone: string | null
  mailOpenings: MailOpenings
  withdrawalFor: WithdrawalScope
  links: LinkSettings
  buyersLanguage: BuyersLanguage
  delivery: DeliverySettings
  methods: MethodSettings
}

const noOwnerSettings: OwnerSettings = {
  postalAddress: null,
  imprint: null,
  logoUrl: null,
  vatRate: null,
  vatNumber: null,
  alertEmail: null,
  mutedAlerts: [],
  announcesSales: true,
  refundPasswordAbove: defaultRefundPasswordAbove,
  timeZone: null,
  mailOpenings: noOpenings,
  withdrawalFor: defaultWithdrawalScope,
  links: defaultLinkSettings,
  buyersLanguage: defaultLanguage,
  delivery: defaultDelivery,
  methods: defaultMethods,
}

/** Settings that cannot be in force together, and where the owner can change them. */
export const conflictPlaces = {
  'domains-alike': 'address',
  'mail-sender-missing': 'mail',
} as const satisfies Record<string, SettingsSection>
export type Conflict = keyof typeof conflictPlaces

/**
 * The configuration with what the owner has saved. The environment wins, also where it was changed after the owner
 * saved: what contradicts it is as if it were not set, and named as a conflict.
 */
export function withSaved(config: Config, { values, more }: SavedSettings): Config {
  const { environment, hints, sumupTimeoutMs } = config
  const merged = { ...values, ...environment }
  const conflicts: Conflict[] = []
  if (areDomainsAlike(merged)) {
    conflicts.push('domains-alike')
    delete merged[environment.CUSTOM_DOMAIN ? 'PUBLIC_URL' : 'CUSTOM_DOMAIN']
  }
  if (merged.SMTP_URL && !merged.MAIL_FROM && !merged.SHOP_EMAIL) {
    conflicts.push('mail-sender-missing')
    if (!environment.SMTP_URL) delete merged.SMTP_URL
  }
  return { ...createConfig(merged, hints, { environment, more, conflicts }), sumupTimeoutMs }
}

/** The back-office needs a name of its own; another port is not enough. */
function areDomainsAlike({ CUSTOM_DOMAIN, PUBLIC_URL }: SettingValues): boolean {
  return Boolean(CUSTOM_DOMAIN && PUBLIC_URL && hostOfUrl(CUSTOM_DOMAIN) === hostOfUrl(PUBLIC_URL))
}

/** A sender may be among the saved settings, so only both together tell. */
export function assertSender({ environment, conflicts }: Config): void {
  if (environment.SMTP_URL && conflicts.includes('mail-sender-missing'))
    throw new CannotStart(
      'The configuration has faults:\n' +
        '  SMTP_URL: also needs MAIL_FROM or SHOP_EMAIL, so that mails have a sender',
    )
}

function readSetting(
  environment: Environment,
  name: SettingName,
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

function describeFault(name: SettingName, text: string): string {
  const { expected, example } = settings[name]
  const got = isSecret(name) ? 'a value that is not shown here' : JSON.stringify(text)
  return `${name}: got ${got}, expected ${expected}, for example ${name}=${example}`
}

/** For settings that need each other. A half-configured payment account must never look like test mode. */
function findContradictions(values: SettingValues, environment: Environment): string[] {
  const faults: string[] = []
  const isGiven = (name: SettingName) => Boolean(environment[name] || environment[`${name}_FILE`])
  const requireAll = (names: SettingName[]) => {
    const first = names.find(isGiven)
    const missing = names.filter((name) => !isGiven(name))
    if (first && missing.length > 0) faults.push(`${first}: also needs ${missing.join(' and ')}`)
  }
  requireAll(['SUMUP_API_KEY', 'SUMUP_MERCHANT_CODE'])
  requireAll(['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
  if (areDomainsAlike(values)) {
    faults.push(
      'CUSTOM_DOMAIN: is the same host as PUBLIC_URL; the back-office needs a name of its own, and another port is not enough',
    )
  }
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('SUMUP_') || knownNames.has(name)) continue
    const meant = findSimilarSetting(name)
    faults.push(`${name}: there is no such setting${meant ? `; did you mean ${meant}?` : ''}`)
  }
  return faults
}

function findHints(values: SettingValues, environment: Environment): string[] {
  const hints = Object.keys(environment).flatMap((name) => {
    const meant = name.startsWith('SUMUP_') ? undefined : findSimilarSetting(name)
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

function createConfig(
  values: SettingValues,
  hints: string[],
  {
    environment = values,
    more = noOwnerSettings,
    conflicts = [],
  }: { environment?: SettingValues; more?: OwnerSettings; conflicts?: Conflict[] } = {},
) {
  return {
    hints,
    /** Between the environment and what the owner has saved. */
    conflicts,
    /** What was set outside of the shop. */
    environment,
    port: values.PORT ?? 3000,
    /** `localhost` stands for 127.0.0.1 and ::1. */
    host: values.HOST ?? 'localhost',
    publicUrl: values.PUBLIC_URL,
    customDomain: values.CUSTOM_DOMAIN,
    trustProxy: values.TRUST_PROXY,
    connections: {
      max: 1_000,
      maxPerAddress: values.CONNECTIONS_PER_ADDRESS ?? 100,
      lateBodyMs: 15_000,
    },
    /** How long SumUp may take to answer; undefined: the client's own time. Set by tests. */
    sumupTimeoutMs: undefined as number | undefined,
    dataDir: resolve(values.DATA_DIR ?? './data'),
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL ?? 10,
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
    /** Days of analytics begin at its midnight. */
    timeZone: more.timeZone ?? localTimeZone(),
    /** In days. */
    retention: {
      unpaid: values.KEEP_UNPAID_DAYS ?? 30,
      soldDetails: values.KEEP_SOLD_DETAILS_DAYS ?? 30,
      visitors: values.KEEP_VISITOR_DAYS ?? 30,
      events: values.KEEP_EVENT_DAYS ?? 395,
      mails: values.KEEP_MAIL_DAYS ?? 90,
      reviews: values.KEEP_REVIEW_DAYS ?? 365,
      audit: values.KEEP_AUDIT_DAYS ?? 730,
    },
    firstAdmin: {
      username: values.ADMIN_USERNAME ?? 'admin',
      email: values.ADMIN_EMAIL ?? values.SHOP_EMAIL ?? nobodysEmail,
      password: values.ADMIN_PASSWORD,
    },
    payments: {
      account:
        values.SUMUP_API_KEY && values.SUMUP_MERCHANT_CODE
          ? { apiKey: values.SUMUP_API_KEY, merchantCode: values.SUMUP_MERCHANT_CODE }
          : undefined,
      apiUrl: values.SUMUP_API_URL ?? 'https://api.sumup.com',
      sdkUrl: values.SUMUP_SDK_URL ?? 'https://gateway.sumup.com/gateway/ecom/card/v2/sdk.js',
      currency: values.PAYMENT_CURRENCY ?? 'EUR',
      maxParallelChecks: values.SUMUP_PARALLEL_LOOKS ?? 40,
    },
    /** In each currency: what an admin may refund in an hour without the password. */
    refunds: { passwordAbove: more.refundPasswordAbove },
    /** Undefined: pictures are stored on disk. */
    pictureStore: createPictureStore(values),
    mail: {
      smtpUrl: values.SMTP_URL,
      from: chooseSender(values),
      /** The owner's opening sentences of mails to buyers. */
      openings: more.mailOpenings,
    },
    shop: {
      name: values.SHOP_NAME,
      email: values.SHOP_EMAIL,
      postalAddress: more.postalAddress,
      imprint: more.imprint,
      /** The logo of new products, and of pages that are about no product. */
      logoUrl: more.logoUrl,
      /** In percent. */
      vatRate: more.vatRate,
      vatNumber: more.vatNumber,
    },
    alerts: {
      email: more.alertEmail ?? values.SHOP_EMAIL,
      muted: more.mutedAlerts,
      announcesSales: more.announcesSales,
    },
    /** Each a text, or the address of a page. */
    policies: {
      refund: values.POLICY_REFUND_URL ?? null,
      shipping: values.POLICY_SHIPPING_URL ?? null,
      privacy: values.POLICY_PRIVACY_URL ?? null,
      terms: values.POLICY_TERMS_URL ?? null,
      withdrawal: values.POLICY_WITHDRAWAL_URL ?? null,
      withdrawalFor: more.withdrawalFor,
    },
    /** What others show of checkout links. */
    links: more.links,
    /** Of buyers' pages and mails. */
    buyersLanguage: more.buyersLanguage,
    /** Where the shop delivers to, and what that costs. */
    delivery: more.delivery,
    /** What is offered beside the card. */
    methods: more.methods,
  }
}

const knownNames = new Set<string>(
  settingNames.flatMap((name) => (isSecret(name) ? [name, `${name}_FILE`] : [name])),
)

/** Short names such as HOST are similar to too many others. */
const minSimilarLength = 8
const minSimilarity = 0.75

/** The setting that was probably meant by SUMUP_APIKEY, ADMIN_PASWORD or PublicUrl. */
function findSimilarSetting(name: string): string | undefined {
  if (knownNames.has(name)) return undefined
  const letters = lettersOf(name)
  return [...knownNames].find((known) => {
    const knownLetters = lettersOf(known)
    if (letters === knownLetters) return true
    // Typos are rarely in the first letter; AWS_ACCESS_KEY_ID is not meant for us.
    if (letters[0] !== knownLetters[0]) return false
    if (Math.min(name.length, known.length) < minSimilarLength) return false
    return similarity(letters, knownLetters) >= minSimilarity
  })
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** The share of letter pairs that both have, from 0 to 1. */
function similarity(one: string, other: string): number {
  const [pairs, otherPairs] = [listPairs(one), listPairs(other)]
  return (2 * pairs.intersection(otherPairs).size) / (pairs.size + otherPairs.size)
}

function listPairs(text: string): Set<string> {
  return new Set(
    Array.from({ length: text.length - 1 }, (_, index) => text.slice(index, index + 2)),
  )
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
export const defaultSender = 'Till <till@localhost>'

function chooseSender({ MAIL_FROM, SHOP_NAME, SHOP_EMAIL }: SettingValues): string {
  if (MAIL_FROM || !SHOP_EMAIL) return MAIL_FROM ?? defaultSender
  return SHOP_NAME ? `${SHOP_NAME} <${SHOP_EMAIL}>` : SHOP_EMAIL
}

function createPictureStore(values: SettingValues) {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined
  return {
    endpoint: S3_ENDPOINT,
    region: values.S3_REGION ?? 'us-east-1',
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  }
}
