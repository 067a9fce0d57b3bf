import { domainToASCII } from 'node:url'
import { findOtherBilling, formatAddress } from '#contract/addresses.ts'
import { formatMoney, includedVat } from '#contract/money.ts'
import type { Address } from '#contract/orders.ts'
import { adminOrderPath } from '#contract/paths.ts'
import { absolutePicture, isPictureUrl, type PictureSize } from '#contract/pictures.ts'
import type { AlertKind } from '#contract/shop-settings.ts'
import type { Config } from '#server/config.ts'
import type { mails, OrderRow } from '#server/db/schema.ts'
import { buyerDays } from '#server/orders/buyer.ts'
import { orderLink } from '#server/orders/order-link.ts'
import { renderHtml, renderText, type MailContent } from './render.ts'
import type { Mailbox, MailMessage } from './mime.ts'
import { PermanentMailError } from './transport.ts'

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
  /** Of the seller, on receipts. */
  postalAddress: string | null
  vatNumber: string | null
  /** Whether there is a mail server; without one, mails become files. */
  hasMailServer: boolean
  /** 'My Shop <shop@example.com>' */
  from: string
  /** The public URL of the shop, for the owner's links and for pictures. */
  origin: string
  /** Where buyers' pages are: the custom domain, if there is one. */
  buyerOrigin: string
  /** Signs the link to the order. */
  secret: string
}

export function readMailSettings(
  config: Pick<Config, 'mail' | 'publicUrl' | 'customDomain' | 'shop' | 'alerts'>,
  { localOrigin, secret }: { localOrigin: string; secret: string },
): MailSettings {
  const { mail, publicUrl, customDomain, shop, alerts } = config
  const origin = publicUrl ?? localOrigin
  return {
    shopName: shop.name,
    shopEmail: shop.email,
    alertEmail: alerts.email,
    mutedAlerts: alerts.muted,
    announcesSales: alerts.announcesSales,
    postalAddress: shop.postalAddress,
    vatNumber: shop.vatNumber,
    hasMailServer: mail.smtpUrl !== undefined,
    from: mail.from,
    origin,
    buyerOrigin: customDomain ?? origin,
    secret,
  }
}

const composers = { confirmation: composeConfirmation, 'new-sale': composeNewSale }

/** Undefined when there is nobody to send it to. */
export function composeMail(
  mail: Pick<MailRow, 'id' | 'kind'>,
  order: OrderRow,
  settings: MailSettings,
): MailMessage | undefined {
  if (!isKnownKind(mail.kind))
    throw new Error('a newer version of the shop knows this kind of mail')
  const draft = composers[mail.kind](order, settings)
  if (!draft) return undefined
  return createMessage(mail.id, settings, order.isTest ? markAsTest(draft, settings) : draft)
}

/** A mail before it is rendered. */
type Draft = Pick<MailMessage, 'to' | 'replyTo' | 'subject'> & {
  audience: 'buyer' | 'owner'
  content: MailContent
  isFileOnly?: boolean
}

const testNotice = 'This is a test order: no money was taken, and nothing will be delivered.'

/**
 * Says that it is a test. Nothing is ever sent to the buyer of a test order, whose address anybody can type, or the shop
 * would be a mail relay: the owner gets it instead, or it becomes a file.
 */
function markAsTest(draft: Draft, { shopEmail, hasMailServer }: MailSettings): Draft {
  const { audience, to, content } = draft
  const isRedirected = audience === 'buyer' && hasMailServer && shopEmail !== undefined
  const redirection = `It was meant for ${to.address}. Mails of test orders go to the shop, never to a buyer.`
  return {
    ...draft,
    subject: `[Test] ${draft.subject}`,
    replyTo: undefined,
    ...(isRedirected && { to: createMailbox(shopEmail, content.shopName) }),
    isFileOnly: audience === 'buyer' && !isRedirected,
    content: {
      ...content,
      preview: testNotice,
      notices: [testNotice, ...(isRedirected ? [redirection] : [])],
    },
  }
}

function isKnownKind(kind: string): kind is keyof typeof composers {
  return Object.hasOwn(composers, kind)
}

