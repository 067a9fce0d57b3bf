import type { SomeTexts, TextsLike } from '#contract/languages.ts'
import type { CheckoutTexts } from '#contract/texts/checkout/en.ts'

/** What a checkout says where there are ways to pay beside the card. It travels with the page only there. */
export const en = {
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
export type MethodTexts = TextsLike<typeof en>
