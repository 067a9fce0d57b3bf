import { setMaxListeners } from 'node:events'
import fastify from 'fastify'
import { merchantSchema, openMerchants, type MerchantAccount } from './accounts.ts'
import { registerErrorHandlers } from './api.ts'
import { registerChallenge } from './challenge.ts'
import { registerCheckouts } from './checkouts.ts'
import { openControls, readLedger, registerControls, type Controls } from './controls.ts'
import { openFaults, openLags, type Faults } from './faults.ts'
import { defaultSwitches, type Context } from './context.ts'
import { registerHistory } from './history.ts'
import { openLedger } from './ledger.ts'
import { registerMerchants } from './merchants.ts'
import { scheduleLatePayment } from './payments.ts'
import type { Log } from './records.ts'
import { registerTransactions } from './transactions.ts'
import { defaultDelaysMs, openWebhooks } from './webhooks.ts'
import { registerWidget, sdkPath } from './widget.ts'

export type SandboxOptions = {
  /** 0 (the default) takes any free port. */
  port?: number
  host?: string
  /** Where state is kept; without a file it is lost at the end. */
  stateFile?: string
  /** How browsers reach it, if not where it listens. */
  publicUrl?: string
  apiKey?: string
  merchant?: Partial<MerchantAccount>
  /** Delays before the second, third, … attempt of a webhook. */
  webhookDelaysMs?: number[]
  log?: Log
}

export type Sandbox = {
  /** For servers. */
  url: string
  apiKey: string
  merchantCode: string
  /** For browsers. */
  publicUrl: string
  sdkUrl: string
  faults: Omit<Faults, 'trigger'>
  /** What happens outside the API, on demand: see README. */
  controls: Controls
  ledger: () => ReturnType<typeof readLedger>
  close: () => Promise<void>
}

function noSchemas(): never {
  throw new Error('Routes check their input with zod, and have no JSON schemas.')
}

/** A local sandbox in place of SumUp: its API, its webhooks, its card widget. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', apiKey = 'sup_sk_sandbox', log = () => {} } = options
  const merchant = merchantSchema.parse(options.merchant ?? {})
  const closing = new AbortController()
  // Every delayed call adds a listener.
  setMaxListeners(0, closing.signal)
  const ledger = openLedger(options.stateFile)
  const faults = openFaults()
  const webhooks = openWebhooks(ledger, faults, options.webhookDelaysMs ?? defaultDelaysMs, log)
  const context: Context = {
    ledger,
    faults,
    webhooks,
    merchants: openMerchants({ apiKey, merchant }),
    lags: openLags(),
    switches: structuredClone(defaultSwitches),
    publicUrl: options.publicUrl?.replace(/\/$/, '') ?? '',
    closing: closing.signal,
    log,
  }

  const app = fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // Otherwise Fastify loads ajv and what belongs to it.
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
  })
  registerErrorHandlers(app, context)
  registerCheckouts(app, context)
  registerWidget(app, context)
  registerChallenge(app, context)
  registerMerchants(app, context)
  registerTransactions(app, context)
  registerHistory(app, context)
  const controls = openControls(context)
  registerControls(app, context, controls)

  const url = await app.listen({ port, host })
  context.publicUrl ||= url
  ledger.begin()
  webhooks.resume()
  for (const checkout of ledger.listCheckouts()) scheduleLatePayment(context, checkout)

  return {
    url,
    apiKey,
    merchantCode: merchant.code,
    publicUrl: context.publicUrl,
    sdkUrl: `${context.publicUrl}${sdkPath}`,
    faults,
    controls,
    ledger: () => readLedger(context),
    async close() {
      closing.abort()
      webhooks.close()
      await app.close()
      ledger.close()
    },
  }
}
