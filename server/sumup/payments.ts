import type { ChildProcess } from 'node:child_process'
import { isDeepStrictEqual } from 'node:util'
import { modeOf, type Mode } from '#contract/mode.ts'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal, refusals } from '#contract/refusals.ts'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import type { CardFormOrigins } from '#server/http/security-headers.ts'
import { repeat } from '#server/repeat.ts'
import type { PaymentCurrency } from '#contract/shop-settings.ts'
import { openSumup, type Sumup } from './client.ts'
import { ProviderUnavailable, SumupRefusal, type AccountHealth } from './http.ts'
import { leaveTestMode, sandboxPath, openSandbox, stopSandbox } from './sandbox-process.ts'

/** One account at SumUp, or the sandbox of test mode, with everything that belongs to it. */
export type Connection = {
  sumup: Sumup
  /**
   * Another client with a circuit breaker of its own: while the sweep meets errors, or many waiting pages use up the
   * concurrent calls of one client, new buyers still get a payment form.
   */
  createClient: () => Sumup
  currency: PaymentCurrency
  /** SumUp's card widget. */
  sdkUrl: string
  /** Where the server fetches that. */
  sdkSource: string
  /** Other origins that the card form needs on the checkout page. */
  cardFormOrigins: CardFormOrigins
  /** Undefined without a public URL, which SumUp could not reach. Changes with it. */
  readonly webhookUrl: string | undefined
  /** Only in test mode. */
  sandboxUrl: string | undefined
  /** Refreshed while there is a problem or no answer. */
  account: () => AccountState
  /** The mode of the account. Refuses while SumUp has not told: what is sold then could be either. */
  getMode: () => Promise<Mode>
  /** Whether SumUp rejected the API key in its latest response. */
  isKeyRefused: () => boolean
}

/**
 * The payment provider. The owner may change the account while the shop runs: the fields are those of the account in use
 * now. What belongs together (the code, the kind and the client of one sale) comes from one `pin()`.
 */
export type Payments = Connection & {
  /** The account in use now, which stays the same whatever changes meanwhile. */
  pin: () => Connection
  /** Reads the settings again and takes up their account and currency; resolves once they are in use. */
  follow: () => Promise<void>
  /** Calls back after every change of the account or the currency. */
  onChange: (listener: () => void) => void
}

/** The mode of what the shop sold with an account, for a start while SumUp does not answer. */
type FindMode = (merchantCode: string) => Promise<Mode | undefined>

type PaymentConfig = Pick<
  Config,
  'payments' | 'sumupTimeoutMs' | 'dataDir' | 'host' | 'port' | 'publicUrl'
>
type Account = NonNullable<Config['payments']['account']>
type OpenConnection = Connection & { close: () => Promise<void> }

const recheckMs = 60_000
/** How often a changed account is noticed that another node saved; the settings are read about as often. */
const followMs = 1_000
/** Card brands and the like. */
const sumupPictures = 'https://static.sumup.com'
const sdkPath = '/gateway/ecom/card/v2/sdk.js'

/** `refreshSettings` reads again what `config` is made of. */
export async function openPayments(
  config: PaymentConfig,
  log: Log,
  opened: AsyncDisposableStack,
  {
    refreshSettings = async () => {},
    findMode = async () => undefined,
    launchedSandbox,
  }: {
    findMode?: FindMode
    refreshSettings?: () => Promise<void>
    /** For a shop in test mode; otherwise it is stopped. */
    launchedSandbox?: ChildProcess | undefined
  } = {},
): Promise<Payments> {
  let inUse = readWanted(config)
  let current = await connect(config, inUse.account, log, findMode, launchedSandbox)
  const listeners: (() => void)[] = []
  let isClosed = false

  async function change(): Promise<void> {
    await refreshSettings()
    const next = readWanted(config)
    if (isClosed || isDeepStrictEqual(next, inUse)) return
    const before = current
    // Two sandboxes must not write the same file.
    if (!inUse.account && !next.account) await before.close()
    current = await connect(config, next.account, log, findMode)
    inUse = next
    const { account, currency } = next
    log.warn(
      { merchantCode: account?.merchantCode ?? 'test mode', currency },
      'The SumUp account or the payment currency has changed',
    )
    for (const listener of listeners) listener()
    // What has pinned it gets no answer any more, as while SumUp is away.
    await before.close()
  }

  let changing: Promise<void> = Promise.resolve()
  /** Changes run one after the other. None is shared: one under way may have read the settings before they changed. */
  function follow(): Promise<void> {
    const turn = changing.then(change)
    changing = turn.catch(() => {})
    return turn
  }

  const following = repeat(
    async () => {
      if (!isDeepStrictEqual(readWanted(config), inUse)) await follow()
    },
    followMs,
    log,
    'Changing the SumUp account',
  )
  opened.defer(async () => {
    isClosed = true
    await following.stop()
    await changing
    await current.close()
  })

  return {
    get sumup() {
      return current.sumup
    },
    createClient: () => current.createClient(),
    get currency() {
      return current.currency
    },
    get sdkUrl() {
      return current.sdkUrl
    },
    get sdkSource() {
      return current.sdkSource
    },
    get cardFormOrigins() {
      return current.cardFormOrigins
    },
    get webhookUrl() {
      return current.webhookUrl
    },
    get sandboxUrl() {
      return current.sandboxUrl
    },
    account: () => current.account(),
    getMode: () => current.getMode(),
    isKeyRefused: () => current.isKeyRefused(),
    pin: () => current,
    follow,
    onChange: (listener) => void listeners.push(listener),
  }
}

