import { z } from 'zod'
import { reviewReasons, reviewStates, waitingReasons } from '#contract/checkouts.ts'
import { carriers } from '#contract/carriers.ts'
import { currencyCodes } from '#contract/currencies.ts'
import { languageCodes } from '#contract/languages.ts'
import { mailStates, maxFoundOrders, orderStatuses } from '#contract/orders.ts'
import { otherMethodIds } from '#contract/payment-methods.ts'
import { refundStates } from '#contract/refunds.ts'
import { worldCountries } from '#contract/world-countries.ts'
import { count, id, money, time } from './fields.ts'
import { chosenValue, orderedProduct } from './products.ts'

const status = z.enum(orderStatuses)

const part = z.string().exactOptional()
const addressFields = z.object({
  country: z.string(),
  firstName: part,
  lastName: z.string(),
  address: z.string(),
  apartment: part,
  city: z.string(),
  state: part,
  postcode: z.string(),
  phone: part,
})
export const address = addressFields.meta({ id: 'Address' })

export const shipment = z
  .object({
    carrier: z.enum(carriers),
    trackingNumber: z.string().nullable(),
    trackingUrl: z
      .string()
      .nullable()
      .describe(
        'The page that shows the parcel, always https, as it was when the parcel was entered',
      ),
  })
  .meta({ id: 'Shipment', description: 'How an order was sent.' })

export const terms = z
  .object({
    subtotal: money.describe('The price of the product'),
    shipping: money,
    discount: money.describe('Taken off the price of the product'),
    code: z.string().nullable().describe('The discount code'),
    country: z
      .enum(worldCountries)
      .nullable()
      .describe('The only country for which this is the price; null: any'),
    isPickup: z.boolean(),
  })
  .meta({
    id: 'Terms',
    description: 'What an amount was agreed for: it is subtotal + shipping - discount.',
  })

const orderFields = z.object({
  id,
  productId: id,
  product: orderedProduct,
  quantity: z.int().min(1),
  amount: money,
  currency: z.string(),
  terms: terms
    .exactOptional()
    .describe('Absent where the amount is the price of the product, wherever it goes'),
  status,
  paymentMethod: z
    .string()
    .nullable()
    .describe(`card, ${otherMethodIds.join(', ')}, or sumup for another`),
  customerEmail: z.string().nullable(),
  refundedAmount: money.describe('Refunds only; what a bank took back is in chargedBackAmount'),
  chargedBackAmount: money.describe('What the buyer’s bank took back'),
  isTest: z
    .boolean()
    .describe('Paid in test mode: no money was taken, and nothing is to be delivered'),
  isPickup: z
    .literal(true)
    .exactOptional()
    .describe('Fetched at the shop’s pickup place, whose address is given; absent otherwise'),
  createdAt: time,
})

const note = z.string().exactOptional()

const isPaid = z
  .boolean()
  .describe(
    'Whether SumUp has confirmed the payment; an admin may create an order without, which no text may call paid',
  )

export const publicOrder = orderFields
  .extend({
    isPaid,
    isOwn: z.boolean().describe('Whether the personal parts are complete'),
    customerName: z.string().nullable().exactOptional(),
    customerPhone: z.string().nullable().exactOptional(),
    shippingAddress: addressFields
      .extend({ lastName: part, address: part, city: part, postcode: part })
      .describe('For others than the buyer the country alone'),
    billingAddress: address.nullable().exactOptional(),
    shipment: shipment.nullable().exactOptional().describe('For the buyer only'),
    note: note.describe('What the buyer wrote; for the buyer only, absent where it is nothing'),
  })
  .meta({
    id: 'PublicOrder',
    description:
      'An order as its buyer sees it. Others who know its id get the personal parts masked or left out.',
  })

export const adminOrder = orderFields
  .extend({
    number: z.int().describe('Short, such as 1042'),
    customerPhone: z.string().nullable(),
    customerName: z.string().nullable(),
    shippingAddress: address,
    billingAddress: address.nullable(),
    sumupCheckoutId: z.string().nullable(),
    sumupTransactionId: z.string().nullable(),
    shipment: shipment.nullable().describe('Carrier and tracking, where an admin gave them'),
    acceptsNewsAt: time.nullable().describe('When the buyer asked for news and offers'),
    maybeDuplicateOf: id
      .nullable()
      .describe(
        'An order of the same person for the same product at the same price, shortly before this one',
      ),
    note: note.describe('What the buyer wrote, where the product asked for it'),
    isOversold: z
      .literal(true)
      .exactOptional()
      .describe('No piece of the stock was left when it was paid; absent otherwise'),
    isCodeOverused: z
      .literal(true)
      .exactOptional()
      .describe('Its discount code was used up when it was paid; absent otherwise'),
    isChoiceMissing: z
      .literal(true)
      .exactOptional()
      .describe(
        'It names no value that its product has, so no piece was taken off; absent otherwise',
      ),
    withdrawnAt: time.nullable().describe('When the buyer first stated to withdraw from it'),
    erasedAt: time
      .nullable()
      .describe('When the customer’s name, addresses and contact were erased'),
    updatedAt: time,
  })
  .meta({ id: 'AdminOrder', description: 'An order as admins see it.' })

