import { z } from 'zod'
import { id } from '#contract/answers/fields.ts'
import {
  checkoutStatus,
  openCheckout,
  publicOrder,
  removedTestData,
  reviewEntry,
  testData,
} from '#contract/answers/orders.ts'
import { passwordProofSchema } from '#contract/admin.ts'
import { linkActivity, linkHealth } from '#contract/answers/products.ts'
import { maxReviewEntries } from '#contract/checkouts.ts'
import {
  checkoutDetailsSchema,
  dismissalSchema,
  formIdSchema,
  newCheckoutSchema,
  newOrderSchema,
  reviewOrderSchema,
  reviewVersionSchema,
} from '#contract/order-schemas.ts'
import { apiRoutes } from '#contract/paths.ts'
import { productDraftSchema } from '#contract/products.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { defineOperations } from '#server/http/openapi.ts'
import { reviewQuerySchema } from './review-routes.ts'
import { maxCallsPerBuyer, maxWebhooksPerSale, webhookSchema } from './routes.ts'

const exampleId = '3f0c9a52-7d1b-4c5e-9a53-0b6a1f0f7c11'

const exampleDetails = {
  customerEmail: 'anna@example.com',
  shippingAddress: {
    country: 'Germany',
    firstName: 'Anna',
    lastName: 'Muster',
    address: 'Weg 1',
    city: 'Berlin',
    postcode: '10115',
  },
}

const atOpen: RefusalCode[] = [
  'product-missing',
  'product-paused',
  'price-changed',
  'price-without-cents',
  'price-not-payable',
  'mode-changed',
  'payment-missing',
  'already-paid',
  'payment-in-review',
  'card-at-bank',
  'card-under-way',
  'payments-away',
  'too-many-checkouts',
  'too-many-cards',
]

const sales = defineOperations('Checkouts', 'public', {
  [`POST ${apiRoutes.createCheckout}`]: {
    summary: 'Opens the payment form of a browser for a product, or returns the one it has.',
    note: 'Amount and currency are only compared: the server charges the product’s price. The card itself is entered in SumUp’s widget and never reaches the shop.',
    body: newCheckoutSchema,
    example: { productId: exampleId, amount: '24.00', currency: 'EUR' },
    answers: { 200: openCheckout },
    headers: { 'Set-Cookie': 'Names this browser, which alone can use the form.' },
    refusals: atOpen,
  },
  [`PUT ${apiRoutes.checkoutDetails}`]: {
    summary: 'Saves contact, delivery and billing, before any card is submitted.',
    body: z.intersection(checkoutDetailsSchema, formIdSchema),
    example: exampleDetails,
    answers: { 204: null },
    refusals: [
      'payment-missing',
      'product-missing',
      'product-paused',
      'already-paid',
      'checkout-expired',
      'card-under-way',
      'payment-in-review',
      'payments-away',
      'too-many-cards',
    ],
    isOfBuyer: true,
  },
  [`GET ${apiRoutes.checkout}`]: {
    summary: 'Tells what is known about a payment.',
    note: `The shop asks SumUp; ${maxCallsPerBuyer} calls a minute for each browser.`,
    answers: { 200: checkoutStatus },
    refusals: ['payment-missing', 'foreign-origin'],
    isOfBuyer: true,
  },
  [`POST ${apiRoutes.startOver}`]: {
    summary: 'Gives up a card that may be at the bank, for a new form.',
    answers: { 204: null },
    refusals: [
      'payment-missing',
      'already-paid',
      'payment-in-review',
      'card-at-bank',
      'card-under-way',
      'payments-away',
    ],
    isOfBuyer: true,
  },
  [`POST ${apiRoutes.orders}`]: {
    summary: 'Makes the order of a payment, once: again it answers the same order with 200.',
    note: 'Sent after paying. Price, status and payment are decided by the server. 202 while the bank has not answered.',
    body: newOrderSchema,
    example: { sumupCheckoutId: exampleId, ...exampleDetails },
    answers: { 200: publicOrder, 201: publicOrder, 202: checkoutStatus },
    refusals: [
      'payment-missing',
      'product-missing',
      'product-paused',
      'payment-declined',
      'too-many-cards',
      'checkout-expired',
      'already-paid',
      'card-under-way',
      'payment-in-review',
    ],
    isOfBuyer: true,
  },
  [`POST ${apiRoutes.paymentWebhook}`]: {
    summary: 'Takes SumUp’s message that a checkout has changed.',
    note: `The message is never believed: the shop asks SumUp. ${maxWebhooksPerSale} a minute for each payment.`,
    query: z.object({
      key: z.string().optional().describe('Of the address that SumUp was given'),
    }),
    body: webhookSchema,
    example: { event_type: 'CHECKOUT_STATUS_CHANGED', id: exampleId },
    answers: { 204: null },
    refusals: ['payment-missing'],
  },
})

