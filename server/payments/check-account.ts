import type { PaymentCurrency } from './charge.ts'
import type { Sumup } from './sumup.ts'
import { SumupRefusal } from './sumup-http.ts'

/** How the account that is to be paid stands, as far as SumUp says. */
export type AccountState = {
  /** A sandbox account of SumUp's: its cards are test cards, and no money moves. */
  isSandbox: boolean
  /** What is wrong with it, in words its owner can act on. */
  problem: string | undefined
  /** Asked again later: SumUp did not answer, which says nothing of the account. */
  isUnknown: boolean
}

export async function checkAccount(sumup: Sumup, currency: PaymentCurrency): Promise<AccountState> {
  try {
    const { default_currency: paidIn, sandbox } = await sumup.merchant()
    const fits = currency === 'product' || paidIn === currency
    const problem = fits ? undefined : describeCurrency(sumup.merchantCode, paidIn, currency)
    return { isSandbox: sandbox, problem, isUnknown: false }
  } catch (error) {
    const isUnknown = !(error instanceof SumupRefusal)
    return { isSandbox: false, problem: describeRefusal(sumup.merchantCode, error), isUnknown }
  }
}

function describeCurrency(code: string, paidIn: string, currency: string): string {
  return (
    `The SumUp account ${code} is paid in ${paidIn}, but buyers are to be charged in ${currency}. ` +
    `Set PAYMENT_CURRENCY=${paidIn}, or use an account in ${currency}.`
  )
}

function describeRefusal(code: string, error: unknown): string {
  if (!(error instanceof SumupRefusal)) {
    return 'SumUp does not answer right now. Payments work again when it does.'
  }
  if (error.status === 401) {
    return 'SumUp does not accept SUMUP_API_KEY. Use a secret key (sup_sk_…) of this account.'
  }
  if (error.status === 404) return `SumUp knows no account ${code}. Check SUMUP_MERCHANT_CODE.`
  return `SumUp refuses to show the account: ${error.message}`
}
