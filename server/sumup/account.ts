import type { CurrencyCode } from '#contract/currencies.ts'
import { ProviderUnavailable } from './circuit-breaker.ts'
import type { Sumup } from './client.ts'
import { SumupRefusal } from './http.ts'

/** What buyers are charged in: one currency, or each product's own. */
export type PaymentCurrency = CurrencyCode | 'product'

/** How the account that is to be paid stands, as far as SumUp says. */
export type AccountState = {
  /** A sandbox account of SumUp's: its cards are test cards, and no money moves. */
  isSandbox: boolean
  /** What is wrong with it, in words its owner can act on. */
  problem: string | undefined
  /** Asked again later: SumUp did not answer, which says nothing of the account. */
  isUnknown: boolean
  /** The one currency that the account can be paid in, and where it is; unknown until SumUp said so. */
  currency: string | undefined
  country: string | undefined
}

export async function checkAccount(sumup: Sumup, wanted: PaymentCurrency): Promise<AccountState> {
  try {
    const { default_currency: currency, country, sandbox } = await sumup.merchant()
    const fits = wanted === 'product' || currency === wanted
    const problem = fits ? undefined : describeCurrency(sumup.merchantCode, currency, wanted)
    return { isSandbox: sandbox, problem, isUnknown: false, currency, country }
  } catch (error) {
    const isKeyRefused = error instanceof ProviderUnavailable && error.isKeyRefused
    return {
      isSandbox: false,
      problem: describeRefusal(sumup.merchantCode, error),
      isUnknown: !(error instanceof SumupRefusal || isKeyRefused),
      currency: undefined,
      country: undefined,
    }
  }
}

export const keyRefusedText =
  'SumUp does not accept SUMUP_API_KEY, so nobody can pay. Use a secret key (sup_sk_…) of this account that may read and create checkouts.'

function describeCurrency(code: string, paidIn: string, currency: string): string {
  return (
    `The SumUp account ${code} is paid in ${paidIn}, but buyers are to be charged in ${currency}. ` +
    `Set PAYMENT_CURRENCY=${paidIn}, or use an account in ${currency}.`
  )
}

function describeRefusal(code: string, error: unknown): string {
  if (error instanceof ProviderUnavailable && error.isKeyRefused) return keyRefusedText
  if (!(error instanceof SumupRefusal))
    return 'SumUp does not answer right now. Payments work again when it does.'
  if (error.status === 404) return `SumUp knows no account ${code}. Check SUMUP_MERCHANT_CODE.`
  return `SumUp refuses to show the account: ${error.message}`
}