/** What a connection is opened for: with another of these it is another one. */
function readWanted({ payments: { account, currency } }: PaymentConfig) {
  return { account, currency }
}

async function connect(
  config: PaymentConfig,
  account: Account | undefined,
  log: Log,
  findMode: FindMode,
  launchedSandbox?: ChildProcess,
): Promise<OpenConnection> {
  if (!account) return connectSandbox(config, log, launchedSandbox)
  if (launchedSandbox) await stopSandbox(launchedSandbox)
  await leaveTestMode(config.dataDir)
  return connectAccount(config, account, log, findMode)
}

async function connectAccount(
  config: PaymentConfig,
  account: Account,
  log: Log,
  findMode: FindMode,
): Promise<OpenConnection> {
  const { apiUrl, sdkUrl, currency } = config.payments
  const health: AccountHealth = { isKeyRefused: false }
  let state: AccountState = { ...testAccount, mode: undefined, isUnknown: true }
  const { sumupTimeoutMs: timeoutMs } = config
  const createClient = () =>
    openSumup({ apiUrl, ...account, health, timeoutMs, findMode: () => state.mode })
  const sumup = createClient()
  await updateAccount()
  if (state.mode === undefined) state = { ...state, mode: await findMode(account.merchantCode) }
  if (state.problem) log.error(state.problem)
  const rechecking = repeat(recheckAccount, recheckMs, log, 'Checking the SumUp account')

  /** An account stays what it is, also while SumUp does not answer. */
  async function updateAccount(): Promise<void> {
    const checked = await checkAccount(sumup, currency)
    // Such a key may still be good for checkouts.
    if (checked.problem === describeHidden(sumup.merchantCode)) health.isKeyRefused = false
    const problem = checked.problem === silentText ? silentInUseText : checked.problem
    state = { ...checked, problem, mode: checked.mode ?? state.mode }
  }

  async function recheckAccount(): Promise<void> {
    if (state.isUnknown || state.problem || health.isKeyRefused) await updateAccount()
  }

  function describeState(): AccountState {
    if (health.isKeyRefused) return { ...state, problem: keyRefusedText }
    const { formProblem } = health
    return formProblem ? { ...state, problem: formProblem, isRefusing: true } : state
  }

  let asking: Promise<void> | undefined
  async function getMode(): Promise<Mode> {
    if (state.mode === undefined) {
      asking ??= updateAccount().finally(() => (asking = undefined))
      await asking
    }
    if (state.mode === undefined) throw new Refusal('payments-away', { retryAfter: 5 })
    return state.mode
  }

  return {
    sumup,
    createClient,
    currency,
    sdkUrl,
    sdkSource: sdkUrl,
    cardFormOrigins: {
      script: [new URL(sdkUrl).origin],
      api: [new URL(apiUrl).origin],
      pictures: [sumupPictures],
    },
    get webhookUrl() {
      return config.publicUrl && `${config.publicUrl}${apiRoutes.paymentWebhook}`
    },
    sandboxUrl: undefined,
    account: describeState,
    getMode,
    isKeyRefused: () => health.isKeyRefused,
    close: () => rechecking.stop(),
  }
}

