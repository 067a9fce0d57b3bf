import type { SomeTexts, TextsLike } from '#contract/languages.ts'

/** What the script of a checkout says. It travels with the page, in the page's language only. */
export const checkout = {
  contact: {
    title: 'Contact',
    required: 'required',
    email: 'Email',
    didYouMean: 'Did you mean {domain}?',
    news: 'Email me with news and offers',
  },
  choice: {
    fewLeft: 'Only {count} left',
    chosen: '{name}: {value}',
  },
  delivery: {
    title: 'Delivery',
    keep: 'Save this information for next time',
    clear: 'Not you? Clear',
    kept: 'On this device only. Card details are never saved.',
    choose: 'Delivery or pickup',
    ship: 'Delivery',
    pickup: 'Pickup',
    pickupPhoneHint: 'Only for questions about the pickup.',
  },
  fields: {
    optional: '(optional)',
    country: 'Country',
    chooseCountry: 'Choose a country',
    firstName: 'First name',
    lastName: 'Last name',
    address: 'Address',
    apartment: 'Apartment',
    city: 'City',
    state: 'State',
    province: 'Province',
    prefecture: 'Prefecture',
    county: 'County',
    region: 'Region',
    emirate: 'Emirate',
    stateHint: 'Carriers need it',
    zipCode: 'ZIP code',
    postcode: 'Postcode',
    usuallyLike: 'Usually like {example}',
    phone: 'Phone',
    phoneHint: 'Only for questions about the delivery.',
    charactersLeft: 'Characters left: {count}',
  },
  errors: {
    title: 'There is a problem',
    forBilling: '{error} for billing',
    inTitle: 'Error: ',
    noEmail: 'Enter your email address',
    email: 'Enter an email like name@example.com',
    country: 'Choose a country',
    firstName: 'Enter a first name',
    lastName: 'Enter a last name',
    address: 'Enter an address',
    city: 'Enter a city',
    state: 'Enter a state or province',
    zipCode: 'Enter a ZIP code',
    postcode: 'Enter a postcode',
    choice: 'Choose: {name}',
    note: 'Fill in “{label}”',
    wrongField: 'Please check this entry.',
  },
  shipping: {
    title: 'Shipping method',
    addressFirst: 'Fill in your address to see how it will be delivered.',
    standard: 'Standard Shipping',
    ready: 'Ready to ship',
    free: 'Free',
    calculating: 'calculating…',
  },
  billing: {
    title: 'Billing address',
    same: 'Same as shipping address',
    other: 'Use a different billing address',
    none: 'No billing address',
  },
  payment: {
    title: 'Payment',
    card: 'Credit Card',
    secure: 'Secure and encrypted',
    charged: 'You will be charged {amount}',
    testCards: 'Test cards',
    copy: 'Copy {text}',
    succeeds: 'succeeds',
    asksForSecure: 'asks for 3-D Secure',
    testNote: 'Any future date and any CVC. Most other numbers are declined. No money moves.',
    loading: 'Loading...',
    stillLoading: 'If this stays so, your connection was lost. Please load this page again.',
    confirming: 'Confirming your payment…',
    bankPage: 'Does the page of your bank not work here?',
    leaveBankPage: 'Close it and wait for the bank',
    notLoaded: 'The payment form did not load.',
    checkConnection:
      'Please check your connection, and whether an ad blocker stops this form. Then try again.',
    needsCookies:
      'Your browser refuses cookies, which this form needs. Please allow them here and try again.',
    tryAgain: 'Try again',
    needsScript: 'The card form needs JavaScript.',
    due: 'Amount due',
    pay: 'Pay now',
    processing: 'Processing...',
    provider:
      'Your card details go straight to SumUp, our payment provider. This shop never sees them.',
  },
  /** While the shop does not answer. */
  connection: {
    lost: 'The shop cannot be reached right now.',
    typed: 'What you typed is kept, and this page goes on by itself when the connection is back.',
    unsent: 'Your card has not been sent yet. This page tries again by itself.',
    sent: 'Please do not pay again: this page goes on by itself when the connection is back.',
    noPayment:
      'The connection was lost, and no payment with your card has arrived. Please try again.',
  },
  withdrawal: {
    notice: 'You can withdraw from this purchase within {days} days.',
    policy: 'Right of withdrawal',
    notSent: 'It could not be sent. Please check your connection and try again.',
  },
  shop: {
    theShop: 'the shop',
    questions: 'Questions? Write to {shop}: {email}',
    questionsElsewhere:
      'Questions? You reach {shop} on the website, or in the message, that led you here.',
  },
  toasts: {
    region: 'Notifications (F8)',
    close: 'Close',
    lookAgain: 'Please look again',
    widgetError: 'Payment widget error',
    widgetErrorText: 'Failed to load payment form. Please refresh the page.',
    notReady: 'Payment not ready',
    notReadyText: 'Please wait for the payment form to load.',
    incomplete: 'Please complete all required fields',
    incompleteText: 'Fill in all required information before paying.',
    submissionFailed: 'Payment submission failed',
    submissionFailedText: 'Please try again or refresh the page.',
    orderFailed: 'Order failed',
    orderFailedText: 'Failed to create order. Please try again.',
    paymentFailed: 'Payment failed',
    paymentFailedText: 'Please check your card details and try again.',
    expiredText: 'The payment form had expired and nothing was charged. Please try again.',
    expiredUnknownText: 'The payment form had expired. Please try again.',
  },
  panels: {
    atBank: {
      title: 'Your bank is checking the payment',
      confirm:
        'Please confirm it there, for example in your banking app. There is no need to pay again: as soon as your bank says yes, your order is placed by itself.',
      goesOn: 'This page goes on when your bank has answered.',
      button: 'I did not finish at my bank',
      stillThere:
        'Your bank still has this payment, so we cannot open a new form yet. Please finish there or wait a little: this page goes on by itself.',
      unavailable: 'This did not work just now. Please try again in a moment.',
    },
    confirming: {
      title: 'Processing...',
      text: 'We are confirming your payment. Please keep this page open for a moment.',
    },
    delayed: {
      title: 'Your payment is being confirmed',
      text: 'This takes longer than usual. Please do not pay again: if your card was charged, your order is placed by itself.',
      close:
        'You can leave this page open, and it goes on by itself. You can also close it: opened again in this browser, it leads to your order once there is one.',
    },
    orderRefused: {
      title: 'Your order could not be created',
      text: 'Your card has been sent and will not be charged a second time. Please try again to create the order.',
    },
    notFound: {
      title: 'We cannot follow this payment from here',
      why: 'Cookies were cleared, the payment was begun in another browser, or the shop has no record of it.',
      before:
        'Before you pay again, please check whether your card was charged. If it was and you have no confirmation of an order, write to the shop.',
      sure: 'If you are sure that you have not paid, you can start over.',
      button: 'Start over',
    },
    tooManyCards: {
      title: 'Card payment is paused',
      text: 'A declined card is not charged. What you typed here is kept: load this page again later, and the card form comes back.',
    },
    notSold: {
      title: 'This product is no longer sold',
      paused: 'Not for sale right now',
      soldOut: 'Sold out',
      text: 'Your card was not sent, and nothing was charged.',
      unknownText:
        'Your card was not sent this time. If it was charged the time before, the shop learns of that payment by itself.',
    },
    review: {
      paid: 'We have your payment',
      paidText:
        'Your payment has arrived and the shop takes a look at it before the order goes on. There is no need to pay again.',
      paidWithoutDetails:
        'Your payment has arrived, but not where to send your order. Please write to the shop, so that it can go on. There is no need to pay again.',
      uncertain: 'Your payment is being looked at',
      uncertainText:
        'It is not certain yet whether your card was charged, so the shop looks into it. Please do not pay again until then.',
      whoWrites:
        'The shop can write to the email address that you gave. If you gave none yet, please write to the shop.',
      returned: 'Your payment was given back',
      returnedText:
        'It was returned before an order was made of it, so nothing is sent. If you did not expect this, please write to the shop.',
      dismissed: 'No order was made of this payment',
      dismissedText:
        'The shop has looked at this payment and did not make an order of it. If you have a question, please write to the shop.',
    },
  },
  /** What the server refuses, by its code; what stands here stands in contract/refusals.ts in English. */
  refusals: {
    'product-missing': 'Product not found',
    'page-outdated': 'This product has just been changed. Please look at the page once more.',
    'product-paused': 'The shop has paused the sale of this product. Please come back later.',
    'sold-out': 'All pieces are sold, or are being paid for by others right now.',
    'choice-missing': 'Please choose one of the values.',
    'choice-gone': 'What you chose was changed, or is no longer offered. Please choose again.',
    'value-sold-out':
      'What you chose is sold, or is being paid for by others right now. Please choose again.',
    'note-needed': 'This product needs a text from you. Please look at the page once more.',
    'not-delivered':
      'The shop does not offer this country, or this pickup place. Please choose again.',
    'price-changed': 'The price has changed. Please look at it once more.',
    'price-without-cents':
      'This product cannot be paid for, because its currency has no cents. Please tell the shop.',
    'price-not-payable':
      'This product cannot be paid for by card at its price and currency. Please tell the shop.',
    'mode-changed': 'This shop has just changed how it is paid. Please look at the page once more.',
    'payments-away': 'Card payments are not available right now. Please try again in a moment.',
    'too-many-checkouts':
      'Too many payments were begun from here. Please wait a few minutes and try again.',
    'too-many-holds':
      'Several payments of this were begun from here and not finished. Please wait an hour and try again, or contact the shop.',
    'too-many-cards': 'Too many cards were declined. Please wait a while or contact the shop.',
    'too-many-requests': 'Too many requests. Please wait a moment and try again.',
    'request-timeout': 'The request did not arrive in time. Please try again.',
    unexpected: 'Something went wrong on our side. Please try again.',
    unavailable: 'The shop is not available right now. Please try again in a moment.',
  },
}

