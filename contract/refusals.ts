import type { z } from 'zod'
import type { refusal } from './answers/fields.ts'
import { paymentRefusals } from './payment-refusals.ts'
import { priceRefusals } from './price-refusals.ts'

/** All expected errors of the API with status and text. Texts are for users: what is wrong and what to do. */
export const refusals = {
  unauthorized: { status: 401, text: 'Unauthorized' },
  'wrong-credentials': { status: 401, text: 'Invalid credentials' },
  /** The password was right; nobody is signed in yet. */
  'second-factor-needed': { status: 401, text: 'Enter the code from your authenticator app.' },
  'wrong-code': {
    status: 401,
    text: 'This code is not valid. Please enter the one that your app shows now.',
  },
  'second-factor-unreadable': {
    status: 503,
    text: 'The code cannot be checked, because SESSION_SECRET has changed. Use a recovery code, or run npm run admin -- second-factor-off NAME on the server.',
  },
  'second-factor-on': { status: 409, text: 'The second factor is on already.' },
  'second-factor-not-begun': {
    status: 409,
    text: 'There is no second factor to confirm. Please start again.',
  },
  'second-factor-missing': { status: 409, text: 'The second factor is off already.' },
  /** As the next two, of a signed-in admin: not a 401, which would end the session in the browser. */
  'wrong-password': { status: 403, text: 'The current password is not right.' },
  'wrong-second-factor': {
    status: 403,
    text: 'This code is not valid. Please enter the one that your app shows now.',
  },
  'account-disabled': {
    status: 403,
    text: 'This account is disabled. Please ask another admin of the shop.',
  },
  'password-short': {
    status: 422,
    text: 'This password is too short. Please choose one with at least 10 characters.',
  },
  'password-common': {
    status: 422,
    text: 'This password is easy to guess. Please choose another, for example four words that do not belong together.',
  },
  'password-personal': {
    status: 422,
    text: 'The password must not be the username or the email address.',
  },
  'session-missing': { status: 404, text: 'There is no such session.' },
  'admin-missing': { status: 404, text: 'There is no such admin.' },
  'admin-taken': {
    status: 409,
    text: 'There is an admin with that name or email address already.',
  },
  'last-admin': {
    status: 409,
    text: 'This is the only admin who can log in. Please add or enable another one first.',
  },
  'too-many-admins': {
    status: 409,
    text: 'There is no room for more admins and invitations. Please remove some first.',
  },
  'invite-missing': {
    status: 404,
    text: 'This invitation was used, withdrawn or has expired. Please ask for a new one.',
  },
  'foreign-origin': {
    status: 403,
    text: 'This request came from another site and was not carried out.',
  },
  'settings-missing': { status: 404, text: 'There are no such settings.' },
  'settings-changed': {
    status: 409,
    text: 'Somebody else has changed the settings meanwhile. Please load them again.',
  },
  'setting-fixed': {
    status: 409,
    text: 'This is set in the environment of the shop and cannot be changed here.',
  },
  'domains-alike': {
    status: 422,
    text: 'The payment pages need a host of their own: please enter a second domain, not the one of the back-office.',
  },
  'domain-in-use': {
    status: 422,
    text: 'You are using this address for the back-office right now, which would then be closed there. Please enter another domain.',
  },
  'address-unreachable': { status: 422, text: 'This address does not lead to the shop.' },
  'sumup-incomplete': {
    status: 422,
    text: 'Please enter both the API key and the merchant code of your SumUp account.',
  },
  'sumup-refused': { status: 422, text: 'SumUp does not accept this account.' },
  'sumup-away': {
    status: 422,
    text: 'SumUp does not answer right now, so nobody can tell whether key and code are right.',
  },
  'sumup-currency': {
    status: 422,
    text: 'This SumUp account is paid in another currency than the one that buyers are charged in. Please choose its currency.',
  },
  'admin-password-weak': {
    status: 409,
    text: 'The password of an admin is easy to guess. Please change it first: whoever guesses it sees every order of a shop that takes money.',
  },
  'mail-password-needed': {
    status: 422,
    text: 'Please enter the password of the mail server again: the saved one is only sent to the server, port and user that it was saved for, and never with weaker encryption.',
  },
  'mail-sender-missing': {
    status: 422,
    text: 'Mails need a sender: please enter one, or the email address of the shop.',
  },
  'notice-missing': { status: 404, text: 'There is no such notice to close.' },
  'product-missing': { status: 404, text: 'Product not found' },
  'product-changed': {
    status: 409,
    text: 'Somebody has changed this product meanwhile. Please read it again.',
  },
  'page-outdated': {
    status: 409,
    text: 'This product has just been changed. Please look at the page once more.',
  },
  'product-paused': {
    status: 409,
    text: 'The shop has paused the sale of this product. Please come back later.',
  },
  'sold-out': {
    status: 409,
    text: 'All pieces are sold, or are being paid for by others right now.',
  },
  /** As the next two, at the field `choice`. */
  'choice-missing': { status: 400, text: 'Please choose one of the values.' },
  'choice-gone': {
    status: 409,
    text: 'What you chose was changed, or is no longer offered. Please choose again.',
  },
  'value-sold-out': {
    status: 409,
    text: 'What you chose is sold, or is being paid for by others right now. Please choose again.',
  },
  'note-needed': {
    status: 422,
    text: 'This product needs a text from you. Please look at the page once more.',
  },
  'too-many-products': {
    status: 409,
    text: 'There is no room for more products. Please delete some first.',
  },
  'code-missing': { status: 404, text: 'There is no such discount code.' },
  'code-taken': { status: 409, text: 'There is a discount code with that name already.' },
  'too-many-codes': {
    status: 409,
    text: 'There is no room for more discount codes. Please delete some first.',
  },
  'object-missing': { status: 404, text: 'There is no such picture.' },
  'picture-too-large': {
    status: 413,
    text: 'This file is too large. Please upload a smaller picture.',
  },
  'picture-empty': { status: 422, text: 'File data is empty' },
  'picture-unknown': {
    status: 422,
    text: 'This file is not a picture we can show. Please upload a PNG, JPEG, WebP, GIF, AVIF or SVG.',
  },
  'picture-svg': {
    status: 422,
    text: 'This SVG has a script, a DOCTYPE or a link to something outside of it, or it takes too long to draw. Please save it without them, or upload a PNG.',
  },
  'picture-damaged': {
    status: 422,
    text: 'This picture is damaged or incomplete. Please save it anew as a PNG, JPEG, WebP, GIF, AVIF or SVG and upload that.',
  },
  'picture-too-many-pixels': {
    status: 422,
    text: 'This picture has too many pixels. Please make it smaller and upload it again.',
  },
  'picture-too-many-frames': {
    status: 422,
    text: 'This animation has more than 500 frames. Please shorten it and upload it again.',
  },
  'pictures-busy': {
    status: 503,
    text: 'Many pictures are being uploaded right now. Please try again in a moment.',
  },
  'pictures-away': {
    status: 503,
    text: 'The store of pictures cannot be reached right now. Please try again in a moment.',
  },
  /** Upload clients recognize this text and request a new URL. */
  'upload-expired': { status: 403, text: 'Request has expired' },
  'upload-unsigned': {
    status: 403,
    text: 'This address to upload to is not valid. Please start the upload again.',
  },
  'upload-used': {
    status: 409,
    text: 'This address to upload to was used for another file. Please start the upload again.',
  },
  'upload-missing': { status: 404, text: 'There is no such upload. Please start it again.' },
  'upload-broken-off': { status: 400, text: 'The upload broke off. Please try again.' },
  'part-unnamed': { status: 400, text: 'Cannot sign without a key, an uploadId, and a partNumber' },
  'part-missing': {
    status: 400,
    text: 'A part of the file has not arrived. Please upload it again.',
  },
  'no-temporary-credentials': {
    status: 501,
    text: 'This shop gives out no temporary credentials, because every picture is checked before it is shown. Please upload with signed addresses (s3/params or s3/multipart).',
  },
  'order-missing': { status: 404, text: 'Order not found' },
  'order-erased': { status: 409, text: 'Name and address of this order were erased.' },
  'order-picked-up': { status: 409, text: 'This order is picked up: it has no parcel.' },
  'order-changed': {
    status: 409,
    text: 'Somebody else has changed this order meanwhile. Please look at it once more.',
  },
  'order-without-email': {
    status: 409,
    text: 'This order has no email address. Please add one first.',
  },
  'mails-off': {
    status: 409,
    text: 'No mail server is set, so this shop sends no mails. Please enter one in the settings.',
  },
  'confirmation-waiting': {
    status: 409,
    text: 'A confirmation is waiting to be sent already. The history shows when it has left.',
  },
  'too-many-confirmations': {
    status: 409,
    text: 'The confirmation was sent again five times within a day. Please wait until tomorrow.',
  },
  'withdrawal-missing': { status: 404, text: 'There is no such withdrawal.' },
  'withdrawal-handled': { status: 409, text: 'This withdrawal was marked as handled already.' },
  'note-missing': { status: 404, text: 'There is no such note.' },
  'bulk-change-missing': { status: 404, text: 'There is no such bulk change.' },
  'customer-missing': { status: 404, text: 'Nothing is stored about this email address.' },
  'customer-withdrawal-open': {
    status: 409,
    text: 'This customer has withdrawn from a purchase. Please refund it, or mark the withdrawal as handled first.',
  },
  'customer-order-open': {
    status: 409,
    text: 'An order of this customer is not shipped yet, so its address is still needed. Please ship it first.',
  },
  'customer-in-review': {
    status: 409,
    text: 'A payment of this customer is in review. Please decide about it first.',
  },
  'customer-card-under-way': {
    status: 409,
    text: 'A payment of this customer may be under way right now. Please try again in an hour.',
  },
  'price-changed': {
    status: 409,
    text: 'The price has changed. Please look at it once more.',
  },
  'mode-changed': {
    status: 409,
    text: 'This shop has just changed how it is paid. Please look at the page once more.',
  },
  'price-without-cents': {
    status: 409,
    text: 'This product cannot be paid for, because its currency has no cents. Please tell the shop.',
  },
  'price-not-payable': {
    status: 409,
    text: 'This product cannot be paid for by card at its price and currency. Please tell the shop.',
  },
  'payment-missing': { status: 404, text: 'This payment is not known here.' },
  'details-replaced': {
    status: 409,
    text: 'Contact or delivery were changed in another tab. Please look at them once more.',
  },
  'payment-declined': { status: 402, text: 'Please check your card details and try again.' },
  'payment-in-review': {
    status: 409,
    text: 'The shop is looking at your payment, and there is no need to pay again. It can write to the email address that you gave; if you gave none yet, please write to the shop.',
  },
  'already-paid': { status: 410, text: 'Your payment has arrived and your order is placed.' },
  'card-under-way': {
    status: 409,
    text: 'A card is already being charged for this, perhaps in another tab. Please wait a moment.',
  },
  'card-at-bank': {
    status: 409,
    text: 'Your card is with your bank. Please finish there, or wait until the bank has answered.',
  },
  'checkout-expired': {
    status: 410,
    text: 'This payment form has expired. A new one is on its way.',
  },
  ...paymentRefusals,
  ...priceRefusals,
  'payments-away': {
    status: 503,
    text: 'Card payments are not available right now. Please try again in a moment.',
  },
  'too-many-checkouts': {
    status: 429,
    text: 'Too many payments were begun from here. Please wait a few minutes and try again.',
  },
  /** Of a product or code, by an address that pays for nothing. */
  'too-many-holds': {
    status: 429,
    text: 'Several payments of this were begun from here and not finished. Please wait an hour and try again, or contact the shop.',
  },
  'too-many-cards': {
    status: 429,
    text: 'Too many cards were declined. Please wait a while or contact the shop.',
  },
  'call-missing': { status: 404, text: 'There is no such call.' },
  'body-too-large': { status: 413, text: 'That is more than we can take in one request.' },
  'body-type': { status: 415, text: 'Please send JSON with the content type application/json.' },
  'body-unreadable': {
    status: 400,
    text: 'The request could not be read. Please send valid JSON in UTF-8.',
  },
  'headers-too-large': {
    status: 431,
    text: 'The headers of the request are too large. Deleting the cookies of this site may help.',
  },
  'request-timeout': { status: 408, text: 'The request did not arrive in time. Please try again.' },
  'bad-request': { status: 400, text: 'The request is not valid.' },
  'too-many-logins': { status: 429, text: 'Too many login attempts. Please try again later.' },
  'too-many-requests': {
    status: 429,
    text: 'Too many requests. Please wait a moment and try again.',
  },
  unexpected: { status: 500, text: 'Something went wrong on our side. Please try again.' },
  'metrics-closed': {
    status: 403,
    text: 'Metrics are shown to whoever sends METRICS_TOKEN as a bearer token; where none is set, on this machine only.',
  },
  unavailable: {
    status: 503,
    text: 'The shop is not available right now. Please try again in a moment.',
  },
} as const satisfies Record<string, { status: number; text: string }>

export type RefusalCode = keyof typeof refusals

/** How a picture may be refused: when it is uploaded, and when a product is to show it. */
export const pictureRefusals: RefusalCode[] = [
  'picture-too-large',
  'picture-empty',
  'picture-unknown',
  'picture-svg',
  'picture-damaged',
  'picture-too-many-pixels',
  'picture-too-many-frames',
  'pictures-busy',
  'pictures-away',
]

/** Data that a page needs to continue after a refusal. */
export type RefusalFacts = Omit<RefusalBody, 'message' | 'error' | 'code'>

/** The response body: the text under both names that clients read, and the code to act on. */
export type RefusalBody = z.infer<typeof refusal>

/** An expected error. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  /** In seconds, sent as Retry-After. */
  readonly retryAfter: number | undefined
  readonly facts: RefusalFacts

  constructor(
    code: RefusalCode,
    options: { text?: string; retryAfter?: number; cause?: unknown; facts?: RefusalFacts } = {},
  ) {
    super(options.text ?? refusals[code].text, { cause: options.cause })
    this.name = 'Refusal'
    this.code = code
    this.status = refusals[code].status
    this.retryAfter = options.retryAfter
    this.facts = options.facts ?? {}
  }
}
