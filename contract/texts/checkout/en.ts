import type { TextsLike } from '#contract/languages.ts'

/** What the script of a checkout says. It travels with the page, in the page's language only. */
export const en = {
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
export type CheckoutTexts = TextsLike<typeof en>
