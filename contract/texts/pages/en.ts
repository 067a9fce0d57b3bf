import type { TextsLike } from '#contract/languages.ts'

/** What stands on buyers' pages beside what their script says: it is rendered on the server and never sent as data. */
export const en = {
  titles: {
    checkout: '{product} · Checkout',
    paused: '{product} · Paused',
    soldOut: '{product} · Sold out',
    thankYou: 'Thank you! · {shop}',
  },
  language: 'Language',
  checkout: {
    title: 'Checkout',
    testMode: 'Test mode',
    needsScript: 'Paying here needs JavaScript. Please switch it on and load this page again.',
    summary: 'Order summary',
    showSummary: 'Show order summary',
    hideSummary: 'Hide order summary',
    quantity: 'Quantity {count}',
    fewLeft: 'Only {count} left',
    subtotal: 'Subtotal',
    shipping: 'Shipping',
    free: 'Free',
    total: 'Total',
    codeNotValid:
      'The discount code in the link is not valid for this purchase. The price is shown without it.',
  },
  recent: {
    label: 'Your last order',
    justNow: 'You bought this just now.',
    oneMinute: 'You bought this 1 minute ago.',
    minutes: 'You bought this {minutes} minutes ago.',
    isTest: 'It was a test order: no money was taken.',
    isPaid: 'It is paid, and there is no need to pay again.',
    see: 'See your order',
  },
  footer: {
    newTab: '(opens in a new tab)',
    close: 'Close',
    thisShop: 'this shop',
    atStart: 'This shop',
    writeTo: 'Write to {email}.',
    reach: 'You reach {shop} on the website, or in the message, that led you here.',
    refund: 'Refund policy',
    /** `refunds`: one of the two that follow. */
    refundTexts: [
      'If something is wrong with your order, {shop} wants to know. {contact}',
      'Please name your order number; it is on the page after your purchase and in every email about your order. {refunds} Your rights by law stay as they are.',
    ],
    refundsToCard: 'Refunds go back to the card that was used.',
    /** Where more than cards is taken. */
    refundsOtherwise: 'Refunds go back the way you paid.',
    shipping: 'Shipping policy',
    shippingTexts: [
      '{theShop} sends your order by Standard Shipping to the address that you enter here. Shipping is free.',
      'Questions about your delivery? {contact}',
    ],
    pricedShippingTexts: [
      '{theShop} sends your order by Standard Shipping to the address that you enter here. What shipping costs is shown before you pay.',
      'Questions about your delivery? {contact}',
    ],
    pickupText: 'You can pick your order up at: {place}',
    privacy: 'Privacy policy',
    privacyTexts: [
      '{theShop} uses what you enter here to process your order, to deliver it and to write to you about it. News is only sent if you ask for it.',
      'Your card details go straight to SumUp, the payment provider. The shop neither sees nor keeps them. If you choose to save your information, it stays on this device.',
      'To see, correct or delete what is kept about you: {contact}',
    ],
    terms: 'Terms of service',
    termsTexts: [
      'By paying you order the product shown here from {shop} at the total shown here. The contract is made when the payment is confirmed{mailed}.',
      'Questions? {contact}',
    ],
    termsMailed: '; you receive an email that says so',
    contact: 'Contact',
    contactTexts: ['You buy from {shop}, which has named no email address here. {contact}'],
    imprint: 'Imprint',
    vatNumber: 'VAT number: {number}',
  },
  missing: {
    'Product not found': 'Product not found',
    'Order not found': 'Order not found',
    'Page Not Found': 'Page Not Found',
    productReason:
      'This product is no longer for sale, or the link is missing a piece. Please ask the shop that sent it to you for a new one.',
    orderReason: 'There is no order at this address. Please check the link for a missing piece.',
    /** While a restored shop is being looked through. */
    lostOrderReason:
      'The shop was restored from a backup and may not know the latest orders yet. If you have paid, there is no need to pay again: please write to the shop, so that it can look for your order.',
    pageReason:
      'There is nothing at this address. Check the link for a missing piece, or ask the shop that sent it to you for a new one.',
  },
  paused: {
    title: 'Not for sale right now',
    text: 'The shop has paused the sale of {product}. Please come back later. If you have just paid, your order goes on as usual.',
  },
  soldOut: {
    title: 'Sold out',
    text: 'All pieces of {product} are sold, or are being paid for by others right now. If you have just paid, your order goes on as usual.',
  },
  problem: 'This page is not available right now',
  thankYou: {
    yourOrder: 'Your order',
    title: 'Thank you!',
    confirmed: 'Your order has been confirmed',
    mailSent: 'A confirmation email is on its way to {email}',
    mailOfTest: 'As this is a test, no confirmation email is sent to {email}',
    noMails: 'This shop sends no emails. Please keep the address of this page.',
    testOrder: 'Test order:',
    testNote: 'no money was taken, nothing will be delivered.',
    orderNumber: 'Order number',
    copyOrderNumber: 'Copy order number',
    status: 'Status',
    date: 'Date',
    parcel: 'Parcel',
    copyTracking: 'Copy tracking number',
    track: 'Track your parcel',
    shippingAddress: 'Shipping address',
    pickupAt: 'Pickup at',
    pickupHours: 'Opening hours',
    billingAddress: 'Billing address',
    paymentMethod: 'Payment method',
    card: 'Card',
    preparing: 'Being prepared',
    onItsWay: 'On its way',
    readyForPickup: 'Ready for pickup',
    completed: 'Completed',
    vat: 'Including {rate}% VAT',
    sellersVatNumber: 'VAT number {number}',
    print: 'Print',
    changedYourMind: 'Changed your mind?',
    next: "What's next",
    done: '(done)',
    steps: {
      paid: 'The shop has your order and your payment',
      unpaid: 'The shop has your order',
      packed: 'Your order is prepared and packed',
      sent: 'Your parcel is on its way by Standard Shipping',
      pickup: 'You can pick your order up',
    },
    testSteps: {
      paid: 'The shop has your test order, and no payment',
      packed: 'A real order would now be prepared and packed',
      sent: 'A real parcel would then be on its way by Standard Shipping',
      pickup: 'A real order could then be picked up',
    },
  },
  returned: {
    titles: {
      refund: 'Your order was refunded',
      chargeback: 'Your order was charged back',
      both: 'Your order was refunded and charged back',
    },
    labels: {
      refund: 'Refunded',
      chargeback: 'Charged back',
      both: 'Refunded and charged back',
    },
    refunded:
      '{amount} went back to your card. It can take some days until your card statement shows it.',
    chargedBack: 'Your bank took {amount} back from the shop.',
    /** Not paid by card. */
    refundedOtherwise:
      '{amount} went back the way you paid. It can take some days until you see it there.',
    chargedBackOtherwise: 'Your bank or payment service took {amount} back from the shop.',
  },
  withdrawal: {
    /** The labels that the law gives: unmistakable, and the same wherever the function is. */
    here: 'Withdraw from contract here',
    confirm: 'Confirm withdrawal',
    policy: 'Right of withdrawal',
    received: 'Your withdrawal was received',
    which: 'Tell us which purchase you withdraw from. You need not give a reason.',
    name: 'Your name',
    orderNumber: 'Order number',
    orderNumberHint: 'It is on the page after your purchase and in every email about it.',
    email: 'Email',
    emailHint: 'The one that you bought with.',
    continue: 'Continue',
    change: 'Change details',
    aboutToState: 'You are about to state:',
    statement: 'I hereby withdraw from my contract of sale about the order {orderNumber}.',
    receivedText:
      'We have received your withdrawal on {receivedAt}. We acknowledge it by email to {email}, with its content, date and time, unless too many of these mails were sent in the last hour.',
    receivedTestText:
      'We have received your withdrawal on {receivedAt}. We acknowledge it by email to {email} only if order number and email belong to an order that was no test, and unless too many of these mails were sent in the last hour.',
    receivedUnmailedText:
      'We have received your withdrawal on {receivedAt}. This shop sends no emails: please keep a copy of this page.',
  },
}

/** The same texts in any language. */
export type PageTexts = TextsLike<typeof en>