/** The same texts in any language. */
export type CheckoutTexts = TextsLike<typeof checkout>

/** What a checkout says where there are ways to pay beside the card. It travels with the page only there. */
export const methods = {
  otherWays: 'Other ways to pay',
  backToCard: 'Back to card',
  /** The buttons of other methods say less than the law wants of a button that orders. */
  obliges: 'By paying you place an order with an obligation to pay.',
  replaced: 'Contact or delivery were changed in another tab. Please look at them once more.',
  /** Where nothing was tried, or given up: then nothing has failed. */
  noPayment: 'No payment has arrived. Please try again, or pay in another way.',
  /** In place of texts of the checkout that speak of cards, banks or both, by the same names. */
  instead: {
    payment: {
      provider:
        'Your payment goes straight to SumUp, our payment provider. This shop never sees the details of your card or account.',
      bankPage: 'Does the payment not go on here?',
      leaveBankPage: 'Close this and wait for the payment',
    },
    connection: {
      unsent: 'Nothing has been sent for a payment yet. This page tries again by itself.',
      noPayment: 'The connection was lost, and no payment has arrived. Please try again.',
    },
    toasts: {
      paymentFailedText: 'Please try again, or choose another way to pay.',
    },
    refusals: {
      'price-not-payable':
        'This product cannot be paid for at its price and currency. Please tell the shop.',
      'payments-away': 'Payments are not available right now. Please try again in a moment.',
      'too-many-cards':
        'Too many payments were declined or given up. Please wait a while or contact the shop.',
    },
    panels: {
      tooManyCards: {
        title: 'Payment is paused',
        text: 'Nothing is charged for a payment that was declined. What you typed here is kept: load this page again later, and the payment form comes back.',
      },
      atBank: {
        title: 'Your payment is not confirmed yet',
        confirm:
          'Please finish it where you pay, for example in the app of your bank. There is no need to pay again: as soon as it is confirmed, your order is placed by itself.',
        goesOn: 'This page goes on when it is confirmed.',
        button: 'I did not finish the payment',
        stillThere:
          'This payment is still under way, so we cannot open a new form yet. Please finish it or wait a little: this page goes on by itself.',
      },
      delayed: {
        text: 'This takes longer than usual. Please do not pay again: if you were charged, your order is placed by itself.',
      },
      orderRefused: {
        text: 'Your payment has been sent and you will not be charged a second time. Please try again to create the order.',
      },
      notFound: {
        before:
          'Before you pay again, please check whether you were charged. If you were and you have no confirmation of an order, write to the shop.',
      },
      notSold: {
        text: 'Your payment was not sent, and nothing was charged.',
        unknownText:
          'Your payment was not sent this time. If you were charged the time before, the shop learns of that payment by itself.',
      },
      review: {
        uncertainText:
          'It is not certain yet whether you were charged, so the shop looks into it. Please do not pay again until then.',
      },
    },
  } satisfies SomeTexts<CheckoutTexts>,
}

