import { z } from 'zod'
import type { settingsCheck, setup, shopSettings, sumupCheck } from './answers/settings.ts'
import { currencyCodes } from './currencies.ts'
import { deliverySchema } from './delivery-settings.ts'
import { dropTurningCharacters } from './hidden-characters.ts'
import { buyersLanguages, defaultLanguage, languageCodes } from './languages.ts'
import { buyerMailKinds, maxOpeningLength } from './mails.ts'
import { isPicture, simplifyPictureUrl } from './pictures.ts'
import { defaultMethods, otherMethodIds } from './payment-methods.ts'
import { defaultDelivery } from './quotes.ts'
import { isTimeZone } from './time-zones.ts'
import { defaultWithdrawalScope, withdrawalScopes } from './withdrawals.ts'
import { worldCountries } from './world-countries.ts'

/**
 * Whoever changes these decides where money, mails and links go, what is deleted for good and whether anybody hears of
 * it: the password is asked for again.
 */
export const provenSections: readonly SettingsSection[] = [
  'sumup',
  'methods',
  'mail',
  'texts',
  'address',
  'retention',
  'alerts',
]

/** Whether saving needs the password. The contact address does: sales are announced to it, buyers get mails from it. */
export function needsPassword(
  section: SettingsSection,
  { isEmailChanged }: { isEmailChanged: boolean },
): boolean {
  return provenSections.includes(section) || (section === 'shop' && isEmailChanged)
}

/** Kinds of alerts that the owner gets by mail, each at most once an hour, in the words of the settings. */
export const alertLabels = {
  review: 'A payment needs a decision',
  'no-sale': 'A payment without a sale',
  'key-refused': 'SumUp refuses the key',
  'mails-given-up': 'A mail could not be sent',
  'card-form-changed': 'SumUp’s card form has changed',
  'backup-failed': 'A backup failed',
  'returned-elsewhere': 'Money went back without the shop: refunds at SumUp, chargebacks',
  'refund-unsettled': 'A refund failed later, or SumUp does not say what became of it',
  withdrawal: 'A customer withdraws from a purchase',
  'low-stock': 'Few pieces of a product are left, or none',
  oversold: 'An order was paid when no piece was left',
  'code-overused': 'An order was paid when its discount code was used up',
  'choice-missing': 'An order does not say which value of a choice to send',
}
export type AlertKind = keyof typeof alertLabels
export const alertKinds = Object.keys(alertLabels) as AlertKind[]

/** Empty text is no text. */
function text(maxLength: number) {
  return (
    z
      .string()
      .overwrite(dropTurningCharacters)
      .trim()
      // Written when it is needed: the first number that is formatted takes as long as all the rest of this file.
      .max(maxLength, {
        error: () => `At most ${maxLength.toLocaleString('en')} characters fit here.`,
      })
      .nullable()
      .transform((value) => value || null)
  )
}

/** Line ends and control characters have no place in a name or a header. */
function line(maxLength: number) {
  return text(maxLength).refine(
    (value) => value === null || !/\p{Cc}/u.test(value),
    'This must be one line.',
  )
}

const notAnEmail = 'This is not an email address.'
const email = line(255).refine(
  (value) => value === null || z.email().safeParse(value).success,
  notAnEmail,
)

