import { setMaxListeners } from 'node:events'
import fastify from 'fastify'
import { merchantSchema, openAccounts, type MerchantAccount } from './accounts.ts'
import { mountChallenge } from './challenge-routes.ts'
import { mountCheckouts } from './checkout-routes.ts'
import { mountControls, openControls, readBooks, type Controls } from './controls.ts'
import { watchLatePayment, type Desk, type Log } from './desk.ts'
import { hangDoor } from './door.ts'
import { openFaults, type Faults } from './faults/faults.ts'
import { openLags } from './lag.ts'
import { openLedger } from './ledger/ledger.ts'
import { mountMerchant } from './merchant-routes.ts'
import { mountPayments } from './process-routes.ts'
import { mountRefunds } from './refund-routes.ts'
import { defaultSwitches } from './switches.ts'
import { documentedDelaysMs, openWebhooks } from './webhooks.ts'
import { mountWidget, sdkPath } from './widget-routes.ts'

export type SandboxOptions = {
  /** 0 (the default) takes any free one. */
  port?: number
  host?: string
  /** Where it remembers; without one it forgets when it ends. */
  stateFile?: string
  /** How browsers reach it, when that is not where it listens. */
  publicUrl?: string
  apiKey?: string
  merchant?: Partial<MerchantAccount>
  /** Waits before the second, third, … try of a notification. */
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
  faults: Omit<Faults, 'take'>
  /** What SumUp, banks, owners and other merchants do, on demand: see README. */
  controls: Controls
  ledger: () => ReturnType<typeof readBooks>
  close: () => Promise<void>
}

/** A stand-in of SumUp on this machine: its API, its webhooks, its card widget. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', apiKey = 'sup_sk_sandbox', log = () => {} } = options
  const merchant = merchantSchema.parse(options.merchant ?? {})
  const closing = new AbortController()
  // Every call that a fault delays listens for the end.
  setMaxListeners(0, closing.signal)
  const ledger = openLedger(options.stateFile)
  const faults = openFaults()
  const webhooks = openWebhooks(ledger, faults, options.webhookDelaysMs ?? documentedDelaysMs, log)
  const desk: Desk = {
    ledger,
    faults,
    webhooks,
    accounts: openAccounts({ apiKey, merchant }),
    lags: openLags(),
    switches: structuredClone(defaultSwitches),
    publicUrl: options.publicUrl?.replace(/\/+$/, '') ?? '',
    closing: closing.signal,
    log,
  }

  const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
  hangDoor(app, desk)
  mountCheckouts(app, desk)
  mountPayments(app, desk)
  mountChallenge(app, desk)
  mountMerchant(app, desk)
  mountRefunds(app, desk)
  mountWidget(app)
  const controls = openControls(desk)
  mountControls(app, desk, controls)

  const url = await app.listen({ port, host })
  desk.publicUrl ||= url
  // Only who has the port touches the file: a second start on the same state fails before.
  ledger.begin()
  webhooks.resume()
  for (const checkout of ledger.checkouts()) watchLatePayment(desk, checkout)

  return {
    url,
    apiKey,
    merchantCode: merchant.code,
    publicUrl: desk.publicUrl,
    sdkUrl: `${desk.publicUrl}${sdkPath}`,
    faults,
    controls,
    ledger: () => readBooks(desk),
    async close() {
      closing.abort()
      webhooks.close()
      await app.close()
      ledger.close()
    },
  }
}
