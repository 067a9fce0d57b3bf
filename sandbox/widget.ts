import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { allowBrowser, browserEndpoint, getBrowserUrl, getId, sendResponse } from './api.ts'
import type { Context } from './context.ts'
import { getCardOutcome, parseCardPayment, sandboxCards } from './cards.ts'
import { createNextStep } from './challenge.ts'
import { showCheckout, showDemoCheckout } from './checkouts.ts'
import { findOtherPayment, listMethods } from './methods.ts'
import { sessionExpired, sessionProcessed, type ApiResponse } from './errors.ts'
import {
  attemptPayment,
  getCheckout,
  recordOutcome,
  scheduleLatePayment,
  type Attempt,
  type UsedCard,
} from './payments.ts'
import { listNames, type Checkout } from './records.ts'

export const sdkPath = '/gateway/ecom/card/v2/sdk.js'

/** In dependency order. */
const scriptParts = ['card', 'form', 'style', 'challenge', 'methods', 'widget']

/** What the payer's browser loads and calls, without a key. */
export function registerWidget(app: FastifyInstance, context: Context): void {
  const files = {
    [sdkPath]: { type: 'text/javascript', text: bundleScript() },
    '/gateway/ecom/3ds/challenge.js': {
      type: 'text/javascript',
      text: readWidgetFile('challenge-page.js'),
    },
    '/gateway/ecom/3ds/challenge.css': {
      type: 'text/css',
      text: readWidgetFile('challenge-page.css'),
    },
  }
  for (const [path, { type, text }] of Object.entries(files))
    app.get(path, (_request, reply) =>
      reply
        .headers({
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          'cache-control': 'no-cache',
          'x-content-type-options': 'nosniff',
        })
        .type(`${type}; charset=utf-8`)
        .send(text),
    )

  for (const url of ['/v0.1/checkouts/:id', '/v0.2/checkouts/:id']) {
    app.put(
      url,
      browserEndpoint(context, 'process', (request) => processPayment(context, request)),
    )
    app.options(url, (_request, reply) =>
      sendResponse(reply, {
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

  // Not SumUp's: how its widget reads a checkout is unknown.
  app.get('/v0.2/checkouts/:id', async (request, reply) => {
    allowBrowser(context, request, reply)
    const id = getId(request)
    if (id === 'demo')
      return sendResponse(reply, {
        status: 200,
        body: { ...showDemoCheckout(context.merchants.first, 'PENDING'), methods: [] },
      })
    const checkout = getCheckout(context, id)
    const methods = listMethods(context.merchants.getByCode(checkout.merchantCode), checkout)
    const body = { ...show(context, checkout), return_url: undefined, methods }
    return sendResponse(reply, { status: 200, body })
  })
}

async function processPayment(context: Context, request: FastifyRequest): Promise<ApiResponse> {
  const id = getId(request)
  if (id === 'demo') return { status: 200, body: showDemoCheckout(context.merchants.first, 'PAID') }
  const before = getCheckout(context, id)
  if (before.status === 'PAID') throw sessionProcessed(id)
  if (before.status === 'EXPIRED') throw sessionExpired(id)
  const merchant = context.merchants.getByCode(before.merchantCode)
  const other = findOtherPayment(request.body, merchant, before)
  if (other) {
    const attempt = decideAttempt(context, before, () => ({ outcome: other.outcome }))
    return recordAttempt(context, request, before, other.card, attempt)
  }
  const { number, ...card } = parseCardPayment(request.body)
  if (number === sandboxCards.emptyError) return { status: 400, body: {} }
  if (number === sandboxCards.foreignError)
    return { status: 400, body: { message: 'Die Zahlung konnte nicht ausgeführt werden.' } }
  const timesOut = number === sandboxCards.bankTimesOut
  const attempt = decideAttempt(context, before, () => {
    const outcome = getCardOutcome(number, before.amountMinor)
    return outcome === 'challenged' ? { outcome, timesOut } : { outcome }
  })
  return recordAttempt(context, request, before, card, attempt)
}

async function recordAttempt(
  context: Context,
  request: FastifyRequest,
  before: Checkout,
  card: UsedCard,
  attempt: Attempt,
): Promise<ApiResponse> {
  const { checkout, transaction } = attemptPayment(before, card, attempt, Date.now())
  switch (attempt.outcome) {
    case 'approved':
    case 'declined':
      await recordOutcome(context, checkout)
      return { status: 200, body: show(context, checkout) }
    case 'challenged': {
      context.ledger.save(checkout)
      const url = getBrowserUrl(context, request)
      return { status: 202, body: { next_step: createNextStep(url, checkout, transaction) } }
    }
    case 'late':
      context.ledger.save(checkout, { durable: true })
      scheduleLatePayment(context, checkout)
      return { status: 200, body: show(context, checkout) }
  }
}

const show = ({ merchants }: Context, checkout: Checkout) =>
  showCheckout(checkout, merchants.getByCode(checkout.merchantCode))

/** A fault comes first. */
function decideAttempt({ faults }: Context, checkout: Checkout, decide: () => Attempt): Attempt {
  const fault = faults.trigger('process', ['declined', 'late-paid'], listNames(checkout))
  if (fault?.kind === 'late-paid') return { outcome: 'late', settlesAt: Date.now() + fault.ms }
  return fault ? { outcome: 'declined' } : decide()
}

/** Modules in development, one plain script for the shop, as SumUp's is. */
function bundleScript(): string {
  const bodies = scriptParts.map((part) =>
    readWidgetFile(`${part}.js`)
      .replaceAll(/^import [^]*? from '[^']*'\n/gm, '')
      .replaceAll(/^export /gm, ''),
  )
  return `;(() => {\n'use strict'\n${bodies.join('\n')}})()\n`
}

function readWidgetFile(name: string): string {
  return readFileSync(join(import.meta.dirname, 'widget', name), 'utf8')
}