/** The sandbox's card form comes through the shop itself. */
export const noOrigins: CardFormOrigins = { script: [], api: [], pictures: [] }

/** The sandbox's account, which accepts every currency. */
export const testAccount: AccountState = {
  mode: 'test',
  problem: undefined,
  isUnknown: false,
  currency: undefined,
  country: undefined,
}

async function connectSandbox(
  config: PaymentConfig,
  log: Log,
  launched: ChildProcess | undefined,
): Promise<OpenConnection> {
  const { currency } = config.payments
  const localUrl = `http://127.0.0.1:${config.port}`
  const sandbox = await openSandbox(
    {
      dataDir: config.dataDir,
      publicUrl: `${config.publicUrl ?? localUrl}${sandboxPath}`,
      currency: currency === 'product' ? 'EUR' : currency,
    },
    log,
    launched,
  )
  const { sumupTimeoutMs: timeoutMs } = config
  const createClient = () => openSumup({ ...sandbox.account, timeoutMs, findMode: () => 'test' })
  return {
    sumup: createClient(),
    createClient,
    currency,
    sdkUrl: `${sandboxPath}${sdkPath}`,
    sdkSource: `${sandbox.account.apiUrl}${sdkPath}`,
    cardFormOrigins: noOrigins,
    webhookUrl: `${localUrl}${apiRoutes.paymentWebhook}`,
    sandboxUrl: sandbox.account.apiUrl,
    account: () => testAccount,
    getMode: async () => 'test',
    isKeyRefused: () => false,
    close: sandbox.stop,
  }
}

/** What SumUp says about the merchant account. */
export type AccountState = {
  /** Undefined until SumUp has told. */
  mode: Mode | undefined
  /** A message for the owner, with what to do, without names of variables: those are the doctor's. */
  problem: string | undefined
  /** SumUp did not answer, which says nothing about the account; it is asked again. */
  isUnknown: boolean
  /** SumUp did not create the latest payment form, although it shows the account. */
  isRefusing?: true
  /** The account's only currency, and its country; undefined until SumUp answered. */
  currency: string | undefined
  country: string | undefined
}

export async function checkAccount(sumup: Sumup, wanted: PaymentCurrency): Promise<AccountState> {
  try {
    const { default_currency: currency, country, sandbox } = await sumup.getMerchant()
    const fits = wanted === 'product' || currency === wanted
    const problem = fits ? undefined : describeCurrency(sumup.merchantCode, currency, wanted)
    return { mode: modeOf(sandbox), problem, isUnknown: false, currency, country }
  } catch (error) {
    const isKeyRefused = error instanceof ProviderUnavailable && error.isKeyRefused
    return {
      mode: undefined,
      problem: describeRefusal(sumup.merchantCode, error),
      isUnknown: !(error instanceof SumupRefusal || isKeyRefused),
      currency: undefined,
      country: undefined,
    }
  }
}

export const keyRefusedText =
  'SumUp does not accept the API key, so nobody can pay. Use a secret key (sup_sk_…) of this account that may read and create checkouts.'

/** The problem of an account that may be new to the shop. */
const silentText = refusals['sumup-away'].text
const silentInUseText = 'SumUp does not answer right now. Payments work again when it does.'

function describeCurrency(code: string, paidIn: string, currency: string): string {
  return (
    `The SumUp account ${code} is paid in ${paidIn}, but buyers are to be charged in ${currency}. ` +
    `Set the payment currency to ${paidIn}, or use an account in ${currency}.`
  )
}

/** The key is good, but may not see whose it is. */
function describeHidden(code: string): string {
  return `SumUp does not let the API key read the account ${code}, so the shop does not know whether its payments are tests, and sells nothing unless earlier sales tell. Use a secret key (sup_sk_…) that may also read the merchant.`
}

function describeRefusal(code: string, error: unknown): string {
  const { cause } = error instanceof ProviderUnavailable ? error : {}
  if (cause instanceof SumupRefusal && cause.status === 403) return describeHidden(code)
  if (error instanceof ProviderUnavailable && error.isKeyRefused) return keyRefusedText
  if (!(error instanceof SumupRefusal)) return silentText
  if (error.status === 404) return `SumUp knows no account ${code}. Check the merchant code.`
  return `SumUp refuses to show the account: ${error.message}`
}
