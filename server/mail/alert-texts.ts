import { pages } from '#contract/paths.ts'
import type { AlertKind } from '#contract/shop-settings.ts'
import { withdrawalDays } from '#contract/withdrawals.ts'
import type { MailContent } from './render.ts'

/** What the owner is told by mail. */

export type Counts = {
  count: number
  /** How many of the payments in review, or of the withdrawals, belong to an order. */
  ofOrders: number
  /** The numbers of orders that it is about, the newest first. */
  orders?: string | null
  /** The names of products that it is about. */
  products?: string | null
}

export type AlertText = Pick<MailContent, 'title' | 'lead' | 'steps'> & {
  button: string
  path: string
  /** How often the owner gets it; without one, at most once an hour. */
  pace?: string
}

const openOrders = { button: 'Open orders', path: pages.orders }

const listReviewSteps = ({ count, ofOrders }: Counts) => [
  'Above your orders you see what happened, and what is known of the money.',
  ...(ofOrders < count ? ['Create the order, refund the payment, or dismiss it with a note.'] : []),
  ...(ofOrders > 0
    ? [
        'Where there is an order, look up its payment in your SumUp account before you ship it. Then dismiss it with a note.',
      ]
    : []),
]

/** States only what is known: without an order, money was taken or may have been. */
function describeReview({ count, ofOrders }: Counts): string {
  const sentences = {
    others:
      count - ofOrders === 1
        ? 'was paid, or may have been, and did not become an order by itself.'
        : 'were paid, or may have been, and did not become orders by themselves.',
    ofOrders:
      ofOrders === 1
        ? 'belongs to an order, and SumUp does not have it or contradicts itself about it.'
        : 'belong to orders, and SumUp does not have them or contradicts itself about them.',
  }
  const subject = count === 1 ? 'It' : 'They'
  if (ofOrders === 0) return `${subject} ${sentences.others}`
  if (ofOrders === count) return `${subject} ${sentences.ofOrders}`
  return `${count - ofOrders} ${sentences.others} ${ofOrders} ${sentences.ofOrders}`
}

const nameOrders = (orders: string | null | undefined) => (orders ? [`It is about ${orders}.`] : [])

function describeWithdrawals({ count, ofOrders }: Counts): string {
  if (ofOrders === 0)
    return count === 1 ? 'A withdrawal fits no order' : `${count} withdrawals fit no order`
  return ofOrders === 1
    ? 'A customer withdraws from a purchase'
    : `${ofOrders} customers withdraw from purchases`
}

/** Anybody can make up statements that fit no order: they are named apart from those that do. */
function listWithdrawalSteps({ count, ofOrders }: Counts): string[] {
  const unfitting = count - ofOrders
  const others = unfitting === 1 ? '1 more fits no order.' : `${unfitting} more fit no order.`
  const search =
    'Anybody can state that, but it may be a customer with a typing error: look for the order by name and email address, and mark the withdrawal as handled with a note.'
  return [
    ...(ofOrders > 0 ? ['Refund the order, or mark the withdrawal as handled with a note.'] : []),
    ...(unfitting > 0 ? [ofOrders > 0 ? `${others} ${search}` : search] : []),
  ]
}

