/** Why an admin's decision about a payment is not carried out: reviews and refunds. A part of refusals.ts. */
export const paymentRefusals = {
  'review-missing': { status: 404, text: 'There is no such payment to decide about.' },
  'review-done': {
    status: 409,
    text: 'This payment was resolved already. Please load the list again.',
  },
  'review-changed': {
    status: 409,
    text: 'This payment has changed since it was shown. Please look at it again and decide then.',
  },
  'payment-returned': {
    status: 409,
    text: 'The money of this payment was given back already.',
  },
  'refund-running': {
    status: 409,
    text: 'A refund of this payment was asked for, and SumUp has not told yet what became of it.',
  },
  'refund-part-unknown': {
    status: 409,
    text: 'A part of this payment was asked for, and SumUp shows no trace of it. So that it cannot go back twice, only all that is left can be refunded from here. A part can be refunded in your SumUp account.',
  },
  'order-impossible': {
    status: 409,
    text: 'No order can be made of this payment.',
  },
  'refund-impossible': {
    status: 409,
    text: 'This payment cannot be refunded from here. Please refund it in your SumUp account.',
  },
  'refund-without-payment': {
    status: 409,
    text: 'No payment of this order is known here, so nothing can be refunded from here. If it was paid, please refund it in your SumUp account.',
  },
  'refund-other-account': {
    status: 409,
    text: 'This was paid to another SumUp account than the one that the shop uses now. Please refund it in that account.',
  },
  'refund-changed': {
    status: 409,
    text: 'What is known of this payment has changed since it was shown. Please look at it again and decide then.',
  },
  'refund-too-much': {
    status: 422,
    text: 'That is more than is left of this payment.',
  },
  'refund-password-needed': {
    status: 403,
    text: 'Please enter your password: refunds of this amount need it.',
  },
  'refund-refused': {
    status: 409,
    text: 'SumUp did not refund the money. Please look at the payment in your SumUp account.',
  },
  'refund-unknown': {
    status: 503,
    text: 'It is not known yet whether SumUp refunds the money. The shop keeps asking, and the payment stays here until it is known.',
  },
} as const
