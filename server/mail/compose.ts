import { domainToASCII } from 'node:url'
import { defaultLanguage, fillText, type BuyersLanguage } from '#contract/languages.ts'
import type { BuyerMailKind } from '#contract/mails.ts'
import type { PickupPlace } from '#contract/quotes.ts'
import type { AlertKind, AllSettings } from '#contract/shop-settings.ts'
import { mailTextsOf } from '#contract/texts/all.ts'
import type { WithdrawalScope } from '#contract/withdrawals.ts'
import type { Config } from '#server/config.ts'
import type { mails } from '#server/db/schema.ts'
import { renderHtml, renderText, type MailContent } from './render.ts'
import type { Spoken } from './spoken.ts'
import { PermanentMailError, type Mailbox, type MailMessage } from './transport.ts'

/** What every mail is made of, whatever it is about. */

export type MailRow = typeof mails.$inferSelect

/** What all mails of the shop share. */
export type MailSettings = {
  shopName: string | undefined
  /** Where buyers reach the owner. */
  shopEmail: string | undefined
  /** Where sales and alerts are announced. */
  alertEmail: string | undefined
  mutedAlerts: AlertKind[]
  announcesSales: boolean
  /** The seller's address, on receipts. */
  postalAddress: string | null
  vatNumber: string | null
  /** The right of withdrawal: who has it, and the owner's text about it. */
  withdrawal: { scope: WithdrawalScope; policy: string | null }
  /** Where orders are picked up now. */
  pickup: PickupPlace | null
  /** Whether there is a mail server; without one, mails become files. */
  hasMailServer: boolean
  /** What buyers are written in whose language is not known. */
  buyersLanguage: BuyersLanguage
  /** The owner's first words to buyers, by the kind of mail. */
  openings: AllSettings['texts']
  /** 'My Shop <shop@example.com>' */
  from: string
  /** The public URL of the shop, for the owner's links and for pictures. */
  origin: string
  /** Where buyers' pages are: the custom domain, if there is one. */
  buyerOrigin: string
  /** Signs the link to the order. */
  secret: string
}

export type MailConfig = Pick<
  Config,
  | 'mail'
  | 'publicUrl'
  | 'customDomain'
  | 'shop'
  | 'alerts'
  | 'policies'
  | 'delivery'
  | 'buyersLanguage'
>

export function readMailSettings(
  config: MailConfig,
  { localOrigin, secret }: { localOrigin: string; secret: string },
): MailSettings {
  const { mail, publicUrl, customDomain, shop, alerts, policies } = config
  const origin = publicUrl ?? localOrigin
  return {
    shopName: shop.name,
    shopEmail: shop.email,
    alertEmail: alerts.email,
    mutedAlerts: alerts.muted,
    announcesSales: alerts.announcesSales,
    postalAddress: shop.postalAddress,
    vatNumber: shop.vatNumber,
    withdrawal: { scope: policies.withdrawalFor, policy: policies.withdrawal },
    pickup: config.delivery.pickup,
    hasMailServer: mail.smtpUrl !== undefined,
    buyersLanguage: config.buyersLanguage,
    openings: mail.openings,
    from: mail.from,
    origin,
    buyerOrigin: customDomain ?? origin,
    secret,
  }
}

/** A mail before it is rendered. */
export type Draft = Pick<MailMessage, 'to' | 'replyTo' | 'subject'> & {
  audience: 'buyer' | 'owner'
  content: MailContent
  isFileOnly?: boolean
}

/**
 * Says that it is a test. Nothing is ever sent to the buyer of a test order, whose address anybody can type, or the shop
 * would be a mail relay: the owner gets it instead, or it becomes a file.
 */
function markAsTest(
  draft: Draft,
  subject: 'order' | 'payment',
  { shopEmail, hasMailServer }: MailSettings,
): Draft {
  const { audience, to, content } = draft
  const texts = mailTextsOf[content.language][subject === 'order' ? 'testOrder' : 'testPayment']
  const isRedirected = audience === 'buyer' && hasMailServer && shopEmail !== undefined
  const redirection = fillText(texts.meantFor, { address: to.address })
  return {
    ...draft,
    subject: `[Test] ${draft.subject}`,
    replyTo: undefined,
    ...(isRedirected && { to: createMailbox(shopEmail, content.shopName) }),
    isFileOnly: audience === 'buyer' && !isRedirected,
    content: {
      ...content,
      preview: texts.notice,
      notices: [texts.notice, ...(isRedirected ? [redirection] : [])],
    },
  }
}

