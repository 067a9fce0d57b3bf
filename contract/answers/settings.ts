import { z } from 'zod'
import { buyersLanguages } from '#contract/languages.ts'
import { otherMethodIds } from '#contract/payment-methods.ts'
import { alertKinds, mailSecurities, paymentCurrencies } from '#contract/shop-settings.ts'
import { withdrawalScopes } from '#contract/withdrawals.ts'
import { worldCountries } from '#contract/world-countries.ts'
import { count, money } from './fields.ts'

const text = z.string().nullable()
const country = z.enum(worldCountries)
const days = count.describe('Days')

const values = z.object({
  shop: z.object({
    name: text,
    email: text,
    postalAddress: text,
    imprint: text,
    logoUrl: text,
    timeZone: text.describe('Of the days in analytics'),
  }),
  sumup: z.object({
    merchantCode: text,
    currency: z
      .enum(paymentCurrencies)
      .nullable()
      .describe('What buyers are charged in; product: in its own'),
    refundPasswordAbove: count.describe(
      'Refunds of more than this in an hour need the password of the admin; 0: all do',
    ),
  }),
  methods: z.object({
    otherMethods: z
      .array(z.enum(otherMethodIds))
      .describe('Offered beside the card, where SumUp has them for the account'),
    googlePayMerchantId: text,
    applePayFile: text.describe('The text of the file by which Apple knows the domain'),
  }),
  tax: z.object({ vatRate: text.describe('In percent'), vatNumber: text }),
  policies: z
    .object({
      refund: text,
      shipping: text,
      privacy: text,
      terms: text,
      withdrawal: text,
      withdrawalFor: z
        .enum(withdrawalScopes)
        .describe('Who is told of the right of withdrawal: buyers in the EU, everyone or nobody'),
    })
    .describe('Each a text, or the address of a page'),
  delivery: z.object({
    countries: z.array(country).describe('Where the shop delivers to, by their English names'),
    prices: z
      .array(z.object({ countries: z.array(country), price: money, freeFrom: money.nullable() }))
      .describe('In the currency that is charged; other countries are free'),
    pickup: z
      .object({
        name: z.string(),
        address: z.string(),
        postcode: z.string(),
        city: z.string(),
        state: text,
        country,
        hours: text,
      })
      .nullable()
      .describe('Where orders can be fetched; null: nowhere'),
  }),
  mail: z.object({
    from: text,
    smtpHost: text,
    smtpPort: z.int().nullable(),
    smtpSecurity: z.enum(mailSecurities).nullable(),
    smtpUser: text,
  }),
  texts: z
    .object({
      confirmation: text,
      shipped: text,
      refunded: text,
      'payment-returned': text,
      'not-charged': text,
      'payment-closed': text,
    })
    .describe('The opening sentence of each mail to buyers'),
  links: z.object({
    hasPriceInTitle: z.boolean().describe('The card of a checkout link names the price'),
    isIndexed: z.boolean().describe('Search engines may list checkouts'),
  }),
  language: z.object({
    ofBuyers: z
      .enum(buyersLanguages)
      .describe('Of buyers’ pages and mails; browser: as each buyer’s browser asks for'),
  }),
  address: z.object({ publicUrl: text, customDomain: text }),
  retention: z.object({
    unpaid: days,
    soldDetails: days,
    visitors: days,
    events: days,
    mails: days,
    reviews: days,
    audit: days,
  }),
  alerts: z.object({
    alertEmail: text,
    muted: z.array(z.enum(alertKinds)),
    announcesSales: z.boolean(),
  }),
})

export const settingsCheck = z
  .object({
    status: z.enum(['ok', 'warn', 'fail']),
    found: z.string(),
    todo: z.string().exactOptional(),
  })
  .meta({ id: 'SettingsCheck', description: 'What a check found, and what to do about it.' })

export const sumupCheck = settingsCheck
  .extend({
    currency: z
      .enum(paymentCurrencies)
      .exactOptional()
      .describe('The one that the account is paid in, where another one is chosen'),
  })
  .meta({ id: 'SumupCheck', description: 'What SumUp says about an account.' })

const secret = z
  .enum(['none', 'saved', 'unreadable'])
  .describe('unreadable: encrypted with another SESSION_SECRET; it has to be entered again')

export const shopSettings = z
  .object({
    version: count.describe('Sent along with a change'),
    values: values.describe('In force: from the environment, else as saved, else the default'),
    fixed: z
      .record(z.string(), z.string())
      .describe(
        'Fields such as `shop.name` that the environment decides, with its variable: they cannot be changed here',
      ),
    secrets: z
      .object({ mail: secret, sumup: secret })
      .describe('The mail password and the key of SumUp, which are never shown'),
    account: settingsCheck.describe('What SumUp says about the account in use'),
  })
  .meta({ id: 'ShopSettings' })

export const setup = z
  .object({
    steps: z
      .array(
        z.object({
          name: z.enum(['shop', 'password', 'product', 'test-order', 'sumup', 'address', 'mail']),
          isDone: z.boolean(),
          isChecking: z.boolean().describe('Another machine is being asked: ask again in a moment'),
          text: z.string(),
        }),
      )
      .describe('In the order in which they are done; none once all have been'),
    isFolded: z.boolean().describe('By the logged-in admin'),
  })
  .meta({ id: 'Setup', description: 'What a new shop still needs.' })
