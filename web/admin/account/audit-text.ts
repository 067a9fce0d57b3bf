import type { AuditAction, AuditEntry } from '#contract/audit.ts'
import { formatMoney } from '#contract/money.ts'

type Facts = Record<string, unknown>

/** What happened, after the name of who did it: '… changed the price from €10.00 to €12.00'. */
const sentences: Record<AuditAction, (detail: Facts, subject: string, times: number) => string> = {
  'sign-in': ({ factor }) =>
    factor === 'app'
      ? 'logged in with a code'
      : factor === 'recovery'
        ? 'logged in with a recovery code'
        : 'logged in',
  'sign-in-failed': ({ name, reason }) =>
    `failed to log in${name ? ` as ${text(name)}` : ''}${failureReasons[text(reason)] ?? ''}`,
  'second-factor-needed': ({ name }) =>
    `had the password${name ? ` of ${text(name)}` : ''} and was asked for the code`,
  'sign-out': () => 'logged out',
  'second-factor-on': () => 'turned the second factor on',
  'second-factor-off': () => 'turned a second factor off',
  'recovery-code-used': () => 'used a recovery code',
  'confirmation-failed': ({ reason }) =>
    `was logged in and gave a wrong ${reason === 'code' ? 'code' : 'password'}`,
  'password-changed': () => 'changed a password',
  'email-changed': ({ from, to }) =>
    `changed their email address from ${text(from)} to ${text(to)}`,
  'session-ended': () => 'logged out a browser',
  'sessions-ended': ({ ended }) => `logged out ${count(ended, 'other browser')}`,
  'admin-invited': (_detail, email) => `invited ${email}`,
  'invite-withdrawn': (_detail, email) => `withdrew the invitation of ${email}`,
  'admin-added': ({ username }) => `added ${text(username) || 'an admin'} as an admin`,
  'admin-disabled': ({ username }) => `disabled ${text(username) || 'an admin'}`,
  'admin-enabled': ({ username }) => `enabled ${text(username) || 'an admin'}`,
  'admin-removed': ({ username }) => `removed ${text(username) || 'an admin'}`,
  'product-created': ({ name, price, currency }) =>
    `added the product ${quote(name)}${price ? ` for ${money(price, currency)}` : ''}`,
  'product-changed': (detail, id) => `changed a product${changes(detail)} (${shorten(id)})`,
  'product-deleted': ({ name }) => `deleted the product ${quote(name)}`,
  'product-restored': ({ name }) => `took back the deletion of the product ${quote(name)}`,
  'product-paused': ({ name }) => `paused the product ${quote(name)}`,
  'product-resumed': ({ name }) => `resumed the product ${quote(name)}`,
  'discount-created': ({ code, percent, amount: off }) =>
    `added the discount code ${text(code)}: ${percent ? `${text(percent)} %` : text(off)} off`,
  'discount-changed': ({ code, ...detail }) =>
    `changed the discount code ${text(code)}${discountChanges(detail)}`,
  'discount-deleted': ({ code }) => `deleted the discount code ${text(code)}`,
  'order-status': ({ from, to }, id) =>
    `set the order ${shorten(id)} from ${text(from)} to ${text(to)}`,
  'order-shipment': ({ from }, id) =>
    `${from ? 'shipped the order' : 'set the tracking of the order'} ${shorten(id)}${from ? ' with tracking' : ''}`,
  'order-shipment-removed': (_detail, id) => `removed the tracking of the order ${shorten(id)}`,
  'order-corrected': (_detail, id) => `corrected the customer of the order ${shorten(id)}`,
  'confirmation-resent': (_detail, id) =>
    `sent the confirmation of the order ${shorten(id)} once more`,
  'order-note-added': (_detail, id) => `added a note to the order ${shorten(id)}`,
  'order-note-deleted': (_detail, id) => `deleted a note of the order ${shorten(id)}`,
  'withdrawal-handled': (_detail, id) => `marked the withdrawal ${shorten(id)} as handled`,
  'withdrawals-dismissed': ({ count: dismissed }) =>
    `dismissed ${count(dismissed, 'withdrawal')} without an order`,
  'bulk-change': ({ to }, _id, orders) => `set ${count(orders, 'order')} to ${text(to)}`,
  'bulk-change-undone': ({ to }, _id, orders) =>
    `undid the change of ${count(orders, 'order')} to ${text(to)}`,
  'orders-exported': ({ status, isSearch }) =>
    `exported ${isSearch ? 'the found' : status && status !== 'all' ? `the ${text(status)}` : 'all'} orders`,
  'review-ordered': (detail) => `created an order from a payment${amount(detail)}`,
  'order-refund-begun': (detail, id) =>
    `began to refund ${refunded(detail)} of the order ${shorten(id)}`,
  'order-refund-failed': (detail, id) =>
    `${refundEnd(detail)} ${refunded(detail)} of the order ${shorten(id)}`,
  'order-refunded': (detail, id) => `refunded ${refunded(detail)} of the order ${shorten(id)}`,
  'review-refund-begun': (detail) => `began to refund a payment${amount(detail)}`,
  'review-refund-failed': (detail) => `${refundEnd(detail)} a payment${amount(detail)}`,
  'review-refunded': (detail) => `refunded a payment${amount(detail)}`,
  'review-dismissed': (detail) => `dismissed a payment in review${amount(detail)}`,
  'review-restored': (detail) => `put a payment back into review${amount(detail)}`,
  'customer-exported': () => 'exported the data of a customer',
  'customer-erased': ({ orders }) => `erased the data of a customer from ${count(orders, 'order')}`,
  'test-data-removed': ({ orders }) => `removed ${count(orders, 'test order')}`,
  'settings-changed': (detail, section) =>
    `changed the settings (${section})${settingChanges(detail)}`,
  'test-mail-sent': () => 'sent a test mail',
  'notice-dismissed': (_detail, kind) =>
    kind === 'restored'
      ? 'looked through the shop after it was restored'
      : 'read the notice about SumUp’s card form',
  'counted-sold-again': () => 'let products with counted pieces be sold again after a restore',
}

