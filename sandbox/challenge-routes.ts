import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Answer } from './answers.ts'
import { challengePage, endPage, framedPageHeaders, startPage } from './challenge-page.ts'
import { idOf } from './checkout-routes.ts'
import { addressFor } from './address.ts'
import { answerBank, findCheckout, type Desk } from './desk.ts'
import type { Checkout, Transaction } from './ledger/records.ts'
import { sendAnswer } from './operation.ts'
import { resourceNotFound } from './refusals.ts'

export const challengePath = '/gateway/ecom/3ds/challenge'
export const outcomes = { approve: 'approved', decline: 'declined', cancel: 'cancelled' } as const

/** The 202 of a payment whose bank wants to ask the payer. */
export function challengeStep(address: string, checkout: Checkout, transaction: Transaction) {
  return {
    next_step: {
      url: `${address}${challengePath}/${checkout.id}`,
      method: 'POST',
      ...(checkout.redirectUrl ? { redirect_url: checkout.redirectUrl } : {}),
      mechanism: ['iframe', 'browser'],
      payload: {
        PaReq: Buffer.from(transaction.id).toString('base64'),
        MD: transaction.challenge ?? '',
        TermUrl: `${address}/v0.1/checkouts/${checkout.id}/complete_payment`,
      },
    },
  }
}

/** The bank's page, in a frame of the widget or on its own, and what the payer chose there. */
export function mountChallenge(app: FastifyInstance, desk: Desk): void {
  // The widget's frame begins with GET: a shop's `form-action 'self'` would forbid the form that next_step
  // describes. The page it gets posts that form, so that the frame's navigations are those of a real bank.
  app.get(`${challengePath}/:id`, (request, reply) => {
    findChallenge(desk, request)
    const fields = request.query as Record<string, string>
    return sendAnswer(reply, page(startPage(addressFor(desk, request), request.url, fields)))
  })

  app.post(`${challengePath}/:id`, (request, reply) => {
    const { checkout, transaction, parent } = findChallenge(desk, request)
    const address = addressFor(desk, request)
    const asks = transaction.status === 'PENDING' && !transaction.challengeTimesOut
    const answer = asks
      ? page(challengePage(address, checkout, transaction, parent))
      : returnPayer(address, checkout, transaction, parent)
    return sendAnswer(reply, answer)
  })

  app.post('/v0.1/checkouts/:id/complete_payment', async (request, reply) => {
    const { checkout, transaction, parent, outcome } = findChallenge(desk, request)
    const chosen = Object.hasOwn(outcomes, outcome ?? '')
      ? outcomes[outcome as keyof typeof outcomes]
      : undefined
    const after = chosen ? await answerBank(desk, checkout, transaction, chosen) : checkout
    const ended = after.transactions.find(({ id }) => id === transaction.id) ?? transaction
    return sendAnswer(reply, returnPayer(addressFor(desk, request), after, ended, parent))
  })
}

/** Back to the widget that framed the page, or to the shop's redirect_url, or nowhere. */
function returnPayer(
  address: string,
  checkout: Checkout,
  transaction: Transaction,
  parent: string | undefined,
): Answer {
  if (parent !== undefined || checkout.redirectUrl === undefined)
    return page(endPage(address, checkout, transaction, parent))
  const url = new URL(checkout.redirectUrl)
  url.searchParams.set('checkout_id', checkout.id)
  return { status: 303, headers: { location: url.href } }
}

function page(body: string): Answer {
  return { status: 200, type: 'text/html', headers: framedPageHeaders, body }
}

/** Only who was sent here by the payment knows MD. */
function findChallenge(desk: Desk, request: FastifyRequest) {
  const sent = { ...(request.query as object), ...(request.body as object) } as {
    [name in 'MD' | 'parent' | 'outcome']?: string
  }
  const checkout = findCheckout(desk, idOf(request))
  const transaction = checkout.transactions.find(
    ({ challenge }) => challenge !== undefined && challenge === sent.MD,
  )
  if (transaction === undefined) throw resourceNotFound()
  return { checkout, transaction, parent: sent.parent || undefined, outcome: sent.outcome }
}
