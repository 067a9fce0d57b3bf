import type { PaymentCurrency } from './charge.ts'
import type { Sumup } from './sumup.ts'
import { SumupRefusal } from './sumup-http.ts'

/** What is wrong with the account that is to be paid, in words its owner can act on; nothing when all is well. */
export async function maybeAccountProblem(
  sumup: Sumup,
  currency: PaymentCurrency,
): Promise<string | undefined> {
  try {
    const merchant = await sumup.merchant()
    if (currency === 'product' || merchant.default_currency === currency) return undefined
    return (
      `The SumUp account ${sumup.merchantCode} is paid in ${merchant.default_currency}, but buyers are to be charged in ` +
      `${currency}. Set PAYMENT_CURRENCY=${merchant.default_currency}, or use an account in ${currency}.`
    )
  } catch (error) {
    if (!(error instanceof SumupRefusal))
      return 'SumUp does not answer right now. Payments work again when it does.'
    if (error.status === 401)
      return 'SumUp does not accept SUMUP_API_KEY. Use a secret key (sup_sk_…) of this account.'
    if (error.status === 404)
      return `SumUp knows no account ${sumup.merchantCode}. Check SUMUP_MERCHANT_CODE.`
    return `SumUp refuses to show the account: ${error.message}`
  }
}