export const orderOfAdmin = adminOrder.extend({ isOwn: z.literal(true), isPaid })

export const matchedOrders = z
  .object({
    asked: z.string(),
    orders: z.array(adminOrder).describe('None, the one that is meant, or the first two'),
  })
  .meta({
    id: 'MatchedOrders',
    description: 'The orders with a number, or whose ids begin like it.',
  })

export const orderCounts = z.record(status, count).meta({
  id: 'OrderCounts',
  description: 'How many orders there are in each status.',
})

export const foundOrders = z.object({ count, isMore: z.boolean() }).meta({
  id: 'FoundOrders',
  description: `Of more than ${maxFoundOrders} orders the rest is not counted, and \`isMore\` is true.`,
})

export const orderMark = z.object({ id, status }).meta({ id: 'OrderMark' })

/** One field of an order that an admin has corrected. */
export const correction = z.object({
  field: z.string(),
  from: z.string().nullable().describe('Null where it was empty'),
  to: z.string().nullable(),
})

export const mailFate = z.object({
  kind: z.string().describe('confirmation, shipped or new-sale, for example'),
  state: z.enum(mailStates),
  attempts: count,
  reason: z.string().nullable().describe('Why it was not sent, or not yet'),
})

export const orderEvent = z
  .object({
    who: z.string().describe('An admin’s email, or `Shop` for what happens automatically'),
    at: time,
    event: z
      .string()
      .describe(
        'placed, status, tracking-added, tracking-changed, tracking-removed, refunded, charged-back, corrected, confirmation-resent, withdrawn, withdrawal-handled, mail or erased',
      ),
    from: status.nullable(),
    to: status.nullable(),
    amount: money.nullable().describe('What was refunded or charged back'),
    corrections: z
      .array(correction)
      .nullable()
      .describe('What was corrected; null once the customer was erased'),
    mail: mailFate.nullable().describe('What became of a mail'),
  })
  .meta({ id: 'OrderEvent', description: 'An entry of an order’s timeline.' })

export const orderNote = z
  .object({ id, who: z.string().describe('An admin’s email'), at: time, text: z.string() })
  .meta({ id: 'OrderNote', description: 'What an admin wrote about an order, for admins only.' })

export const testData = z
  .object({
    mode: z
      .enum(['test', 'live'])
      .describe('In test mode it counts and is listed; in a live shop it is hidden'),
    orders: count,
    reviews: count.describe('Payments that wait for a decision'),
  })
  .meta({ id: 'TestData', description: 'What was made in test mode and is still there.' })

export const removedTestData = z
  .object({ orders: count, payments: count, events: count })
  .meta({ id: 'RemovedTestData', description: 'How much of it was removed.' })

export const openCheckout = z
  .object({
    checkoutId: z.string(),
    amount: money,
    currency: z.enum(currencyCodes),
    validUntil: time.describe('Until when a card can be paid on it'),
    mayLeavePage: z
      .literal(true)
      .exactOptional()
      .describe('Paying may lead away from the page, and back'),
    visitorCountry: z
      .enum(worldCountries)
      .nullable()
      .describe('Where the visitor seems to be, where that is known and the shop delivers there'),
  })
  .meta({
    id: 'OpenCheckout',
    description: 'The payment form of one browser for one product.',
  })

export const checkoutStatus = z
  .discriminatedUnion('state', [
    z.object({ state: z.enum(['open', 'at-bank', 'declined', 'closed', 'too-many-cards']) }),
    z.object({ state: z.literal('waiting'), reason: z.enum(waitingReasons) }),
    z.object({ state: z.literal('paid'), orderId: id }),
    z.object({ state: z.literal('review'), reason: z.enum([...reviewReasons, 'dismissed']) }),
  ])
  .meta({ id: 'CheckoutStatus', description: 'What is known about a payment.' })

export const checkoutDetails = z
  .object({
    customerEmail: z.string().exactOptional(),
    customerName: z.string().exactOptional(),
    customerPhone: z.string().exactOptional(),
    shippingAddress: address,
    billingAddress: address.exactOptional(),
    isPickup: z.literal(true).exactOptional().describe('Fetched at the shop’s pickup place'),
    acceptsNews: z.boolean(),
    note,
    language: z.enum(languageCodes).exactOptional().describe('Of the page on which it was typed'),
  })
  .meta({ id: 'CheckoutDetails', description: 'What a buyer typed.' })

