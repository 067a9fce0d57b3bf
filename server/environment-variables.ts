import { isIP } from 'node:net'
import { z } from 'zod'
import { currencyCodes } from '#contract/currencies.ts'
import {
  defaultSettings,
  merchantCodePattern,
  paymentCurrencies,
  senderPattern,
  settingsSchemas,
  type SettingsField,
} from '#contract/shop-settings.ts'

const shortText = z.string().trim().min(1).max(200)
const email = z.email().max(255)

function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
}

function url(protocol: RegExp) {
  return z.url({ protocol }).max(1000)
}

/** Without path, query and credentials, so that a path can be appended. */
const origin = url(/^https?$/)
  .refine((text) => URL.parse(text)?.href === `${URL.parse(text)?.origin}/`)
  .transform((text) => URL.parse(text)?.origin ?? text)

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => (/^https?:\/\//.test(text) ? text : `https://${text}`))
  .pipe(origin)

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  if (version === 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

const proxies = z
  .string()
  .trim()
  .transform((text, context): number | string[] => {
    if (/^([1-9]|10)$/.test(text)) return Number(text)
    const networks = text.split(',').map((network) => network.trim())
    if (networks.every(isNetwork)) return networks
    context.addIssue('neither a count nor a list of addresses')
    return z.NEVER
  })

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const path = z
  .string()
  .min(1)
  .max(1000)
  .refine((text) => !text.includes('\0'))

/** The public key comes first in SumUp's dashboard, so people paste it by mistake. */
const secretKey = z
  .string()
  .trim()
  .min(8)
  .max(500)
  .refine((key) => !key.startsWith('sup_pk_') && key !== 'sup_sk_…')

/**
 * A variable of the environment, which is read once, at the start. The tables below validate it, and .env.example is
 * printed from them. What the owner can set is in contract/shop-settings.ts.
 */
type Variable = {
  about: string
  expected: string
  /** Needed where there is no default, which is the best example. */
  example?: string
  /** The owner's own defaults are in contract/shop-settings.ts. */
  default?: string | number
  schema: z.ZodType
  /** Never printed, and also readable from a file named by NAME_FILE. */
  secret?: true
  /** What the owner cannot change then. */
  decides?: SettingsField | SettingsField[]
}

function section<Variables extends Record<string, Variable>>(title: string, entries: Variables) {
  return { title, entries }
}

function urlVariable(
  about: string,
  example: string,
  decides?: SettingsField,
): Variable & { schema: z.ZodType<string> } {
  const schema = url(/^https?$/)
  return { about, expected: 'an http(s) address', example, schema, ...(decides && { decides }) }
}

const address = section('Where it answers', {
  PORT: {
    about: 'The port to listen on.',
    expected: 'a whole number 1-65535',
    default: 3_000,
    schema: wholeNumber(1, 65_535),
  },
  HOST: {
    about: 'The address to listen on; localhost is 127.0.0.1 and ::1, 0.0.0.0 every network.',
    expected: 'an IP address or a host name',
    default: 'localhost',
    schema: z.string().regex(/^[\w.:-]{1,253}$/),
  },
  PUBLIC_URL: {
    about: 'The address people use, as seen from outside.',
    expected: 'an address such as https://shop.example.com, without a path',
    example: 'https://shop.example.com',
    schema: origin,
    decides: 'address.publicUrl',
  },
  CUSTOM_DOMAIN: {
    about:
      'A second domain for payment pages, so that a changed script of SumUp cannot act as the logged-in owner. Let it lead to the same shop, with Host passed on; PUBLIC_URL then sends buyers there.',
    expected: 'a domain such as pay.example.com',
    example: 'pay.example.com',
    schema: domain,
    decides: 'address.customDomain',
  },
  TRUST_PROXY: {
    about:
      'The proxies in front of the shop: addresses or networks (172.16.0.0/12 in containers), or how many. Without: one, if it runs on this machine.',
    expected: 'a whole number 1-10, or IP addresses or networks separated by commas',
    example: '10.0.0.5',
    schema: proxies,
  },
  CONNECTIONS_PER_ADDRESS: {
    about: 'How many connections one address may hold open. Proxies have no limit.',
    expected: 'a whole number 10-1000',
    default: 100,
    schema: wholeNumber(10, 1_000),
  },
  METRICS_TOKEN: {
    about:
      'Who sends this as a bearer token may read /metrics. Without: whoever is on this machine.',
    expected: '16 to 200 characters without spaces',
    example: '32-random-hexadecimal-characters',
    secret: true,
    schema: z.string().regex(/^[\x21-\x7e]{16,200}$/),
  },
  DRAIN_SECONDS: {
    about:
      'How long the shop goes on serving after SIGTERM while it says that it is not ready, so that a load balancer turns away first. 5 with DATABASE_URL, otherwise 0.',
    expected: 'a whole number 0-600',
    example: '5',
    schema: wholeNumber(0, 600),
  },
})

const storage = section('What it keeps', {
  DATA_DIR: {
    about: 'The folder for the database, pictures and mail.',
    expected: 'a path',
    default: './data',
    schema: path,
  },
  DATABASE_URL: {
    about: 'A PostgreSQL 15 or newer of your own, in place of the built-in one.',
    expected: 'an address such as postgres://till:secret@localhost:5432/till',
    example: 'postgres://till:secret@localhost:5432/till',
    secret: true,
    schema: url(/^postgres(ql)?$/),
  },
  DATABASE_POOL: {
    about: 'How many connections to the database a node opens at most.',
    expected: 'a whole number 2-200',
    default: 10,
    schema: wholeNumber(2, 200),
  },
  SESSION_SECRET: {
    about:
      'Signs links and encrypts second factors. Generated and stored in DATA_DIR if not set; all nodes need the same.',
    expected: '32 characters or more',
    example: '64-random-hexadecimal-characters',
    secret: true,
    schema: z.string().min(32).max(1024),
  },
  LOG_LEVEL: {
    about: 'How much is logged.',
    expected: `one of ${logLevels.join(', ')}`,
    example: 'info',
    schema: z.enum(logLevels),
  },
  GEOIP_DB: {
    about: 'A MaxMind file that tells where visitors come from, in place of our own.',
    expected: 'the path of an .mmdb file',
    example: './GeoLite2-City.mmdb',
    schema: z.string().endsWith('.mmdb').max(1000),
  },
})

function daysVariable(
  about: string,
  field: keyof typeof defaultSettings.retention,
): Variable & { schema: z.ZodType<number> } {
  const { minValue, maxValue } = settingsSchemas.retention.shape[field]
  const [min, max] = [minValue ?? 0, maxValue ?? Infinity]
  return {
    about,
    expected: `a whole number ${min}-${max}`,
    example: String(defaultSettings.retention[field]),
    schema: wholeNumber(min, max),
    decides: `retention.${field}`,
  }
}

const backup = section('Backups (see also npm run backup)', {
  BACKUP_DIR: {
    about:
      'A folder for a backup every day; 7 days, 4 weeks and 12 months are kept. Better on another disk. Of several nodes, set it on one, or to a shared folder. Other shops may use it too.',
    expected: 'a path',
    example: '/mnt/backups/till',
    schema: path,
  },
  BACKUP_PASSPHRASE: {
    about:
      'Encrypts backups, which hold personal data and secrets. Keep it elsewhere too: without it no backup can be read. Or the public key of an age identity (age1…): then only its secret key opens them, but anybody who knows the public key can write one.',
    expected: '12 characters or more, or a public key of age',
    example: 'several-words-that-nobody-else-knows',
    secret: true,
    schema: z
      .string()
      .min(12)
      .max(1024)
      .regex(/^(?!age1)|^age1[02-9ac-hj-np-z]{58}$/),
  },
})

const retention = section('How long personal data is kept, in days (orders stay)', {
  KEEP_UNPAID_DAYS: daysVariable(
    'Contact and address of people who did not buy, and payment forms that nobody used.',
    'unpaid',
  ),
  KEEP_SOLD_DETAILS_DAYS: daysVariable(
    'What a buyer typed, as stored beside the payment; the order has it too.',
    'soldDetails',
  ),
  KEEP_VISITOR_DAYS: daysVariable(
    "Analytics: a visitor's shortened address, town and browser. Countries and devices stay with the event.",
    'visitors',
  ),
  KEEP_EVENT_DAYS: daysVariable(
    'Analytics: single events. The figures of each day stay.',
    'events',
  ),
  KEEP_MAIL_DAYS: daysVariable('Records of sent mails, and mails kept as files.', 'mails'),
  KEEP_REVIEW_DAYS: daysVariable(
    'Payments that were resolved in review: what the buyer typed, and your notes. Also withdrawals that fit no order.',
    'reviews',
  ),
  KEEP_AUDIT_DAYS: daysVariable('The log of what admins did, and of failed logins.', 'audit'),
})

const admin = section('The first admin', {
  ADMIN_USERNAME: {
    about: 'The name to log in with.',
    expected: '1 to 200 characters',
    default: 'admin',
    schema: shortText,
  },
  ADMIN_EMAIL: {
    about: "The admin's email address, shown in the back-office.",
    expected: 'an email address',
    example: 'owner@example.com',
    schema: email,
  },
  ADMIN_PASSWORD: {
    about:
      'Used only while there is no admin; a live shop refuses an easy one. Made and shown once when not given.',
    expected: '8 to 1024 characters',
    example: 'a-long-sentence-is-a-good-password',
    secret: true,
    schema: z.string().min(8).max(1024),
  },
})

const payments = section('Payments by SumUp', {
  SUMUP_API_KEY: {
    about: 'Your secret API key. Without it the shop is in test mode and takes no money.',
    expected: 'a secret key that begins with sup_sk_ (a public key, sup_pk_, cannot take payments)',
    example: 'sup_sk_…',
    secret: true,
    schema: secretKey,
    decides: 'sumup.apiKey',
  },
  SUMUP_MERCHANT_CODE: {
    about: 'The code of the SumUp account that is paid.',
    expected: 'the merchant code from your SumUp profile',
    example: 'MH4H92C7',
    schema: z.string().trim().regex(merchantCodePattern),
    decides: 'sumup.merchantCode',
  },
  SUMUP_API_URL: {
    about: "SumUp's API.",
    expected: 'an http(s) address without a path',
    default: 'https://api.sumup.com',
    schema: origin,
  },
  SUMUP_SDK_URL: {
    about: "SumUp's card widget.",
    expected: 'an http(s) address',
    default: 'https://gateway.sumup.com/gateway/ecom/card/v2/sdk.js',
    schema: url(/^https?$/),
  },
  PAYMENT_CURRENCY: {
    about: "What buyers are charged in: one currency, or 'product' for each product's own.",
    expected: `product, or one of ${currencyCodes.join(', ')}`,
    example: 'EUR',
    schema: z.enum(paymentCurrencies),
    decides: 'sumup.currency',
  },
  SUMUP_PARALLEL_LOOKS: {
    about: 'How many sales are checked at SumUp in parallel in the background.',
    expected: 'a whole number 1-60',
    default: 40,
    schema: wholeNumber(1, 60),
  },
})

const files = section('Pictures in an S3-compatible store (without these: in DATA_DIR)', {
  S3_ENDPOINT: urlVariable("The store's address.", 'https://s3.eu-central-1.amazonaws.com'),
  S3_REGION: {
    about: "The store's region.",
    expected: 'a region name',
    example: 'eu-central-1',
    default: 'us-east-1',
    schema: z.string().regex(/^[\w-]{1,60}$/),
  },
  S3_BUCKET: {
    about: 'The bucket.',
    expected: 'a bucket name',
    example: 'my-shop',
    schema: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  },
  S3_ACCESS_KEY_ID: {
    about: 'The access key.',
    expected: 'an access key id',
    example: 'AKIA…',
    secret: true,
    schema: shortText,
  },
  S3_SECRET_ACCESS_KEY: {
    about: 'Its secret.',
    expected: 'a secret access key',
    example: '…',
    secret: true,
    schema: shortText,
  },
})

const mail = section('Mail (without SMTP_URL: as files in DATA_DIR/mail)', {
  SMTP_URL: {
    about: 'The mail server that sends confirmations.',
    expected: 'an address such as smtps://user:password@mail.example.com:465',
    example: 'smtps://user:password@mail.example.com:465',
    secret: true,
    schema: url(/^smtps?$/),
    decides: [
      'mail.smtpHost',
      'mail.smtpPort',
      'mail.smtpSecurity',
      'mail.smtpUser',
      'mail.smtpPassword',
    ],
  },
  MAIL_FROM: {
    about: 'The sender of confirmations.',
    expected: 'an email address, or a name and one: My Shop <shop@example.com>',
    example: 'My Shop <shop@example.com>',
    // One line.
    schema: z.string().max(320).regex(senderPattern).regex(/^.*$/),
    decides: 'mail.from',
  },
})

const shop = section('The shop', {
  SHOP_NAME: {
    about: "The shop's name, in mails and policies.",
    expected: '1 to 200 characters',
    example: 'My Shop',
    schema: shortText,
    decides: 'shop.name',
  },
  SHOP_EMAIL: {
    about: 'Where buyers reach you, and where new sales and trouble are announced.',
    expected: 'an email address',
    example: 'shop@example.com',
    schema: email,
    decides: 'shop.email',
  },
  POLICY_REFUND_URL: urlVariable(
    'Your refund policy.',
    'https://example.com/refunds',
    'policies.refund',
  ),
  POLICY_SHIPPING_URL: urlVariable(
    'Your shipping policy.',
    'https://example.com/shipping',
    'policies.shipping',
  ),
  POLICY_PRIVACY_URL: urlVariable(
    'Your privacy policy.',
    'https://example.com/privacy',
    'policies.privacy',
  ),
  POLICY_TERMS_URL: urlVariable(
    'Your terms of service.',
    'https://example.com/terms',
    'policies.terms',
  ),
  POLICY_WITHDRAWAL_URL: urlVariable(
    'Your instructions on the right of withdrawal.',
    'https://example.com/withdrawal',
    'policies.withdrawal',
  ),
})

export const sections = [address, storage, backup, retention, admin, payments, files, mail, shop]

export const variables = {
  ...address.entries,
  ...storage.entries,
  ...backup.entries,
  ...retention.entries,
  ...admin.entries,
  ...payments.entries,
  ...files.entries,
  ...mail.entries,
  ...shop.entries,
}

export type VariableName = keyof typeof variables
export type VariableValues = {
  [Name in VariableName]?: z.output<(typeof variables)[Name]['schema']>
}

export const variableNames = Object.keys(variables) as VariableName[]

export function exampleOf(name: VariableName): string {
  const variable: Variable = variables[name]
  return variable.example ?? String(variable.default)
}

export function isSecret(name: VariableName): boolean {
  return 'secret' in variables[name]
}

/** What a variable of the environment decides. */
export function listDecided(name: VariableName): SettingsField[] {
  const variable: Variable = variables[name]
  return [variable.decides ?? []].flat()
}
