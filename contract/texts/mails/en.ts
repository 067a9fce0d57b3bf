import type { TextsLike } from '#contract/languages.ts'

/**
 * What mails to buyers say. The withdrawal function's labels and what is said of money that went back are those of buyers'
 * pages, so that page and mail never differ.
 */
export const mails = {
  /** Subjects that name the shop last. */
  subjectOfShop: '{subject}: {shop}',
  next: 'What’s next',
  /** Followed by the shop's address and a full stop. */
  questions: 'Questions? Reply to this mail, or write to',
  testOrder: {
    notice: 'This is a test order: no money was taken, and nothing will be delivered.',
    meantFor: 'It was meant for {address}. Mails of test orders go to the shop, never to a buyer.',
  },
  testPayment: {
    notice: 'This is a test payment: no money was taken, and nothing will be delivered.',
    meantFor:
      'It was meant for {address}. Mails of test payments go to the shop, never to a buyer.',
  },
  labels: {
    orderNumber: 'Order number',
    quantity: 'Quantity {count}',
    subtotal: 'Subtotal',
    shipping: 'Shipping',
    free: 'Free',
    total: 'Total ({currency})',
    vat: 'Including {rate}% VAT',
    shippingAddress: 'Shipping address',
    pickupAt: 'Pickup at',
    pickupHours: 'Opening hours',
    billingAddress: 'Billing address',
    payment: 'Payment',
    card: 'Card',
    seller: 'Seller',
    vatNumber: 'VAT number {number}',
    parcel: 'Parcel',
    trackingNumber: 'Tracking number {number}',
    product: 'Product',
    price: 'Price',
  },
  buttons: {
    viewOrder: 'View your order',
    track: 'Track your parcel',
    buyAgain: 'Buy again',
  },
  confirmation: {
    subject: 'Your order from {shop} is confirmed',
    preview: '{product}, {price}. We are getting it ready.',
    title: 'Thank you!',
    confirmed: 'Your order has been confirmed.',
    paid: 'Your order has been confirmed and paid.',
    getReady: 'We get your order ready and send it to the address above.',
    getReadyForPickup: 'We get your order ready and write to you as soon as you can pick it up.',
    link: 'The link below shows how your order stands. It works for {days} days.',
    keep: 'Keep this mail. The order number is all we need to help you.',
    /** Once all the money went back. */
    returnedSubjects: {
      refund: 'Your order from {shop} was refunded',
      chargeback: 'Your order from {shop} was charged back',
      both: 'Your order from {shop} was refunded and charged back',
    },
  },
  shipped: {
    subject: 'Your order from {shop} is on its way',
    preview: '{product} was sent to you.',
    title: 'On its way',
    lead: 'Your parcel was handed to the carrier.',
    testLead: 'This is how a buyer reads that a parcel is on its way.',
    tracking: 'It can take a day until the carrier shows where the parcel is.',
    link: 'Your order’s page shows how it stands. Its link works for {days} days.',
  },
  /** Instead of `shipped`, for orders that are picked up. */
  readyForPickup: {
    subject: 'Your order from {shop} is ready for pickup',
    preview: '{product} is ready for you.',
    title: 'Ready for pickup',
    lead: 'Your order is ready. You can pick it up at the place below.',
    testLead: 'This is how a buyer reads that an order is ready for pickup.',
    bring: 'Please bring the order number.',
  },
  unshipped: {
    subject: 'A correction about your order from {shop}',
    preview: 'What we wrote about {product} was too early.',
    title: 'A correction',
    notSent: 'We wrote that your order is on its way. That was not right: it has not left us yet.',
    notReady:
      'We wrote that your order is ready for pickup. That was not right: please do not come before we write again.',
  },
  refunded: {
    subject: '{amount} refunded: your order from {shop}',
    title: 'Your refund',
    lead: '{amount} went back to your card.',
    testLead: '{amount} of this test order count as paid back. No money has moved.',
    statement: 'It can take some days until your card statement shows it.',
    /** Not paid by card. */
    leadOtherwise: '{amount} went back the way you paid.',
    statementOtherwise: 'It can take some days until you see it there.',
  },
  /** A sale that was in review and ended without an order. */
  sale: {
    noOrder: 'No order was created, and nothing will be sent.',
    /** Where the shop has named no address; followed by a full stop. */
    askShop: 'Questions? Ask the shop where you wanted to buy',
  },
  'payment-returned': {
    subject: 'Your payment was returned',
    testLead: 'The payment was returned, as far as a test goes.',
  },
  'not-charged': {
    subject: 'Your card was not charged',
    /** Not paid by card. */
    subjectOtherwise: 'You were not charged',
    lead: 'We have looked at your payment: nothing was charged.',
    buyAgain: 'If you still want it, you can buy it again.',
  },
  'payment-closed': {
    subject: 'Your payment was looked at',
    lead: 'The shop has looked at your payment. No order was created from it.',
    ask: 'If your card statement shows the amount, or if you expect a delivery, ask the shop.',
    /** Not paid by card. */
    askOtherwise:
      'If you see that the amount was taken, or if you expect a delivery, ask the shop.',
    keep: 'Keep this mail: it names what you wanted to buy.',
  },
  withdrawal: {
    subject: 'We have received your withdrawal',
    lead: 'We have received your statement that you withdraw from a purchase.',
    yourStatement: 'Your statement',
    statement: 'I hereby withdraw from my contract of sale about the order named here.',
    name: 'Name',
    email: 'Email',
    received: 'Received',
    /** Instead of a name or number that looks like none. */
    notQuoted: 'as you typed it',
    keep: 'Keep this mail: it shows what you have stated, and when.',
    receiptOnly: 'It confirms the receipt only. The shop looks at your withdrawal next.',
    notYou: 'If you did not state this, please tell the shop.',
    /** In the confirmation of an order. */
    online: 'You can withdraw online: choose “{here}” below, or on the page of your order.',
  },
}

/** The same texts in any language. */
export type MailTexts = TextsLike<typeof mails>
