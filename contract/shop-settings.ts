import { z } from 'zod'
import type { settingsCheck, setup, shopSettings, sumupCheck } from './answers/settings.ts'
import { currencyCodes } from './currencies.ts'
import { deliverySchema } from './delivery-settings.ts'
import { dropTurningCharacters } from './hidden-characters.ts'
import { buyersLanguages, defaultLanguage, languageCodes } from './languages.ts'
import { buyerMailKinds, maxOpeningLength, type MailOpenings } from './mails.ts'
import { isPicture, simplifyPictureUrl } from './pictures.ts'
import { otherMethodIds, type MethodSettings } from './payment-methods.ts'
import { isTimeZone } from './time-zones.ts'
import { defaultWithdrawalScope, withdrawalScopes } from './withdrawals.ts'

/** Parts of the settings dialog, each saved by itself. The place in the address is ?settings=shop. */
export const settingsSections = [
  'shop',
  'sumup',
  'methods',
  'tax',
  'policies',
  'delivery',
  'mail',
  'texts',
  'links',
  'language',
  'address',
  'retention',
  'alerts',
] as const
export type SettingsSection = (typeof settingsSections)[number]

/**
 * Whoever changes these decides where money, mails and links go, what is deleted for good and whether anybody hears of
 * it: the password is asked for again.
 */