/** In the menu that chooses one kind of entry. */
export const actionLabels: Record<AuditAction, string> = {
  'sign-in': 'Login',
  'sign-in-failed': 'Failed login',
  'second-factor-needed': 'Code asked for',
  'sign-out': 'Logout',
  'second-factor-on': 'Second factor on',
  'second-factor-off': 'Second factor off',
  'recovery-code-used': 'Recovery code used',
  'confirmation-failed': 'Wrong password or code',
  'password-changed': 'Password changed',
  'email-changed': 'Email address changed',
  'session-ended': 'Browser logged out',
  'sessions-ended': 'Other browsers logged out',
  'admin-invited': 'Invitation',
  'invite-withdrawn': 'Invitation withdrawn',
  'admin-added': 'Admin added',
  'admin-disabled': 'Admin disabled',
  'admin-enabled': 'Admin enabled',
  'admin-removed': 'Admin removed',
  'product-created': 'Product added',
  'product-changed': 'Product changed',
  'product-deleted': 'Product deleted',
  'product-restored': 'Product restored',
  'product-paused': 'Product paused',
  'product-resumed': 'Product resumed',
  'discount-created': 'Discount code added',
  'discount-changed': 'Discount code changed',
  'discount-deleted': 'Discount code deleted',
  'order-status': 'Order status',
  'order-shipment': 'Order tracking',
  'order-shipment-removed': 'Order tracking removed',
  'order-corrected': 'Order corrected',
  'confirmation-resent': 'Confirmation sent again',
  'order-note-added': 'Note added',
  'order-note-deleted': 'Note deleted',
  'withdrawal-handled': 'Withdrawal handled',
  'withdrawals-dismissed': 'Withdrawals dismissed',
  'bulk-change': 'Bulk change of orders',
  'bulk-change-undone': 'Bulk change undone',
  'orders-exported': 'Orders exported',
  'review-ordered': 'Order created from a payment',
  'order-refund-begun': 'Refund of an order begun',
  'order-refund-failed': 'Refund of an order failed',
  'order-refunded': 'Order refunded',
  'review-refund-begun': 'Refund begun',
  'review-refund-failed': 'Refund failed',
  'review-refunded': 'Payment refunded',
  'review-dismissed': 'Payment dismissed',
  'review-restored': 'Payment back in review',
  'customer-exported': 'Customer exported',
  'customer-erased': 'Customer erased',
  'test-data-removed': 'Test orders removed',
  'settings-changed': 'Settings changed',
  'test-mail-sent': 'Test mail',
  'notice-dismissed': 'Notice read',
  'counted-sold-again': 'Sold again after a restore',
}