const open: RefusalCode[] = ['review-missing', 'review-done', 'review-changed']
const exampleVersion = '3f0c9a527d1b4c5e'

const reviews = defineOperations('Payments in review', 'admin', {
  [`GET ${apiRoutes.review}`]: {
    summary: 'Lists payments that an admin has to decide about, or those that were resolved.',
    note: `At most ${maxReviewEntries}; one more is sent if there are more.`,
    query: reviewQuerySchema,
    answers: { 200: z.array(reviewEntry) },
  },
  [`POST ${apiRoutes.reviewOrder}`]: {
    summary: 'Creates an order of a payment.',
    note: 'The product is needed for a payment without a sale, the details where the buyer gave none.',
    body: reviewOrderSchema,
    example: { version: exampleVersion, details: exampleDetails },
    answers: { 201: z.object({ orderId: id }) },
    refusals: [
      ...open,
      'product-missing',
      'order-impossible',
      'payment-returned',
      'refund-running',
      'payments-away',
    ],
  },
  [`POST ${apiRoutes.reviewRefund}`]: {
    summary: 'Refunds a payment through SumUp, never twice.',
    note: '204 once SumUp shows the refund. Until it is known the payment stays in review, and nothing else is decided about it.',
    body: reviewVersionSchema,
    example: { version: exampleVersion },
    answers: { 204: null },
    refusals: [
      ...open,
      'payment-returned',
      'refund-impossible',
      'refund-running',
      'refund-refused',
      'refund-unknown',
      'payments-away',
    ],
  },
  [`POST ${apiRoutes.reviewDismiss}`]: {
    summary: 'Dismisses a payment, with the reason.',
    body: dismissalSchema,
    example: { version: exampleVersion, note: 'Settled by phone.' },
    answers: { 204: null },
    refusals: [...open, 'refund-running'],
  },
  [`POST ${apiRoutes.reviewRestore}`]: {
    summary: 'Undoes a dismissal.',
    body: reviewVersionSchema,
    example: { version: exampleVersion },
    answers: { 204: null },
    refusals: open,
  },
})

const tests = defineOperations('Test orders', 'admin', {
  [`GET ${apiRoutes.testData}`]: {
    summary: 'Counts what was made in test mode and is still there.',
    answers: { 200: testData },
  },
  [`POST ${apiRoutes.removeTestData}`]: {
    summary: 'Deletes all test orders, with their payments and figures.',
    body: passwordProofSchema,
    example: { password: '…' },
    answers: { 200: removedTestData },
    refusals: ['wrong-password', 'too-many-logins'],
  },
})

const links = defineOperations('Products', 'admin', {
  [`GET ${apiRoutes.linkHealth}`]: {
    summary: 'Checks whether checkout links work.',
    answers: { 200: linkHealth },
  },
  [`GET ${apiRoutes.linkActivity}`]: {
    summary: 'Tells when a checkout link was last used.',
    answers: { 200: linkActivity },
    refusals: ['product-missing'],
  },
  [`POST ${apiRoutes.productPreview}`]: {
    summary: 'Renders the checkout page of an unfinished product.',
    note: 'What is not valid yet is shown as a placeholder.',
    body: productDraftSchema,
    example: { name: 'Harbour Mug', price: '24.00', currency: 'EUR' },
    answers: { 200: z.object({ html: z.string() }) },
  },
})

export const checkoutOperations = { ...links, ...sales, ...reviews, ...tests }