export const reviewEntry = z
  .object({
    id,
    version: z
      .string()
      .describe('Sent back with a decision, which is refused if the entry has changed since'),
    state: z.enum(reviewStates),
    reason: z.enum(reviewReasons),
    product: z
      .object({ id, name: z.string(), choice: chosenValue.exactOptional() })
      .nullable()
      .describe('Null for a payment without a sale'),
    amount: money
      .nullable()
      .describe('The price of the sale; for a payment without a sale, what was paid, if known'),
    currency: z.string().nullable(),
    paid: z
      .object({ amount: money, currency: z.string() })
      .nullable()
      .describe('What SumUp says was paid, where that is not the sale’s amount'),
    refundedAmount: money.describe('Refunds only; what a bank took back is in chargedBackAmount'),
    chargedBackAmount: money.describe('What the buyer’s bank took back'),
    refund: z
      .object({
        amount: money,
        askedAt: time,
        isOtherAccount: z
          .literal(true)
          .exactOptional()
          .describe('The account in use now cannot be asked about it'),
      })
      .nullable()
      .describe('A refund of which it is not known yet whether it was done'),
    conflict: z
      .string()
      .nullable()
      .describe('What SumUp said about the payment first, and what it said later'),
    transactionCode: z.string().nullable(),
    paymentMethod: z
      .string()
      .nullable()
      .describe('As of orders, where SumUp has named something else than a card'),
    isTest: z.boolean().describe('Made in test mode: no money moved'),
    details: checkoutDetails.nullable().describe('What the buyer typed, where they got that far'),
    createdAt: time.describe('When the checkout was opened, or the payment was made'),
    isPaid: z.boolean().describe('Whether SumUp has confirmed a payment that was not given back'),
    canOrder: z.boolean().describe('Whether an order can be made'),
    canRefund: z.boolean().describe('Whether SumUp can be asked to refund'),
    canDismiss: z.boolean().describe('Not while a refund was asked for lately'),
    orderId: id.nullable().describe('The order that the payment belongs to or became'),
    note: z.string().nullable(),
    handledAt: time.nullable(),
    handledBy: z.string().nullable().describe('An admin’s email; null if settled automatically'),
  })
  .meta({ id: 'ReviewEntry', description: 'A payment that an admin decides about.' })

export const bulkChange = z
  .object({
    id,
    who: z.string().describe('An admin’s email'),
    at: time,
    to: status,
    orders: count.describe('How many it has changed'),
    undoable: count.describe('How many of those nobody has changed since'),
    undoneAt: time.nullable(),
    undoneBy: z.string().nullable(),
  })
  .meta({ id: 'BulkChange' })

export const undoneBulkChange = z
  .object({
    changes: z.array(z.object({ id, from: status, to: status })),
    leftAlone: count.describe('Orders that were changed since'),
  })
  .meta({ id: 'UndoneBulkChange' })

const refundState = z
  .enum(refundStates)
  .describe('`done` only once SumUp shows it; `unknown`: SumUp has not said yet')
const problem = z
  .string()
  .nullable()
  .describe('Why it failed, or why nobody can ask what became of it, in plain words')

export const orderRefunds = z
  .object({
    version: z
      .string()
      .describe('Sent back with a refund, which is refused if the payment has changed since'),
    left: money.describe('What the shop still has of the payment'),
    currency: z.string(),
    blockedBy: z.string().nullable().describe('Why nothing can be refunded now, in plain words'),
    freeAmount: money.describe('A refund of more than this needs the password of the admin'),
    hasPiece: z
      .literal(true)
      .exactOptional()
      .describe(
        'Its piece was taken from a stock since that was last counted, and may come back; absent otherwise',
      ),
    refunds: z.array(
      z.object({
        id,
        isOfOrder: z.boolean().describe('False for one of another payment of the same sale'),
        amount: money,
        state: refundState,
        problem,
        who: z.string().describe('An admin’s email'),
        askedAt: time,
        endedAt: time.nullable(),
      }),
    ),
  })
  .meta({
    id: 'OrderRefunds',
    description: 'What was refunded of an order from here, newest first, and what can be.',
  })

export const refundOutcome = z
  .object({
    state: refundState,
    amount: money,
    problem,
    left: money,
    isPaidAgain: z.boolean().describe('Paid twice: the other payment pays for the order now'),
  })
  .meta({ id: 'RefundOutcome', description: 'What became of a refund, as far as SumUp shows it.' })