function composeConfirmation(order: OrderRow, settings: MailSettings): Draft | undefined {
  const { shippingAddress } = order
  if (!order.customerEmail) return undefined
  const { shopEmail } = settings
  const described = describeOrder(order, settings)
  const {
    shopName,
    order: { item },
  } = described
  const billingAddress = findOtherBilling(order)
  return {
    audience: 'buyer',
    to: createMailbox(order.customerEmail, order.customerName),
    replyTo: shopEmail ? createMailbox(shopEmail, shopName) : undefined,
    subject: `Your order from ${shopName} is confirmed`,
    content: {
      ...described,
      preview: `${item.name}, ${item.price}. We are getting it ready.`,
      title: 'Thank you!',
      lead: order.isTest
        ? 'Your order has been confirmed.'
        : 'Your order has been confirmed and paid.',
      sections: [
        { title: 'Shipping address', lines: addressLines(shippingAddress) },
        ...(billingAddress
          ? [{ title: 'Billing address', lines: addressLines(billingAddress) }]
          : []),
        paymentSection(order),
        ...sellerSection(shopName, settings),
      ],
      steps: [
        ...(order.isTest ? [] : ['We get your order ready and send it to the address above.']),
        `The link below shows how your order stands. It works for ${buyerDays} days.`,
        'Keep this mail. The order number is all we need to help you.',
      ],
      button: {
        label: 'View your order',
        url: orderLink(settings.buyerOrigin, order.id, settings.secret),
      },
      closing: shopEmail
        ? { text: 'Questions? Reply to this mail, or write to', email: shopEmail }
        : undefined,
    },
  }
}

/** To the owner. A reply to it goes to the buyer. */
function composeNewSale(order: OrderRow, settings: MailSettings): Draft | undefined {
  const { customerEmail, customerName, customerPhone, shippingAddress } = order
  if (!settings.alertEmail || !settings.announcesSales) return undefined
  const described = describeOrder(order, settings)
  const { item } = described.order
  const customer = cleanLines([customerName, customerEmail, customerPhone])
  return {
    audience: 'owner',
    to: createMailbox(settings.alertEmail, described.shopName),
    replyTo: customerEmail ? createMailbox(customerEmail, customerName) : undefined,
    subject: `New sale: ${item.name} for ${item.price}`,
    content: {
      ...described,
      preview: `${item.price} are paid. The parcel goes to ${oneLine(shippingAddress.country)}.`,
      title: 'New sale',
      lead: order.isTest
        ? `Somebody tried out how to buy ${item.name}.`
        : `You sold ${item.name}. It is paid and waits to be shipped.`,
      sections: [
        { title: 'Ship to', lines: addressLines(shippingAddress) },
        ...(customer.length > 0 ? [{ title: 'Customer', lines: customer }] : []),
        paymentSection(order),
      ],
      steps: [],
      button: { label: 'Open order', url: `${settings.origin}${adminOrderPath(order.id)}` },
      closing:
        customerEmail && !order.isTest
          ? { text: 'Your reply to this mail goes to the customer' }
          : undefined,
    },
  }
}

/** Asks programs that answer automatically not to. */
const automatedHeaders = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

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

function describeOrder(order: OrderRow, { shopName, origin }: MailSettings) {
  const { product, quantity, currency } = order
  const money = formatMoney(order.amount, currency)
  return {
    shopName: oneLine(shopName ?? product.headerName ?? 'Till'),
    logo: findPicture(product.headerLogoUrl, 'logo', origin),
    order: {
      number: order.id,
      item: {
        name: oneLine(product.name),
        quantity,
        price: money,
        picture: findPicture(product.imageUrl, 'thumb', origin),
      },
      totals: [
        { label: 'Subtotal', value: money },
        { label: 'Shipping', value: 'Free' },
        { label: `Total (${currency})`, value: money },
        ...describeVat(order),
      ],
    },
  }
}

/** The price includes it. Orders from before the shop named a rate have none. */
function describeVat({ product, amount, currency }: OrderRow) {
  const { vatRate } = product
  if (vatRate === undefined) return []
  const value = formatMoney(includedVat(amount, vatRate), currency)
  return [{ label: `Including ${vatRate}% VAT`, value }]
}

/** Who sold it, where the shop says so: what a receipt needs. */
function sellerSection(
  shopName: string,
  { postalAddress, vatNumber }: MailSettings,
): MailContent['sections'] {
  if (!postalAddress && !vatNumber) return []
  const lines = [shopName, ...(postalAddress ?? '').split('\n')]
  return [
    { title: 'Seller', lines: cleanLines([...lines, vatNumber && `VAT number ${vatNumber}`]) },
  ]
}

function paymentSection({ paymentMethod }: OrderRow): MailContent['sections'][number] {
  const isCard = !paymentMethod || paymentMethod === 'card'
  return { title: 'Payment', lines: [isCard ? 'Card' : oneLine(paymentMethod)] }
}

/** Pictures of ours need an absolute URL in a mail. */
function findPicture(url: string | null, size: PictureSize, origin: string): string | undefined {
  return url && isPictureUrl(url) ? absolutePicture(url, size, origin) : undefined
}

function addressLines(address: Address): string[] {
  return cleanLines(formatAddress(address))
}

function cleanLines(lines: (string | null)[]): string[] {
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
