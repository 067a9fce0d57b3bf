import { noTrace } from '#contract/refunds.ts'
import { pages } from '#contract/paths.ts'
import { alertLabels, type AlertKind } from '#contract/shop-settings.ts'
import { withdrawalDays } from '#contract/withdrawals.ts'
import { sql, type SQL } from '#server/db/drizzle.ts'
import type { MailContent } from '#server/mail/render.ts'
import { isOpenWithdrawal } from '#server/orders/withdrawals.ts'
import { describeFailedBackup } from './backups.ts'
import type { Finding } from './check.ts'
import { describeCardForm, describeKeyRefusal } from './payments.ts'

/* What the owner is told by mail: what happened since the last mail, and what still waits. */

export type Counts = {
  count: number
  /** How many of the payments in review, or of the withdrawals, belong to an order. */
  ofOrders: number
  /** What it is about: numbers of orders, the newest first, or names of products, or what went wrong. */
  names?: string | null
  /** Since when, of what happened once: such as 2026-11-16. */
  day?: string | null
}

export type AlertText = Pick<MailContent, 'title' | 'lead' | 'steps'> & {
  button: string
  path: string
  /** How often the owner gets it; without one, at most once an hour. */
  pace?: string
}

/** What the question for new things is put together with. */
export type Asked = {
  isKeyRefused: boolean
  /** Later than the last mail of this kind. */
  isNew: (column: string) => SQL
  /** Tests count in test mode only: for rows with is_test. */
  isMeant: SQL
  /** The same for rows that are joined with orders. */
  isMeantOrder: SQL
  /** The owner does not want mails of this kind. */
  isMuted: (kind: SQL) => SQL
}

type Alert = {
  /** Queries of one value each. */
  find: (asked: Asked) => { count: SQL; ofOrders?: SQL; names?: SQL; day?: SQL }
  text: (counts: Counts) => AlertText
}

type Reminder = {
  kind: string
  /** A query of count, of_orders and oldest. */
  find: (asked: Asked) => SQL
  text: (counts: Counts & { oldest: string }) => AlertText
}

/** There is an order, and SumUp does not have its payment, or contradicts itself about it. */
const isOfOrder = sql`reason in ('not-at-sumup', 'contradiction') and id = payment_id`

const countOf = (from: SQL) => ({ count: sql`select count(*) ${from}` })

/** Their numbers, such as "#1043, #1042". */
const ordersOf = (from: SQL) => ({
  ...countOf(from),
  names: sql`select array_to_string((array_agg(distinct '#' || orders.number))[1:20], ', ') ${from}`,
})

const newOrders =
  (flag: SQL) =>
  ({ isNew, isMeantOrder }: Asked) =>
    ordersOf(sql`from orders where ${flag} and ${isNew('orders.created_at')} and ${isMeantOrder}`)

/** What has pieces of its own: products, and values of their choices. */
const stocks = sql`
  select id, name, low_stock_at, sold_out_at from products where deleted_at is null
  union all select products.id, products.name || ' · ' || value.name, value."lowStockAt", value."soldOutAt"
  from products cross join jsonb_to_recordset(products.choice -> 'values')
    as value (name text, "lowStockAt" timestamptz, "soldOutAt" timestamptz)
  where deleted_at is null`