/** Asks programs that answer automatically not to. */
const automatedHeaders = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** A mail about an order or a sale. */
export function finishDraft(
  mailId: string,
  draft: Draft,
  settings: MailSettings,
  test: { isTest: boolean; subject: 'order' | 'payment' },
): MailMessage {
  const { isTest, subject } = test
  return createMessage(mailId, settings, isTest ? markAsTest(draft, subject, settings) : draft)
}

function createMessage(
  mailId: string,
  settings: MailSettings,
  mail: Omit<Draft, 'audience'>,
): MailMessage {
  const { content, to, replyTo, subject, isFileOnly = false } = mail
  const from = parseMailbox(settings.from)
  const host = domainToASCII(from.address.split('@').at(-1) ?? '') || 'localhost'
  return {
    to,
    replyTo,
    subject: breakEncodedWords(subject),
    isFileOnly,
    from,
    messageId: `<${mailId}@${host}>`,
    headers: automatedHeaders,
    text: renderText(content),
    html: renderHtml(content),
  }
}

export type Notice = Pick<MailContent, 'title' | 'lead' | 'steps' | 'closing'> & {
  to: string
  subject: string
  button: { label: string; path: string }
}

/** How the shop calls itself in mails. */
export function nameShop({ shopName }: MailSettings): string {
  return oneLine(shopName ?? 'Till')
}

/** A mail to the owner or an admin that is about no order. */
export function createNotice(mailId: string, settings: MailSettings, notice: Notice): MailMessage {
  const { to, subject, button, lead, ...content } = notice
  const shopName = nameShop(settings)
  return createMessage(mailId, settings, {
    to: createMailbox(to, shopName),
    replyTo: undefined,
    subject,
    content: {
      ...content,
      language: defaultLanguage,
      shopName,
      logo: undefined,
      preview: lead,
      lead,
      order: undefined,
      sections: [],
      button: { label: button.label, url: `${settings.origin}${button.path}` },
    },
  })
}

export function addressBuyer(
  email: string,
  name: string | null,
  shopName: string,
  { shopEmail }: MailSettings,
): Pick<Draft, 'audience' | 'to' | 'replyTo'> {
  return {
    audience: 'buyer',
    to: createMailbox(email, name),
    replyTo: shopEmail ? createMailbox(shopEmail, shopName) : undefined,
  }
}

/** The end of a mail to a buyer, where the shop has an address. */
export function inviteQuestions(
  { shopEmail }: MailSettings,
  { texts }: Spoken,
): MailContent['closing'] {
  return shopEmail ? { text: texts.questions, email: shopEmail } : undefined
}

/** The owner's words, which stand before ours. */
export function findOpening({ openings }: MailSettings, kind: BuyerMailKind): string | undefined {
  return oneLine(openings[kind] ?? '') || undefined
}

export function cleanLines(lines: (string | null)[]): string[] {
  return lines.map((line) => oneLine(line ?? '')).filter((line) => line !== '')
}

/** Line ends and other control characters, and those that change the text direction of everything after them. */
const unsafeCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu

/** User input for a header or a line of text: it cannot start another one. */
export function oneLine(text: string): string {
  return text.replaceAll(unsafeCharacters, ' ').replaceAll(/ {2,}/g, ' ').trim()
}

/** No character that has a meaning in a header. */
const addressPattern = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/

export function createMailbox(address: string, name: string | null): Mailbox {
  if (!addressPattern.test(address)) throw new PermanentMailError('not an address')
  return { name: breakEncodedWords(oneLine(name ?? '')), address }
}

/** Mail programs decode =?utf-8?q?…?= in headers, also what a person typed: to line ends, or to marks that turn the text around. */
function breakEncodedWords(text: string): string {
  return text.replaceAll('=?', '= ?')
}

/** 'My Shop <shop@example.com>', or an address alone. */
function parseMailbox(text: string): Mailbox {
  const [, name = '', address = text] = /^(.*)<([^<>]+)>$/s.exec(text) ?? []
  return { name: oneLine(name), address: oneLine(address) }
}
