import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getBrowserUrl, getId, sendResponse } from './api.ts'
import type { Context } from './context.ts'
import { resourceNotFound, type ApiResponse } from './errors.ts'
import { merchantName } from './accounts.ts'
import { answerBank, delayAnswer, getCheckout } from './payments.ts'
import { otherMethods, toMajor, type Checkout, type Transaction } from './records.ts'

const challengePath = '/gateway/ecom/3ds/challenge'

/** The buttons of the bank's page, and the first of the page of another method. */
export const bankOutcomes = {
  approve: 'approved',
  decline: 'declined',
  cancel: 'cancelled',
} as const

/** On the page of another method: the payment goes on for a while after the payer has come back. */
const lateOutcomes = { 'approve-later': 'approved', 'decline-later': 'declined' } as const
const lateMs = 2 * 60_000

/** The payer pays and closes the page. */
const stayingOutcome = 'approve-and-stay'

/** How to reach the bank's page, in the response to a payment that the payer has to confirm. */
export function createNextStep(
  url: string,
  { id, redirectUrl }: Checkout,
  transaction: Transaction,
) {
  return {
    url: `${url}${challengePath}/${id}`,
    method: 'POST',
    ...(redirectUrl ? { redirect_url: redirectUrl } : {}),
    mechanism: ['iframe', 'browser'],
    payload: {
      PaReq: Buffer.from(transaction.id).toString('base64'),
      MD: transaction.challenge ?? '',
      TermUrl: `${url}/v0.1/checkouts/${id}/complete_payment`,
    },
  }
}

/** A payer on the bank's page or that of another method: opened by `url`, framed by a page of origin `parent` or not framed. */
type Challenge = {
  url: string
  checkout: Checkout
  transaction: Transaction
  parent: string | undefined
}

/** The bank's page, framed by the widget or on its own, and the payer's choice. */
export function registerChallenge(app: FastifyInstance, context: Context): void {
  // The widget's frame starts with GET, because a shop's `form-action 'self'` would forbid the form of
  // next_step. This page then posts that form, so that the frame navigates as with a real bank.
  app.get(`${challengePath}/:id`, (request, reply) => {
    const { url } = getChallenge(context, request)
    return sendResponse(reply, renderStart(url, request))
  })

  app.post(`${challengePath}/:id`, (request, reply) => {
    const challenge = getChallenge(context, request)
    const { status, challengeTimesOut, settlesAt } = challenge.transaction
    const isOpen = status === 'PENDING' && !challengeTimesOut && settlesAt === undefined
    return sendResponse(reply, isOpen ? renderQuestion(challenge) : returnPayer(challenge))
  })

  app.post('/v0.1/checkouts/:id/complete_payment', async (request, reply) => {
    const challenge = getChallenge(context, request)
    const { outcome = '' } = (request.body ?? {}) as { outcome?: string }
    const { checkout, transaction } = challenge
    const after = await answer(context, checkout, transaction, outcome)
    const ended = after.transactions.find(({ id }) => id === transaction.id) ?? transaction
    const done = { ...challenge, checkout: after, transaction: ended }
    return sendResponse(reply, outcome === stayingOutcome ? renderEnd(done) : returnPayer(done))
  })
}

async function answer(
  context: Context,
  checkout: Checkout,
  transaction: Transaction,
  outcome: string,
): Promise<Checkout> {
  if (outcome === stayingOutcome) return answerBank(context, checkout, transaction, 'approved')
  if (isOneOf(bankOutcomes, outcome))
    return answerBank(context, checkout, transaction, bankOutcomes[outcome])
  if (!isOneOf(lateOutcomes, outcome)) return checkout
  const late = { settlesAs: lateOutcomes[outcome], settlesAt: Date.now() + lateMs }
  return delayAnswer(context, checkout, transaction, late)
}

function isOneOf<Table extends object>(
  table: Table,
  name: string | number | symbol,
): name is keyof Table {
  return Object.hasOwn(table, name)
}