/** The same texts in any language. */
export type MethodTexts = TextsLike<typeof methods>

/** What is said of a price that has parts, on pages and in mails. It travels with a checkout only where the price has some. */
export const prices = {
  discount: 'Discount ({code})',
  pickup: 'Pickup',
  /** In place of a total, while the country is not known. */
  plusShipping: '{amount} + shipping',
  countryFirst: 'Choose a country above to see what delivery costs. Then you can pay here.',
  announced: 'Shipping: {shipping}. Total: {total}.',
  /** What the server refuses, by its code; what stands here stands in contract/price-refusals.ts in English. */
  refusals: {
    'country-needed': 'What delivery costs depends on the country. Please choose one.',
    'terms-changed': 'This price was agreed for another delivery. Please look at it once more.',
    'code-unknown': 'The discount code is not valid any more. Please look at the price without it.',
    'code-used-up': 'The discount code was used up by others. Please look at the price without it.',
  },
}

/** The same texts in any language. */
export type PriceTexts = TextsLike<typeof prices>

/** What stands on buyers' pages beside what their script says: it is rendered on the server and never sent as data. */
export const pages = {
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
export type PageTexts = TextsLike<typeof pages>

/** The instructions on withdrawal and the model form, after Annex I of Directive 2011/83/EU. */
export const withdrawal = {
  theShop: 'the shop',
  /** Only of a shop that sends mails. */
  confirmed: ' We then confirm by email without delay that we have received your withdrawal.',
  instructions: [
    'You have the right to withdraw from this contract within 14 days without giving any reason. The withdrawal period ends 14 days after the day on which you, or somebody you name who is not the carrier, receive the goods.',
    'To withdraw, tell us ({seller}) by a clear statement, such as a letter or an email, that you withdraw from this contract. You may use the model form below, but you need not.',
    'You can also withdraw online: choose “{here}” at the foot of the page where you bought, or on the page of your order.{confirmed}',
    'It is enough that you send your statement before the withdrawal period has ended.',
    'If you withdraw, we pay back all payments that we have received from you, including the cost of standard delivery, without undue delay and at the latest 14 days after the day on which we learn of your withdrawal. We use the means of payment that you used, unless we have expressly agreed otherwise, and charge you nothing for it. We may wait until we have the goods back, or until you have shown that you sent them, whichever is earlier.',
    'Send the goods back to us without undue delay and at the latest 14 days after the day on which you told us of your withdrawal. It is enough that you send them before the 14 days have ended. You bear the direct cost of returning the goods. You are liable only for a loss of value that comes from handling the goods more than is necessary to find out what they are and how they work.',
    'There is no right of withdrawal for goods that are made to your wishes or clearly personalised, nor for goods that spoil or expire quickly.',
  ],
  form: [
    'Model withdrawal form',
    '(Fill in and return this form only if you wish to withdraw from the contract.)',
    'To {seller}:',
    'I/We (*) hereby give notice that I/we (*) withdraw from my/our (*) contract of sale of the following goods:',
    'Ordered on (*) / received on (*):',
    'Name of consumer(s):',
    'Address of consumer(s):',
    'Signature of consumer(s) (only on paper):',
    'Date:',
    '(*) Delete as appropriate.',
  ],
}

/** The same texts in any language. */
export type WithdrawalTexts = TextsLike<typeof withdrawal>
