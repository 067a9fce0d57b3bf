import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressFor } from './address.ts'
import type { Answer } from './answers.ts'
import { readCardPayment } from './card-request.ts'
import { challengeStep } from './challenge-routes.ts'
import { idOf } from './checkout-routes.ts'
import { findCheckout, recordOutcome, watchLatePayment, type Desk } from './desk.ts'
import { allowBrowser } from './door.ts'
import { attemptPayment, type Attempt } from './ledger/payment.ts'
import { outcomeOf, standInCards } from './ledger/test-cards.ts'
import type { Checkout } from './ledger/records.ts'
import { operation, sendAnswer } from './operation.ts'
import { sessionExpired, sessionProcessed } from './refusals.ts'
import { demoCheckout, showCheckout } from './show-checkout.ts'

/** The calls of the widget, from the payer's browser and without a key. */
export function mountPayments(app: FastifyInstance, desk: Desk): void {
  const preHandler = allowBrowser(desk)

  for (const url of ['/v0.1/checkouts/:id', '/v0.2/checkouts/:id']) {
    app.put(
      url,
      { preHandler },
      operation(desk, 'process', (request) =>
        idOf(request) === 'demo'
          ? { status: 200, body: demoCheckout(desk.accounts.first, 'PAID') }
          : pay(desk, request),
      ),
    )
    app.options(url, (_request, reply) =>
      sendAnswer(reply, {
        status: 204,
        headers: {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, PUT',
          'access-control-allow-headers': 'content-type, authorization',
          'access-control-max-age': '600',
        },
      }),
    )
  }

  // How the widget learns what it is to sell and, after 3-D Secure, how it went. Its own way at SumUp
  // is unknown; a merchant's server has no use for this.
  app.get('/v0.2/checkouts/:id', { preHandler }, (request, reply) => {
    const id = idOf(request)
    const body =
      id === 'demo'
        ? demoCheckout(desk.accounts.first, 'PENDING')
        : show(desk, findCheckout(desk, id))
    return sendAnswer(reply, { status: 200, body: { ...body, return_url: undefined } })
  })
}

async function pay(desk: Desk, request: FastifyRequest): Promise<Answer> {
  const id = idOf(request)
  const before = findCheckout(desk, id)
  if (before.status === 'PAID') throw sessionProcessed(id)
  if (before.status === 'EXPIRED') throw sessionExpired(id)
  const { number, ...card } = readCardPayment(request.body)
  if (number === standInCards.emptyError) return { status: 400, body: {} }
  if (number === standInCards.foreignError) return { status: 400, body: foreignError }
  const attempt = decide(desk, before, number)
  const { checkout, transaction } = attemptPayment(before, card, attempt, Date.now())
  switch (attempt.outcome) {
    case 'approved':
    case 'declined':
      await recordOutcome(desk, checkout)
      return { status: 200, body: show(desk, checkout) }
    case 'challenged':
      desk.ledger.save(checkout)
      return { status: 202, body: challengeStep(addressFor(desk, request), checkout, transaction) }
    case 'late':
      desk.ledger.save(checkout, { durable: true })
      watchLatePayment(desk, checkout)
      return { status: 200, body: show(desk, checkout) }
  }
}

/** The shop has to do without knowing its words. */
const foreignError = { message: 'Die Zahlung konnte nicht ausgeführt werden.' }

const show = ({ accounts }: Desk, checkout: Checkout) =>
  showCheckout(checkout, accounts.getByCode(checkout.merchantCode))

/** What the bank says: the card and the amount decide, unless a fault does. */
function decide(desk: Desk, { id, reference, amountMinor }: Checkout, cardNumber: string): Attempt {
  const fault = desk.faults.take('process', ['declined', 'late-paid'], [id, reference])
  if (fault?.kind === 'late-paid') return { outcome: 'late', settlesAt: Date.now() + fault.ms }
  if (fault) return { outcome: 'declined' }
  const outcome = outcomeOf(cardNumber, amountMinor)
  return outcome === 'challenged'
    ? { outcome, timesOut: cardNumber === standInCards.bankTimesOut }
    : { outcome }
}