/** MD is the secret that only the response to the payment contains. */
function getChallenge(context: Context, request: FastifyRequest): Challenge {
  const sent: { MD?: string; parent?: string } = {
    ...(request.query as object),
    ...(request.body as object),
  }
  const checkout = getCheckout(context, getId(request))
  const transaction = checkout.transactions.find(
    ({ challenge }) => challenge !== undefined && challenge === sent.MD,
  )
  if (transaction === undefined) throw resourceNotFound()
  const url = getBrowserUrl(context, request)
  return { url, checkout, transaction, parent: sent.parent || undefined }
}

/** Posts what the payment handed over, as a merchant's page would. */
function renderStart(url: string, request: FastifyRequest): ApiResponse {
  const [path = ''] = request.url.split('?')
  const inputs = Object.entries(request.query as Record<string, string>).map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return renderPage(
    url,
    'Connecting to your bank',
    `<form method="post" action="${escapeHtml(url + path)}">${inputs.join('')}</form>
    <script src="${escapeHtml(url)}/gateway/ecom/3ds/challenge.js"></script>`,
  )
}

function renderQuestion({ url, checkout, transaction, parent = '' }: Challenge): ApiResponse {
  const { currency } = checkout
  const amount = new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(
    toMajor(checkout.amountMinor, currency),
  )
  const { method: paidBy } = transaction
  // A bank asks about the card in a wallet.
  const method = paidBy && otherMethods[paidBy].leavesPage ? paidBy : undefined
  const from = method
    ? ''
    : ` from your card ending in <strong>${escapeHtml(transaction.lastDigits)}</strong>`
  const buttons = Object.entries(method ? methodButtons : bankButtons).map(
    ([outcome, label]) => `<button name="outcome" value="${outcome}">${label}</button>`,
  )
  return renderPage(
    url,
    method ? `Pay with ${otherMethods[method].name}` : 'Confirm your payment',
    `<p>${escapeHtml(merchantName)} asks for <strong>${escapeHtml(amount)}</strong>${from}.</p>
    <form method="post" action="${escapeHtml(url)}/v0.1/checkouts/${checkout.id}/complete_payment">
      <input type="hidden" name="MD" value="${escapeHtml(transaction.challenge ?? '')}">
      <input type="hidden" name="parent" value="${escapeHtml(parent)}">
      ${buttons.join('\n      ')}
    </form>
    <p class="note">A test page: no bank is asked and no money moves.</p>`,
  )
}

const bankButtons = { approve: 'Approve', decline: 'Decline', cancel: 'Cancel' }
const methodButtons = {
  approve: 'Pay',
  decline: 'Fail',
  cancel: 'Cancel',
  'approve-later': 'Pay in two minutes',
  'decline-later': 'Fail in two minutes',
  [stayingOutcome]: 'Pay and do not go back',
}

/** Back to the widget that framed the page, or else to the shop's redirect_url. */
function returnPayer(challenge: Challenge): ApiResponse {
  const { checkout, parent } = challenge
  if (parent !== undefined || checkout.redirectUrl === undefined) return renderEnd(challenge)
  const url = new URL(checkout.redirectUrl)
  url.searchParams.set('checkout_id', checkout.id)
  return { status: 303, headers: { location: url.href } }
}

/** Notifies the widget, which then reads the result itself: a message proves nothing. */
function renderEnd({ url, checkout, transaction, parent = '' }: Challenge): ApiResponse {
  const { status } = transaction
  const message = { type: 'sumup-challenge-ended', checkoutId: checkout.id, status }
  return renderPage(
    url,
    status === 'PENDING' ? 'Your time is up' : 'Thank you',
    `<p>You can go back to the shop.</p>
    <script src="${escapeHtml(url)}/gateway/ecom/3ds/challenge.js"
      data-message="${escapeHtml(JSON.stringify(message))}" data-parent="${escapeHtml(parent)}"></script>`,
  )
}

function renderPage(url: string, title: string, content: string): ApiResponse {
  const body = `<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="${escapeHtml(url)}/gateway/ecom/3ds/challenge.css">
  </head>
  <body>
    <main>
    <h1>${title}</h1>
    ${content}
    </main>
  </body>
</html>
`
  // No form-action: Chromium would also apply it to the redirect back to the shop.
  const headers = {
    'content-security-policy':
      "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }
  return { status: 200, type: 'text/html', headers, body }
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}