const provenSections: readonly SettingsSection[] = [
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

/** What the owner is alerted about by mail, each kind at most once an hour. */
export const alertKinds = [
  'review',
  'no-sale',
  'key-refused',
  'mails-given-up',
  'card-form-changed',
  'backup-failed',
  'returned-elsewhere',
  'refund-unsettled',
  'withdrawal',
  'low-stock',
  'oversold',
  'code-overused',
  'choice-missing',
] as const
export type AlertKind = (typeof alertKinds)[number]

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
/** In each currency. */
export const defaultRefundPasswordAbove = 250
const notALimit = 'Please enter a whole number from 0 to 999999.'
const notAPort = 'Please enter a port from 1 to 65535.'

/** What another version of Till has not saved is not set. */
const opening = line(maxOpeningLength).default(null)

/** Apple's are about 9,000 characters long. */
const maxAppleFileLength = 20_000

const maxPolicyLength = 20_000

/** A text of the owner's, or the address of a page that has it. */
const policy = text(maxPolicyLength)

/** The longest section are five policies, each character of them at most six bytes long in JSON (\u00e4), and the rest. */
export const maxSettingsBytes = 5 * maxPolicyLength * 6 + 10_000

/** What buyers are charged in: one currency, or each product's own. */
export const paymentCurrencies = ['product', ...currencyCodes] as const
export type PaymentCurrency = (typeof paymentCurrencies)[number]

/** How the mail server is spoken to. */
export const mailSecurities = ['tls', 'starttls', 'none'] as const

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

/** What the owner can set. Null: not set. */
export const settingsSchemas = {
  shop: z.object({
    name: line(200),
    email,
    postalAddress: text(500),
    imprint: text(10_000),
    /** For new products. */
    logoUrl: line(1000)
      .transform((value) => value && simplifyPictureUrl(value))
      .refine((value) => value === null || isPicture(value), 'This is not a picture.'),
    /** The time zone of the days in analytics. Null: the server's. */
    timeZone: line(64)
      .refine(
        (value) => value === null || isTimeZone(value),
        'Please enter a time zone such as Europe/Berlin.',
      )
      .default(null),
  }),
  sumup: z.object({
    merchantCode: line(20).refine(
      (value) => value === null || /^[A-Za-z0-9]{4,20}$/.test(value),
      'Please enter the code from your SumUp profile, such as MH4H92C7.',
    ),
    /** Left out: stays as it is. Never sent back. */
    apiKey: line(500)
      .refine(
        (value) => value === null || /^sup_sk_\S+$/.test(value),
        'Please enter a secret key: it begins with sup_sk_.',
      )
      .optional(),
    /** Null: the default. */
    currency: z.enum(paymentCurrencies, 'Please choose a currency.').nullable().default(null),
    /** Refunds of more than this in an hour need the admin's password; 0: all do. */
    refundPasswordAbove: z
      .int(notALimit)
      .min(0, notALimit)
      .max(999_999, notALimit)
      .default(defaultRefundPasswordAbove),
  }),
  methods: z.object({
    otherMethods: z
      .array(z.enum(otherMethodIds, 'There is no such way to pay.'))
      .max(100)
      // In our order, each once.
      .transform((chosen) => otherMethodIds.filter((id) => chosen.includes(id))),
    googlePayMerchantId: line(30).refine(
      (value) => value === null || /^[A-Za-z0-9]{8,30}$/.test(value),
      'Please enter the merchant ID from Google’s console, such as BCR2DN4TX7Q3RZ2K.',
    ),
    applePayFile: text(maxAppleFileLength).refine(
      (value) => value === null || /^[\n\r\x20-\x7e]*$/.test(value),
      'This is not Apple’s file: it has plain letters and digits only.',
    ),
  }) satisfies z.ZodType<MethodSettings>,
  tax: z.object({
    /** In percent. Prices include it; they never change with it. */
    vatRate: line(6)
      .transform((value) => value && value.replace(',', '.').replace(/%$/, '').trimEnd())
      .refine(
        (value) =>
          value === null ||
          (/^\d{1,2}(\.\d{1,2})?$/.test(value) && Number(value) > 0 && Number(value) <= 50),
        notARate,
      )
      .transform((value) => value && String(Number(value))),
    vatNumber: line(30),
  }),
  policies: z.object({
    refund: policy,
    shipping: policy,
    privacy: policy,
    terms: policy,
    /** Null: the model text of the law. */
    withdrawal: policy.default(null),
    /** Who is told of the right of withdrawal, and can use it. */
    withdrawalFor: z
      .enum(withdrawalScopes, 'Please choose who can withdraw.')
      .default(defaultWithdrawalScope),
  }),
  /** Where the shop delivers to, and what that costs. */
  delivery: deliverySchema,
  mail: z.object({
    /** 'My Shop <shop@example.com>'; without one, name and e-mail address of the shop. */
    from: line(320).refine(
      (value) =>
        value === null || /^([^<>"]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value),
      'Please enter an email address, or a name and one: My Shop <shop@example.com>',
    ),
    smtpHost: host,
    smtpPort: z.int(notAPort).min(1, notAPort).max(65_535, notAPort).nullable(),
    smtpSecurity: z.enum(mailSecurities).nullable(),
    smtpUser: line(255),
    /** Left out: stays as it is. Never sent back. */
    smtpPassword: line(1000).optional(),
  }),
  /** The opening sentences of mails to buyers. Null: none. */
  texts: z.object({
    confirmation: opening,
    shipped: opening,
    refunded: opening,
    'payment-returned': opening,
    'not-charged': opening,
    'payment-closed': opening,
  }) satisfies z.ZodType<MailOpenings>,
  /** What others show of checkout links. */
  links: z.object({
    hasPriceInTitle: z.boolean().default(false),
    isIndexed: z.boolean().default(false),
  }),
  language: z.object({
    /** Of buyers' pages and mails. */
    ofBuyers: z.enum(buyersLanguages, 'Please choose a language.').default(defaultLanguage),
  }),
  address: z.object({ publicUrl: origin, customDomain: origin }),
  retention: z.object({
    unpaid: days(1),
    soldDetails: days(1),
    visitors: days(1),
    events: days(31),
    mails: days(7),
    reviews: days(31),
    audit: days(31),
  }),
  alerts: z.object({
    /** Without one, the e-mail address of the shop. */
    alertEmail: email,
    muted: z.array(z.enum(alertKinds)).max(alertKinds.length),
    announcesSales: z.boolean(),
  }),
} as const satisfies Record<SettingsSection, z.ZodType>

type SettingsOf<Section extends SettingsSection> = z.output<(typeof settingsSchemas)[Section]>
export type LinkSettings = SettingsOf<'links'>
export type AllSettings = { [Section in SettingsSection]: SettingsOf<Section> }

export const defaultLinkSettings: LinkSettings = { hasPriceInTitle: false, isIndexed: false }

/** Around the values of a section that is saved. */
export const settingsChangeSchema = z.object({
  /** The version of the settings that the owner saw: a change of somebody else meanwhile is not overwritten. */
  version: z.int().min(0),
  values: z.unknown(),
  /** Save an address although it does not lead here as seen from the server, or an account while SumUp is silent. */
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
  opening,
  look: z.enum(['light', 'dark'], 'A mail is shown light or dark.').default('light'),
  language: z
    .enum(languageCodes, 'There is no such language.')
    .optional()
    .describe('Absent: as the settings say'),
})

/** Without a key: the one in use. */
export const sumupCheckSchema = settingsSchemas.sumup.omit({ refundPasswordAbove: true })

/** Where each value in force comes from. */
export type ShopSettings = z.infer<typeof shopSettings>

/** The fields that are encrypted and never shown, by their section. */
export const secretFields = { mail: 'smtpPassword', sumup: 'apiKey' } as const satisfies {
  [Section in SettingsSection]?: keyof AllSettings[Section]
}

export type SecretSection = keyof typeof secretFields

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
