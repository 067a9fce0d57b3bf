import { formatMoney } from '#contract/money.ts'
import type { SumupRefusal } from './http.ts'

/** Why SumUp did not create a payment form: of a price only some products cannot be paid for, of anything else none can. */

const parts = {
  address: /return_url|redirect_url/,
  clock: /valid_until/,
  // Before the account: SumUp's sentence about a currency names the account's country, too.
  price: /amount|currency/,
  merchant: /merchant|pay_to_email/,
} as const
type Part = keyof typeof parts

const names = Object.keys(parts) as Part[]

/** What SumUp named; undefined if it named nothing that is known here. */
function findRefusedPart({ param, text, status }: SumupRefusal): Part | undefined {
  const named =
    names.find((name) => parts[name].test(param)) ??
    names.find((name) => parts[name].test(text.toLowerCase()))
  return named ?? (status === 404 ? 'merchant' : undefined)
}

export function isAboutPrice(refusal: SumupRefusal): boolean {
  return findRefusedPart(refusal) === 'price'
}

type Wanted = { amount: string; currency: string; validUntil: Date }

/** For the owner, with what to do. */
export function describeFormRefusal(
  refusal: SumupRefusal,
  { amount, currency, validUntil }: Wanted,
  merchantCode: string,
): string {
  switch (findRefusedPart(refusal)) {
    case 'price':
      return `SumUp does not take ${formatMoney(amount, currency)}, so nobody can pay that. Change the price or its currency, or ask SumUp.`
    case 'clock':
      return `SumUp does not accept that a payment form ends at ${validUntil.toISOString()}, so nobody can pay. Check the clock of the server.`
    case 'address':
      return 'SumUp does not accept the address of the shop, so nobody can pay. Check the public address (PUBLIC_URL) and the custom domain.'
    case 'merchant':
      return `SumUp takes no payments for the account ${merchantCode}, so nobody can pay. Check the merchant code, and in SumUp’s dashboard whether the account is ready.`
    case undefined:
      return `SumUp refuses to take payments, so nobody can pay: ${refusal.message}`
  }
}