export const alertTexts: Record<AlertKind, (counts: Counts) => AlertText> = {
  review: (counts) => ({
    title:
      counts.count === 1
        ? 'A payment needs your attention'
        : `${counts.count} payments need your attention`,
    lead: describeReview(counts),
    steps: listReviewSteps(counts),
    ...openOrders,
  }),
  'no-sale': ({ count }) => ({
    title: count === 1 ? 'A payment without a sale' : `${count} payments without a sale`,
    lead:
      count === 1
        ? 'SumUp has a payment of your shop that no sale here belongs to.'
        : `SumUp has ${count} payments of your shop that no sale here belongs to.`,
    steps: [
      'That can happen when the database was restored from a backup.',
      'They are shown above your orders. Create the order, or refund the payment.',
    ],
    ...openOrders,
  }),
  'key-refused': () => ({
    title: 'SumUp refuses your key',
    lead: 'SumUp does not accept the API key of your shop. Until it does, nobody can pay.',
    steps: [
      'Check SUMUP_API_KEY and SUMUP_MERCHANT_CODE, or make a new key in your SumUp account, and start the shop again.',
      'Earlier payments are checked as soon as SumUp accepts the key.',
    ],
    button: 'Open the back-office',
    path: pages.products,
  }),
  'card-form-changed': () => ({
    title: 'SumUp’s card form has changed',
    lead: 'The script of SumUp’s card form is not the one of yesterday. This happens with every new release of SumUp and is no reason to worry by itself.',
    steps: [
      'Open the checkout of one of your products and look at the card form: does it look as usual, and does it ask for nothing but the card?',
      'If something looks odd, do not sell until SumUp’s support has explained it.',
      'The back-office shows this until you press “Got it”.',
    ],
    button: 'Open the back-office',
    path: pages.products,
  }),
  'backup-failed': () => ({
    title: 'The backup of your shop failed',
    lead: 'No backup was written. Selling goes on, but what is not backed up is lost when the disk is.',
    steps: [
      'The back-office and the log of the shop say why: search the log for “A backup failed”.',
      'Check that BACKUP_DIR is there and has room. It is tried again every hour.',
    ],
    button: 'Open the back-office',
    path: pages.products,
  }),
  'refund-unsettled': ({ count, orders }) => ({
    title: count === 1 ? 'A refund needs your attention' : `${count} refunds need your attention`,
    lead: 'SumUp did not carry it out after all, or has not said for an hour what became of it. The customer may not have the money.',
    steps: [
      ...nameOrders(orders),
      'Open the order: it says what is known of the refund.',
      'Look at the payment in your SumUp account. If nothing was refunded there, refund it there, or once more where the order offers it.',
      'What you refund in your SumUp account appears in the order by itself.',
    ],
    ...openOrders,
  }),
  'returned-elsewhere': ({ count, orders }) => ({
    title: count === 1 ? 'Money of an order went back' : `Money of orders went back ${count} times`,
    lead: 'It was refunded in your SumUp account, or charged back to the customer. It was not done in the back-office.',
    steps: [
      ...nameOrders(orders),
      'The order says how much went back, and when: open it and look at its timeline.',
      'If all of it went back, do not ship the order unless you have agreed so with the customer.',
      'Money is charged back when customers dispute a payment, at their bank or where they paid. SumUp writes to you about that, and how to answer.',
    ],
    ...openOrders,
  }),
  withdrawal: (counts) => ({
    title: describeWithdrawals(counts),
    lead: `Where there is the right to withdraw, what was paid has to go back within ${withdrawalDays} days. You may wait until the goods are back, or until the customer has shown that they were sent.`,
    steps: [
      'The back-office shows each withdrawal above your orders, with the order if one fits.',
      ...listWithdrawalSteps(counts),
    ],
    ...openOrders,
  }),
  'low-stock': ({ count, products }) => ({
    title:
      count === 1 ? 'Few pieces of a product are left' : `Few pieces of ${count} products are left`,
    lead: `It is about ${products ?? ''}.`,
    steps: [
      'The list of products says how many are left.',
      'Once you have more, enter how many are there under “Pieces in stock”.',
    ],
    button: 'Open products',
    path: pages.products,
    pace: 'You get this mail when 3 are left, and when none is, once for each number that you enter',
  }),
  oversold: ({ count, orders }) => ({
    title:
      count === 1
        ? 'An order was paid when no piece was left'
        : `${count} orders were paid when no piece was left`,
    lead: 'When the payment was made, the last piece was sold or held for another buyer.',
    steps: [
      ...nameOrders(orders),
      'Send a piece that you still find, or open the order and refund it.',
    ],
    ...openOrders,
  }),
  'code-overused': ({ count, orders }) => ({
    title:
      count === 1
        ? 'An order was paid when its discount code was used up'
        : `${count} orders were paid when their discount code was used up`,
    lead: 'When the payment was made, all uses of the code were taken or held by other buyers.',
    steps: [...nameOrders(orders), 'Deliver it at this price, or open the order and refund it.'],
    ...openOrders,
  }),
  'choice-missing': ({ count, orders }) => ({
    title:
      count === 1
        ? 'An order does not say which one to send'
        : `${count} orders do not say which one to send`,
    lead: 'Buyers choose what they get of the product, such as a size, and this was changed while the order was paid.',
    steps: [
      ...nameOrders(orders),
      'Ask the customer which one they want, and take it off your stock: the shop did not.',
    ],
    ...openOrders,
  }),
  'mails-given-up': ({ count }) => ({
    title: count === 1 ? 'A mail could not be sent' : `${count} mails could not be sent`,
    lead: `${count === 1 ? 'It was' : 'They were'} given up: the address was refused, or the mail server failed for three days.`,
    steps: [
      'The log of the shop names the order or sale of each: search it for “A mail was given up”.',
      'Where the customer left a phone number, call them.',
    ],
    ...openOrders,
  }),
}

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

export function writeReminder(due: Counts & { oldest: string }): AlertText {
  const { count, oldest } = due
  const since = `${dateFormat.format(new Date(oldest))} UTC`
  return {
    title:
      count === 1
        ? 'A payment still needs your attention'
        : `${count} payments still need your attention`,
    lead:
      count === 1
        ? `It has been waiting since ${since}.`
        : `The oldest has been waiting since ${since}.`,
    steps: listReviewSteps(due),
    ...openOrders,
    pace: 'You get this mail once a day while a payment waits',
  }
}

export function writeWithdrawalReminder(counts: Counts): AlertText {
  const { count, ofOrders } = counts
  const [waiting, without] = ofOrders > 0 ? [ofOrders, ''] : [count, ' without an order']
  return {
    title:
      waiting === 1
        ? `A withdrawal${without} still waits for you`
        : `${waiting} withdrawals${without} still wait for you`,
    lead: `The ${withdrawalDays} days in which what was paid has to go back, where it has to, end soon or have ended.`,
    steps: [
      ...listWithdrawalSteps(counts),
      'You may wait longer only for goods that are neither back nor shown to be sent.',
    ],
    ...openOrders,
    pace: 'You get this mail once a day while a withdrawal waits',
  }
}
