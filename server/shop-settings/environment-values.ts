import { defaultLanguage } from '#contract/languages.ts'
import { noOpenings } from '#contract/mails.ts'
import { defaultMethods } from '#contract/payment-methods.ts'
import {
  defaultLinkSettings,
  defaultRefundPasswordAbove,
  type AllSettings,
  type SecretSection,
} from '#contract/shop-settings.ts'
import { defaultDelivery } from '#contract/quotes.ts'
import { defaultWithdrawalScope } from '#contract/withdrawals.ts'
import type { Config, SavedSettings } from '#server/config.ts'
import type { SettingName, SettingValues } from '#server/settings.ts'

/** The owner's settings in the words of the environment, and the other way round. */

/** What is saved. */
export type StoredValues = {
  values: Partial<AllSettings>
  /** Sections whose secret cannot be decrypted, and an account that this version does not understand. */
  unreadable: SecretSection[]
}

/** Saved values in the words of the environment, so that both become a configuration in the same way. */
export function toSaved({ values: saved, unreadable }: StoredValues): SavedSettings {
  const { shop, sumup, methods, tax, policies, delivery, mail, texts, links, language } = saved
  const { address, retention, alerts } = saved
  const values: { [Name in SettingName]?: SettingValues[Name] | null | undefined } = {
    SHOP_NAME: shop?.name,
    SHOP_EMAIL: shop?.email,
    SUMUP_MERCHANT_CODE: sumup?.merchantCode,
    // A shop whose key cannot be read must never look like one in test mode: SumUp refuses this one.
    SUMUP_API_KEY: unreadable.includes('sumup') ? 'unreadable' : sumup?.apiKey,
    PAYMENT_CURRENCY: sumup?.currency,
    POLICY_REFUND_URL: policies?.refund,
    POLICY_SHIPPING_URL: policies?.shipping,
    POLICY_PRIVACY_URL: policies?.privacy,
    POLICY_TERMS_URL: policies?.terms,
    POLICY_WITHDRAWAL_URL: policies?.withdrawal,
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
      timeZone: shop?.timeZone ?? null,
      refundPasswordAbove: sumup?.refundPasswordAbove ?? defaultRefundPasswordAbove,
      mailOpenings: texts ?? noOpenings,
      withdrawalFor: policies?.withdrawalFor ?? defaultWithdrawalScope,
      links: links ?? defaultLinkSettings,
      buyersLanguage: language?.ofBuyers ?? defaultLanguage,
      delivery: delivery ?? defaultDelivery,
      methods: methods ?? defaultMethods,
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
  SUMUP_API_KEY: ['sumup.apiKey'],
  SUMUP_MERCHANT_CODE: ['sumup.merchantCode'],
  PAYMENT_CURRENCY: ['sumup.currency'],
  POLICY_REFUND_URL: ['policies.refund'],
  POLICY_SHIPPING_URL: ['policies.shipping'],
  POLICY_PRIVACY_URL: ['policies.privacy'],
  POLICY_TERMS_URL: ['policies.terms'],
  POLICY_WITHDRAWAL_URL: ['policies.withdrawal'],
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

export function listFixed({ environment }: Config): Record<string, string> {
  const fixed: Record<string, string> = {}
  for (const [variable, fields] of Object.entries(variables))
    if (environment[variable as SettingName] !== undefined)
      for (const field of fields) fixed[field] = variable
  return fixed
}

/** Every value in force, in the words of the dialog. */
export function readValues(current: Config, { values }: StoredValues): AllSettings {
  const { shop, policies, retention, alerts, environment, payments } = current
  const { name = null, email = null, postalAddress, imprint, logoUrl, vatRate, vatNumber } = shop
  const { publicUrl = null, customDomain = null, timeZone } = current
  const from = environment.MAIL_FROM ?? values.mail?.from ?? null
  return {
    shop: { name, email, postalAddress, imprint, logoUrl, timeZone },
    sumup: {
      merchantCode: payments.account?.merchantCode ?? null,
      currency: payments.currency,
      refundPasswordAbove: current.refunds.passwordAbove,
    },
    methods: current.methods,
    tax: { vatRate, vatNumber },
    policies,
    delivery: current.delivery,
    mail: {
      ...(environment.SMTP_URL ? parseSmtpUrl(environment.SMTP_URL) : (values.mail ?? noServer)),
      from,
    },
    texts: current.mail.openings,
    links: current.links,
    language: { ofBuyers: current.buyersLanguage },
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