/** Without path, query and credentials, so that a path can be appended. */
const origin = line(1000).transform((value, context) => {
  if (value === null) return null
  const url = URL.parse(/^https?:\/\//i.test(value) ? value : `https://${value}`)
  if (url && url.href === `${url.origin}/` && /^https?:$/.test(url.protocol)) return url.origin
  context.addIssue('Please enter an address such as https://shop.example.com, without a path.')
  return z.NEVER
})

function days(min: number) {
  const message = `Please enter a whole number from ${min} to 3650.`
  return z.int(message).min(min, message).max(3650, message)
}

const notARate = 'Please enter a percentage such as 19 or 5.5.'
/** The amount, in whichever currency. */
const defaultRefundPasswordAbove = 250
const notALimit = 'Please enter a whole number from 0 to 999999.'
const notAPort = 'Please enter a port from 1 to 65535.'

const opening = line(maxOpeningLength)

/** Apple's are about 9,000 characters long. */
const maxAppleFileLength = 20_000

const maxPolicyLength = 20_000

/** A text of the owner's, or the address of a page that has it. */
const policy = text(maxPolicyLength)

/** The longest section is `policies`: five texts, of at most six bytes a character in JSON (\u00e4), and the rest. */
export const maxSettingsBytes = 5 * maxPolicyLength * 6 + 10_000

/** What buyers are charged in: one currency, or each product's own. */
export const paymentCurrencies = ['product', ...currencyCodes] as const
export type PaymentCurrency = (typeof paymentCurrencies)[number]

/** How the mail server is spoken to. */
const mailSecurities = ['tls', 'starttls', 'none'] as const

export const merchantCodePattern = /^[A-Za-z0-9]{4,20}$/
/** An email address, or a name and one. */
export const senderPattern = /^([^<>"]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/

const hostName = /^\w([\w-]*\w)?(\.\w([\w-]*\w)?)*\.?$/

/** A colon is for an IPv6 address only. */
const host = line(253).superRefine((value, context) => {
  if (value === null || hostName.test(value) || z.ipv6().safeParse(value).success) return
  const hasPort = /^[^:]+:\d*$/.test(value)
  context.addIssue(
    hasPort
      ? 'Please put the port into its own field.'
      : 'Please enter a name such as mail.example.com.',
  )
})

const shownText = z.string().nullable()
const shownDays = z.int().min(0).describe('Days')
const shownMoney = z.string().regex(/^\d+\.\d\d$/)
const shownCountry = z.enum(worldCountries)

/** A field has a schema for input, a schema for the answer, and a value that counts while nothing is saved. */
function field<Takes extends z.ZodType, Shows extends z.ZodType<z.output<Takes>>>(
  takes: Takes,
  shows: Shows,
  fallback: z.output<Takes>,
) {
  return { takes, shows, fallback }
}

/** Left out it stays as it is. It is encrypted and never shown. */
function secret<Takes extends z.ZodType>(takes: Takes) {
  return { takes: takes.optional(), isSecret: true as const }
}

const openingField = field(opening, shownText, null)
const policyField = field(policy, shownText.describe('A text, or the address of a page'), null)

/**
 * The settings of the owner. Each entry is a part of the settings dialog, named as in ?settings=shop, and is saved by
 * itself. The checks of the form, the answer of the API and the configuration follow from this; labels and inputs are in
 * web/admin/settings. A variable of the environment that decides a field names it in
 * server/environment-variables.ts. Null: not set.
 */
const sections = {
  shop: {
    name: field(line(200), shownText, null),
    email: field(email, shownText, null),
    postalAddress: field(text(500), shownText, null),
    imprint: field(text(10_000), shownText, null),
    logoUrl: field(
      line(1000)
        .transform((value) => value && simplifyPictureUrl(value))
        .refine((value) => value === null || isPicture(value), 'This is not a picture.'),
      shownText.describe('Of new products'),
      null,
    ),
    timeZone: field(
      line(64).refine(
        (value) => value === null || isTimeZone(value),
        'Please enter a time zone such as Europe/Berlin.',
      ),
      shownText.describe('Of the days in analytics; null: that of the server'),
      null,
    ),
  },
  sumup: {
    merchantCode: field(
      line(20).refine(
        (value) => value === null || merchantCodePattern.test(value),
        'Please enter the code from your SumUp profile, such as MH4H92C7.',
      ),
      shownText,
      null,
    ),
    apiKey: secret(
      line(500).refine(
        (value) => value === null || /^sup_sk_\S+$/.test(value),
        'Please enter a secret key: it begins with sup_sk_.',
      ),
    ),
    currency: field(
      z.enum(paymentCurrencies, 'Please choose a currency.').nullable(),
      z
        .enum(paymentCurrencies)
        .nullable()
        .describe('What buyers are charged in; product: in its own'),
      'EUR',
    ),
    refundPasswordAbove: field(
      z.int(notALimit).min(0, notALimit).max(999_999, notALimit),
      z
        .int()
        .min(0)
        .describe('Refunds of more than this in an hour need the password of the admin; 0: all do'),
      defaultRefundPasswordAbove,
    ),
  },
  methods: {
    otherMethods: field(
      z
        .array(z.enum(otherMethodIds, 'There is no such way to pay.'))
        .max(100)
        // In our order, each once.
        .transform((chosen) => otherMethodIds.filter((id) => chosen.includes(id))),
      z
        .array(z.enum(otherMethodIds))
        .describe('Offered beside the card, where SumUp has them for the account'),
      defaultMethods.otherMethods,
    ),
    googlePayMerchantId: field(
      line(30).refine(
        (value) => value === null || /^[A-Za-z0-9]{8,30}$/.test(value),
        'Please enter the merchant ID from Google’s console, such as BCR2DN4TX7Q3RZ2K.',
      ),
      shownText,
      defaultMethods.googlePayMerchantId,
    ),
    applePayFile: field(
      text(maxAppleFileLength).refine(
        (value) => value === null || /^[\n\r\x20-\x7e]*$/.test(value),
        'This is not Apple’s file: it has plain letters and digits only.',
      ),
      shownText.describe('The text of the file by which Apple knows the domain'),
      defaultMethods.applePayFile,
    ),
  },
  tax: {
    // Prices include it; they never change with it.
    vatRate: field(
      line(6)
        .transform((value) => value && value.replace(',', '.').replace(/%$/, '').trimEnd())
        .refine(
          (value) =>
            value === null ||
            (/^\d{1,2}(\.\d{1,2})?$/.test(value) && Number(value) > 0 && Number(value) <= 50),
          notARate,
        )
        .transform((value) => value && String(Number(value))),
      shownText.describe('In percent'),
      null,
    ),
    vatNumber: field(line(30), shownText, null),
  },
  policies: {
    refund: policyField,
    shipping: policyField,
    privacy: policyField,
    terms: policyField,
    withdrawal: field(
      policy,
      shownText.describe('A text, or the address of a page; null: the model text of the law'),
      null,
    ),
    withdrawalFor: field(
      z.enum(withdrawalScopes, 'Please choose who can withdraw.'),
      z
        .enum(withdrawalScopes)
        .describe('Who is told of the right of withdrawal: buyers in the EU, everyone or nobody'),
      defaultWithdrawalScope,
    ),
  },
  delivery: {
    countries: field(
      deliverySchema.shape.countries,
      z.array(shownCountry).describe('Where the shop delivers to, by their English names'),
      defaultDelivery.countries,
    ),
    prices: field(
      deliverySchema.shape.prices,
      z
        .array(
          z.object({
            countries: z.array(shownCountry),
            price: shownMoney,
            freeFrom: shownMoney.nullable(),
          }),
        )
        .describe('In the currency that is charged; other countries are free'),
      defaultDelivery.prices,
    ),
    pickup: field(
      deliverySchema.shape.pickup,
      z
        .object({
          name: z.string(),
          address: z.string(),
          postcode: z.string(),
          city: z.string(),
          state: shownText,
          country: shownCountry,
          hours: shownText,
        })
        .nullable()
        .describe('Where orders can be fetched; null: nowhere'),
      defaultDelivery.pickup,
    ),
  },
  mail: {
    from: field(
      line(320).refine(
        (value) => value === null || senderPattern.test(value),
        'Please enter an email address, or a name and one: My Shop <shop@example.com>',
      ),
      shownText.describe('My Shop <shop@example.com>; null: name and email address of the shop'),
      null,
    ),
    smtpHost: field(host, shownText, null),
    smtpPort: field(
      z.int(notAPort).min(1, notAPort).max(65_535, notAPort).nullable(),
      z.int().nullable(),
      null,
    ),
    smtpSecurity: field(z.enum(mailSecurities).nullable(), z.enum(mailSecurities).nullable(), null),
    smtpUser: field(line(255), shownText, null),
    smtpPassword: secret(line(1000)),
  },
  /** The opening sentence of each mail to buyers. */
  texts: {
    confirmation: openingField,
    shipped: openingField,
    refunded: openingField,
    'payment-returned': openingField,
    'not-charged': openingField,
    'payment-closed': openingField,
  },
  links: {
    hasPriceInTitle: field(
      z.boolean(),
      z.boolean().describe('The card of a checkout link names the price'),
      false,
    ),
    isIndexed: field(z.boolean(), z.boolean().describe('Search engines may list checkouts'), false),
  },
  language: {
    ofBuyers: field(
      z.enum(buyersLanguages, 'Please choose a language.'),
      z
        .enum(buyersLanguages)
        .describe('Of buyers’ pages and mails; browser: as each buyer’s browser asks for'),
      defaultLanguage,
    ),
  },
  address: {
    publicUrl: field(origin, shownText, null),
    customDomain: field(origin, shownText, null),
  },
  retention: {
    unpaid: field(days(1), shownDays, 30),
    soldDetails: field(days(1), shownDays, 30),
    visitors: field(days(1), shownDays, 30),
    events: field(days(31), shownDays, 395),
    mails: field(days(7), shownDays, 90),
    reviews: field(days(31), shownDays, 365),
    audit: field(days(31), shownDays, 730),
  },
  alerts: {
    alertEmail: field(email, shownText.describe('Null: the email address of the shop'), null),
    muted: field(
      z.array(z.enum(alertKinds)).max(alertKinds.length),
      z.array(z.enum(alertKinds)),
      [],
    ),
    announcesSales: field(z.boolean(), z.boolean(), true),
  },
}

type Sections = typeof sections
export type SettingsSection = keyof Sections
export const settingsSections = Object.keys(sections) as SettingsSection[]

/** The name of a field with its section, such as 'shop.name'. */
export type SettingsField = {
  [Section in SettingsSection]: `${Section}.${string & keyof Sections[Section]}`
}[SettingsSection]

type Takes<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { takes: infer T extends z.ZodType } ? T : never
}
type Shows<Fields> = {
  [
    Name in keyof Fields as Fields[Name] extends { shows: z.ZodType } ? Name : never
  ]: Fields[Name] extends { shows: infer T extends z.ZodType } ? T : never
}

/** One schema for each section, of a property of its fields; those that lack it are left out. */
function schemasOf(property: 'takes' | 'shows') {
  const schemas = Object.entries(sections).map(([section, fields]) => {
    const shape = Object.entries<Record<string, unknown>>(fields)
      .filter(([, one]) => one[property] !== undefined)
      .map(([name, one]) => [name, one[property]])
    return [section, z.object(Object.fromEntries(shape) as z.ZodRawShape)]
  })
  return Object.fromEntries(schemas) as unknown
}

/** These schemas check the input of each section. */
export const settingsSchemas = {
  ...(schemasOf('takes') as {
    [Section in SettingsSection]: z.ZodObject<Takes<Sections[Section]>>
  }),
  // Its prices are about its countries.
  delivery: deliverySchema,
}

/** These schemas describe each section as the API shows it. */
export const shownSchemas = schemasOf('shows') as {
  [Section in SettingsSection]: z.ZodObject<Shows<Sections[Section]>>
}

/** A field of any section, such as 'postalAddress'. */
export type FieldName = {
  [Section in SettingsSection]: string & keyof Sections[Section]
}[SettingsSection]

type SettingsOf<Section extends SettingsSection> = z.output<(typeof settingsSchemas)[Section]>
export type LinkSettings = SettingsOf<'links'>
export type AllSettings = { [Section in SettingsSection]: SettingsOf<Section> }

/** The field of each section that is encrypted and never shown. */
export const secretFields = Object.fromEntries(
  Object.entries(sections).flatMap(([section, fields]) =>
    Object.entries<object>(fields).flatMap(([name, one]) =>
      'isSecret' in one ? [[section, name]] : [],
    ),
  ),
) as Record<SecretSection, string>

/** The values that count while nothing is saved. */
export const defaultSettings = Object.fromEntries(
  Object.entries(sections).map(([section, fields]) => [
    section,
    Object.fromEntries(
      Object.entries<object>(fields).flatMap(([name, one]) =>
        'fallback' in one ? [[name, one.fallback]] : [],
      ),
    ),
  ]),
) as AllSettings

/** Around the values of a section that is saved. */
export const settingsChangeSchema = z.object({
  /** The version of the settings that the owner saw: a change of somebody else meanwhile is not overwritten. */
  version: z.int().min(0),
  values: z.unknown(),
  /** Saves an address although it does not lead here as seen from the server, or an account while SumUp is silent. */
  isForced: z.boolean().default(false),
})

export const addressCheckSchema = z.object({
  kind: z.enum(['publicUrl', 'customDomain']),
  url: origin,
})

/** With values of the section mail: as they were typed, with the password; otherwise as saved. */
export const testMailSchema = z.object({ values: z.unknown().optional() })

/** A mail as a buyer would get it, with an opening sentence that is not saved yet. */
export const mailPreviewSchema = z.object({
  kind: z.enum(buyerMailKinds, 'There is no such mail.'),
  opening: opening.default(null),
  look: z.enum(['light', 'dark'], 'A mail is shown light or dark.').default('light'),
  language: z
    .enum(languageCodes, 'There is no such language.')
    .optional()
    .describe('Absent: as the settings say'),
})

/** Without a key: the one in use. */
export const sumupCheckSchema = settingsSchemas.sumup
  .omit({ refundPasswordAbove: true })
  .partial({ currency: true })

/** The settings in force, and which of them the environment decides. */
export type ShopSettings = z.infer<typeof shopSettings>

type SecretIn<Fields> = Extract<Fields[keyof Fields], { isSecret: true }>
export type SecretSection = {
  [Section in SettingsSection]: [SecretIn<Sections[Section]>] extends [never] ? never : Section
}[SettingsSection]

export type SecretState = ShopSettings['secrets'][SecretSection]

/** What a check found, and what to do about it. */
export type SettingsCheck = z.infer<typeof settingsCheck>

/** What SumUp says about an account. */
export type SumupCheck = z.infer<typeof sumupCheck>

/** What the card at the top of the products shows. */
export type Setup = z.infer<typeof setup>

export const setupFoldingSchema = z.object({ isFolded: z.boolean() })

export type SetupStep = Setup['steps'][number]
export type SetupStepName = SetupStep['name']
