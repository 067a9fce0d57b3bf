import { z } from 'zod'
import { languageCodes } from '#contract/languages.ts'
import { count, id, money, time } from './fields.ts'
import { adminOrder, checkoutDetails, orderEvent } from './orders.ts'

const customerEvent = z.object({
  type: z.string(),
  at: time,
  address: z.string().nullable(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  device: z.string().nullable(),
  browser: z.string().nullable(),
  os: z.string().nullable(),
  referrer: z.string().nullable(),
})

const mail = z.object({
  kind: z.string(),
  createdAt: time,
  sentAt: time.nullable(),
  givenUpAt: time.nullable(),
})

export const customerData = z
  .object({
    email: z.string(),
    exportedAt: time,
    orders: z.array(
      adminOrder.extend({
        timeline: z
          .array(orderEvent.omit({ who: true, mail: true }))
          .describe('Without the names of admins'),
        notes: z
          .array(z.object({ at: time, text: z.string() }))
          .describe('What admins wrote about the order'),
        mails: z.array(mail),
        events: z
          .array(customerEvent)
          .describe('What analytics knows about the visits that led to the order'),
      }),
    ),
    checkouts: z
      .array(
        z.object({
          id,
          createdAt: time,
          product: z.string(),
          amount: money,
          currency: z.string(),
          state: z.string(),
          details: checkoutDetails.nullable(),
          visitor: z.looseObject({}).nullable(),
          mails: z.array(mail).describe('About a payment in review that became no order'),
        }),
      )
      .describe('What was typed on the checkout page, whether or not it became an order'),
    payments: z
      .array(
        z.object({
          status: z.string().describe('pending, successful or failed'),
          amount: money.nullable(),
          currency: z.string().nullable(),
          transactionCode: z.string().nullable(),
          madeAt: time.nullable(),
          refundedAmount: money,
          chargedBackAmount: money,
        }),
      )
      .describe('SumUp’s payments for these orders and checkouts'),
    reviews: z
      .array(
        z.object({
          reason: z.string(),
          state: z.string(),
          openedAt: time,
          handledAt: time.nullable(),
          note: z.string().nullable(),
        }),
      )
      .describe('What an admin had to decide about these payments'),
    withdrawals: z
      .array(
        z.object({
          statedAt: time,
          orderId: id.nullable(),
          name: z.string(),
          orderNumber: z.string(),
          email: z.string(),
          language: z.enum(languageCodes).nullable().describe('Of the page on which it was stated'),
          handledAt: time.nullable(),
          note: z.string().nullable(),
        }),
      )
      .describe('Statements to withdraw from a purchase'),
    consents: z
      .array(z.object({ orderId: id, newsAndOffersAt: time }))
      .describe('When the customer agreed to news and offers'),
  })
  .meta({ id: 'CustomerData', description: 'Everything stored about one email address.' })

export const erasedCustomer = z
  .object({
    orders: z
      .array(
        z.object({
          id,
          createdAt: time,
          product: z.string(),
          amount: money,
          currency: z.string(),
          country: z.string(),
          sumupTransactionId: z.string().nullable(),
        }),
      )
      .describe('Kept for the books'),
    checkouts: count,
    remains: z.array(z.string()).describe('In sentences: what remains, and until when'),
  })
  .meta({ id: 'ErasedCustomer', description: 'What an erasure did, and what is left.' })
