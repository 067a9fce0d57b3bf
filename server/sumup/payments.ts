import { apiRoutes } from '#contract/paths.ts'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/http/log.ts'
import { repeat } from '#server/repeat.ts'
import { checkAccount, keyRefusedText, type AccountState, type PaymentCurrency } from './account.ts'
import { openSumup, type Sumup } from './client.ts'
import type { AccountHealth } from './http.ts'
import { startStandIn } from './stand-in.ts'
import { standInPath } from './stand-in-proxy.ts'

/** Who takes the money: SumUp, or its stand-in while there is no account. */
export type Payments = {
  sumup: Sumup
  /**
   * A line of its own to SumUp, with its own breaker: while the sweep meets a wall of faults, or a crowd of
   * waiting pages fills a line, new buyers still get their payment form.
   */
  openLine: () => Sumup
  currency: PaymentCurrency
  /** SumUp's card widget, for browsers. */
  sdkUrl: string
  /** Other origins that the checkout page talks to. */
  browserOrigins: string[]
  /** Where SumUp tells that something happened; SumUp reaches only public addresses. */
  webhookUrl: string | undefined
  /** The stand-in behind our own address; absent when money is real. */
  standInUrl: string | undefined
  /** How the account stands; asked again while SumUp has not answered. */
  account: () => AccountState
  /** Whether SumUp refused our key the last time it answered. */
  isKeyRefused: () => boolean
}

const askAgainMs = 60_000
const sdkPath = '/gateway/ecom/card/v2/sdk.js'

export async function openPayments(
  config: Pick<Config, 'payments' | 'dataDir' | 'host' | 'port' | 'publicUrl'>,
  log: Log,
  opened: AsyncDisposableStack,
): Promise<Payments> {
  const { account, apiUrl, sdkUrl, currency } = config.payments
  if (!account) return openStandIn(config, log, opened)
  const health: AccountHealth = { isKeyRefused: false }
  const openLine = () => openSumup({ apiUrl, ...account, health })
  const sumup = openLine()
  let state = await checkAccount(sumup, currency)
  if (state.problem) log.error(state.problem)
  const asking = repeat(askAgain, askAgainMs, log, 'Asking about the SumUp account')
  opened.defer(() => asking.stop())

  async function askAgain(): Promise<void> {
    if (state.isUnknown || state.problem || health.isKeyRefused)
      state = await checkAccount(sumup, currency)
  }

  return {
    sumup,
    openLine,
    currency,
    sdkUrl,
    browserOrigins: [...new Set([new URL(sdkUrl).origin, new URL(apiUrl).origin])],
    webhookUrl: config.publicUrl && `${config.publicUrl}${apiRoutes.paymentWebhook}`,
    standInUrl: undefined,
    account: () => (health.isKeyRefused ? { ...state, problem: keyRefusedText } : state),
    isKeyRefused: () => health.isKeyRefused,
  }
}

/** The stand-in's account. It takes every currency, whatever it is asked for. */
export const testAccount: AccountState = {
  isSandbox: true,
  problem: undefined,
  isUnknown: false,
  currency: undefined,
  country: undefined,
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
  const openLine = () => openSumup(standIn.account)
  return {
    sumup: openLine(),
    openLine,
    currency,
    sdkUrl: `${standInPath}${sdkPath}`,
    browserOrigins: [],
    webhookUrl: `${here}${apiRoutes.paymentWebhook}`,
    standInUrl: standIn.account.apiUrl,
    account: () => testAccount,
    isKeyRefused: () => false,
  }
}