const dayOf = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`)

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

const nameOrders = ({ names }: Counts) => (names ? [`It is about ${names}.`] : [])

/** The words of a check that is also mailed. */
function writeAbout({ title, text = title, todo }: Finding, ...steps: string[]): AlertText {
  return {
    title: title.replace(/\.$/, ''),
    lead: text,
    steps: [...(todo ? [todo] : []), ...steps],
    button: 'Open the back-office',
    path: pages.products,
  }
}

function describeWithdrawals({ count, ofOrders }: Counts): string {
  if (ofOrders === 0)
    return count === 1 ? 'A withdrawal fits no order' : `${count} withdrawals fit no order`
  return ofOrders === 1 ? alertLabels.withdrawal : `${ofOrders} customers withdraw from purchases`
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

/** What is mailed once it is new, at most once an hour. */
export const alerts: Record<AlertKind, Alert> = {
  review: {
    find: ({ isNew, isMeant }) => {
      const entries = sql`from review_entries
        where ${isNew('opened_at')} and state = 'open' and ${isMeant} and reason <> 'no-sale'`
      return { ...countOf(entries), ofOrders: sql`select count(*) ${entries} and ${isOfOrder}` }
    },
    text: (counts) => ({
      title:
        counts.count === 1
          ? 'A payment needs your attention'
          : `${counts.count} payments need your attention`,
      lead: describeReview(counts),
      steps: listReviewSteps(counts),
      ...openOrders,
    }),
  },
  'no-sale': {
    find: ({ isNew, isMeant }) =>
      countOf(sql`from review_entries
        where ${isNew('opened_at')} and state = 'open' and reason = 'no-sale' and ${isMeant}`),
    text: ({ count }) => ({
      title: count === 1 ? alertLabels['no-sale'] : `${count} payments without a sale`,
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
  },
  'key-refused': {
    // It is new for as long as SumUp refuses the key.
    find: ({ isKeyRefused }) => ({ count: isKeyRefused ? sql`select 1` : sql`select 0` }),
    text: () => writeAbout(describeKeyRefusal()),
  },
  'card-form-changed': {
    find({ isNew }) {
      const changed = sql`from watched_scripts where ${isNew('changed_at')}`
      return { ...countOf(changed), day: sql`select ${dayOf('max(changed_at)')} ${changed}` }
    },
    text: ({ day }) =>
      writeAbout(
        describeCardForm(day ?? ''),
        'The back-office shows this until you press “Got it”.',
      ),
  },
  'backup-failed': {
    find({ isNew }) {
      const failed = sql`from backups where ${isNew('failed_at')}`
      const last = sql`${failed} order by id desc limit 1`
      return {
        ...countOf(failed),
        names: sql`select error ${last}`,
        day: sql`select ${dayOf('failed_at')} ${last}`,
      }
    },
    text: ({ day, names }) =>
      writeAbout(
        describeFailedBackup(day ?? '', names ?? ''),
        'Selling goes on, but what is not backed up is lost when the disk is.',
        'Check that BACKUP_DIR is there and has room. The log of the shop says more: search it for “A backup failed”.',
      ),
  },
  'refund-unsettled': {
    find: ({ isNew, isMeantOrder }) =>
      // What failed while the admin waited was told there. What is open is told of once it is an hour old.
      ordersOf(sql`from refunds join payments on payments.id = refunds.payment_id
        join orders on orders.sumup_transaction_id = payments.transaction_id
        where ${isMeantOrder} and refunds.asked_at > since - interval '30 days' and (
          (refunds.state = 'failed' and refunds.ended_at > refunds.asked_at + interval '1 minute'
            and refunds.problem is distinct from ${noTrace} and ${isNew('refunds.ended_at')})
          or (refunds.ended_at is null and ${isNew("refunds.asked_at + interval '1 hour'")}))`),
    text: (counts) => ({
      title:
        counts.count === 1
          ? 'A refund needs your attention'
          : `${counts.count} refunds need your attention`,
      lead: 'SumUp did not carry it out after all, or has not said for an hour what became of it. The customer may not have the money.',
      steps: [
        ...nameOrders(counts),
        'Open the order: it says what is known of the refund.',
        'Look at the payment in your SumUp account. If nothing was refunded there, refund it there, or once more where the order offers it.',
        'What you refund in your SumUp account appears in the order by itself.',
      ],
      ...openOrders,
    }),
  },
  'returned-elsewhere': {
    find: ({ isNew, isMeantOrder }) =>
      ordersOf(sql`from order_timeline join orders on orders.id = order_timeline.order_id
        where (event = 'refunded' or event = 'charged-back') and actor = 'shop'
          and ${isNew('order_timeline.created_at')} and ${isMeantOrder}`),
    text: (counts) => ({
      title:
        counts.count === 1
          ? 'Money of an order went back'
          : `Money of orders went back ${counts.count} times`,
      lead: 'It was refunded in your SumUp account, or charged back to the customer. It was not done in the back-office.',
      steps: [
        ...nameOrders(counts),
        'The order says how much went back, and when: open it and look at its timeline.',
        'If all of it went back, do not ship the order unless you have agreed so with the customer.',
        'Money is charged back when customers dispute a payment, at their bank or where they paid. SumUp writes to you about that, and how to answer.',
      ],
      ...openOrders,
    }),
  },
  withdrawal: {
    find: ({ isNew, isMeant }) => {
      const stated = sql`from withdrawals
        where ${isNew('created_at')} and not is_repeat and ${isMeant}`
      return { ...countOf(stated), ofOrders: sql`select count(order_id) ${stated}` }
    },
    text: (counts) => ({
      title: describeWithdrawals(counts),
      lead: `Where there is the right to withdraw, what was paid has to go back within ${withdrawalDays} days. You may wait until the goods are back, or until the customer has shown that they were sent.`,
      steps: [
        'The back-office shows each withdrawal above your orders, with the order if one fits.',
        ...listWithdrawalSteps(counts),
      ],
      ...openOrders,
    }),
  },
  'low-stock': {
    find: ({ isNew }) => {
      const low = sql`from (${stocks}) as stocks
        where (${isNew('low_stock_at')}) or (${isNew('sold_out_at')})`
      return {
        count: sql`select count(distinct id) ${low}`,
        names: sql`select array_to_string((array_agg(
          name || case when sold_out_at is null then '' else ' (sold out)' end order by name))[1:20], ', ') ${low}`,
      }
    },
    text: ({ count, names }) => ({
      title:
        count === 1
          ? 'Few pieces of a product are left'
          : `Few pieces of ${count} products are left`,
      lead: `It is about ${names ?? ''}.`,
      steps: [
        'The list of products says how many are left.',
        'Once you have more, enter how many are there under “Pieces in stock”.',
      ],
      button: 'Open products',
      path: pages.products,
      pace: 'You get this mail when 3 are left, and when none is, once for each number that you enter',
    }),
  },
  oversold: {
    find: newOrders(sql`is_oversold`),
    text: (counts) => ({
      title:
        counts.count === 1
          ? alertLabels.oversold
          : `${counts.count} orders were paid when no piece was left`,
      lead: 'When the payment was made, the last piece was sold or held for another buyer.',
      steps: [
        ...nameOrders(counts),
        'Send a piece that you still find, or open the order and refund it.',
      ],
      ...openOrders,
    }),
  },
  'code-overused': {
    find: newOrders(sql`is_code_overused`),
    text: (counts) => ({
      title:
        counts.count === 1
          ? alertLabels['code-overused']
          : `${counts.count} orders were paid when their discount code was used up`,
      lead: 'When the payment was made, all uses of the code were taken or held by other buyers.',
      steps: [...nameOrders(counts), 'Deliver it at this price, or open the order and refund it.'],
      ...openOrders,
    }),
  },
  'choice-missing': {
    find: newOrders(sql`is_choice_missing`),
    text: (counts) => ({
      title:
        counts.count === 1
          ? 'An order does not say which one to send'
          : `${counts.count} orders do not say which one to send`,
      lead: 'Buyers choose what they get of the product, such as a size, and this was changed while the order was paid.',
      steps: [
        ...nameOrders(counts),
        'Ask the customer which one they want, and take it off your stock: the shop did not.',
      ],
      ...openOrders,
    }),
  },
  'mails-given-up': {
    find: ({ isNew, isMeant }) =>
      countOf(sql`from (
        select coalesce(orders.is_test, checkouts.is_test, false) as is_test from mails
          left join orders on orders.id = mails.order_id left join checkouts on checkouts.id = mails.sale_id
          where ${isNew('given_up_at')}) as given_up
        where ${isMeant}`),
    text: ({ count }) => ({
      title: count === 1 ? alertLabels['mails-given-up'] : `${count} mails could not be sent`,
      lead: `${count === 1 ? 'It was' : 'They were'} given up: the address was refused, or the mail server failed for three days.`,
      steps: [
        'The log of the shop names the order or sale of each: search it for “A mail was given up”.',
        'Where the customer left a phone number, call them.',
      ],
      ...openOrders,
    }),
  },
}

/** The owner is reminded from so many days before the money has to be back. */
const reminderDays = 3

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** What still waits, and is mailed once a day. */
export const reminders: Reminder[] = [
  {
    kind: 'review-reminder',
    find: ({ isMeant, isMuted }) => sql`
      select count(*) as count, count(*) filter (where ${isOfOrder}) as of_orders, min(opened_at) as oldest
      from review_entries
      where state = 'open' and opened_at < now() - interval '1 day' and ${isMeant}
        and not ${isMuted(sql`case reason when 'no-sale' then 'no-sale' else 'review' end`)}`,
    text(due) {
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
    },
  },
  {
    kind: 'withdrawal-reminder',
    find: ({ isMeant, isMuted }) => sql`
      select count(*) as count, count(order_id) as of_orders, min(created_at) as oldest from withdrawals
      where created_at < now() - make_interval(days => ${withdrawalDays - reminderDays})
        and ${isOpenWithdrawal} and ${isMeant} and not ${isMuted(sql`'withdrawal'`)}`,
    text(counts) {
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
    },
  },
]