const failureReasons: Record<string, string> = {
  code: ': wrong code',
  disabled: ': the account is disabled',
  password: ': wrong password',
}

/** Done by nobody who is signed in, nor by a command on the server. These are merged. */
const strangersActions: AuditEntry['action'][] = ['sign-in-failed', 'second-factor-needed']

/** 'owner', 'Somebody' or 'The server', and what they did. */
export function describeEntry(entry: AuditEntry): { who: string; what: string } {
  const { action, adminName, address, subject, detail, count: times } = entry
  const isStrangers = strangersActions.includes(action)
  const who = adminName ?? (isStrangers || address !== null ? 'Somebody' : 'The server')
  if (action === 'unknown') return { who, what: 'did something that this version does not know' }
  const what = sentences[action](detail ?? {}, subject ?? '', times)
  const isRepeated = isStrangers && times > 1
  return { who, what: isRepeated ? `${what}, ${times.toLocaleString('en')} times` : what }
}

function changes({ name, price, currency, changed }: Facts): string {
  const parts = [
    isChange(name) && `name from ${quote(name.from)} to ${quote(name.to)}`,
    isChange(price) && `price from ${text(price.from)} to ${text(price.to)}`,
    isChange(currency) && `currency from ${text(currency.from)} to ${text(currency.to)}`,
    ...(Array.isArray(changed)
      ? changed.map((field) => fieldNames[text(field)] ?? plainName(text(field)))
      : []),
  ].filter(Boolean)
  return parts.length > 0 ? `: ${parts.join(', ')}` : ''
}

function discountChanges({ maxUses, lastDay }: Facts): string {
  const parts = [
    isChange(maxUses) && `limit to ${text(maxUses.to) || 'none'}`,
    isChange(lastDay) && `last day to ${text(lastDay.to) || 'none'}`,
  ].filter(Boolean)
  return parts.length > 0 ? `: ${parts.join(', ')}` : ''
}

/** 'smtpHost' is 'smtp host'. */
function plainName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** Long texts and passwords arrive without their content. */
function settingChanges(detail: Facts): string {
  const parts = Object.entries(detail).map(([field, change]) => {
    const name = plainName(field)
    const to = isChange(change) ? text(change.to) : ''
    return to ? `${name} to ${quote(to)}` : name
  })
  return parts.length > 0 ? `: ${parts.join(', ')}` : ''
}

const fieldNames: Record<string, string> = {
  description: 'description',
  imageUrl: 'picture',
  headerName: 'name in the header',
  headerLogoUrl: 'logo',
  quantityTiers: 'quantity prices',
  withdrawalExemption: 'right of withdrawal',
  stock: 'stock',
  choice: 'choice',
  showsLeft: 'how few are left',
  noteLabel: 'text that buyers write',
  isNoteRequired: 'whether buyers must write it',
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}

function refunded({ amount: value, currency }: Facts): string {
  return value ? money(value, currency) : 'a part'
}

/** What is not known yet may still be done. */
function refundEnd({ reason }: Facts): string {
  return reason === 'refund-unknown'
    ? 'asked SumUp, which has not answered yet, to refund'
    : 'could not refund'
}

function amount({ amount: value, currency }: Facts): string {
  return value ? ` of ${money(value, currency)}` : ''
}

/** Entries may come from another version, with other facts. */
function money(value: unknown, currency: unknown): string {
  try {
    return formatMoney(text(value), text(currency))
  } catch {
    return `${text(value)} ${text(currency)}`.trim()
  }
}

function count(value: unknown, noun: string): string {
  const number = typeof value === 'number' ? value : 0
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

function quote(value: unknown): string {
  return `“${text(value)}”`
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function shorten(id: string): string {
  return id.length > 8 ? `${id.slice(0, 8)}…` : id
}
