import { calls } from '#contract/paths.ts'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/http/log.ts'
import type { PaymentCurrency } from './charge.ts'
import { maybeAccountProblem } from './check-account.ts'
import { startStandIn } from './stand-in.ts'
import { standInPath } from './stand-in-proxy.ts'
import { openSumup, type Sumup } from './sumup.ts'

/** Who takes the money: SumUp, or its stand-in while there is no account. */
export type Payments = {
  sumup: Sumup
  currency: PaymentCurrency
  /** SumUp's card widget, for browsers. */
  sdkUrl: string
  /** Other origins that the checkout page talks to. */
  browserOrigins: string[]
  /** Where SumUp tells that something happened; SumUp reaches only public addresses. */
  webhookUrl: string | undefined
  /** The stand-in behind our own address; absent when money is real. */
  standInUrl: string | undefined
  /** What the owner must know about the account. */
  problem: string | undefined
}

const sdkPath = '/gateway/ecom/card/v2/sdk.js'

export async function openPayments(
  config: Pick<Config, 'payments' | 'dataDir' | 'host' | 'port' | 'publicUrl'>,
  log: Log,
  opened: AsyncDisposableStack,
): Promise<Payments> {
  const { account, apiUrl, sdkUrl, currency } = config.payments
  if (!account) return openStandIn(config, log, opened)
  const sumup = openSumup({ apiUrl, ...account })
  const problem = await maybeAccountProblem(sumup, currency)
  if (problem) log.error(problem)
  return {
    sumup,
    currency,
    sdkUrl,
    browserOrigins: [...new Set([new URL(sdkUrl).origin, new URL(apiUrl).origin])],
    webhookUrl: config.publicUrl && `${config.publicUrl}${calls.paymentWebhook}`,
    standInUrl: undefined,
    problem,
  }
}

async function openStandIn(
  config: Pick<Config, 'payments' | 'dataDir' | 'host' | 'port' | 'publicUrl'>,
  log: Log,
  opened: AsyncDisposableStack,
): Promise<Payments> {
  const { currency } = config.payments
  const here = `http://127.0.0.1:${config.port}`
  const standIn = await startStandIn(
    {
      dataDir: config.dataDir,
      publicUrl: `${config.publicUrl ?? here}${standInPath}`,
      currency: currency === 'product' ? 'EUR' : currency,
    },
    log,
  )
  opened.defer(standIn.stop)
  return {
    sumup: openSumup(standIn.account),
    currency,
    sdkUrl: `${standInPath}${sdkPath}`,
    browserOrigins: [],
    webhookUrl: `${here}${calls.paymentWebhook}`,
    standInUrl: standIn.account.apiUrl,
    problem: undefined,
  }
}
